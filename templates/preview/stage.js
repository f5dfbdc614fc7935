// The card at work: its picture, large; what is wrong, over it; its parts, and how its level follows.

import { findingItem, make, placeWords, spotWords, showPicture, withCode } from "./drawing.js";

const $ = id => document.getElementById(id);
const MOST_OVER = 2; // errors over the picture; the others stand beside it

export class Stage {
  #board; #marked; #asked = 0; #isBack = false;
  key = "";

  constructor(board, marked) {
    this.#board = board;
    this.#marked = marked;
    $("turn").addEventListener("click", () => this.turn());
    new ResizeObserver(() => this.#draw()).observe($("picture"));
  }

  get card() {
    return this.#board.cards.get(this.key);
  }

  show(key, { scroll = false } = {}) {
    if (key !== this.key) {
      this.key = key;
      this.#isBack = false;
      $("part-place").hidden = true;
      $("parts").replaceChildren();
    }
    this.refresh();
    this.#marked(key);
    if (scroll && $("stage").getBoundingClientRect().bottom < 80) $("stage").scrollIntoView({ block: "start" });
  }

  /** Show the card as it is now. */
  refresh() {
    const card = this.card;
    $("stage").classList.toggle("empty", !card);
    if (!card) return;
    const set = this.#board.sets[card.set];
    $("picture").style.setProperty("--card", `${card.width} / ${card.height}`);
    $("picture").style.setProperty("--shape", card.width / card.height);
    $("picture").classList.toggle("token", card.token);
    $("picture").classList.toggle("stale", card.stale || set.unread.length > 0);
    $("blank").hidden = Boolean(card.face);
    $("large").alt = [card.name, ...(card.says ?? "").split("\n")].join(". ");
    $("turn").disabled = !card.back;
    $("turn").setAttribute("aria-pressed", this.#isBack);
    this.#draw();
    $("stage-name").textContent = card.name;
    $("stage-about").textContent = [card.about, card.copies === 1 || card.copies === undefined ? "" : `${card.copies} copies`].filter(Boolean).join(" · ");
    this.#showFindings(card);
    this.#ask();
  }

  /** Show over the picture why it is not the card as it is written now, and beside it everything else. */
  #showFindings(card) {
    const covers = card.stale && !this.#isBack;
    const over = covers ? card.findings.filter(each => each.severity === "error").slice(0, MOST_OVER) : [];
    const beside = card.findings.filter(each => !over.includes(each));
    replaceIfOther($("over"), over.map(each => findingItem(each, "div")));
    $("over").hidden = !over.length;
    replaceIfOther($("stage-findings"), beside.map(each => findingItem(each)));
  }

  /** Ask for the details again: other cards have changed, and with them perhaps the lines of this one. */
  moved() {
    if (this.card) this.#ask();
  }

  turn() {
    if (!this.card?.back) return;
    this.#isBack = !this.#isBack;
    this.refresh();
  }

  /** Show the neighbor of the card among those that are listed. */
  step(keys, by) {
    const at = keys.indexOf(this.key), next = keys[(at + by + keys.length) % keys.length];
    if (next) this.show(next);
  }

  #draw() {
    const card = this.card, picture = this.#isBack ? card?.back : card?.face;
    if (picture) showPicture($("large"), picture, card.width);
    else $("large").removeAttribute("src");
  }

  // --- details --------------------------------------------------------------------------------------------------------

  async #ask() {
    const number = ++this.#asked, key = this.key;
    let told = null;
    try {
      const response = await fetch(`cards/${key}`);
      if (response.ok) told = await response.json();
    } catch {
      return; // the connection is gone, which the page says elsewhere
    }
    if (number !== this.#asked || key !== this.key) return;
    replaceIfOther($("stage-place"), told ? [placeWords(told.place)] : []);
    replaceIfOther($("derivation"), told?.derivation ? [sumTable(told.derivation, place => this.#name(place))] : []);
    this.#showParts(told?.parts ?? []);
  }

  #showParts(parts) {
    const side = this.#isBack ? 1 : 0;
    const found = parts.filter(part => part.side === side).map(part => {
      const words = `${part.key}: ${spotWords(part.place)}${part.label ? `, ${part.label}` : ""}`;
      const button = part.place.link
        ? make("a", { href: part.place.link, "aria-label": words, title: words })
        : make("button", { type: "button", "aria-label": words, title: words });
      const [x, y, width, height] = part.box.map(share => `${share * 100}%`);
      Object.assign(button.style, { left: x, top: y, width, height });
      button.addEventListener("click", () => this.#name(part.place, part.key));
      return button;
    });
    // Whoever is on a part stays on it.
    const at = [...$("parts").children].indexOf(document.activeElement);
    if (replaceIfOther($("parts"), found) && at >= 0) $("parts").children[at]?.focus({ preventScroll: true });
  }

  /** Name a place: its key, file, line and column. */
  #name(place, key = "") {
    const words = [key ? make("b", {}, key) : "", key ? " stands in " : "", placeWords(place), place.cell ? "" : `, column ${place.column}`];
    $("part-place").replaceChildren(...words.filter(Boolean));
    $("part-place").hidden = false;
  }
}

/** Replace what an element has only if it would look different, so that focus and places of scrolling stay. */
function replaceIfOther(element, children) {
  const made = make("div", {}, ...children);
  if (made.innerHTML === element.innerHTML) return false;
  element.replaceChildren(...made.childNodes);
  return true;
}

function sumTable({ result, summary, steps }, name) {
  const table = make("table", { class: "sum" }, make("caption", {}, result ? capital(result) : "No level follows"));
  const body = make("tbody");
  for (const step of steps) {
    const minus = step.amount.startsWith("-") ? " minus" : "";
    const words = step.place ? placeButton(step, name) : make("span", {}, step.words);
    const notes = [step.role, step.note, step.extra].filter(each => each && !step.words.startsWith(`${each} `)).join(" · ");
    body.append(make("tr", {},
      make("th", { scope: "row" }, words, notes ? make("small", {}, notes) : ""),
      make("td", { class: `amount${minus}` }, step.amount.replace("-", "−"))));
  }
  table.append(body);
  return make("div", {}, table, result ? "" : withCode(make("p", { class: "dim" }), summary));
}

function placeButton(step, name) {
  const title = `${step.place.file}, ${spotWords(step.place)}`;
  const made = step.place.link
    ? make("a", { href: step.place.link, title }, step.words)
    : make("button", { type: "button", title }, step.words);
  made.dataset.place = JSON.stringify(step.place);
  return made;
}

function capital(words) {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
