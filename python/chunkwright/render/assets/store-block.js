/**
 * @file Panel of a block: its id, what was written by hand in its place, and how to edit it.
 */

class BlockPanel {
  /**
   * @param {ServiceCalls} calls
   * @param {Object} told  Callbacks: `saved` is told of an edit, `overtaken` of a text that was not
   *   saved, since somebody else has edited the block, `opened` of a panel that takes room.
   */
  constructor(calls, told) {
    Object.assign(this, { calls, told });
    this.element = byId("st-block");
    this.name = byId("st-block-name");
    this.body = byId("st-block-body");
    // Texts that are not saved yet, by their blocks: other blocks are looked at meanwhile.
    this.drafts = new Map();
    this.overtaken = null;
    this.element.addEventListener("toggle", () => {
      if (!this.element.open || this.element.hidden) return;
      this.element.scrollIntoView({ block: "nearest" });
      told.opened();
    });
    addEventListener("beforeunload", (event) => { if (this.drafts.size) event.preventDefault(); });
  }

  hide() { this.element.hidden = true; }

  /** Keep a text as the draft of a block that somebody else has edited. */
  overtake(block, text) {
    this.drafts.set(block, text);
    this.overtaken = block;
  }

  /**
   * @param {number} index
   * @param {{block: string, origin: string, written: (string|null)}} block
   * @param {string} text  As it was cut.
   * @param {boolean} is_current  Whether it is one of the current version.
   * @param {boolean} may_edit
   */
  show(index, block, text, is_current, may_edit) {
    this.element.hidden = false;
    this.name.textContent = visible(`${index}${block.origin === "manual" ? ", edited by hand" : ""}`);
    const parts = [make("p", {}, "Id ", make("span", { class: "st-id" }, block.block), ": cite it with this.")];
    if (block.written !== null) {
      const told = this.overtaken === block.block;
      parts.push(make("p", told ? { class: "pg-problem", role: "alert" } : { class: "pg-help" },
        told ? "Somebody else has edited this block meanwhile. Now it says:" : "Searches find what was written by hand:"),
      make("blockquote", { class: "st-quote", dir: "auto" }, block.written));
    }
    if (!may_edit) parts.push(make("p", { class: "pg-help" }, "This service does not edit blocks: start it with --allow-edits."));
    else if (!is_current) parts.push(make("p", { class: "pg-help" }, "Only blocks of the current version are edited."));
    else parts.push(this.form(block, block.written ?? text));
    refill(this.body, ...parts);
  }

  /** The form of a block. @param {string} text  What it says now. */
  form(block, text) {
    const id = block.block;
    const area = make("textarea", { class: "pg-area", "aria-label": "Text of the block", dir: "auto", maxlength: 20000, required: true });
    const problem = make("p", { class: "pg-problem", role: "alert", hidden: true });
    const note = make("span", { class: "pg-help" });
    const undo = make("button", { type: "button", class: "pg-button", click: () => { area.value = text; typed(); area.focus(); } }, "Discard");
    const typed = () => {
      const is_draft = area.value !== text;
      if (is_draft) this.drafts.set(id, area.value);
      else this.drafts.delete(id);
      undo.hidden = !is_draft;
      note.textContent = is_draft ? "Not saved yet." : "Imports keep it while the source of the block is unchanged.";
    };
    area.addEventListener("input", typed);
    area.value = this.drafts.get(id) ?? text;
    typed();
    const submitted = async (event) => {
      event.preventDefault();
      try {
        await this.save(id, area.value);
      } catch (error) {
        problem.hidden = false;
        problem.textContent = visible(error.message);
      }
    };
    return make("form", { class: "st-resolved", submit: submitted }, area, problem,
      make("div", { class: "pg-buttons" },
        make("button", { type: "submit", class: "pg-button pg-main-button" }, "Save in its place"), undo, note));
  }

  async save(id, text) {
    try {
      await this.calls.post("v1/store/edit", { block: id, text });
    } catch (error) {
      if (error.code !== "edited") throw error;
      await this.told.overtaken(text);
      this.drafts.delete(id);
      return;
    }
    this.drafts.delete(id);
    this.overtaken = null;
    await this.told.saved();
  }
}
