/**
 * @file Pictures of a document's pages: each is asked for once, and the latest are kept.
 */

// A picture takes half a megabyte.
const MOST_PICTURES = 40;

class Pictures {
  /** @param {(page: number) => Promise<string|null>} ask  Asks for the picture of a page. */
  constructor(ask) {
    this.ask = ask;
    this.kept = new Map();
  }

  /** The picture of a page; null if there is none. @returns {Promise<string|null>} */
  of(page) {
    const found = this.kept.get(page) ?? this.ask(page);
    // The latest is the last one.
    this.kept.delete(page);
    this.kept.set(page, found);
    if (this.kept.size > MOST_PICTURES) this.kept.delete(this.kept.keys().next().value);
    return found;
  }
}
