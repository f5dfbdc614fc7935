// The page of `kotc preview`. The server sends everything once and then what has changed; this module keeps it and lets
// the others show it. No address is made of names: pictures and cards are asked for by the ids that the server sent.

import { CardList } from "./cards.js";
import { Stage } from "./stage.js";
import { Sheets } from "./sheets.js";
import { followKeys, followLooks } from "./looks.js";

const board = { cards: new Map(), order: [], sets: {}, wrong: [], toDo: 0, edited: [0, ""], edits: new Map() };
const status = document.getElementById("status");
const ended = document.getElementById("ended");

const stage = new Stage(board, key => list.mark(key));
const list = new CardList(board, key => stage.show(key, { scroll: true }));
const sheets = new Sheets(board);

// --- news -------------------------------------------------------------------------------------------------------------

function take(news) {
  const before = board.edited[0], first = news.all && !board.order.length;
  if (news.all) board.cards.clear();
  for (const [key, card] of Object.entries(news.cards)) board.cards.set(key, card);
  for (const key of news.gone ?? []) board.cards.delete(key);
  for (const name of ["order", "sets", "wrong", "toDo", "edited"]) if (name in news) board[name] = news[name];
  const [count, edited] = board.edited;
  if (count !== before && edited) board.edits.set(edited, count);
  const follows = document.getElementById("follow").checked || !board.cards.has(stage.key);
  if (edited && (first || (count !== before && follows))) stage.show(edited);
  else if (!board.cards.has(stage.key)) stage.show(board.order[0] ?? "");
  else if (news.all || stage.key in news.cards || "sets" in news) stage.refresh();
  else stage.moved();
  list.update(news);
  sheets.update();
  say();
  sayUnread();
}

function say() {
  let errors = board.wrong.filter(each => each.severity === "error").length;
  const count = some => some.filter(each => each.severity === "error").length;
  for (const card of board.cards.values()) errors += count(card.findings);
  for (const set of Object.values(board.sets)) errors += count(set.findings);
  const plural = (number, thing) => `${number} ${thing}${number === 1 ? "" : "s"}`;
  const names = Object.values(board.sets).map(set => set.name);
  document.getElementById("title").textContent = names.join(", ") || "kotc preview";
  document.title = `${errors ? `(${errors}) ` : ""}${names.join(", ") || "kotc"} · preview`;
  status.dataset.state = board.toDo ? "busy" : errors ? "error" : "good";
  if (board.toDo) status.textContent = `drawing: ${plural(board.toDo, "card")} to go`;
  else status.textContent = `${plural(board.order.length, "card")}, ${errors ? plural(errors, "error") : "no errors"}`;
}

/** Say which files keep the cards as they were. */
function sayUnread() {
  const sets = Object.entries(board.sets).filter(([key, set]) => set.unread.length && board.order.some(each => each.startsWith(`${key}/`)));
  const several = Object.keys(board.sets).length > 1;
  const words = sets.map(([, { name, unread }]) => `${several ? `${name}: ` : ""}${unread.join(" and ")} ${unread.length > 1 ? "have errors" : "has an error"}. `
    + "Until that is mended, the cards are shown as they were before.");
  const banner = document.getElementById("unread");
  banner.hidden = !words.length;
  if (banner.textContent !== words.join(" ")) banner.textContent = words.join(" ");
}

// --- the connection ---------------------------------------------------------------------------------------------------

function lost(words, state) {
  status.textContent = "not connected";
  status.dataset.state = "lost";
  ended.textContent = words;
  ended.hidden = state !== EventSource.CLOSED;
}

const events = new EventSource("events");
events.addEventListener("message", event => {
  ended.hidden = true;
  take(JSON.parse(event.data));
});
events.addEventListener("error", () => {
  lost("The preview has ended, or was started anew. Open the address that kotc preview printed last.", events.readyState);
});
// A page that is left for another gives its connection back; it comes back as it was.
addEventListener("pageshow", event => { if (event.persisted) location.reload(); });

// --- views, looks, keys -----------------------------------------------------------------------------------------------

function chooseView() {
  const name = location.hash === "#sheets" ? "sheets" : "cards";
  document.getElementById("view-cards").hidden = name !== "cards";
  document.getElementById("view-sheets").hidden = name !== "sheets";
  document.getElementById("filters").hidden = name !== "cards";
  for (const link of document.querySelectorAll("nav a")) {
    if (link.hash === `#${name}`) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  sheets.isOpen = name === "sheets";
  sheets.update();
}

addEventListener("hashchange", chooseView);
chooseView();
followLooks(stage);
followKeys(stage, list);
