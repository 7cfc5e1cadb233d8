/**
 * @file Settings of the playground: a strategy with the options that are not their defaults, read
 * from what the service can do, and kept in the address.
 *
 * @typedef {Object} Setting
 * @property {string} strategy
 * @property {Object<string, *>} options  Those that differ from their defaults, by name.
 */

// The sample is short: its chunks are, too. A document that is opened is cut as the guides recommend.
const FIRST = { strategy: "auto", options: { max_tokens: 120 } };
const RECOMMENDED = { strategy: "auto", options: {} };
// What a second setting begins with: the first of these that the other is not.
const BESIDE = ["balanced", "recursive"];
// Each is a limit, and only one of them may be set.
const LIMITS = ["max_tokens", "max_chars"];
const USUAL_LIMIT = 512;

const plus = (number, step) => (number === undefined ? undefined : number + step);

/** What values an option takes, read from its JSON schema. */
class Shape {
  constructor(schema) {
    const parts = schema.anyOf ?? [schema];
    const types = parts.flatMap((part) => part.type ?? []);
    this.choices = parts.find((part) => part.enum)?.enum ?? null;
    this.types = new Set(types);
    this.is_optional = this.types.has("null");
    this.default = schema.default ?? null;
    const number = parts.find((part) => part.type === "integer" || part.type === "number") ?? {};
    this.step = number.type === "number" ? 0.01 : 1;
    // An end that is excluded is a step away.
    this.least = number.minimum ?? plus(number.exclusiveMinimum, this.step);
    this.most = number.maximum ?? plus(number.exclusiveMaximum, -this.step);
    this.description = schema.description ?? "";
  }

  get is_number() { return this.types.has("integer") || this.types.has("number"); }

  /** Whether a value is one of these, as far as its type tells. */
  accepts(value) {
    if (value === null) return this.is_optional;
    if (this.choices) return this.choices.includes(value);
    if (Array.isArray(value)) return this.types.has("array");
    if (typeof value === "number") return this.is_number;
    return this.types.has(typeof value);
  }

  /** The value that an address says. */
  parsed(text) {
    try {
      const value = JSON.parse(text);
      if (this.accepts(value)) return value;
    } catch { /* It is a text as it stands. */ }
    return this.accepts(text) ? text : undefined;
  }
}

/** The strategies of a service with the shapes of their options. */
class Registry {
  constructor(capabilities) {
    this.strategies = new Map(capabilities.strategies.map((each) => [each.name, {
      ...each,
      shapes: new Map(Object.entries(each.options.properties)
        .map(([name, schema]) => [name, new Shape(schema)])),
    }]));
    this.models = { tokenizer: capabilities.tokenizers, embedder: capabilities.embedders };
    this.kinds = capabilities.kinds;
  }

  shapesOf(strategy) { return this.strategies.get(strategy).shapes; }

  /** A setting with one option changed; a default is left out. */
  changed({ strategy, options }, name, value) {
    const changed = { ...options };
    // A limit in tokens and one in characters exclude each other.
    if (LIMITS.includes(name) && value !== null) for (const each of LIMITS) delete changed[each];
    if (value === this.shapesOf(strategy).get(name).default) delete changed[name];
    else changed[name] = value;
    return { strategy, options: changed };
  }

  /** A setting of another strategy, with the options that it has as well. */
  moved({ options }, strategy) {
    const shapes = this.shapesOf(strategy);
    const kept = Object.entries(options).filter(([name, value]) => shapes.get(name)?.accepts(value));
    return { strategy, options: Object.fromEntries(kept) };
  }

  /** A setting to compare another with: the same options, cut by another strategy. */
  beside(setting) {
    return this.moved(setting, BESIDE.find((name) => name !== setting.strategy));
  }

  /** The limit of a setting, in its unit. */
  limitOf({ options }) {
    return options.max_tokens ?? options.max_chars ?? USUAL_LIMIT;
  }
}

/** What the playground shows: one setting or two, the kind of the document, a model for questions. */
class State {
  constructor({ a = FIRST, b = null, kind = null, vectors = null } = {}) {
    Object.assign(this, { a, b, kind, vectors });
  }

  with(changes) { return new State({ ...this, ...changes }); }

  /** Whether nobody has chosen anything. */
  get is_first() { return this.fragment === new State().fragment; }

  /** The settings as a fragment of an address. */
  get fragment() {
    const said = new URLSearchParams();
    for (const side of ["a", "b"]) {
      const setting = this[side];
      if (!setting) continue;
      said.append(side, setting.strategy);
      for (const [name, value] of Object.entries(setting.options)) {
        said.append(`${side}.${name}`, typeof value === "string" ? value : JSON.stringify(value));
      }
    }
    if (this.kind) said.append("kind", this.kind);
    if (this.vectors) said.append("vectors", this.vectors);
    return `#${said}`;
  }

  /**
   * The state that a fragment says.
   * @param {string} fragment
   * @param {Registry} registry
   * @returns {{state: State, unknown: string[]}}  With the names and values that mean nothing here.
   */
  static of(fragment, registry) {
    const said = [...new URLSearchParams(fragment.replace(/^#/, ""))];
    const found = {};
    const unknown = [];
    for (const side of ["a", "b"]) {
      const strategy = said.find(([name]) => name === side)?.[1];
      if (strategy === undefined) continue;
      if (registry.strategies.has(strategy)) found[side] = { strategy, options: {} };
      else unknown.push(strategy);
    }
    for (const [name, text] of said) {
      if (name === "a" || name === "b") continue;
      if (name === "kind" && registry.kinds.includes(text)) found.kind = text;
      else if (name === "vectors" && registry.models.embedder.includes(text)) found.vectors = text;
      else if (!takeOption(found, name, text, registry)) unknown.push(name);
    }
    return { state: new State(found), unknown };
  }
}

function takeOption(found, name, text, registry) {
  const side = name.slice(0, 1);
  const option = name.slice(2);
  const setting = /^[ab]\./.test(name) ? found[side] : undefined;
  const value = setting && registry.shapesOf(setting.strategy).get(option)?.parsed(text);
  if (value === undefined) return false;
  setting.options[option] = value;
  return true;
}
