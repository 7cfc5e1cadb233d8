/**
 * @file Panel of a block: its id, what was written by hand in its place, and how to edit it.
 */

class BlockPanel {
  /** @param {ServiceCalls} calls @param {() => Promise<void>} saved  Is told of an edit. */
  constructor(calls, saved) {
    Object.assign(this, { calls, saved });
    this.element = byId("st-block");
    this.name = byId("st-block-name");
    this.body = byId("st-block-body");
  }

  hide() { this.element.hidden = true; }

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
      parts.push(make("p", { class: "pg-help" }, "Searches find what was written by hand:"),
        make("blockquote", { class: "st-quote", dir: "auto" }, block.written));
    }
    if (!may_edit) parts.push(make("p", { class: "pg-help" }, "This service does not edit blocks: start it with --allow-edits."));
    else if (!is_current) parts.push(make("p", { class: "pg-help" }, "Only blocks of the current version are edited."));
    else parts.push(this.form(block, block.written ?? text));
    refill(this.body, ...parts);
  }

  form(block, text) {
    const area = make("textarea", { class: "pg-area", "aria-label": "Text of the block", dir: "auto", maxlength: 20000, required: true });
    area.value = text;
    const problem = make("p", { class: "pg-problem", role: "alert", hidden: true });
    const save = async () => {
      try {
        await this.calls.post("v1/store/edit", { block: block.block, text: area.value });
        await this.saved();
      } catch (error) {
        problem.hidden = false;
        problem.textContent = visible(error.message);
      }
    };
    return make("form", { class: "st-resolved", submit: (event) => { event.preventDefault(); save(); } }, area, problem,
      make("div", { class: "pg-buttons" }, make("button", { type: "submit", class: "pg-button pg-main-button" }, "Save in its place"),
        make("span", { class: "pg-help" }, "Imports keep it while the source of the block is unchanged.")));
  }
}
