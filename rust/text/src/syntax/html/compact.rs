//! Compact HTML of a table: no sections, no attributes but spans, `th` as `td`, single blanks.
//!
//! Partitioners write tables so, and strategies count and repeat such HTML: it has to be short, and the same for
//! the same cells. The writer listens to [`Events`] of a parser and keeps no tree; rows and cells are spans of
//! what it has written.
//!
//! ```text
//! <table class="t"><thead><tr><th>stone</th><th colspan="2">kg,  each</th></tr></thead></table>
//! <table><tr><td>stone</td><td colspan="2">kg, each</td></tr></table>
//! ```
//!
//! A header row is one in `thead`, or one with `th` whose `td` are blank. Header rows that lead the table are
//! kept as they stood as well, since a part repeats them with their attributes ([`Sources`]).

use super::lexer::Attribute;
use super::refusal::Refusal;
use super::source::Sources;
use super::spans;
use super::strict::Events;
use super::words::{self, Run, Survey};
use super::write::{self, Tags};
use crate::grid::{Cell, Grid, Row};
use crate::span::Span;

/// The section of a row that stands in none of the table's own.
const NO_SECTION: usize = usize::MAX;

/// Writes the first table of what it is told, with its rows and cells. O(n).
#[derive(Debug, Default)]
pub struct Compactor {
    grid: Grid,
    state: State,
    frames: Vec<Frame>,
    tags: Tags,
    run: Run,
    /// What the run stands behind.
    behind: Behind,
    n_sections: usize,
    open_row: OpenRow,
    /// Where the text of the open cell begins, and where the texts ended before it.
    cell_start: usize,
    before_cell: usize,
    /// Rows of the table itself and of its own sections. They are told apart before sections are taken
    /// away, and given to the rows that are found after that in order.
    proper: Vec<Proper>,
    sources: Sources,
    refusal: Refusal,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum State {
    #[default]
    Before,
    Within,
    /// The table has ended, the text behind it has not.
    Behind,
    After,
}

/// What an element is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Table,
    Row,
    Cell,
    InCell,
    Elsewhere,
}

#[derive(Clone, Copy, Debug)]
struct Frame {
    /// What it is; of a section, what its parent is, whose children its own become.
    place: Place,
    is_section: bool,
    /// The section of rows in it.
    section: usize,
    is_head: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Behind {
    #[default]
    Other,
    Row,
    Cell,
}

/// What is known of the row that is open.
#[derive(Clone, Copy, Debug, Default)]
struct OpenRow {
    section: usize,
    is_head: bool,
    has_th: bool,
    has_filled_td: bool,
}

#[derive(Clone, Copy, Debug)]
struct Proper {
    is_header: bool,
    section: usize,
    source: Span,
}

/// The attributes of a tag that are kept.
#[derive(Clone, Copy, Debug)]
struct Spans<'a> {
    col: Option<&'a str>,
    row: Option<&'a str>,
}

impl<'a> Spans<'a> {
    fn of(attributes: &'a [Attribute<'_>]) -> Self {
        let value = |name| {
            let found = attributes.iter().find(|attribute| attribute.name == name);
            found.map(|attribute| attribute.value.as_ref())
        };
        Self { col: value("colspan"), row: value("rowspan") }
    }
}

impl Events for Compactor {
    fn open(&mut self, name: &str, attributes: &[Attribute<'_>]) {
        match self.state {
            State::Before if name == "table" => self.begin_table(attributes),
            State::Before | State::After => {}
            State::Behind => self.end_run(),
            State::Within => self.open_within(name, attributes),
        }
    }

    fn close(&mut self, name: &str) {
        match self.state {
            State::Before | State::After => {}
            State::Behind => self.end_run(),
            State::Within => self.close_within(name),
        }
    }

    fn text(&mut self, text: &str) {
        if !matches!(self.state, State::Within | State::Behind) {
            return;
        }
        if self.sources.text(text)
            && let Some(row) = self.proper.last_mut()
        {
            row.source.end = self.sources.written.len();
        }
        let survey = Survey::of(text);
        self.refusal.piece(text, survey);
        self.tags.fill(&mut self.grid.html);
        self.tell(survey.has_markup(), |run, sink| run.push(text, survey, sink));
    }

    fn comment(&mut self, text: &str) {
        if !matches!(self.state, State::Within | State::Behind) {
            return;
        }
        self.sources.comment(text);
        self.end_run();
        if self.state == State::Within {
            let html = &mut self.grid.html;
            self.tags.fill(html);
            html.push_str("<!--");
            let text = words::normalised(text);
            self.refusal.whole(&text);
            html.push_str(&text);
            html.push_str("-->");
            self.run = Run::edged();
        }
    }
}

impl Compactor {
    /// For an HTML text of about `len` bytes.
    pub fn with_capacity(len: usize) -> Self {
        let html = String::with_capacity(len);
        let texts = String::with_capacity(len / 2);
        Self { grid: Grid { html, texts, ..Grid::default() }, ..Self::default() }
    }

    /// The table, if there was one and lxml, which has to set each text anew, could do so.
    pub fn finish(mut self) -> Option<Grid> {
        if self.state == State::Before {
            return None;
        }
        self.end_run();
        if self.refusal.is_refused {
            return None;
        }
        for (row, proper) in self.grid.rows.iter_mut().zip(&self.proper) {
            row.is_header = proper.is_header;
            row.section = proper.section;
            row.source = proper.source;
        }
        self.grid.sources = self.sources.written;
        Some(self.grid)
    }

    fn begin_table(&mut self, attributes: &[Attribute<'_>]) {
        self.state = State::Within;
        self.write_open("table", Spans::of(attributes));
        let place = Place::Table;
        self.frames.push(Frame { place, is_section: false, section: 0, is_head: false });
    }

    fn open_within(&mut self, name: &str, attributes: &[Attribute<'_>]) {
        let Some(parent) = self.frames.last().copied() else { return };
        if matches!(name, "thead" | "tbody" | "tfoot") {
            self.sources.open(name, attributes);
            return self.open_section(parent, name);
        }
        self.end_run();
        self.tags.fill(&mut self.grid.html);
        let spans = Spans::of(attributes);
        let place = match parent.place {
            Place::Table if name == "tr" => Place::Row,
            Place::Row => Place::Cell,
            Place::Cell | Place::InCell => Place::InCell,
            _ => Place::Elsewhere,
        };
        match place {
            Place::Row => self.begin_row(parent),
            Place::Cell => self.begin_cell(spans),
            _ => {}
        }
        self.sources.open(name, attributes);
        self.write_open(name, spans);
        self.frames.push(Frame { place, is_section: false, section: NO_SECTION, is_head: false });
    }

    /// A section's tag is left out. It ends no text: what stands before and in it is one.
    fn open_section(&mut self, parent: Frame, name: &str) {
        let is_own = parent.place == Place::Table && !parent.is_section;
        self.refusal.join();
        self.n_sections += usize::from(is_own);
        let section = if is_own { self.n_sections } else { NO_SECTION };
        let is_head = name == "thead";
        self.frames.push(Frame { is_section: true, section, is_head, ..parent });
    }

    fn close_within(&mut self, name: &str) {
        self.sources.close(name);
        let Some(frame) = self.frames.pop() else { return };
        if frame.is_section {
            return self.refusal.join();
        }
        self.end_run();
        self.tags.close(&mut self.grid.html, compact_name(name));
        self.run = Run::edged();
        match frame.place {
            Place::Table => self.state = State::Behind,
            Place::Row => self.end_row(),
            Place::Cell => self.end_cell(name),
            // A line break parts words, whatever stands behind it.
            Place::InCell if name == "br" => self.grid.texts.push(' '),
            Place::InCell | Place::Elsewhere => {}
        }
    }

    fn begin_row(&mut self, parent: Frame) {
        let Frame { section, is_head, .. } = parent;
        self.open_row = OpenRow { section, is_head, ..OpenRow::default() };
        if section != NO_SECTION {
            self.sources.begin_row();
        }
        let (html, cells) = (self.grid.html.len(), self.grid.cells.len());
        self.grid.rows.push(Row {
            cells: Span::new(cells, cells),
            html: Span::new(html, html),
            section: NO_SECTION,
            ..Row::default()
        });
    }

    fn end_row(&mut self) {
        self.behind = Behind::Row;
        if let Some(row) = self.grid.rows.last_mut() {
            row.cells.end = self.grid.cells.len();
        }
        let OpenRow { section, is_head, has_th, has_filled_td } = self.open_row;
        if section != NO_SECTION {
            let is_header = is_head || (has_th && !has_filled_td);
            let source = self.sources.end_row(is_header);
            self.proper.push(Proper { is_header, section, source });
        }
    }

    fn begin_cell(&mut self, spans: Spans<'_>) {
        let Grid { html, texts, cells, .. } = &mut self.grid;
        self.before_cell = texts.len();
        if !texts.is_empty() {
            texts.push(' ');
        }
        self.cell_start = texts.len();
        cells.push(Cell {
            text: Span::default(),
            html: Span::new(html.len(), html.len()),
            colspan: spans::colspan(spans.col),
            rowspan: spans::rowspan(spans.row),
        });
    }

    fn end_cell(&mut self, name: &str) {
        self.behind = Behind::Cell;
        let Grid { texts, cells, .. } = &mut self.grid;
        let mut start = self.cell_start;
        if !words::is_normalised(&texts[start..]) {
            let text = words::normalised(&texts[start..]);
            texts.truncate(start);
            texts.push_str(&text);
        }
        let is_blank = texts.len() == start;
        if is_blank {
            start = self.before_cell;
            texts.truncate(start);
        }
        if let Some(cell) = cells.last_mut() {
            cell.text = Span::new(start, texts.len());
        }
        // A cell in a section within the row is none of the row's own.
        if self.frames.last().is_some_and(|row| !row.is_section) {
            self.open_row.has_th |= name == "th";
            self.open_row.has_filled_td |= name == "td" && !is_blank;
        }
    }

    fn write_open(&mut self, name: &str, spans: Spans<'_>) {
        let html = &mut self.grid.html;
        self.tags.open(html, compact_name(name));
        for (name, value) in [("colspan", spans.col), ("rowspan", spans.row)] {
            if let Some(value) = value {
                self.refusal.whole(value);
                write::push_attribute(html, name, value);
            }
        }
        self.run = Run::trimmed();
    }

    /// Ends the text that stands here, and with it what it stands behind.
    fn end_run(&mut self) {
        self.refusal.begin();
        self.tell(false, |run, sink| std::mem::take(run).finish(sink));
        let Grid { html, rows, cells, .. } = &mut self.grid;
        match std::mem::take(&mut self.behind) {
            Behind::Row => rows.last_mut().map(|row| row.html.end = html.len()),
            Behind::Cell => cells.last_mut().map(|cell| cell.html.end = html.len()),
            Behind::Other => None,
        };
        if self.state == State::Behind {
            self.state = State::After;
        }
    }

    /// Lets the run say words, which go into the table, and into the cell if one is open.
    fn tell(&mut self, has_markup: bool, say: impl FnOnce(&mut Run, &mut dyn FnMut(&str))) {
        let is_in_cell = matches!(
            self.frames.last().map(|frame| frame.place),
            Some(Place::Cell | Place::InCell)
        );
        let Grid { html, texts, .. } = &mut self.grid;
        say(&mut self.run, &mut |words| {
            if has_markup {
                write::push_text(html, words);
            } else {
                html.push_str(words);
            }
            if is_in_cell {
                texts.push_str(words);
            }
        });
    }
}

fn compact_name(name: &str) -> &str {
    if name == "th" { "td" } else { name }
}
