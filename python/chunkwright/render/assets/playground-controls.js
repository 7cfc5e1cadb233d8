/**
 * @file Controls of the playground: one for each option of a strategy, made from its shape.
 */

// Where sliders begin and end, if not where values do, and what an option begins with that is turned
// on. A field beside the slider takes any number. What has no end is a size: up to the limit.
const SPANS = {
  max_tokens: { least: 8, most: 1024, first: 120 },
  max_chars: { least: 32, most: 4096, first: 500 },
  window: { most: 10 },
  sentences: { most: 20, first: 3 },
  header_lines: { most: 20 },
  n_chunks: { most: 50, first: 5 },
  amount: { most: 100, first: 95, step: 0.5 },
};

function rangeOf(name, { least, most, step }, limit) {
  return { least: least ?? 0, most: most ?? limit, step, first: Math.max(1, limit >> 1), ...SPANS[name] };
}

/** One option: its label, its field, what it is for, and what is wrong with it. */
class Control {
  /**
   * @param {string} id  Begins the ids of its elements.
   * @param {string} name  Of the option.
   * @param {Shape} shape
   * @param {(value: *, is_done: boolean) => void} changed  Is told of each value, and whether it is
   *   one on the way to another.
   */
  constructor(id, name, shape, changed) {
    Object.assign(this, { id, name, shape, changed });
    this.problem = make("p", { class: "pg-problem", id: `${id}-problem`, hidden: true });
    this.about = make("p", { class: "pg-help", id: `${id}-about` }, aboutOption(name, shape.description));
  }

  /** @param {...Node} fields  The first one is what the label names. */
  put(...fields) {
    this.field = fields[0];
    this.described = fields;
    this.element = make("div", { class: "pg-control", "data-option": this.name },
      make("div", { class: "pg-named" },
        make("label", { class: "pg-label", for: this.field.id }, labelOf(this.name)),
        labelOf(this.name) === this.name ? null : make("code", { class: "pg-code-name", title: "its name in code" }, this.name)),
      make("div", { class: "pg-row" }, ...this.before(), ...fields),
      this.problem, this.about);
    this.showProblem(null);
    return this;
  }

  before() { return []; }

  /** @param {string|null} message */
  showProblem(message) {
    this.problem.hidden = message === null;
    this.problem.textContent = message === null ? "" : visible(message);
    const told = message === null ? this.about.id : `${this.problem.id} ${this.about.id}`;
    for (const each of this.described) {
      each.setAttribute("aria-describedby", told);
      if (message === null) each.removeAttribute("aria-invalid");
      else each.setAttribute("aria-invalid", "true");
    }
  }

  /** Say what is wrong with a value that the service is not asked about. */
  refuse(message) {
    this.is_refused = true;
    this.showProblem(message);
  }

  /** Tell of a value. */
  give(value, is_done) {
    if (this.is_refused) { this.is_refused = false; this.showProblem(null); }
    this.changed(value, is_done);
  }

  limit() { /* Sizes alone have one. */ }
}

/** A number: a slider and a field; a switch where it may be off. */
class NumberControl extends Control {
  constructor(id, name, shape, changed) {
    super(id, name, shape, changed);
    this.number = make("input", { type: "number", id, class: "pg-number", step: "any",
      input: () => this.typed(false), change: () => this.typed(true) });
    this.slider = make("input", { type: "range", class: "pg-slider", "aria-label": `${labelOf(name)}, slider`,
      input: () => this.slid(false), change: () => this.slid(true) });
    this.switch = shape.is_optional
      ? make("input", { type: "checkbox", role: "switch", class: "pg-switch", "aria-label": `${labelOf(name)}, on`,
        change: () => this.switched() })
      : null;
    this.limit(USUAL_LIMIT);
    this.put(this.number, this.slider);
  }

  before() { return this.switch ? [this.switch] : []; }

  /** Fit the slider to a limit. */
  limit(limit) {
    this.range = rangeOf(this.name, this.shape, limit);
    const { least, most, step } = this.range;
    Object.assign(this.slider, { min: least, max: Math.max(most, this.value ?? least), step });
    if (this.value !== undefined && this.value !== null) this.slider.value = this.value;
  }

  set(value) {
    this.value = value;
    const is_off = value === null;
    if (this.switch) this.switch.checked = !is_off;
    this.slider.disabled = is_off;
    this.number.placeholder = is_off ? "off" : "";
    // Who types is not disturbed.
    if (is_off || this.number.value === "" || Number(this.number.value) !== value) {
      this.number.value = is_off ? "" : String(value);
    }
    this.slider.max = Math.max(this.range.most, value ?? this.range.most);
    if (!is_off) this.slider.value = value;
  }

  typed(is_done) {
    if (this.number.validity.badInput) { this.refuse("a number is needed"); return; }
    const text = this.number.value;
    if (text === "" && !is_done) return;
    this.give(text === "" ? this.shape.default : Number(text), is_done);
  }

  slid(is_done) {
    this.number.value = this.slider.value;
    this.give(Number(this.slider.value), is_done);
  }

  switched() { this.give(this.switch.checked ? this.range.first : null, true); }
}

/** One of several names. */
class ChoiceControl extends Control {
  constructor(id, name, shape, changed, choices) {
    super(id, name, shape, changed);
    const offered = shape.is_optional && shape.default === null ? [null, ...choices] : choices;
    this.choices = offered;
    this.select = make("select", { id, class: "pg-select", change: () => this.give(this.choices[this.select.selectedIndex], true) },
      ...offered.map((choice) => make("option", {}, choice === null ? "off" : String(choice))));
    this.put(this.select);
  }

  set(value) {
    // A name that an address brought, and that is none of these: the service says so.
    if (!this.choices.includes(value)) {
      this.choices = [...this.choices, value];
      this.select.append(make("option", {}, String(value)));
    }
    this.select.selectedIndex = this.choices.indexOf(value);
  }
}

/** Whether something is done. */
class SwitchControl extends Control {
  constructor(id, name, shape, changed) {
    super(id, name, shape, changed);
    this.box = make("input", { type: "checkbox", role: "switch", id, class: "pg-switch",
      change: () => this.give(this.box.checked, true) });
    this.put(this.box);
  }

  set(value) { this.box.checked = value; }
}

/** A text; where lists are taken, a list in JSON as well. */
class TextControl extends Control {
  constructor(id, name, shape, changed) {
    super(id, name, shape, changed);
    const takes_list = shape.types.has("array");
    const example = takes_list ? 'off, or markdown, or ["\\n\\n", ". "]' : "";
    this.input = make("input", { type: "text", id, class: "pg-text", spellcheck: "false", autocomplete: "off",
      placeholder: example, input: () => this.typed(false), change: () => this.typed(true) });
    this.put(this.input);
  }

  set(value) {
    const shown = value === null ? "" : typeof value === "string" ? value : JSON.stringify(value);
    if (document.activeElement !== this.input) this.input.value = shown;
  }

  typed(is_done) {
    const text = this.input.value;
    if (text === "") { this.give(this.shape.default, is_done); return; }
    if (!this.shape.types.has("array") || !text.trimStart().startsWith("[")) { this.give(text, is_done); return; }
    try {
      this.give(JSON.parse(text), is_done);
    } catch {
      this.refuse('a list in JSON is needed, such as ["\\n\\n", ". "]');
    }
  }
}

/** Make the control of an option. @param {Registry} registry */
function controlOf(id, name, shape, registry, changed) {
  const choices = registry.models[name] ?? shape.choices;
  if (choices) return new ChoiceControl(id, name, shape, changed, choices);
  if (shape.types.has("boolean")) return new SwitchControl(id, name, shape, changed);
  if (shape.is_number) return new NumberControl(id, name, shape, changed);
  return new TextControl(id, name, shape, changed);
}
