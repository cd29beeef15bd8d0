//! Level 6. Where the answer goes: width, colour, format; and how to run this program again.

use super::args::Format;
use super::bad::Bad;
use anstyle::{AnsiColor, Style};
use std::io::Write as _;
use tracing_subscriber::EnvFilter;

/// Widths that are used, whatever the terminal says.
const WIDTHS: std::ops::RangeInclusive<usize> = 72..=140;

/// The width of a pipe or a file.
const WIDTH_OF_A_PIPE: usize = 100;

/// Where the answer goes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Screen {
    /// How to print it.
    pub format: Format,
    /// Columns.
    pub width: usize,
    /// Whether stdout shows colour.
    pub colour: bool,
}

/// Something bad.
pub(crate) const BAD: Style = AnsiColor::Red.on_default().bold();
/// Something good.
pub(crate) const GOOD: Style = AnsiColor::Green.on_default();
/// Something to lead the eye.
pub(crate) const HEAD: Style = Style::new().bold();
/// Something that need not be read.
pub(crate) const DIM: Style = Style::new().dimmed();

impl Screen {
    /// What stdout is.
    pub(crate) fn new(format: Format) -> Self {
        let choice = anstream::AutoStream::choice(&std::io::stdout());
        let told = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
        let seen = || terminal_size::terminal_size().map(|(width, _)| usize::from(width.0));
        let width = told.or_else(seen).unwrap_or(WIDTH_OF_A_PIPE);
        Self {
            format,
            width: width.clamp(*WIDTHS.start(), *WIDTHS.end()),
            colour: choice != anstream::ColorChoice::Never,
        }
    }

    /// A page of 100 columns without colour.
    pub(crate) const fn plain() -> Self {
        Self { format: Format::Human, width: WIDTH_OF_A_PIPE, colour: false }
    }

    /// Prints the answer, or a part of it.
    #[expect(clippy::unused_self, reason = "printing belongs to the screen")]
    pub(crate) fn print(&self, text: &str) {
        // A closed pipe (`sim … | head`) is no error of ours.
        let _ = anstream::stdout().write_all(text.as_bytes());
    }

    /// Paints a text, if there is colour.
    pub(crate) fn paint(&self, style: Style, text: &str) -> String {
        if self.colour { format!("{style}{text}{style:#}") } else { text.to_owned() }
    }

    /// Prints something beside the answer, on stderr.
    #[expect(clippy::unused_self, reason = "printing belongs to the screen")]
    pub(crate) fn hint(&self, text: &str) {
        let _ = anstream::stderr().write_all(text.as_bytes());
    }

    /// A text wrapped to the width, indented.
    pub(crate) fn wrap(&self, text: &str, indent: &str) -> String {
        let options = textwrap::Options::new(self.width.min(100))
            .word_splitter(textwrap::WordSplitter::NoHyphenation)
            .initial_indent(indent)
            .subsequent_indent(indent);
        textwrap::fill(text, options)
    }

    /// Says on stderr what is wrong.
    #[expect(clippy::unused_self, reason = "complaining belongs to the screen")]
    pub(crate) fn complain(&self, bad: &Bad) {
        let mut stderr = anstream::stderr();
        let _ = writeln!(stderr, "{BAD}error:{BAD:#} {bad}");
    }
}

/// How to run this program again: as cargo does from a clone, or by its name once installed.
pub(crate) fn program() -> String {
    let path = std::env::current_exe().unwrap_or_default();
    let built_here = path.components().any(|part| part.as_os_str() == "target");
    let name = path.file_stem().map_or_else(|| "sim".into(), |name| name.to_string_lossy());
    match (built_here, name.as_ref()) {
        (true, "sim") => "cargo run --release --".to_owned(),
        (true, name) => format!("cargo run --release --bin {name} --"),
        (false, name) => name.to_owned(),
    }
}

/// Sends `tracing` events to stderr, if they are wanted.
pub(crate) fn listen(verbose: bool) {
    let told = std::env::var_os("RUST_LOG").is_some();
    if !verbose && !told {
        return;
    }
    let filter = if told { EnvFilter::from_default_env() } else { EnvFilter::new("debug") };
    let _ = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .without_time()
        .with_ansi(anstream::AutoStream::choice(&std::io::stderr()) != anstream::ColorChoice::Never)
        .with_writer(std::io::stderr)
        .try_init();
}
