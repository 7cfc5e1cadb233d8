/**
 * @file Calls that give the chunks that are shown: in Python, on the command line, over HTTP.
 *
 * @typedef {Object} Call  What is called.
 * @property {Setting} setting
 * @property {string} name  Of the file.
 * @property {string|null} kind
 * @property {string} address  Of `/v1/chunk`.
 * @property {boolean} has_key  Whether the service needs one.
 * @property {boolean} is_encrypted  Whether the file has a password, which no call repeats.
 */

// Stands for the password of a file.
const PASSWORD = "...";

/** @param {Call} call */
function asPython({ setting, name, kind, is_encrypted }) {
  const read = [pythonOf(name), ...(kind ? [`kind=${pythonOf(kind)}`] : []),
    ...(is_encrypted ? [`password=${pythonOf(PASSWORD)}`] : [])];
  const options = Object.entries(setting.options).map(([option, value]) => `${option}=${pythonOf(value)}`);
  const cut = ["document", pythonOf(setting.strategy), ...options];
  return [
    "import chunkwright as cw", "",
    `document = cw.read(${read.join(", ")})`,
    `chunks = cw.chunk(${cut.join(", ")})`, "",
  ].join("\n");
}

function pythonOf(value) {
  if (value === null) return "None";
  if (value === true) return "True";
  if (value === false) return "False";
  if (Array.isArray(value)) return `[${value.map(pythonOf).join(", ")}]`;
  if (typeof value === "object") {
    return `{${Object.entries(value).map(([name, of]) => `${pythonOf(name)}: ${pythonOf(of)}`).join(", ")}}`;
  }
  // Numbers and texts are written alike in JSON and in Python.
  return JSON.stringify(value);
}

/** @param {Call} call */
function asCommand({ setting, name, kind, is_encrypted }) {
  const words = ["chunkwright", "chunk", fileWord(name), "--strategy", setting.strategy];
  if (kind) words.push("--input-format", kind);
  if (is_encrypted) words.push(`--password=${PASSWORD}`);
  for (const [option, value] of Object.entries(setting.options)) {
    const flags = flagsOf(option, value);
    if (flags === null) return `# The command line cannot say ${option}=${JSON.stringify(value)}.\n# Python and HTTP can.\n`;
    words.push(...flags);
  }
  return `${words.map(shellWord).join(" ")}\n`;
}

// Flags that say the items of a list one by one.
const LISTED = { separators: "--separator", split_at: "--split-at" };

/** The flags of an option; null if there are none that say its value. */
function flagsOf(option, value) {
  const flag = `--${option.replaceAll("_", "-")}`;
  if (typeof value === "boolean") return [value ? flag : flag.replace("--", "--no-")];
  const given = option === "split_at" && typeof value === "string" ? [value] : value;
  if (typeof given === "number" || typeof given === "string") return [`${flag}=${given}`];
  const one = LISTED[option];
  const is_plain = one && Array.isArray(given) && given.every((each) => typeof each === "string");
  if (!is_plain) return null;
  return given.map((each) => `${one}=${each.replaceAll("\\", "\\\\").replaceAll("\n", "\\n")
    .replaceAll("\t", "\\t").replaceAll("\r", "\\r")}`);
}

/** @param {Call} call */
function asHttp({ setting, name, kind, address, has_key, is_encrypted }) {
  const given = { ...(kind ? { kind } : {}), ...(is_encrypted ? { password: PASSWORD } : {}) };
  const rest = JSON.stringify({ name, ...given, chunking: setting }).slice(1);
  const key = has_key ? ' -H "Authorization: Bearer $CHUNKWRIGHT_KEY"' : "";
  return [
    `{ printf '{"data":"'; base64 < ${shellWord(fileWord(name))} | tr -d '\\n'`,
    `  printf '%s' ${shellWord(`",${rest}`)}; } |`,
    `  curl ${shellWord(address)}${key} --json @-`, "",
  ].join("\n");
}

/** A file's name that no program takes for an option, or for standard input. */
function fileWord(name) { return name.startsWith("-") ? `./${name}` : name; }

/** A word as a shell reads it. */
function shellWord(text) {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

const FORMS = { python: asPython, command: asCommand, http: asHttp };

/** The panel with the calls, which can be copied. */
class CallPanel {
  constructor() {
    this.forms = byId("pg-forms");
    this.sides = byId("pg-sides");
    this.code = byId("pg-code");
    this.said = byId("pg-copied");
    for (const group of [this.forms, this.sides]) group.addEventListener("change", () => this.draw());
    byId("pg-copy").addEventListener("click", () => this.copy());
  }

  /** @param {{a: Call, b: Call|null}} calls */
  show(calls) {
    this.calls = calls;
    this.sides.hidden = !calls.b;
    if (!calls.b) byId("pg-side-a").checked = true;
    this.draw();
  }

  draw() {
    const form = this.forms.querySelector(":checked").value;
    const side = this.sides.querySelector(":checked").value;
    this.text = FORMS[form](this.calls[side] ?? this.calls.a);
    this.code.textContent = visible(this.text);
    this.said.textContent = "";
  }

  async copy() {
    try {
      await navigator.clipboard.writeText(this.text);
      this.said.textContent = "Copied";
    } catch {
      // Pages that came over plain HTTP from elsewhere may not write there.
      getSelection().selectAllChildren(this.code);
      this.said.textContent = "Selected: copy it with Ctrl+C";
    }
  }
}
