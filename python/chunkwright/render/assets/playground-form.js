/**
 * @file Form of one setting: the strategy, and a control for each of its options.
 */

// What people change first; all else is folded away.
const IN_FRONT = new Set(["max_tokens", "max_chars", "overlap", "tokenizer", "embedder"]);

class SettingForm {
  /**
   * @param {string} side  `a` or `b`.
   * @param {Registry} registry
   * @param {(setting: Setting, is_done: boolean) => void} changed
   */
  constructor(side, registry, changed) {
    Object.assign(this, { side, registry, changed });
    const id = `pg-${side}-strategy`;
    this.problem = make("p", { class: "pg-problem", id: `${id}-problem`, role: "alert", hidden: true });
    this.about = make("p", { class: "pg-help", id: `${id}-about` });
    this.select = make("select", { id, class: "pg-select", "aria-describedby": `${id}-problem ${id}-about`,
      change: () => this.changed(registry.moved(this.setting, this.select.value), true) },
    ...[...registry.strategies.keys()].map((name) => make("option", { value: name }, name)));
    this.front = make("div", { class: "pg-front" });
    this.rest = make("div", { class: "pg-rest" });
    this.count = make("summary", {});
    this.more = make("details", { class: "pg-more" }, this.count, this.rest);
    this.element = make("div", { class: "pg-setting" },
      make("div", { class: "pg-control" },
        make("div", { class: "pg-row" }, make("label", { class: "pg-label", for: id }, "strategy"), this.select),
        this.problem, this.about),
      this.front, this.more);
    this.controls = new Map();
  }

  /** Show a setting. @param {Setting} setting */
  show(setting) {
    const is_other = setting.strategy !== this.setting?.strategy;
    this.setting = setting;
    if (is_other) this.build();
    const limit = this.registry.limitOf(setting);
    for (const [name, control] of this.controls) {
      control.limit(limit);
      control.set(setting.options[name] ?? control.shape.default);
    }
    if (is_other) this.more.open = [...this.controls.keys()].some((name) => !IN_FRONT.has(name) && name in setting.options);
  }

  build() {
    const { strategy } = this.setting;
    this.select.value = strategy;
    this.about.textContent = visible(aboutStrategy(strategy, this.registry.strategies.get(strategy).about));
    this.controls = new Map([...this.registry.shapesOf(strategy)].map(([name, shape]) => [name,
      controlOf(`pg-${this.side}-${name}`, name, shape, this.registry, (value, is_done) => (
        this.changed(this.registry.changed(this.setting, name, value), is_done)))]));
    const all = [...this.controls.values()];
    refill(this.front, ...all.filter(({ name }) => IN_FRONT.has(name)).map(({ element }) => element));
    refill(this.rest, ...all.filter(({ name }) => !IN_FRONT.has(name)).map(({ element }) => element));
    const n_more = this.rest.childElementCount;
    this.count.textContent = `${n_more} more ${n_more === 1 ? "option" : "options"}`;
    this.more.hidden = n_more === 0;
  }

  /**
   * Say what is wrong at the field that a problem names.
   * @param {Problem|null} problem
   * @returns {boolean}  Whether it is one of these fields.
   */
  showProblem(problem) {
    const option = /^chunking\.options\.([^.]+)/.exec(problem?.field ?? "")?.[1];
    const at = option === undefined ? undefined : this.controls.get(option);
    for (const control of this.controls.values()) control.showProblem(control === at ? problem.message : null);
    if (at && !IN_FRONT.has(option)) this.more.open = true;
    const is_own = Boolean(problem?.field?.startsWith("chunking")) && !at;
    this.problem.hidden = !is_own;
    this.problem.textContent = is_own ? visible(problem.message) : "";
    if (is_own) this.select.setAttribute("aria-invalid", "true");
    else this.select.removeAttribute("aria-invalid");
    return Boolean(at) || is_own;
  }
}
