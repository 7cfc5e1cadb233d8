//! Forms of directives: what the argument and the content of each are.
//!
//! A directive is told by its name without the domain. One of an unknown name has content of the same markup, as
//! most directives of extensions have.

/// What a directive holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Code, in the language that its argument names.
    Code,
    /// Code in this language, if any; its argument is code or a name.
    Literal(Option<&'static str>),
    /// A formula.
    Math,
    /// A table in its content, with a title.
    Table,
    /// A table whose content is comma-separated values.
    CsvTable,
    /// A table whose content is a list of lists.
    ListTable,
    /// A picture.
    Image,
    /// A picture with a caption.
    Figure,
    /// Text, which begins in its first line.
    Note,
    /// Text with a title, a version or a name in its first line.
    Titled,
    /// An object: signatures, and what is said of it.
    Object,
    /// A quotation.
    Quote,
    /// Text that is shown as if it stood there without a directive.
    Transparent,
    /// What is not said here, such as the names of other files.
    Opaque,
    /// What is not shown.
    Hidden,
}

/// The forms that have names.
const FORMS: [(Form, &[&str]); 15] = [
    (Form::Code, &["code", "code-block", "sourcecode", "code-cell", "raw", "prompt", "ipython"]),
    (
        Form::Literal(None),
        &[
            "parsed-literal",
            "productionlist",
            "grammar-snippet",
            "mermaid",
            "uml",
            "digraph",
            "graph",
        ],
    ),
    (Form::Literal(Some("dot")), &["graphviz"]),
    (Form::Literal(Some("pycon")), &["doctest"]),
    (Form::Literal(Some("python")), &["testcode", "testsetup", "testcleanup", "jupyter-execute"]),
    (Form::Literal(Some("text")), &["testoutput"]),
    (Form::Math, &["math"]),
    (Form::Table, &["table"]),
    (Form::CsvTable, &["csv-table"]),
    (Form::ListTable, &["list-table", "flat-table"]),
    (Form::Image, &["image"]),
    (Form::Figure, &["figure"]),
    (Form::Quote, &["epigraph", "highlights", "pull-quote"]),
    (
        Form::Note,
        &[
            "note",
            "warning",
            "tip",
            "hint",
            "important",
            "caution",
            "danger",
            "attention",
            "error",
            "seealso",
            "todo",
            "impl-detail",
            "header",
            "footer",
        ],
    ),
    (
        Form::Object,
        &[
            "function",
            "class",
            "method",
            "attribute",
            "data",
            "exception",
            "property",
            "decorator",
            "decoratormethod",
            "staticmethod",
            "classmethod",
            "coroutinefunction",
            "coroutinemethod",
            "awaitablefunction",
            "awaitablemethod",
            "abstractmethod",
            "type",
            "member",
            "macro",
            "struct",
            "union",
            "enum",
            "enumerator",
            "var",
            "concept",
            "alias",
            "object",
            "describe",
            "option",
            "cmdoption",
            "envvar",
            "confval",
            "opcode",
            "pdbcommand",
            "2to3fixer",
            "monitoring-event",
            "directive",
            "role",
            "setting",
            "templatetag",
            "templatefilter",
            "fieldlookup",
            "django-admin",
            "django-admin-option",
            "event",
            "signal",
            "fixture",
            "globalvar",
        ],
    ),
];

/// Directives whose content stands there as if there were none.
const TRANSPARENT: &[&str] =
    &["container", "compound", "only", "ifconfig", "rst-class", "glossary", "hlist", "centered"];

/// Directives that name what stands elsewhere.
const OPAQUE: &[&str] = &["toctree", "include", "literalinclude", "replace", "unicode", "date"];

/// Directives of which nothing is shown.
const HIDDEN: &[&str] = &[
    "index",
    "highlight",
    "contents",
    "sectnum",
    "section-numbering",
    "meta",
    "default-role",
    "default-domain",
    "currentmodule",
    "tabularcolumns",
    "title",
    "target-notes",
    "sectionauthor",
    "codeauthor",
    "moduleauthor",
    "program",
    "namespace",
    "namespace-push",
    "namespace-pop",
];

/// What a directive of this name holds. Within a domain, `role` and `directive` are objects; else a role is defined.
pub fn form(name: &str, has_domain: bool) -> Form {
    if name == "role" && !has_domain || HIDDEN.contains(&name) {
        return Form::Hidden;
    }
    if TRANSPARENT.contains(&name) {
        return Form::Transparent;
    }
    if OPAQUE.contains(&name) {
        return Form::Opaque;
    }
    let named = FORMS.iter().find(|(_, names)| names.contains(&name));
    named.map_or(Form::Titled, |(form, _)| *form)
}
