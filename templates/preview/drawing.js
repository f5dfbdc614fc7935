// What several parts of the page build: pictures, findings, places in files.

const RESOLUTIONS = [50, 75, 100, 150, 200, 300, 400, 600]; // as the server has them
const QUICK = 200; // dots per inch: drawn in a moment; what is sharper comes after it
const INCH = 25.4; // mm

/** Return the resolution that is sharp for something of that many mm, shown so wide. */
export function sharp(width, mm) {
  const wanted = (width * devicePixelRatio * INCH) / mm;
  return RESOLUTIONS.find(dpi => dpi >= wanted * 0.98) ?? RESOLUTIONS.at(-1);
}

export function address(id, dpi) {
  return `pictures/${id}/${dpi}.png`;
}

/** Show a picture: at once as sharp as it can be drawn in a moment, then as sharp as the screen. The old one stays until then. */
export function showPicture(img, id, mm) {
  const wanted = sharp(img.clientWidth || 300, mm);
  if (img.dataset.face === id && Number(img.dataset.dpi) >= wanted) return;
  const first = img.dataset.face === id ? wanted : Math.min(wanted, QUICK);
  img.dataset.face = id;
  load(img, id, first, () => { if (first < wanted) load(img, id, wanted); });
}

function load(img, id, dpi, then = () => {}) {
  img.onload = () => {
    if (img.dataset.face !== id) return;
    img.dataset.shown = id;
    then();
  };
  img.dataset.dpi = dpi;
  img.src = address(id, dpi);
}

/** Make an element: its name, attributes, and children that are elements or texts. */
export function make(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined && value !== false) made.setAttribute(key, value);
  }
  made.append(...children.filter(child => child !== "" && child !== null));
  return made;
}

/** Return where in its file a place is: its line, or the cell of a spreadsheet. */
export function spotWords(place) {
  return place.cell ?? `line ${place.line}`;
}

/** Return a place in a file: a link where an editor opens it, else words. */
export function placeWords(place) {
  const spot = spotWords(place);
  return place.link ? make("a", { href: place.link }, `${place.file}, ${spot}`) : make("span", {}, make("code", {}, place.file), `, ${spot}`);
}

/** Put words with `backticks` into an element, as code. */
export function withCode(element, words) {
  words.split(/`([^`]*)`/).forEach((part, index) => element.append(index % 2 ? make("code", {}, part) : part));
  return element;
}

export function findingItem(finding, tag = "li") {
  const item = make(tag, { class: `finding ${finding.severity === "error" ? "error" : ""}` });
  const head = make("p", {}, make("b", {}, finding.severity), ": ");
  item.append(withCode(head, finding.message));
  head.append(" ", make("span", { class: "dim" }, `[${finding.code}]`));
  if (finding.file) item.append(make("p", {}, placeWords(finding)));
  if (finding.excerpt?.trim()) item.append(excerpt(finding));
  if (finding.hint) item.append(withCode(make("p", {}, "hint: "), finding.hint));
  return item;
}

function excerpt({ excerpt: line, mark: [start, end] }) {
  const cut = Math.max(0, start - 24);
  const marked = line.slice(start, Math.max(end, start + 1)) || " ";
  return make("code", { class: "excerpt", tabindex: "0", role: "group", "aria-label": "The line in the file" },
    cut ? "…" : "", line.slice(cut, start), make("mark", {}, marked), line.slice(Math.max(end, start + 1)));
}
