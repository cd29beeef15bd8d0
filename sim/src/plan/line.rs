//! Level 1. One line of a plan as words, and the parts that all lines are made of: operations,
//! attempts, messages, sites.
//!
//! Imports `point`.

use super::bad::{Complaint, shortened};
use crate::point::{Leg, Message, Names, Op, Point, Step, Subject};
use onestroke_store::Verb;

/// The words of one line from left to right; commas are words of their own.
#[derive(Clone, Debug)]
pub(super) struct Line<'a> {
    pub(super) number: usize,
    words: Vec<&'a str>,
    at: usize,
    /// A line of this sort that is right, for messages.
    example: &'static str,
}

/// The lines of a text that say something.
pub(super) fn lines(text: &str) -> impl Iterator<Item = Line<'_>> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let numbered = text.lines().enumerate().map(|(index, line)| Line::new(index + 1, line));
    numbered.filter(|line| !line.words.is_empty())
}

impl<'a> Line<'a> {
    fn new(number: usize, text: &'a str) -> Self {
        let mut words = Vec::new();
        for word in text.split_whitespace() {
            if is_comment(word) {
                break;
            }
            let bare = word.trim_end_matches(',');
            if !bare.is_empty() {
                words.push(bare);
            }
            words.extend(std::iter::repeat_n(",", word.len() - bare.len()));
        }
        Self { number, words, at: 0, example: "" }
    }

    /// What a line of this sort looks like; messages show it.
    pub(super) fn like(&mut self, example: &'static str) {
        self.example = example;
    }

    pub(super) fn peek(&self) -> Option<&'a str> {
        self.words.get(self.at).copied()
    }

    pub(super) fn next(&mut self) -> Result<&'a str, Complaint> {
        let word = self.peek();
        self.at += usize::from(word.is_some());
        word.ok_or_else(|| self.wrong("the line ends too early".to_owned()))
    }

    /// Takes the next word if it is this one.
    pub(super) fn took(&mut self, word: &str) -> bool {
        let there = self.peek() == Some(word);
        self.at += usize::from(there);
        there
    }

    /// The next word must be this one.
    pub(super) fn word(&mut self, word: &str) -> Result<(), Complaint> {
        let next = self.next()?;
        if next == word {
            return Ok(());
        }
        Err(self.wrong(format!("`{}` stands where `{word}` should", shortened(next))))
    }

    pub(super) fn end(&self) -> Result<(), Complaint> {
        match self.peek() {
            None => Ok(()),
            Some(word) => Err(self.wrong(format!("`{}` is too much", shortened(word)))),
        }
    }

    /// All words that are left.
    pub(super) fn rest(&mut self) -> String {
        let rest = self.words[self.at..].join(" ");
        self.at = self.words.len();
        rest.replace(" ,", ",")
    }

    pub(super) fn wrong(&self, problem: String) -> Complaint {
        Complaint::new(problem, format!("write it like `{}`", self.example))
    }

    /// A whole number from `least` to `most`.
    pub(super) fn number(&mut self, what: &str, least: u64, most: u64) -> Result<u64, Complaint> {
        let word = self.next()?;
        number(word, what, least, most)
    }

    /// `op-1 attempt-2`, with or without `copy-2`; or `sweep-1`, `work-1`.
    pub(super) fn subject(&mut self) -> Result<Subject, Complaint> {
        let word = self.peek().unwrap_or_default();
        let subject = if let Some(turn) = word.strip_prefix("sweep-") {
            Subject::sweep(number(turn, "turn of the sweeper", 1, 255)? as u8)
        } else if let Some(turn) = word.strip_prefix("work-") {
            Subject::work(number(turn, "turn of background work", 1, 255)? as u8)
        } else {
            return self.delivery();
        };
        self.at += 1;
        Ok(subject)
    }

    /// `op-1 attempt-2`, with or without `copy-2`.
    pub(super) fn delivery(&mut self) -> Result<Subject, Complaint> {
        let (op, attempt) = self.attempt()?;
        let copy = self.counted("copy", "copy number", 15)?;
        Ok(Subject::new(op, attempt, copy))
    }

    /// `op-1 attempt-2`.
    pub(super) fn attempt(&mut self) -> Result<(Op, u8), Complaint> {
        let op = self.named("op", "operation number", u64::from(Op::MOST))?;
        let attempt = self.named("attempt", "attempt number", 255)?;
        Ok((Op((op - 1) as u32), attempt as u8))
    }

    /// `request of op-1 attempt-2`, `reply of op-1 attempt-1 copy-2 echo-2`.
    pub(super) fn message(&mut self) -> Result<Message, Complaint> {
        let leg = match self.next()? {
            "request" => Leg::Request,
            "reply" => Leg::Reply,
            word => return Err(Complaint::unknown(word, "message", &["request", "reply"])),
        };
        self.word("of")?;
        let subject = self.delivery()?;
        let echo = if leg == Leg::Reply { self.counted("echo", "echo number", 3)? } else { 1 };
        Ok(Message { subject, leg, echo })
    }

    /// `op-1 attempt-1 after commit`, `sweep-1 before delete records #2`.
    pub(super) fn site(&mut self, names: Names<'_>) -> Result<Point, Complaint> {
        let subject = self.subject()?;
        let side = self.next()?;
        let step = match side {
            "before" | "after" => self.question(subject, names)?,
            _ => return Err(Complaint::unknown(side, "side of a question", &["before", "after"])),
        };
        Ok(if side == "before" { Point::before(step) } else { Point::after(step) })
    }

    /// `commit`, `read records #2`.
    pub(super) fn question(
        &mut self,
        subject: Subject,
        names: Names<'_>,
    ) -> Result<Step, Complaint> {
        let word = self.next()?;
        let verb = Verb::ALL.into_iter().find(|verb| verb.name() == word).ok_or_else(|| {
            Complaint::unknown(word, "question of a store", &Verb::ALL.map(Verb::name))
        })?;
        let table = if verb.names_table() { self.table(names)? } else { 0 };
        let ordinal = match self.peek().and_then(|word| word.strip_prefix('#')) {
            Some(ordinal) => {
                self.at += 1;
                number(ordinal, "ordinal", 1, 255)? as u8
            }
            None => 1,
        };
        Ok(Step { subject, verb, table, ordinal })
    }

    fn table(&mut self, names: Names<'_>) -> Result<u8, Complaint> {
        let word = self.next()?;
        let known: Vec<&str> = names.tables.iter().map(|table| table.name).collect();
        let found = known.iter().position(|name| *name == word);
        let index = found.and_then(|index| u8::try_from(index).ok());
        index.ok_or_else(|| Complaint::unknown(word, "table of this store", &known))
    }

    /// `prefix-3`, which must be there.
    fn named(&mut self, prefix: &str, what: &str, most: u64) -> Result<u64, Complaint> {
        let word = self.next()?;
        let digits = word.strip_prefix(prefix).and_then(|rest| rest.strip_prefix('-'));
        let digits = digits.ok_or_else(|| {
            self.wrong(format!("`{}` stands where `{prefix}-1` or so should", shortened(word)))
        })?;
        number(digits, what, 1, most)
    }

    /// `prefix-3` if it is there, else 1.
    fn counted(&mut self, prefix: &str, what: &str, most: u64) -> Result<u8, Complaint> {
        let there = self.peek().and_then(|word| word.strip_prefix(prefix));
        if there.is_none_or(|rest| !rest.starts_with('-')) {
            return Ok(1);
        }
        self.named(prefix, what, most).map(|number| number as u8)
    }
}

/// Whether a comment begins with this word; `#2` is an ordinal.
fn is_comment(word: &str) -> bool {
    let after = word.strip_prefix('#').map(|rest| rest.trim_end_matches(','));
    after.is_some_and(|rest| rest.is_empty() || !rest.bytes().all(|byte| byte.is_ascii_digit()))
}

/// A whole number from `least` to `most`.
pub(super) fn number(word: &str, what: &str, least: u64, most: u64) -> Result<u64, Complaint> {
    let plain = word.bytes().all(|byte| byte.is_ascii_digit());
    let number = word.parse().ok().filter(|number| plain && (least..=most).contains(number));
    number.ok_or_else(|| {
        let problem = format!("`{}` is no {what}", shortened(word));
        Complaint::new(problem, format!("write a whole number from {least} to {most}"))
    })
}
