//! Level 1. The head of a plan: version, scenario, store, backend, expected finding, perhaps the
//! workload's size and seed; of a recording seed and hash. It can be read before the store's tables
//! are known.
//!
//! Imports the kinds of findings.

use super::bad::{BadPlan, Complaint, shortened, suggest};
use super::fault::VERBS;
use super::line::{Line, lines, number};
use super::size::{self, Size};
use onestroke_scenarios::FindingKind;

/// The version of the grammar that this build reads and writes.
pub const VERSION: u32 = 1;

/// What can be under a store, by name.
pub const BACKENDS: [&str; 3] = ["memory", "memory-sqlite", "sqlite"];

/// What a plan expects when it expects no finding.
pub(crate) const NOTHING: &str = "nothing";

/// The words with which a line of the header begins.
pub(super) const KEYS: [&str; 10] = [
    "scenario",
    "store",
    "backend",
    "expect",
    "seed",
    "hash",
    size::KEYS[0],
    size::KEYS[1],
    size::KEYS[2],
    size::KEYS[3],
];

/// So many of them must stand in every file.
const OF_EVERY_FILE: usize = 4;

/// So many of them must stand in a recording, and no others can: it holds a whole run.
const OF_A_RECORDING: usize = 6;

/// All of a plan that can be known before the store's tables are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// The scenario's name or path.
    pub scenario: String,
    /// The store's name.
    pub store: String,
    /// What is under the store: one of [`BACKENDS`].
    pub backend: String,
    /// The kind of finding that is expected.
    pub expect: Option<FindingKind>,
    /// The seed that the operations are drawn from, if any.
    pub workload: Option<u64>,
    /// How large the workload is, where it is smaller than the scenario's.
    pub size: Size,
    /// The trace hash, if the file is a recording.
    pub hash: Option<u64>,
    lines: [usize; KEYS.len()],
}

/// Header lines as they come in.
struct Draft {
    recording: bool,
    values: [Option<String>; KEYS.len()],
    lines: [usize; KEYS.len()],
    expect: Option<FindingKind>,
    workload: Option<u64>,
    size: Size,
    hash: Option<u64>,
    last_line: usize,
}

impl Header {
    /// Reads the head of a file. `file` is what errors call it.
    pub fn read(text: &str, file: &str) -> Result<Self, BadPlan> {
        let mut lines = lines(text);
        let first = lines.next();
        let number = first.as_ref().map_or(1, |line| line.number);
        let recording = first_line(first).map_err(|complaint| complaint.at(file, number))?;
        let mut draft = Draft {
            recording,
            values: Default::default(),
            lines: [number; KEYS.len()],
            expect: None,
            workload: None,
            size: Size::FULL,
            hash: None,
            last_line: number,
        };
        for mut line in lines.take_while(|line| !begins_body(line)) {
            let number = line.number;
            draft.take(&mut line).map_err(|complaint| complaint.at(file, number))?;
            draft.last_line = number;
        }
        let last_line = draft.last_line;
        draft.finish().map_err(|complaint| complaint.at(file, last_line))
    }

    /// The line of the file where this is said, as in `store`.
    pub fn line(&self, key: &str) -> usize {
        let index = KEYS.iter().position(|one| *one == key).expect("a key of the header");
        self.lines[index]
    }
}

/// Whether the faults begin with this line.
pub(super) fn begins_body(line: &Line<'_>) -> bool {
    line.peek().is_some_and(|word| word == "vary" || VERBS.contains(&word))
}

/// `onestroke plan 1` or `onestroke recording 1`. Says whether it is a recording.
fn first_line(line: Option<Line<'_>>) -> Result<bool, Complaint> {
    let none = || {
        let problem = "this is no plan: its first line is not `onestroke plan 1`";
        Complaint::new(problem, "write `onestroke plan 1` or `onestroke recording 1`")
    };
    let mut line = line.ok_or_else(none)?;
    line.like("onestroke plan 1");
    if !line.took("onestroke") {
        return Err(none());
    }
    let recording = match line.next()? {
        "plan" => false,
        "recording" => true,
        word => return Err(Complaint::unknown(word, "sort of file", &["plan", "recording"])),
    };
    let version = line.next()?;
    if version != "1" {
        let problem = format!("version `{}` is not known to this build", shortened(version));
        return Err(Complaint::new(problem, format!("it reads version {VERSION}")));
    }
    line.end()?;
    Ok(recording)
}

impl Draft {
    fn take(&mut self, line: &mut Line<'_>) -> Result<(), Complaint> {
        let word = line.next()?;
        let Some(key) = KEYS.iter().position(|key| *key == word) else {
            return Err(unknown(word, self.recording));
        };
        self.belongs(word)?;
        if self.values[key].is_some() {
            let problem = format!("a second line `{word}`");
            return Err(Complaint::new(problem, "remove one of the two"));
        }
        line.like(example(word));
        let value = line.rest();
        match word {
            _ if value.is_empty() => return Err(line.next().unwrap_err()),
            "backend" if !BACKENDS.contains(&value.as_str()) => {
                return Err(Complaint::unknown(&value, "backend", &BACKENDS));
            }
            "expect" => self.expect = expected(&value)?,
            "seed" => self.workload = Some(seed(&value)?),
            "hash" => self.hash = Some(hash(&value)?),
            key if size::KEYS.contains(&key) => self.size.set(key, count(key, &value)?),
            _ => {}
        }
        self.lines[key] = line.number;
        self.values[key] = Some(value);
        Ok(())
    }

    /// Refuses what has its place in the other sort of file.
    fn belongs(&self, word: &str) -> Result<(), Complaint> {
        if !self.recording && word == "hash" {
            let problem = "only a recording has a line `hash`";
            let fix = "remove it, or make it a recording: `onestroke recording 1`";
            return Err(Complaint::new(problem, fix));
        }
        if self.recording && size::KEYS.contains(&word) {
            let problem = format!("only a plan has a line `{word}`: a recording holds a whole run");
            return Err(Complaint::new(problem, "remove it"));
        }
        Ok(())
    }

    fn finish(self) -> Result<Header, Complaint> {
        let wanted = if self.recording { OF_A_RECORDING } else { OF_EVERY_FILE };
        let missing = self.values[..wanted].iter().position(Option::is_none);
        if let Some(key) = missing.map(|index| KEYS[index]) {
            let problem = format!("the header ends without a line `{key}`");
            return Err(Complaint::new(problem, format!("add one like `{}`", example(key))));
        }
        let Self { values, expect, workload, size, hash, lines, .. } = self;
        let [scenario, store, backend, ..] = values.map(Option::unwrap_or_default);
        Ok(Header { scenario, store, backend, expect, workload, size, hash, lines })
    }
}

/// A word that begins no line of this sort of file.
fn unknown(word: &str, recording: bool) -> Complaint {
    let sort = if recording { "recording" } else { "plan" };
    let heads: Vec<&str> = if recording {
        KEYS[..OF_A_RECORDING].to_vec()
    } else {
        KEYS.into_iter().filter(|key| *key != "hash").collect()
    };
    let all: Vec<&str> = heads.iter().chain(&VERBS).copied().chain(["vary"]).collect();
    let problem = format!("`{}` begins no line of a {sort}", shortened(word));
    let fix = match suggest(word, &all) {
        Some(one) => format!("did you mean `{one}`?"),
        None => format!(
            "in the head stand {}; a fault begins with {}",
            heads.join(", "),
            VERBS.join(", ")
        ),
    };
    Complaint::new(problem, fix)
}

fn example(key: &str) -> &'static str {
    match key {
        "scenario" => "scenario  lost-reply",
        "store" => "store     check-then-act",
        "backend" => "backend   memory",
        "expect" => "expect    double-effect",
        "seed" => "seed      42",
        "clients" => "clients   1",
        "operations" => "operations 1",
        "attempts" => "attempts  2",
        "at-once" => "at-once   1",
        _ => "hash      9f86d081884c7d65",
    }
}

fn expected(value: &str) -> Result<Option<FindingKind>, Complaint> {
    if value == NOTHING {
        return Ok(None);
    }
    FindingKind::parse(value).map(Some).ok_or_else(|| {
        let kinds = FindingKind::ALL.map(FindingKind::name);
        let all: Vec<&str> = kinds.into_iter().chain([NOTHING]).collect();
        Complaint::unknown(value, "kind of finding", &all)
    })
}

fn seed(value: &str) -> Result<u64, Complaint> {
    let plain = value.bytes().all(|byte| byte.is_ascii_digit());
    let seed = value.parse().ok().filter(|_| plain);
    seed.ok_or_else(|| {
        let problem = format!("`{}` is no seed", shortened(value));
        Complaint::new(problem, format!("write a whole number from 0 to {}", u64::MAX))
    })
}

/// How many clients and so on; the scenario may have fewer.
fn count(key: &str, value: &str) -> Result<u16, Complaint> {
    let (what, most) = match key {
        "clients" => ("number of clients", u16::MAX),
        "operations" => ("number of operations", u16::MAX),
        "attempts" => ("number of attempts", u16::from(u8::MAX)),
        _ => ("number of attempts at once", u16::from(u8::MAX)),
    };
    number(value, what, 1, u64::from(most)).map(|number| number as u16)
}

fn hash(value: &str) -> Result<u64, Complaint> {
    let plain = value.len() == 16 && value.bytes().all(|byte| byte.is_ascii_hexdigit());
    let hash = u64::from_str_radix(value, 16).ok().filter(|_| plain);
    hash.ok_or_else(|| {
        let problem = format!("`{}` is no hash", shortened(value));
        Complaint::new(problem, "write 16 hexadecimal digits, as in the recording that was made")
    })
}
