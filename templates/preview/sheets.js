// The sheets as they will print: both sides of each, with marks and backs.

import { address, make, sharp } from "./drawing.js";

const $ = id => document.getElementById(id);
const PATIENCE = 300; // ms of quiet before sheets are asked for again

export class Sheets {
  #board; #timer = 0; #shown = "";
  isOpen = false;

  constructor(board) {
    this.#board = board;
    new ResizeObserver(() => this.#sharpen()).observe($("sheets"));
  }

  update() {
    clearTimeout(this.#timer);
    if (this.isOpen) this.#timer = setTimeout(() => this.#ask(), this.#shown ? PATIENCE : 0);
  }

  async #ask() {
    const told = [];
    for (const [key, set] of Object.entries(this.#board.sets)) {
      try {
        const response = await fetch(`sheets/${key}`);
        if (response.ok) told.push([set, await response.json()]);
      } catch {
        return; // the connection is gone, which the page says elsewhere
      }
    }
    const words = JSON.stringify(told);
    if (words === this.#shown) return;
    this.#shown = words;
    $("sheets-about").textContent = told.length === 1 ? told[0][1].about ?? "" : "";
    $("sheets").replaceChildren(...told.map(([set, sheets]) => this.#section(set, sheets, told.length > 1)));
    this.#sharpen();
  }

  #section(set, { about, sides, more, wrong }, named) {
    const figures = sides.map(side => make("figure", {},
      make("img", {
        alt: `Sheet ${side.sheet}, ${side.side}: ${side.cards.join(", ") || "blank"}`, loading: "lazy", decoding: "async",
        width: Math.round(side.width * 4), height: Math.round(side.height * 4), "data-id": side.picture, "data-mm": side.width,
      }),
      make("figcaption", {}, `Sheet ${side.sheet}, ${side.side}`)));
    return make("section", {},
      named ? make("h3", {}, set.name) : "",
      named && about ? make("p", { class: "dim" }, about) : "",
      wrong ? make("p", { class: "finding error" }, wrong) : "",
      make("div", { class: "sides" }, ...figures),
      more ? make("p", { class: "dim" }, `and ${more} more sheets`) : "");
  }

  #sharpen() {
    for (const img of $("sheets").querySelectorAll("img")) {
      const src = address(img.dataset.id, Math.min(sharp(img.clientWidth || 400, Number(img.dataset.mm)), 200));
      if (img.getAttribute("src") !== src) img.src = src;
    }
  }
}
