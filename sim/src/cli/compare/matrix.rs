//! Level 6. The matrix of `sim compare`: a row for each scenario, a column for each store that plays in
//! it. Scenarios with the same stores share a block, and a block that is too wide is split.

use super::Ran;
use crate::cli::campaign::Cell;
use crate::cli::hunt::grouped;
use crate::cli::screen::{BAD, DIM, HEAD, Screen};
use anstyle::Style;
use onestroke_scenarios::FindingKind;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::sync::Arc;

/// Blank between two columns.
const GAP: usize = 2;
/// The names of scenarios get no more columns than this.
const NAME_MOST: usize = 34;
/// Nothing was found.
const NOTHING: &str = "·";

/// Which store shows what.
pub(super) struct Matrix {
    blocks: Vec<Block>,
    shown: BTreeSet<FindingKind>,
}

/// A family of stores, and the scenarios in which any of them plays.
struct Block {
    family: &'static str,
    stores: Vec<&'static str>,
    rows: Vec<Row>,
}

/// A scenario, and what each store of a family shows in it; nothing where it does not play.
struct Row {
    scenario: String,
    cells: Vec<Option<Vec<FindingKind>>>,
}

impl Matrix {
    pub(super) fn new(ran: &Ran) -> Self {
        let mut blocks: Vec<Block> = Vec::new();
        for cell in &ran.cells {
            let (family, store) = (cell.setup.store.family, cell.setup.store.name);
            let known = blocks.iter().position(|block| block.family == family);
            let at = known.unwrap_or_else(|| {
                blocks.push(Block { family, stores: Vec::new(), rows: Vec::new() });
                blocks.len() - 1
            });
            if !blocks[at].stores.contains(&store) {
                blocks[at].stores.push(store);
            }
        }
        for block in &mut blocks {
            block.fill(&ran.cells);
        }
        let shown = ran.cells.iter().flat_map(|cell| cell.campaign.found.keys().copied());
        Self { blocks, shown: shown.collect() }
    }

    pub(super) fn human(&self, screen: &Screen) -> String {
        let mut text = String::new();
        for block in &self.blocks {
            if self.blocks.len() > 1 {
                let _ = writeln!(text, "{}\n", screen.paint(HEAD, &block.title()));
            }
            text += &block.human(screen);
        }
        text
    }

    pub(super) fn markdown(&self) -> String {
        let mut text = String::new();
        for block in &self.blocks {
            if self.blocks.len() > 1 {
                let _ = writeln!(text, "#### {}\n", block.title());
            }
            let _ = writeln!(text, "| scenario | {} |", block.stores.join(" | "));
            let _ = writeln!(text, "|---|{}", "---|".repeat(block.stores.len()));
            for Row { scenario, cells } in &block.rows {
                let cells: Vec<String> =
                    cells.iter().map(|cell| words(cell.as_deref()).join(" ")).collect();
                let _ = writeln!(text, "| {scenario} | {} |", cells.join(" | "));
            }
            text.push('\n');
        }
        text
    }

    /// What the words in the cells mean.
    pub(super) fn legend(&self, seeds: u64) -> String {
        let seeds = grouped(seeds);
        let mut parts = vec![format!("{NOTHING} nothing found in {seeds} seeds")];
        for kind in &self.shown {
            let (word, name) = (word(*kind), kind.name());
            if word != name {
                parts.push(format!("{word}: {name}"));
            }
        }
        let mut cells = self.blocks.iter().flat_map(|block| &block.rows).flat_map(|row| &row.cells);
        if cells.any(Option::is_none) {
            parts.push("blank: it does not play there".to_owned());
        }
        parts.join("; ") + "."
    }
}

impl Block {
    fn title(&self) -> String {
        format!("Family {}", self.family)
    }

    /// A row for each scenario in which one of its stores plays.
    fn fill(&mut self, cells: &[Cell]) {
        for cells in cells.chunk_by(|a, b| Arc::ptr_eq(&a.setup.scenario, &b.setup.scenario)) {
            let of = |store: &&str| {
                let cell = cells.iter().find(|cell| cell.setup.store.name == *store)?;
                Some(cell.campaign.found.keys().copied().collect::<Vec<_>>())
            };
            let found: Vec<Option<Vec<FindingKind>>> = self.stores.iter().map(of).collect();
            if found.iter().any(Option::is_some) {
                let scenario = cells[0].setup.scenario.name.clone();
                self.rows.push(Row { scenario, cells: found });
            }
        }
    }

    fn human(&self, screen: &Screen) -> String {
        let names = self.rows.iter().map(|row| row.scenario.chars().count());
        let name_width = names.max().unwrap_or(0).clamp("scenario".len(), NAME_MOST);
        let headings: Vec<Vec<String>> = self.stores.iter().map(|name| heading(name)).collect();
        let width = |column: usize| {
            let kinds = self.rows.iter().flat_map(|row| words(row.cells[column].as_deref()));
            let parts = headings[column].iter().cloned().chain(kinds);
            parts.map(|part| part.chars().count()).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..self.stores.len()).map(width).collect();
        let mut text = String::new();
        for columns in split(&widths, screen.width.saturating_sub(name_width)) {
            let grid = Grid { columns: &columns, widths: &widths, name_width };
            let height = columns.iter().map(|column| headings[*column].len()).max().unwrap_or(1);
            let head = |column: usize| lowered(headings[column].clone(), height);
            for line in grid.row(&lowered(vec!["scenario".to_owned()], height), head) {
                let _ = writeln!(text, "{}", screen.paint(HEAD, &line));
            }
            let plays = |row: &&Row| columns.iter().any(|column| row.cells[*column].is_some());
            for Row { scenario, cells } in self.rows.iter().filter(plays) {
                let name = textwrap::wrap(scenario, name_width);
                let name: Vec<String> = name.iter().map(ToString::to_string).collect();
                for line in grid.row(&name, |column| words(cells[column].as_deref())) {
                    let _ = writeln!(text, "{}", painted(&line, name_width, screen));
                }
            }
            text.push('\n');
        }
        text
    }
}

/// A part of a block that fits the screen.
struct Grid<'a> {
    columns: &'a [usize],
    widths: &'a [usize],
    name_width: usize,
}

impl Grid<'_> {
    /// The lines of one row, each cell padded to its column.
    fn row(&self, names: &[String], cell: impl Fn(usize) -> Vec<String>) -> Vec<String> {
        let cells: Vec<(usize, Vec<String>)> =
            self.columns.iter().map(|column| (self.widths[*column], cell(*column))).collect();
        let height = cells.iter().map(|(_, lines)| lines.len()).max().unwrap_or(1).max(names.len());
        let line = |at: usize| {
            let name = names.get(at).map_or("", String::as_str);
            let mut line = format!("{name:width$}", width = self.name_width);
            for (width, lines) in &cells {
                let part = lines.get(at).map_or("", String::as_str);
                let _ = write!(line, "{:GAP$}{part:width$}", "");
            }
            line.trim_end().to_owned()
        };
        (0..height).map(line).collect()
    }
}

/// Lines that end at a height, with blank ones above them.
fn lowered(lines: Vec<String>, height: usize) -> Vec<String> {
    [vec![String::new(); height - lines.len()], lines].concat()
}

/// A line of a row: its name plain, what was found in red, what was not found dim.
fn painted(line: &str, name_width: usize, screen: &Screen) -> String {
    let cells_from = line.char_indices().nth(name_width).map(|(at, _)| at);
    let Some(cells_from) = cells_from.filter(|_| screen.colour) else { return line.to_owned() };
    let (name, cells) = line.split_at(cells_from);
    let style = |word: &str| -> Style { if word == NOTHING { DIM } else { BAD } };
    let painted = |part: &str| {
        let word = part.trim_end();
        if word.is_empty() {
            return part.to_owned();
        }
        format!("{}{}", screen.paint(style(word), word), &part[word.len()..])
    };
    let parts: Vec<String> = cells.split_inclusive(' ').map(painted).collect();
    format!("{name}{}", parts.concat())
}

/// Columns that fit side by side, block by block; one at least in each.
fn split(widths: &[usize], room: usize) -> Vec<Vec<usize>> {
    let mut blocks: Vec<Vec<usize>> = Vec::new();
    let mut left = 0;
    for (column, width) in widths.iter().enumerate() {
        let needs = width + GAP;
        match blocks.last_mut().filter(|_| needs <= left) {
            Some(block) => block.push(column),
            None => {
                blocks.push(vec![column]);
                left = room;
            }
        }
        left = left.saturating_sub(needs);
    }
    blocks
}

/// A store's name in lines that are no longer than its longest word.
fn heading(name: &str) -> Vec<String> {
    let longest = name.split_inclusive('-').map(str::len).max().unwrap_or(1);
    let options = textwrap::Options::new(longest.max("scenario".len()))
        .word_splitter(textwrap::WordSplitter::HyphenSplitter);
    textwrap::wrap(name, options).into_iter().map(std::borrow::Cow::into_owned).collect()
}

/// What a cell says, a line each.
fn words(cell: Option<&[FindingKind]>) -> Vec<String> {
    match cell {
        None => vec![],
        Some([]) => vec![NOTHING.to_owned()],
        Some(kinds) => kinds.iter().map(|kind| word(*kind).to_owned()).collect(),
    }
}

/// A kind in one word: the first of its name.
pub(super) fn word(kind: FindingKind) -> &'static str {
    let name = kind.name();
    name.split_once('-').map_or(name, |(first, _)| first)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_words_of_kinds_tell_them_apart() {
        let words: BTreeSet<&str> = FindingKind::ALL.into_iter().map(word).collect();
        assert_eq!(words.len(), FindingKind::ALL.len());
    }

    #[test]
    fn a_block_is_split_where_the_screen_ends_and_loses_no_column() {
        let widths = [8, 8, 8, 30, 8];
        assert_eq!(split(&widths, 30), [vec![0, 1, 2], vec![3], vec![4]]);
        assert_eq!(split(&widths, 1_000), [vec![0, 1, 2, 3, 4]]);
        assert_eq!(split(&widths, 1).concat(), [0, 1, 2, 3, 4]);
    }

    #[test]
    fn a_heading_breaks_at_its_hyphens() {
        assert_eq!(heading("select-first-in-transaction"), ["select-", "first-in-", "transaction"]);
        assert_eq!(heading("no-dedup"), ["no-dedup"]);
    }

    #[test]
    fn a_narrow_page_has_the_same_cells_as_a_wide_one() {
        let double = Some(vec![FindingKind::DoubleEffect, FindingKind::Stuck]);
        let row = |name: &str, cell: &Option<Vec<FindingKind>>| Row {
            scenario: name.to_owned(),
            cells: vec![cell.clone(); 9],
        };
        let stores = ["a-store-number-one"; 9].to_vec();
        let absent = row("nobody-plays", &None);
        let rows = vec![row("lost-reply", &double), row("lost", &Some(vec![])), absent];
        let block = Block { family: "keys", stores, rows };
        let page = |width| {
            let screen = Screen { width, ..Screen::plain() };
            block.human(&screen)
        };
        let count = |text: &str, word: &str| text.matches(word).count();
        for width in [72, 80, 100] {
            let text = page(width);
            assert!(text.lines().all(|line| line.chars().count() <= width), "{text}");
            assert!(!text.lines().any(|line| line.ends_with(' ')), "{text}");
            assert!(!text.contains("nobody-plays"), "{text}");
            for word in ["double", "stuck", NOTHING] {
                assert_eq!(count(&text, word), 9, "{word} at {width}:\n{text}");
            }
        }
        let colour = Screen { colour: true, ..Screen::plain() };
        assert_eq!(anstream::adapter::strip_str(&block.human(&colour)).to_string(), page(100));
    }
}
