// What somebody chose about the looks of the page, which stays for the next time; and the keys of the keyboard.

const $ = id => document.getElementById(id);
const ZOOMS = [0.5, 0.75, 1, 1.25, 1.5, 2, 3, 4];

const kept = {
  get: name => { try { return localStorage.getItem(`kotc.${name}`); } catch { return null; } },
  set: (name, value) => { try { localStorage.setItem(`kotc.${name}`, value); } catch { /* it is kept for this page only */ } },
};

let zoom = 1;

function setZoom(value) {
  zoom = value;
  $("picture").style.setProperty("--zoom", zoom);
  $("zoom-fit").textContent = zoom === 1 ? "Fit" : `${Math.round(zoom * 100)} %`;
  kept.set("zoom", zoom);
}

function zoomBy(steps) {
  const at = ZOOMS.indexOf(zoom);
  setZoom(ZOOMS[Math.min(Math.max((at < 0 ? ZOOMS.indexOf(1) : at) + steps, 0), ZOOMS.length - 1)]);
}

function followTheme() {
  const system = matchMedia("(prefers-color-scheme: dark)");
  const isDark = () => (document.documentElement.dataset.theme ?? (system.matches ? "dark" : "light")) === "dark";
  const name = () => { $("theme").textContent = isDark() ? "Light" : "Dark"; };
  const chosen = kept.get("theme");
  if (chosen === "dark" || chosen === "light") document.documentElement.dataset.theme = chosen;
  $("theme").addEventListener("click", () => {
    document.documentElement.dataset.theme = isDark() ? "light" : "dark";
    kept.set("theme", document.documentElement.dataset.theme);
    name();
  });
  system.addEventListener("change", name);
  name();
}

function followScale(id, property) {
  const input = $(id), before = Number(kept.get(id));
  if (before) input.value = before;
  const apply = () => {
    document.documentElement.style.setProperty(property, `${input.value}rem`);
    kept.set(id, input.value);
  };
  input.addEventListener("input", apply);
  apply();
}

export function followLooks() {
  followTheme();
  followScale("scale", "--scale");
  followScale("sheet-scale", "--sheet");
  const before = Number(kept.get("zoom"));
  setZoom(ZOOMS.includes(before) ? before : 1);
  $("zoom-in").addEventListener("click", () => zoomBy(1));
  $("zoom-out").addEventListener("click", () => zoomBy(-1));
  $("zoom-fit").addEventListener("click", () => setZoom(1));
  // The bar may take several lines.
  const bar = document.querySelector("header");
  new ResizeObserver(() => document.documentElement.style.setProperty("--bar", `${bar.offsetHeight}px`)).observe(bar);
}

export function followKeys(stage, list) {
  const keys = {
    "/": () => $("search").focus(),
    ArrowRight: () => stage.step(list.listed, 1),
    ArrowLeft: () => stage.step(list.listed, -1),
    "+": () => zoomBy(1),
    "=": () => zoomBy(1),
    "-": () => zoomBy(-1),
    0: () => setZoom(1),
    b: () => stage.turn(),
  };
  addEventListener("keydown", event => {
    const typing = event.target.closest?.("input, select, textarea");
    if (event.key === "Escape" && event.target === $("search")) {
      $("search").value = "";
      $("search").dispatchEvent(new Event("input", { bubbles: true }));
      $("search").blur();
      return;
    }
    if (typing || event.ctrlKey || event.metaKey || event.altKey || !keys[event.key]) return;
    // A window that can be scrolled sideways keeps its arrows.
    const scrolls = event.key.startsWith("Arrow") && event.target.scrollWidth > event.target.clientWidth + 1;
    if (scrolls && event.target.id === "window") return;
    event.preventDefault();
    keys[event.key]();
  });
}
