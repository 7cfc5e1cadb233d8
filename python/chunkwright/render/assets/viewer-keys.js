/**
 * @file Keys of the viewer: what each does, and the dialog that says so.
 */

const KEYS = [
  { keys: ["n", "j", "ArrowRight"], about: (noun) => `next ${noun}`, run: (viewer) => viewer.step(1) },
  { keys: ["p", "k", "ArrowLeft"], about: (noun) => `${noun} before`, run: (viewer) => viewer.step(-1) },
  { keys: ["PageDown"], about: "next page, where there are pages", is_for: ofPages, run: (viewer) => viewer.pages.turn(1) },
  { keys: ["PageUp"], about: "page before", is_for: ofPages, run: (viewer) => viewer.pages.turn(-1) },
  { keys: ["+"], about: "page larger; − smaller, 0 as wide as there is room", is_for: ofPages,
    run: ({ pages }) => pages.zoomTo(pages.zoom * ZOOM_STEP) },
  { keys: ["-"], about: null, is_for: ofPages, run: ({ pages }) => pages.zoomTo(pages.zoom / ZOOM_STEP) },
  { keys: ["0"], about: null, is_for: ofPages, run: ({ pages }) => pages.zoomTo(1) },
  { keys: ["]"], about: "next boundary that differs", run: (viewer) => viewer.stepDifference(1) },
  { keys: ["["], about: "boundary that differs before", run: (viewer) => viewer.stepDifference(-1) },
  { keys: ["/", "f"], about: "find in the text; Enter: next, Shift+Enter: before", run: (viewer) => viewer.search.input.focus() },
  { keys: ["q"], about: "ask a question", run: (viewer) => viewer.questions.input.focus() },
  { keys: ["1"], about: "first layer on or off; 2 to 5 the others", run: (viewer) => viewer.switchLayer(0) },
  { keys: ["2"], about: null, run: (viewer) => viewer.switchLayer(1) },
  { keys: ["3"], about: null, run: (viewer) => viewer.switchLayer(2) },
  { keys: ["4"], about: null, run: (viewer) => viewer.switchLayer(3) },
  { keys: ["5"], about: null, run: (viewer) => viewer.switchLayer(4) },
  { keys: ["g"], about: (noun) => `first ${noun}`, run: (viewer) => viewer.select(0) },
  { keys: ["G"], about: (noun) => `last ${noun}`, run: (viewer) => viewer.select(viewer.cut.length - 1) },
  { keys: ["?"], about: "these keys", run: (viewer) => viewer.keys.showModal() },
];
const KEY_NAMES = { ArrowRight: "→", ArrowLeft: "←" };

/** Whether keys of pages are meant: in the list they scroll. */
function ofPages(viewer, event) {
  return viewer.pages.is_there && !viewer.scroller.contains(event.target);
}

/** What a key does; undefined: nothing. @param {Viewer} viewer @param {KeyboardEvent} event */
function keyOf(viewer, event) {
  return KEYS.find(({ keys, is_for }) => keys.includes(event.key) && (!is_for || is_for(viewer, event)));
}

/** @param {string} noun  What is shown: chunks, or blocks. */
function keysDialog(noun) {
  const rows = KEYS.filter((each) => each.about).map(({ keys, about }) => make("div", {},
    make("dt", {}, ...keys.flatMap((key, i) => [i ? " " : "", make("kbd", {}, KEY_NAMES[key] ?? key)])), make("dd", {}, typeof about === "function" ? about(noun) : about)));
  rows.push(make("div", {}, make("dt", {}, make("kbd", {}, "Esc")), make("dd", {}, "empty a field, close this")));
  const dialog = make("dialog", { class: "cw-keys", "aria-label": "Keys" }, make("h2", {}, "Keys"),
    make("dl", {}, ...rows), make("button", { type: "button", class: "cw-button", click: () => dialog.close() }, "Close"));
  return dialog;
}
