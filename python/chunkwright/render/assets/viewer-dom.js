/**
 * @file Elements of a page, made without markup: a text is only ever put in as text.
 */

const SVG = "http://www.w3.org/2000/svg";
// Attributes that people see or hear.
const SHOWN = /^(title|aria-label|data-said)$/;

/**
 * Make an element.
 * @param {string} tag
 * @param {Object} attributes  Attributes by name; functions are listeners; null leaves one out.
 * @param {...(Node|string|null)} children  Texts are shown as text.
 */
function make(tag, attributes = {}, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

/** Make an element of a drawing; as `make`. */
function draw(tag, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, tag), attributes, children);
}

function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name, value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== null && value !== undefined && value !== false) {
      element.setAttribute(name, SHOWN.test(name) ? visible(value) : String(value));
    }
  }
  for (const child of children) {
    if (child !== null && child !== undefined) {
      element.append(typeof child === "string" ? visible(child) : child);
    }
  }
  return element;
}

/** A part of the side that can be folded, with a title. */
function panel(title, name, ...children) {
  const body = make("div", { class: "cw-panel-body" }, ...children);
  const folded = make(
    "details", { class: `cw-panel cw-${name}`, open: true },
    make("summary", {}, make("h2", {}, title)), body,
  );
  return { element: folded, body };
}

/** Replace what an element holds. */
function refill(element, ...children) {
  element.replaceChildren(...children.filter((child) => child !== null && child !== undefined));
}
