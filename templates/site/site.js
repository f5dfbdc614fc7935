"use strict";
// The search of a site. The page shows the first cards; all come from the settings, or from the shards of `data`.
{
const part = name => document.getElementById(`:${name}`);
const settings = JSON.parse(part("settings").textContent);
const { fields, words, icons } = settings;
const fieldOf = new Map(fields.flatMap(field => [[field.name, field], ...(field.short ? [[field.short, field]] : [])]));
const all = settings.cards ?? (window.siteCards ?? []).flat();
const fold = text => String(text).normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
const folded = value => typeof value === "number" ? value : fold(value);
const at = Object.fromEntries(fields.map((field, number) => [field.name, number]));

for (const card of all) {
  // What every card has stands once among its values: fields are by their numbers.
  card.values[at.name] ??= [card.name];
  card.values[at.text] = [card.text];
  card.values[at.id] = [card.id];
  card.folded = card.values.map(values => values?.map(folded));
  card.low = fold([...card.values[at.name], card.about, card.text, card.id].join("\n"));
  card.numbers = new Set(card.low.match(/[\p{L}\p{N}]+/gu));
}
for (const field of fields) field.ranks = new Map(field.order.map((value, rank) => [folded(value), rank]));

// --- the query: terms in rows, `or` between rows, `-` and parentheses ---

class Wrong extends Error {}

function tokens(query) {
  const read = [];
  const pattern = /([()])|-?([\p{L}_][\p{L}\p{N}_]*)(?::|!=|<=|>=|=|<|>)(?:-(?=[\s(])|(?=\s*-?\s*(?:\)|$)))|(-?)(?:([\p{L}_][\p{L}\p{N}_]*)(:|!=|<=|>=|=|<|>)\s*)?(?:"([^"]*)"?|((?!-(?:[\s()]|$))[^\s()"]+))|(-)/gu;
  for (const [, paren, begun, minus, name, sign, exact, word, lone] of query.matchAll(pattern)) {
    if (paren) read.push({ paren });
    else if (lone) read.push({ lone });
    else if (begun) fieldCalled(begun); // its value is still to come
    else if (exact !== "") read.push({ minus: Boolean(minus), name, sign, value: exact ?? word, quoted: exact !== undefined });
  }
  return read;
}

const isWord = token => token && token.value !== undefined && !token.name && !token.minus && !token.quoted;
const isOr = token => isWord(token) && /^or$/i.test(token.value);

function parse(query) {
  const rest = tokens(query), sorts = [];
  // Where something is still to be typed, there is no test.
  function either() {
    const tests = [row()];
    while (isOr(rest[0])) { rest.shift(); tests.push(row()); }
    return joined(tests, "some");
  }
  function row() {
    const tests = [];
    while (rest.length && rest[0].paren !== ")" && !isOr(rest[0])) tests.push(one());
    return joined(tests, "every");
  }
  function one() {
    const token = rest.shift();
    if (token.lone) {
      const test = rest.length && rest[0].paren !== ")" && !isOr(rest[0]) && one();
      return test && (card => !test(card));
    }
    if (token.paren) {
      const inner = either();
      if (rest.length) rest.shift();
      return inner;
    }
    if (token.name === "sort") {
      const [, minus, name] = token.value.match(/^(-?)(.*)$/s);
      if (name) sorts.push([fieldCalled(name), minus ? -1 : 1]);
      return;
    }
    const test = token.name ? ofField(fieldCalled(token.name), token.sign, token.value) : isWord(token) && ofNumber(token.value) || ofWords(token);
    return token.minus ? card => !test(card) : test;
  }
  function ofNumber(word) { // `level 4` is `level=4`
    const field = fieldOf.get(fold(word));
    if (word.length > 1 && field?.is_number && isWord(rest[0]) && /^[0-9]+$/.test(rest[0].value)) return ofField(field, "=", rest.shift().value);
  }
  const tests = [either()];
  while (rest.length) { // a `)` too many closes nothing
    rest.shift();
    tests.push(either());
  }
  return { test: joined(tests, "every") ?? (() => true), sorts };
}

function joined(tests, how) {
  const there = tests.filter(Boolean);
  return there.length > 1 ? card => there[how](test => test(card)) : there[0];
}

function fieldCalled(name) {
  const field = fieldOf.get(name.toLowerCase());
  if (!field && name !== "sort") throw new Wrong(name);
  return field;
}

function ofWords({ value, quoted }) {
  const wanted = fold(value);
  return !quoted && /^[0-9]+$/.test(wanted) ? card => card.numbers.has(wanted) : card => card.low.includes(wanted);
}

const compare = { "<": (a, b) => a < b, "<=": (a, b) => a <= b, ">": (a, b) => a > b, ">=": (a, b) => a >= b };

function ofField({ name, is_number: isNumber, ranks }, sign, value) {
  const wanted = fold(value), number = Number(value), has = (card, fits) => (card.folded[at[name]] ?? []).some(fits);
  if (compare[sign]) {
    const limit = isNumber ? number : ranks.get(wanted);
    return limit === undefined || Number.isNaN(limit) ? () => false : card => has(card, own => compare[sign](isNumber ? own : ranks.get(own), limit));
  }
  const equals = own => isNumber ? own === number : own === wanted;
  if (sign === "!=") return card => !has(card, equals);
  return sign === "=" || isNumber ? card => has(card, equals) : card => has(card, own => own.includes(wanted));
}

function sorted(cards, sorts) {
  const keyOf = (card, { name, is_number: isNumber, ranks }) => {
    const value = card.folded[at[name]]?.[0];
    return value === undefined || isNumber ? value : ranks.size ? ranks.get(value) : value;
  };
  const by = (a, b) => {
    for (const [field, way] of sorts) {
      const [x, y] = [keyOf(a, field), keyOf(b, field)];
      if (x === y) continue;
      if (x === undefined || y === undefined) return x === undefined ? 1 : -1; // cards without it come last
      return way * (typeof x === "number" ? x - y : x < y ? -1 : 1);
    }
    return 0;
  };
  return sorts.length ? [...cards].sort(by) : cards;
}

function search(query) {
  const { test, sorts } = parse(query);
  return sorted(all.filter(test), sorts);
}

// --- the page ---

const query = part("query"), sort = part("sort"), list = part("cards"), rows = part("rows"), more = part("more");
const views = [...document.querySelectorAll("[name=view]")], buttons = [...document.querySelectorAll("[data-value]")];
const templates = { item: part("item").innerHTML.trim(), row: part("row").innerHTML.trim() };
const picked = new Set();
let found = all, shown = 0;

const escaped = text => String(text).replace(/[&<>"]/g, char => `&#${char.charCodeAt(0)};`);
const withIcons = text => escaped(text).replace(/\{([^{}\s]+)\}/g, (icon, name) => `<abbr title="${Object.hasOwn(icons, name) ? icons[name] : name}">${icon}</abbr>`);
const inCell = values => (values ?? []).map(withIcons).join(", ");
const address = (pattern, card, side = 0) => pattern && pattern.replace("%", `${card.home ? `${card.home}/` : ""}${card.id}${card.sides[side][0]}`);

function filled(template, card) {
  const [, width, height] = card.sides[0], back = card.sides[1] ? address(settings.thumb, card, 1) : "";
  const values = {
    anchor: `${settings.alone ? "" : `${card.home}-`}${card.id}`, page: address(settings.page, card), picture: address(settings.thumb, card), width, height, back, shape: card.shape,
    language: card.language, name: escaped(card.name), about: withIcons(card.about), text: withIcons(card.text).replace(/\n+/g, "<br>"),
    cells: settings.columns.map(name => inCell(card.values[at[name]])).join("</td><td>"),
  };
  return (back ? template : template.replace(/<a class="turn".*?<\/a>/s, "")).replace(/%(\w+)%/g, (_, name) => values[name]);
}

function extend() {
  const next = found.slice(shown, shown + settings.count);
  const asTable = views[2].checked;
  (asTable ? rows : list).insertAdjacentHTML("beforeend", next.map(card => filled(asTable ? templates.row : templates.item, card)).join(""));
  if (!asTable) next.forEach((card, number) => enhance(list.children[shown + number], card));
  shown += next.length;
  more.hidden = shown >= found.length;
}

function enhance(item, card) {
  const input = Object.assign(document.createElement("input"), { type: "checkbox", className: "pick", checked: picked.has(card) });
  input.setAttribute("aria-label", `${words.select}: ${card.name}`);
  input.addEventListener("change", () => {
    if (input.checked) picked.add(card); else picked.delete(card);
    part("print").hidden = !picked.size;
    part("print").textContent = `${words.print} (${picked.size})`;
  });
  item.append(input);
  const link = item.querySelector(".turn");
  if (!link) return;
  const button = Object.assign(document.createElement("button"), { type: "button", className: "turn", textContent: link.textContent, ariaLabel: link.ariaLabel, ariaPressed: "false" });
  button.addEventListener("click", () => {
    const turned = button.ariaPressed === "false", picture = item.querySelector("img");
    picture.src = turned ? link.getAttribute("href") : link.dataset.front;
    if (settings.alone) picture.parentElement.href = picture.src;
    button.ariaPressed = turned;
  });
  link.replaceWith(button);
}

// A filter is a term of the query. What it counts are the cards that the other terms find.
const term = (name, value, isNumber) => `${name}${isNumber ? "=" : ":"}${/[\s()"]/.test(value) ? `"${value}"` : value}`;
const hasTerm = asked => ` ${query.value} `.includes(` ${asked} `);
const without = (text, terms) => terms.reduce((rest, each) => rest.replace(` ${each} `, " "), ` ${text} `).trim();

for (const button of buttons) {
  const { name, is_number: isNumber } = fieldOf.get(button.closest("[data-field]").dataset.field);
  button.term = term(name, button.dataset.value, isNumber);
  button.field = name;
  button.addEventListener("click", () => {
    const rest = without(query.value, buttons.filter(each => each.field === name).map(each => each.term));
    query.value = hasTerm(button.term) ? rest : `${rest} ${button.term}`.trim();
    show();
  });
}

function count() {
  const groups = Map.groupBy?.(buttons, button => button.field) ?? buttons.reduce((map, button) => map.set(button.field, [...(map.get(button.field) ?? []), button]), new Map());
  for (const [name, group] of groups) {
    const terms = group.map(button => button.term).filter(hasTerm), counts = new Map();
    for (const card of terms.length ? search(without(query.value, terms)) : found) for (const value of card.values[at[name]] ?? []) counts.set(String(value), (counts.get(String(value)) ?? 0) + 1);
    for (const button of group) {
      const number = counts.get(button.dataset.value) ?? 0, isAsked = terms.includes(button.term);
      button.lastElementChild.textContent = number;
      button.ariaPressed = isAsked;
      button.hidden = !number && !isAsked;
    }
  }
}

function show({ keep = false } = {}) {
  const text = query.value.trim();
  try {
    found = search(text);
    part("problem").hidden = true;
  } catch (error) {
    if (!(error instanceof Wrong)) throw error;
    part("problem").hidden = false;
    part("problem").textContent = `${words.unknown} “${error.message}”; ${words.fields}: ${fields.map(field => field.name).join(", ")}`;
    return;
  }
  list.replaceChildren();
  rows.replaceChildren();
  shown = 0;
  extend();
  count();
  const order = text.match(/(?:^| )sort:(\S+)$/)?.[1] ?? "";
  sort.value = [...sort.options].some(option => option.value === order) ? order : "";
  part("count").value = !found.length && all.length ? words.none : `${found.length === all.length ? "" : `${found.length} ${words.of} `}${all.length} ${words.cards}`;
  if (keep) return;
  const { value: view } = views.find(each => each.checked), asked = new URLSearchParams({ ...(text && { q: text }), ...(view !== "grid" && { view }) });
  history.replaceState(null, "", `#${asked}`);
}

function sortBy(name) {
  query.value = `${query.value.replace(/(^| )sort:\S*/g, "")} ${name ? `sort:${name}` : ""}`.trim();
  show();
}

async function printPicked() {
  const pictures = [...picked].flatMap(card => card.sides.map(([, width], side) => {
    const picture = Object.assign(document.createElement("img"), { src: address(settings.picture, card, side), alt: "" });
    picture.style.setProperty("--w", `${width}mm`);
    return picture;
  }));
  part("paper").replaceChildren(...pictures);
  await Promise.allSettled(pictures.map(picture => picture.decode()));
  document.body.classList.add("printing");
  print();
}

function fromAddress() {
  const asked = new URLSearchParams(location.hash.slice(1)), view = asked.get("view") ?? "grid";
  query.value = asked.get("q") ?? "";
  for (const each of views) each.checked = each.value === view;
  if (shown || !settings.is_first || view === "table" || query.value) return show({ keep: true });
  shown = list.children.length; // the page has them already
  [...list.children].forEach((item, number) => enhance(item, all[number]));
  more.hidden = shown >= all.length;
  count();
}

if (all.length) {
  for (const tool of document.querySelectorAll(".scripted")) tool.hidden = false;
  part("filters").open = matchMedia("(min-width: 58rem)").matches;
  part("pages")?.remove();
  query.addEventListener("input", () => show());
  query.form.addEventListener("submit", event => event.preventDefault());
  sort.addEventListener("change", () => sortBy(sort.value));
  for (const each of views) each.addEventListener("change", () => show());
  more.addEventListener("click", extend);
  part("print").addEventListener("click", printPicked);
  addEventListener("afterprint", () => document.body.classList.remove("printing"));
  addEventListener("hashchange", fromAddress);
  addEventListener("keydown", event => {
    if (event.key === "/" && !/input|textarea|select/i.test(event.target.tagName)) { event.preventDefault(); query.focus(); }
  });
  for (const head of document.querySelectorAll("[data-sort]")) {
    const { sort: name } = head.dataset, button = Object.assign(document.createElement("button"), { type: "button", textContent: head.textContent });
    button.addEventListener("click", () => sortBy(query.value.includes(`sort:${name}`) ? `-${name}` : name));
    head.replaceChildren(button);
  }
  fromAddress();
}
}
