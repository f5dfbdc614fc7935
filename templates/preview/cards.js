// All cards: small pictures that can be searched, filtered and sorted. Elements stay for as long as their card does.

import { address, findingItem, make, sharp } from "./drawing.js";

const $ = id => document.getElementById(id);
const MOST_CHOICES = 40; // values of a fact that are offered as a filter
const ORDERS = { file: "as in the files", edited: "edited last", name: "by name" };

export class CardList {
  #board; #chosen; #items = new Map(); #marked = ""; #facts = new Map();

  constructor(board, chosen) {
    this.#board = board;
    this.#chosen = chosen;
    $("filters").addEventListener("input", () => this.#arrange());
    $("filters").addEventListener("submit", event => event.preventDefault());
    $("clear").addEventListener("click", () => { $("filters").reset(); this.#arrange(); $("search").focus(); });
    $("grid").addEventListener("click", event => {
      const key = event.target.closest("li")?.dataset.key;
      if (key) this.#chosen(key);
    });
    new ResizeObserver(() => this.#sharpen()).observe($("grid"));
  }

  /** The keys of the cards that are listed now, in their order. */
  get listed() {
    return [...$("grid").children].filter(item => !item.hidden).map(item => item.dataset.key);
  }

  /** Mark the card that is shown large. */
  mark(key) {
    this.#items.get(this.#marked)?.firstChild.removeAttribute("aria-current");
    this.#items.get(key)?.firstChild.setAttribute("aria-current", "true");
    this.#marked = key;
  }

  update(news) {
    const { cards } = this.#board;
    for (const [key, item] of this.#items) {
      if (cards.has(key)) continue;
      item.remove();
      this.#items.delete(key);
    }
    for (const key of news.all ? cards.keys() : Object.keys(news.cards)) if (cards.has(key)) this.#fill(key, cards.get(key));
    if ("sets" in news) for (const [key, item] of this.#items) this.#fade(item.firstChild, cards.get(key));
    if ("sets" in news || "wrong" in news) this.#showProblems();
    this.#offer();
    this.#arrange();
    this.mark(this.#marked);
  }

  // --- one card -------------------------------------------------------------------------------------------------------

  #fill(key, card) {
    let item = this.#items.get(key);
    if (!item) {
      item = make("li", { "data-key": key }, make("button", { type: "button", class: "thumb" },
        make("span", { class: "shot" }, make("img", { loading: "lazy", decoding: "async", alt: "" })),
        make("span", { class: "name" }), make("span", { class: "about" })));
      this.#items.set(key, item);
    }
    const [button] = item.children, img = item.querySelector("img");
    this.#fade(button, card);
    item.querySelector(".name").textContent = card.name;
    item.querySelector(".about").textContent = this.#aboutWords(card);
    img.alt = (card.says ?? "").split("\n").slice(0, 2).join(", ");
    item.querySelector(".shot").classList.toggle("token", card.token);
    item.querySelector(".shot").style.setProperty("--card", `${card.width} / ${card.height}`);
    if (card.face) this.#draw(img, card.face, card.width);
    else img.removeAttribute("src");
    this.#badge(button, card.findings);
  }

  /** Fade the picture of a card that is drawn as it was before an error. */
  #fade(button, card) {
    button.classList.toggle("stale", card.stale || this.#board.sets[card.set].unread.length > 0);
  }

  #aboutWords(card) {
    const several = Object.keys(this.#board.sets).length > 1;
    const level = card.facts.level === undefined ? "" : `level ${card.facts.level}`;
    return [card.kind, level, several ? this.#board.sets[card.set].name : ""].filter(Boolean).join(" · ");
  }

  #badge(button, findings) {
    button.querySelector(".badge")?.remove();
    if (!findings.length) return;
    const errors = findings.filter(each => each.severity === "error").length;
    const words = errors ? `${errors} error${errors === 1 ? "" : "s"}` : `${findings.length} note${findings.length === 1 ? "" : "s"}`;
    button.append(make("span", { class: `badge ${errors ? "" : "warning"}` }, words));
  }

  #draw(img, face, mm) {
    const width = $("grid").firstElementChild?.querySelector(".shot")?.clientWidth || 160;
    const src = address(face, Math.min(sharp(width, mm), 300));
    if (img.getAttribute("src") !== src) img.src = src;
  }

  #sharpen() {
    for (const [key, item] of this.#items) {
      const card = this.#board.cards.get(key);
      if (card?.face) this.#draw(item.querySelector("img"), card.face, card.width);
    }
  }

  // --- which, and in which order ----------------------------------------------------------------------------------------

  #arrange() {
    const { cards } = this.#board, keys = this.#sorted(), grid = $("grid");
    keys.forEach((key, index) => {
      const item = this.#items.get(key);
      if (grid.children[index] !== item) grid.insertBefore(item, grid.children[index] ?? null);
    });
    const words = $("search").value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const key of keys) {
      const meant = this.#isMeant(cards.get(key), words);
      this.#items.get(key).hidden = !meant;
      shown += meant;
    }
    $("count").textContent = shown === keys.length ? `${keys.length}` : `${shown} of ${keys.length}`;
    $("nothing").hidden = shown > 0 || !keys.length;
  }

  #isMeant(card, words) {
    const fault = $("fault").value;
    if ($("kind").value && card.kind !== $("kind").value) return false;
    if (fault && !card.findings.some(each => fault === "any" || each.severity === fault)) return false;
    for (const [fact, select] of this.#facts) {
      if (select.value !== "" && String(fact === "set" ? card.set : card.facts[fact] ?? "") !== select.value) return false;
    }
    return words.every(word => card.words.includes(word));
  }

  #sorted() {
    const { cards, order, edits } = this.#board, by = $("sort").value;
    const keys = order.filter(key => this.#items.has(key));
    if (by === "file") return keys;
    if (by === "name") return keys.sort((a, b) => cards.get(a).name.localeCompare(cards.get(b).name));
    if (by === "edited") return keys.sort((a, b) => (edits.get(b) ?? 0) - (edits.get(a) ?? 0));
    const fact = key => cards.get(key).facts[by];
    return keys.sort((a, b) => compare(fact(a), fact(b)));
  }

  /** Offer the values that there are. */
  #offer() {
    const cards = [...this.#board.cards.values()];
    choices($("kind"), "all kinds", unique(cards.map(card => card.kind)).map(kind => [kind, kind]));
    const facts = unique(cards.flatMap(card => Object.keys(card.facts)));
    const sets = Object.entries(this.#board.sets);
    const offered = [["set", sets.length > 1 ? sets.map(([key, set]) => [key, set.name]) : []]];
    for (const fact of facts) {
      const values = unique(cards.map(card => card.facts[fact])).sort(compare);
      const name = fact.replaceAll("_", " ");
      offered.push([fact, values.length > 1 && values.length <= MOST_CHOICES ? values.map(value => [value, `${name} ${value}`]) : []]);
    }
    for (const [fact, values] of offered) this.#offerFact(fact, values);
    choices($("sort"), "", [...Object.entries(ORDERS), ...facts.map(fact => [fact, `by ${fact.replaceAll("_", " ")}`])]);
  }

  #offerFact(fact, values) {
    let select = this.#facts.get(fact);
    if (!values.length) {
      select?.remove();
      this.#facts.delete(fact);
      return;
    }
    const name = fact.replaceAll("_", " ");
    if (!select) {
      select = make("select", { "aria-label": name.charAt(0).toUpperCase() + name.slice(1) });
      this.#facts.set(fact, select);
      $("facts").append(select);
    }
    choices(select, `any ${name}`, values);
  }

  #showProblems() {
    const { wrong, sets } = this.#board;
    const found = [...wrong, ...Object.values(sets).flatMap(set => set.findings)];
    $("problems").replaceChildren(...found.map(each => findingItem(each)));
  }
}

const unique = values => [...new Set(values.filter(value => value !== undefined && value !== ""))];

function compare(one, other) {
  if (one === undefined || other === undefined) return (one === undefined) - (other === undefined);
  return typeof one === "number" && typeof other === "number" ? one - other : String(one).localeCompare(String(other));
}

/** Give a select these options, if it has others; what was chosen stays chosen. */
function choices(select, none, values) {
  const wanted = [...(none ? [["", none]] : []), ...values].map(([value, words]) => [String(value), words]);
  const now = [...select.options].map(option => [option.value, option.text]);
  if (JSON.stringify(wanted) === JSON.stringify(now)) return;
  const chosen = select.value;
  select.replaceChildren(...wanted.map(([value, words]) => make("option", { value }, words)));
  if (wanted.some(([value]) => value === chosen)) select.value = chosen;
}
