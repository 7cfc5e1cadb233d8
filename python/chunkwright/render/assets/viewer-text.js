/**
 * @file Text of a document: offsets in code points as those of JavaScript, and what is safe to show.
 */

/**
 * Places of a text by code points. Offsets of chunks count code points, strings of JavaScript count
 * units of UTF-16: an emoji is one of the former and two of the latter.
 */
class CodePoints {
  /** @param {string} text */
  constructor(text) {
    this.beyond = [];
    // Most texts have none, and a search for one is fast.
    const pairs = /[\ud800-\udbff][\udc00-\udfff]/g;
    for (let found = pairs.exec(text); found; found = pairs.exec(text)) {
      this.beyond.push(found.index - this.beyond.length);
    }
  }

  /** The unit of UTF-16 at which a code point begins. @param {number} point @returns {number} */
  toUnit(point) {
    return point + firstAtLeast(this.beyond, point);
  }
}

/** How many of ascending numbers are below a number. @returns {number} */
function firstAtLeast(numbers, number) {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (numbers[middle] < number) low = middle + 1;
    else high = middle;
  }
  return low;
}

// Characters that would hide or steer the rest: controls, and those that change the direction.
const UNSAFE = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufdd0-\ufdef\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** A text without characters that would hide or steer the rest; they are shown as pictures. */
function visible(text) {
  return String(text).replace(/\r\n/g, "\n").replace(UNSAFE, (unsafe) => {
    const code = unsafe.charCodeAt(0);
    if (code < 0x20) return String.fromCharCode(0x2400 + code);
    return code === 0x7f ? "\u2421" : "\ufffd";
  });
}

/** A noun at the beginning of a sentence or a title. */
function titled(noun) { return noun[0].toUpperCase() + noun.slice(1); }

/** A number with its noun, as "1 token" and "1,200 tokens". */
function counted(number, noun) {
  return `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;
}

/** At most so many characters of a text on one line. */
function shortened(text, most) {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > most ? `${line.slice(0, most - 1)}…` : line;
}
