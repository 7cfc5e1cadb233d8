//! Equations of Word (Office Math) in the notation of LaTeX.

use unicode_normalization::UnicodeNormalization as _;

use super::parts::tags::Tag;
use super::parts::tree::Node;

/// Signs, each with its command.
const SIGNS: &str = "±pm ∓mp ×times ÷div ·cdot ⋅cdot ∗ast ≤leq ≥geq ≠neq ≈approx ≡equiv ∼sim ≅cong ∞infty \
    ∂partial ∇nabla ∝propto ∘circ ℏhbar ∑sum ∏prod ∐coprod ∫int ∬iint ∭iiint ∮oint →rightarrow ←leftarrow \
    ↔leftrightarrow ⇒Rightarrow ⇐Leftarrow ⇔Leftrightarrow ↦mapsto ↑uparrow ↓downarrow ∈in ∉notin ∋ni ⊂subset \
    ⊆subseteq ⊃supset ⊇supseteq ∪cup ∩cap ∅emptyset ∀forall ∃exists ∧wedge ∨vee ¬neg ⊕oplus ⊗otimes ⊥perp \
    ∥parallel ∠angle …ldots ⋯cdots ⋮vdots ⋱ddots ′prime √surd ℓell ⟨langle ⟩rangle ‖| ⌊lfloor ⌋rfloor ⌈lceil ⌉rceil \
    ⋃bigcup ⋂bigcap ϵepsilon εvarepsilon ϕphi φvarphi ϑvartheta";
/// The letters of Greek from `Α` and from `α` on, as LaTeX calls them; those that it has no command for are themselves.
const LETTERS: [&str; 25] = [
    "alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa",
    "lambda", "mu", "nu", "xi", "", "pi", "rho", "", "sigma", "tau", "upsilon", "phi", "chi",
    "psi", "omega",
];
/// The capitals that do not look like a Latin one: LaTeX has commands for no others.
const CAPITALS: &str = "ΓΔΘΛΞΠΣΥΦΨΩ";
const FUNCTIONS: &str = " sin cos tan cot sec csc arcsin arccos arctan sinh cosh tanh coth log ln exp lim max min sup inf \
    det dim gcd deg ker arg Pr ";
const LINE: &str = r" \\ ";

/// What an element of Office Math says, such as `\frac{a}{b}`. O(n).
pub fn latex(node: Node<'_>) -> String {
    match node.tag() {
        Tag::MathText => text(node),
        Tag::MathFraction => fraction(node),
        Tag::MathRadical => {
            let degree = part(node, Tag::MathDegree);
            let degree = if degree.is_empty() { degree } else { format!("[{degree}]") };
            format!("\\sqrt{degree}{{{}}}", part(node, Tag::MathBase))
        }
        Tag::MathSuperscript | Tag::MathSubscript | Tag::MathSubSuperscript => {
            grouped(part(node, Tag::MathBase)) + &index(node)
        }
        Tag::MathScriptsBefore => {
            format!("{{{}}}{}", index(node), grouped(part(node, Tag::MathBase)))
        }
        Tag::MathNary => {
            let sign = signs(property(node, Tag::MathSign, "∫"));
            format!("{}{} {}", sign.trim(), index(node), part(node, Tag::MathBase))
        }
        Tag::MathDelimited => delimited(node),
        Tag::MathFunction => {
            let name = part(node, Tag::MathFunctionName);
            let slash = if is_function(&name) { "\\" } else { "" };
            format!("{slash}{name} {}", part(node, Tag::MathBase))
        }
        Tag::MathLimitLow | Tag::MathLimitUp => {
            let base = part(node, Tag::MathBase);
            let base = if is_function(&base) { format!("\\{base}") } else { grouped(base) };
            let mark = if node.tag() == Tag::MathLimitLow { '_' } else { '^' };
            format!("{base}{mark}{{{}}}", part(node, Tag::MathLimit))
        }
        Tag::MathAccent => {
            let accent = accent(property(node, Tag::MathSign, "\u{302}"));
            format!("\\{accent}{{{}}}", part(node, Tag::MathBase))
        }
        Tag::MathBar => format!("\\{}line{{{}}}", side(node), part(node, Tag::MathBase)),
        Tag::MathGroup => {
            let base = part(node, Tag::MathBase);
            let is_brace = matches!(property(node, Tag::MathSign, "⏟"), "⏞" | "⏟");
            if is_brace { format!("\\{}brace{{{base}}}", side(node)) } else { base }
        }
        Tag::MathMatrix => matrix(node),
        Tag::MathArray => {
            let rows = named(node, Tag::MathBase).map(|row| all(row).trim().to_owned());
            format!("\\begin{{aligned}}{}\\end{{aligned}}", joined(rows, LINE))
        }
        Tag::MathPhantom => {
            let properties = node.child(Tag::MathPhantomProperties);
            let is_shown = properties.is_none_or(|properties| properties.is_on([Tag::MathShow]));
            if is_shown { part(node, Tag::MathBase) } else { String::new() }
        }
        Tag::Deleted | Tag::MovedFrom => String::new(),
        _ if is_properties(node) => String::new(),
        _ => all(node),
    }
}

fn is_properties(node: Node<'_>) -> bool {
    node.local_name().ends_with("Pr")
}

fn all(node: Node<'_>) -> String {
    node.children().map(latex).collect()
}

fn part(node: Node<'_>, tag: Tag) -> String {
    node.child(tag).map_or_else(String::new, |part| all(part).trim().to_owned())
}

fn named(node: Node<'_>, tag: Tag) -> impl Iterator<Item = Node<'_>> {
    node.children().filter(move |node| node.tag() == tag)
}

fn joined(parts: impl Iterator<Item = String>, between: &str) -> String {
    parts.collect::<Vec<_>>().join(between)
}

/// A property of an element, which its first child holds; of an empty one nothing.
fn property<'a>(node: Node<'a>, tag: Tag, default: &'a str) -> &'a str {
    let properties = node.children().next().filter(|&node| is_properties(node));
    let own = properties.and_then(|properties| properties.child(tag));
    own.map_or(default, |own| own.attribute("m:val").unwrap_or_default())
}

fn text(node: Node<'_>) -> String {
    let mut text = String::new();
    node.text().nfkc().for_each(|c| push_sign(&mut text, c));
    text
}

fn push_sign(text: &mut String, c: char) {
    let command = SIGNS.split(' ').find_map(|sign| sign.strip_prefix(c)).filter(|_| !c.is_ascii());
    if let Some(command) = command {
        text.push('\\');
        text.push_str(command);
        text.push(' ');
    } else if matches!(c, '{' | '}' | '%' | '&' | '#' | '$' | '_') {
        text.push('\\');
        text.push(c);
    } else if let Some((letter, is_capital)) = letter(c) {
        text.push('\\');
        let (first, rest) = letter.split_at(1);
        if is_capital {
            text.push_str(&first.to_uppercase());
        } else {
            text.push_str(first);
        }
        text.push_str(rest);
        text.push(' ');
    } else {
        text.push(c);
    }
}

/// The name of a letter of Greek, and whether it is a capital.
fn letter(c: char) -> Option<(&'static str, bool)> {
    let first = match c {
        'Α'..='Ω' => 'Α',
        'α'..='ω' => 'α',
        _ => return None,
    };
    let at = usize::try_from(u32::from(c) - u32::from(first)).ok()?;
    let is_capital = first == 'Α';
    let has_command = |name: &&&str| !name.is_empty() && (!is_capital || CAPITALS.contains(c));
    LETTERS.get(at).filter(has_command).map(|name| (*name, is_capital))
}

/// A property of one sign as LaTeX; a longer one as it is.
fn signs(property: &str) -> String {
    let (mut text, mut chars) = (String::new(), property.chars());
    match (chars.next(), chars.next()) {
        (Some(sign), None) => push_sign(&mut text, sign),
        _ => text.push_str(property),
    }
    text
}

/// A base of an index, in braces if it is more than one sign.
fn grouped(text: String) -> String {
    let is_letters = |name: &str| !name.is_empty() && name.chars().all(char::is_alphabetic);
    let is_one = text.chars().nth(1).is_none() && !text.is_empty();
    if is_one || text.strip_prefix('\\').is_some_and(is_letters) {
        text
    } else {
        format!("{{{text}}}")
    }
}

fn is_function(name: &str) -> bool {
    !name.is_empty() && FUNCTIONS.split(' ').any(|function| function == name)
}

fn fraction(node: Node<'_>) -> String {
    let (above, below) = (part(node, Tag::MathNumerator), part(node, Tag::MathBelow));
    match property(node, Tag::MathType, "bar") {
        "lin" | "skw" => format!("{}/{}", grouped(above), grouped(below)),
        "noBar" => format!("\\binom{{{above}}}{{{below}}}"),
        _ => format!("\\frac{{{above}}}{{{below}}}"),
    }
}

fn index(node: Node<'_>) -> String {
    let mut index = String::new();
    for (mark, tag) in [('_', Tag::MathSub), ('^', Tag::MathSup)] {
        let part = part(node, tag);
        if !part.is_empty() {
            index.extend([mark, '{']);
            index.push_str(&part);
            index.push('}');
        }
    }
    index
}

fn delimited(node: Node<'_>) -> String {
    let side = |tag, default| match property(node, tag, default) {
        "" => ".".to_owned(),
        sign => signs(sign).trim().to_owned(),
    };
    let (left, right) = (side(Tag::MathBeginning, "("), side(Tag::MathEnd, ")"));
    let between = signs(property(node, Tag::MathSeparator, "|"));
    let parts = named(node, Tag::MathBase).map(|part| all(part).trim().to_owned());
    format!("\\left{left}{}\\right{right}", joined(parts, &format!(" {} ", between.trim())))
}

fn accent(sign: &str) -> &'static str {
    match sign {
        "\u{300}" => "grave",
        "\u{301}" => "acute",
        "\u{303}" => "tilde",
        "\u{304}" => "bar",
        "\u{305}" => "overline",
        "\u{306}" => "breve",
        "\u{307}" => "dot",
        "\u{308}" => "ddot",
        "\u{30c}" => "check",
        "\u{20d6}" => "overleftarrow",
        "\u{20d7}" => "vec",
        _ => "hat",
    }
}

/// Where a bar or a brace stands.
fn side(node: Node<'_>) -> &'static str {
    if property(node, Tag::MathPosition, "bot") == "top" { "over" } else { "under" }
}

fn matrix(node: Node<'_>) -> String {
    let cells =
        |row: Node<'_>| joined(row.children().map(|cell| all(cell).trim().to_owned()), " & ");
    let rows = joined(named(node, Tag::MathRow).map(cells), LINE);
    format!("\\begin{{matrix}}{rows}\\end{{matrix}}")
}
