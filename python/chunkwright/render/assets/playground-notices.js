/**
 * @file Notices of the playground in the place of chunks: a file is being read, or is not shown.
 */

// So much of a file's name stands in a notice, and of a problem in the status.
const MOST_SAID = 90;

/** What is shown while a file is read. @param {Source} source */
function beingRead(source) {
  return make("div", { class: "pg-nothing" },
    make("h2", { dir: "auto" }, `Reading ${shortened(source.name, MOST_SAID)}…`),
    source.text === null ? make("p", { class: "pg-help" }, "Scans take longest: the words of their pages are recognised one by one.") : null);
}

/**
 * What is shown of a file that cannot be read.
 * @param {Source} source
 * @param {Problem} problem
 * @param {(password?: string) => void} opened  Is told to try again, with the password of an
 *   encrypted file.
 */
function notShown(source, problem, opened) {
  const is_locked = problem.field === "password";
  const said = !is_locked ? problem.message
    : source.password === null ? "The file is encrypted." : "The file is encrypted, and the password is wrong.";
  return make("div", { class: "pg-nothing" },
    make("h2", { dir: "auto" }, `${shortened(source.name, MOST_SAID)} is not shown`),
    make("p", { dir: "auto", role: "alert" }, said),
    is_locked ? passwordForm(opened) : problem.may_pass ? againButton(opened)
      : make("p", { class: "pg-help" }, problem.field === TOO_LARGE
        ? "Python and the command line read files of any size."
        : "Open another file. If this one is of another kind than it seems, say so under “read as”."));
}

// The field of a problem that the page itself finds: the document's size.
const TOO_LARGE = "size";

function againButton(again) {
  return make("div", {}, make("button", { type: "button", class: "pg-button pg-main-button", click: () => again() }, "Try again"));
}

function passwordForm(opened) {
  const field = make("input", { type: "password", id: "pg-password", class: "pg-text", autocomplete: "off",
    required: true, maxlength: 1000 });
  return make("form", { class: "pg-row", submit: (event) => { event.preventDefault(); opened(field.value); } },
    make("label", { for: "pg-password" }, "Password"), field,
    make("button", { type: "submit", class: "pg-button pg-main-button" }, "Open it"));
}
