//! Names of XML in Word files, with the prefixes that Word itself writes.

use std::collections::HashMap;
use std::sync::LazyLock;

/// The namespaces that are read, each with its prefix: those of Word, then those of its strict variant.
const NAMESPACES: [(&str, &str); 20] = [
    ("http://schemas.openxmlformats.org/drawingml/2006/main", "a"),
    ("http://schemas.openxmlformats.org/drawingml/2006/chart", "c"),
    ("http://schemas.openxmlformats.org/drawingml/2006/diagram", "dgm"),
    ("http://schemas.openxmlformats.org/officeDocument/2006/math", "m"),
    ("http://schemas.openxmlformats.org/markup-compatibility/2006", "mc"),
    ("http://schemas.openxmlformats.org/drawingml/2006/picture", "pic"),
    ("http://schemas.openxmlformats.org/officeDocument/2006/relationships", "r"),
    ("http://schemas.openxmlformats.org/package/2006/relationships", "rel"),
    ("urn:schemas-microsoft-com:vml", "v"),
    ("http://schemas.openxmlformats.org/wordprocessingml/2006/main", "w"),
    ("http://schemas.microsoft.com/office/word/2010/wordml", "w14"),
    ("http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing", "wp"),
    ("http://purl.oclc.org/ooxml/drawingml/main", "a"),
    ("http://purl.oclc.org/ooxml/drawingml/chart", "c"),
    ("http://purl.oclc.org/ooxml/drawingml/diagram", "dgm"),
    ("http://purl.oclc.org/ooxml/drawingml/picture", "pic"),
    ("http://purl.oclc.org/ooxml/drawingml/wordprocessingDrawing", "wp"),
    ("http://purl.oclc.org/ooxml/officeDocument/math", "m"),
    ("http://purl.oclc.org/ooxml/officeDocument/relationships", "r"),
    ("http://purl.oclc.org/ooxml/wordprocessingml/main", "w"),
];

/// The prefix of a namespace; empty if nothing of it is read.
pub fn prefix_of(namespace: &str) -> &'static str {
    let known = NAMESPACES.iter().find(|(name, _)| *name == namespace);
    known.map_or("", |(_, prefix)| prefix)
}

macro_rules! tags {
    ($($tag:ident = $name:literal),* $(,)?) => {
        /// Name of an element that means something here.
        #[allow(clippy::enum_variant_names, reason = "the names of the format")]
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Tag {
            /// Any other.
            Other,
            $(#[doc = $name] $tag),*
        }

        static TAGS: LazyLock<HashMap<(&str, &str), Tag>> = LazyLock::new(|| {
            let names = [$(($name, Tag::$tag)),*];
            names.into_iter().filter_map(|(name, tag)| Some((name.split_once(':')?, tag))).collect()
        });
    };
}

tags! {
    Abstract = "w:abstractNum",
    AbstractId = "w:abstractNumId",
    AlternateContent = "mc:AlternateContent",
    BasedOn = "w:basedOn",
    Body = "w:body",
    Break = "w:br",
    BeginsPage = "w:pageBreakBefore",
    Bidirectional = "w:bdo",
    Bullet = "w:lvlPicBulletId",
    Cell = "w:tc",
    CellProperties = "w:tcPr",
    Chart = "c:chart",
    CheckBox = "w:checkBox",
    Checked = "w:checked",
    Choice = "mc:Choice",
    Content = "w:sdtContent",
    Control = "w:sdt",
    ControlBox = "w14:checkbox",
    ControlChecked = "w14:checked",
    ControlProperties = "w:sdtPr",
    CustomXml = "w:customXml",
    Default = "w:default",
    Defaults = "w:docDefaults",
    DefaultRun = "w:rPrDefault",
    Deleted = "w:del",
    Described = "wp:docPr",
    DescribedPicture = "pic:cNvPr",
    DiagramIds = "dgm:relIds",
    DiagramPoint = "dgm:t",
    Direction = "w:dir",
    Drawing = "w:drawing",
    DrawnText = "a:t",
    EndnoteReference = "w:endnoteReference",
    EvenAndOdd = "w:evenAndOddHeaders",
    Fallback = "mc:Fallback",
    Field = "w:fldChar",
    FieldData = "w:ffData",
    Fonts = "w:rFonts",
    FooterReference = "w:footerReference",
    FootnoteReference = "w:footnoteReference",
    Format = "w:numFmt",
    Frame = "w:framePr",
    GridBefore = "w:gridBefore",
    HeaderReference = "w:headerReference",
    HeaderRow = "w:tblHeader",
    Hyperlink = "w:hyperlink",
    ImageData = "v:imagedata",
    Inserted = "w:ins",
    Instruction = "w:instrText",
    IsLegal = "w:isLgl",
    Level = "w:lvl",
    LevelOf = "w:ilvl",
    LevelText = "w:lvlText",
    Look = "w:tblLook",
    MathAccent = "m:acc",
    MathArray = "m:eqArr",
    MathBar = "m:bar",
    MathBase = "m:e",
    MathBeginning = "m:begChr",
    MathBelow = "m:den",
    MathDegree = "m:deg",
    MathDelimited = "m:d",
    MathEnd = "m:endChr",
    MathFraction = "m:f",
    MathFunction = "m:func",
    MathFunctionName = "m:fName",
    MathGroup = "m:groupChr",
    MathLimit = "m:lim",
    MathLimitLow = "m:limLow",
    MathLimitUp = "m:limUpp",
    MathMatrix = "m:m",
    MathNary = "m:nary",
    MathNumerator = "m:num",
    MathPhantom = "m:phant",
    MathPhantomProperties = "m:phantPr",
    MathPosition = "m:pos",
    MathRadical = "m:rad",
    MathRow = "m:mr",
    MathRun = "m:r",
    MathScriptsBefore = "m:sPre",
    MathSeparator = "m:sepChr",
    MathShow = "m:show",
    MathSign = "m:chr",
    MathSub = "m:sub",
    MathSubscript = "m:sSub",
    MathSubSuperscript = "m:sSubSup",
    MathSup = "m:sup",
    MathSuperscript = "m:sSup",
    MathText = "m:t",
    MathType = "m:type",
    MergedBeside = "w:hMerge",
    MergedBelow = "w:vMerge",
    MovedFrom = "w:moveFrom",
    MovedTo = "w:moveTo",
    Name = "w:name",
    NewLine = "w:cr",
    NoBreakHyphen = "w:noBreakHyphen",
    Num = "w:num",
    NumId = "w:numId",
    NumProperties = "w:numPr",
    NumStyle = "w:numStyleLink",
    Object = "w:object",
    Equation = "m:oMath",
    EquationParagraph = "m:oMathPara",
    OutlineLevel = "w:outlineLvl",
    Override = "w:lvlOverride",
    P = "w:p",
    ParagraphProperties = "w:pPr",
    ParagraphStyle = "w:pStyle",
    Pict = "w:pict",
    Picture = "pic:pic",
    PositionTab = "w:ptab",
    Prompt = "w:showingPlcHdr",
    Relationship = "rel:Relationship",
    RenderedPageBreak = "w:lastRenderedPageBreak",
    Restart = "w:lvlRestart",
    Row = "w:tr",
    RowProperties = "w:trPr",
    Ruby = "w:ruby",
    RubyBase = "w:rubyBase",
    Run = "w:r",
    RunProperties = "w:rPr",
    RunStyle = "w:rStyle",
    Section = "w:sectPr",
    SectionBefore = "w:sectPrChange",
    Shape = "v:shape",
    SimpleField = "w:fldSimple",
    SmartTag = "w:smartTag",
    Span = "w:gridSpan",
    Start = "w:start",
    StartOverride = "w:startOverride",
    Style = "w:style",
    Symbol = "w:sym",
    T = "w:t",
    Tab = "w:tab",
    Table = "w:tbl",
    TableProperties = "w:tblPr",
    TextBox = "w:txbxContent",
    TitlePage = "w:titlePg",
    Type = "w:type",
    Vanish = "w:vanish",
}

impl Tag {
    /// The tag of a name whose namespace has this prefix.
    pub fn named(prefix: &str, local: &str) -> Self {
        TAGS.get(&(prefix, local)).copied().unwrap_or(Self::Other)
    }
}
