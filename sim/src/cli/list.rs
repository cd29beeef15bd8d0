//! Level 6. `sim list`: what there is, one line each.

use super::Exit;
use super::args::{Format, Listed};
use super::screen::{HEAD, Screen};
use onestroke_scenarios::{FindingKind, Moment};
use onestroke_store::Entry;
use serde::Serialize;
use std::fmt::Write as _;

/// The faults, as plan files name them.
pub(super) const FAULTS: [(&str, &str); 11] = [
    ("drop", "a copy of a message is lost: `drop reply of op-1 attempt-1`"),
    ("duplicate", "a message is delivered twice: `duplicate request of op-1 attempt-1`"),
    ("late", "a copy arrives so much later: `late 300ms request of op-1 attempt-1 copy-2`"),
    ("partition", "the client is cut off for a while: `partition client of op-1 attempt-2`"),
    (
        "crash",
        "the handler's server dies: `crash in op-1 attempt-1 after commit`, with `, in flight` \
               when the question is still executed and `, locks linger` when its session lives on",
    ),
    ("cancel", "the client hung up, the handler is dropped: `cancel op-1 attempt-1 after apply`"),
    ("pause", "the server stands still: `pause 150ms in op-1 attempt-1 before begin`"),
    (
        "hold",
        "a handler is overtaken: `hold op-1 attempt-2 before apply until op-1 attempt-1 after \
              commit`",
    ),
    (
        "sever",
        "the connection breaks on which a question travels, and the handler is told so: `sever op-1 \
              attempt-1 after commit`, with `, in flight` when the question is still executed",
    ),
    (
        "fail over",
        "the cache's replica becomes the primary, and what was written within the lag is lost: `fail over \
              op-1 attempt-1 after put`",
    ),
    ("sweep", "the sweeper runs just before an attempt: `sweep before op-1 attempt-2`"),
];

#[derive(Serialize)]
struct Line {
    what: &'static str,
    name: String,
    summary: String,
}

/// Runs the command.
pub(super) fn run(stores: &[Entry], what: Listed, screen: &Screen) -> Exit {
    let lines = lines(stores, what);
    match screen.format {
        Format::Human => screen.print(&human(&lines, screen)),
        Format::Json => screen.print(&super::hunt::pretty(&lines)),
        Format::Jsonl => {
            for line in &lines {
                let json = serde_json::to_string(line).expect("a line has only plain keys");
                screen.print(&(json + "\n"));
            }
        }
    }
    Exit::Fine
}

fn lines(stores: &[Entry], what: Listed) -> Vec<Line> {
    let wanted = |one: Listed| what == Listed::All || what == one;
    let mut lines = Vec::new();
    let mut add = |what: &'static str, name: &str, summary: &str| {
        lines.push(Line { what, name: name.to_owned(), summary: summary.to_owned() });
    };
    if wanted(Listed::Stores) {
        for store in stores {
            add("stores", store.name, store.summary);
        }
    }
    if wanted(Listed::Scenarios) {
        for scenario in onestroke_scenarios::catalogue() {
            add("scenarios", &scenario.name, &scenario.claim);
        }
    }
    if wanted(Listed::Faults) {
        for (name, summary) in FAULTS {
            add("faults", name, summary);
        }
    }
    if wanted(Listed::Findings) {
        for kind in FindingKind::ALL {
            add("findings", kind.name(), kind.summary());
        }
    }
    if wanted(Listed::Moments) {
        for moment in Moment::ALL {
            add("moments", moment.name(), moment.summary());
        }
    }
    lines
}

fn human(lines: &[Line], screen: &Screen) -> String {
    let mut text = String::new();
    for group in lines.chunk_by(|a, b| a.what == b.what) {
        let gap = if text.is_empty() { "" } else { "\n" };
        let _ = writeln!(text, "{gap}{}", screen.paint(HEAD, group[0].what));
        let widest = group.iter().map(|line| line.name.len()).max().unwrap_or(0);
        for line in group {
            let indent = " ".repeat(widest + 4);
            let wrapped = screen.wrap(&line.summary, &indent);
            let _ = writeln!(text, "  {:widest$}  {}", line.name, wrapped.trim_start());
        }
    }
    text
}
