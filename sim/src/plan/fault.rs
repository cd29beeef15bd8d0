//! Level 1. One fault as a line of a plan: what it says, and which point it means.
//!
//! Each fault has one sort of point at which it can strike; the line names what is hit, and the
//! point follows from it. Imports `point` and `choice`.

use super::bad::Complaint;
use super::line::Line;
use super::span;
use crate::choice::{Fault, Strike, Until, can_fly, travels};
use crate::point::{Message, Names, Place, Point, Subject};

/// The words with which a fault begins.
pub(super) const VERBS: [&str; 11] = [
    "drop",
    "duplicate",
    "late",
    "partition",
    "sweep",
    "crash",
    "cancel",
    "pause",
    "sever",
    "fail",
    "hold",
];

/// Reads one fault; the line is at its first word, which is one of [`VERBS`].
pub(super) fn read(line: &mut Line<'_>, names: Names<'_>) -> Result<Strike, Complaint> {
    let verb = line.next()?;
    line.like(example(verb));
    let (point, fault) = match verb {
        "drop" => (Point::travel(line.message()?), Fault::Drop),
        "duplicate" => (Point::send(line.message()?), Fault::Duplicate),
        "late" => {
            let by = span::read(line.next()?)?;
            (Point::travel(line.message()?), Fault::Late(by))
        }
        "partition" => {
            line.word("client")?;
            line.word("of")?;
            (sending(line)?, Fault::Partition)
        }
        "sweep" => {
            line.word("before")?;
            (sending(line)?, Fault::Sweep)
        }
        "crash" => {
            line.word("in")?;
            let point = line.site(names)?;
            (point, crash(line, point)?)
        }
        "cancel" => (line.site(names)?, Fault::Cancel),
        "pause" => {
            let span = span::read(line.next()?)?;
            line.word("in")?;
            (line.site(names)?, Fault::Pause(span))
        }
        "sever" => severed(line, names)?,
        "fail" => {
            line.word("over")?;
            (line.site(names)?, Fault::FailOver)
        }
        _ => hold(line, names)?,
    };
    line.end()?;
    Ok(Strike { point, fault })
}

/// Its line.
///
/// # Panics
/// When the fault cannot strike at its point: the run that made it is broken.
pub(super) fn write(strike: Strike, names: Names<'_>) -> String {
    let Strike { point, fault } = strike;
    assert!(belongs(fault, point), "{fault:?} cannot strike at {point:?}");
    let place = names.point(point);
    let subject = point.subject();
    let message = point.message().map(|message| names.message(message)).unwrap_or_default();
    match fault {
        Fault::Drop => format!("drop {message}"),
        Fault::Duplicate => format!("duplicate {message}"),
        Fault::Late(by) => format!("late {} {message}", span::write(by)),
        Fault::Partition => format!("partition client of {subject}"),
        Fault::Sweep => format!("sweep before {subject}"),
        Fault::Crash { in_flight, linger } => {
            let flies = point.step().is_some_and(|step| can_fly(step.verb));
            let in_flight = in_flight && flies && point.place() == Place::Before;
            let flying = if in_flight { ", in flight" } else { "" };
            let linger = if linger { ", locks linger" } else { "" };
            format!("crash in {place}{flying}{linger}")
        }
        Fault::Cancel => format!("cancel {place}"),
        Fault::FailOver => format!("fail over {place}"),
        Fault::Sever { in_flight } => {
            let flies = point.step().is_some_and(|step| can_fly(step.verb));
            let in_flight = in_flight && flies && point.place() == Place::Before;
            format!("sever {place}{}", if in_flight { ", in flight" } else { "" })
        }
        Fault::Pause(span) => format!("pause {} in {place}", span::write(span)),
        Fault::Hold(Until::Point(until)) => format!("hold {place} until {}", names.point(until)),
        Fault::Hold(Until::Passed(1)) => format!("hold {place} until 1 question of others"),
        Fault::Hold(Until::Passed(most)) => {
            format!("hold {place} until {most} questions of others")
        }
        Fault::Hold(Until::Longest) => format!("hold {place} for the longest"),
    }
}

fn belongs(fault: Fault, point: Point) -> bool {
    let request = point.message() == Some(Message::request(point.subject()));
    let first = request && point.subject().copy == 1;
    match fault {
        Fault::Drop | Fault::Late(_) => point.place() == Place::Travel,
        Fault::Duplicate => point.place() == Place::Send,
        Fault::Partition | Fault::Sweep => point.place() == Place::Send && first,
        Fault::Crash { .. } | Fault::Cancel | Fault::Pause(_) | Fault::FailOver => {
            matches!(point.place(), Place::Before | Place::After)
        }
        Fault::Sever { .. } => {
            matches!(point.place(), Place::Before | Place::After)
                && point.step().is_some_and(|step| travels(step.verb))
        }
        Fault::Hold(until) => {
            let ends = !matches!(until, Until::Point(until) if until.place() != Place::After);
            ends && point.place() == Place::Before
        }
    }
}

/// `op-1 attempt-2`, whose request is about to be sent.
fn sending(line: &mut Line<'_>) -> Result<Point, Complaint> {
    let (op, attempt) = line.attempt()?;
    Ok(Point::send(Message::request(Subject::new(op, attempt, 1))))
}

fn severed(line: &mut Line<'_>, names: Names<'_>) -> Result<(Point, Fault), Complaint> {
    let point = line.site(names)?;
    if point.step().is_some_and(|step| !travels(step.verb)) {
        let problem = "such a question travels on no connection";
        return Err(Complaint::new(problem, "choose a question to the database or to a service"));
    }
    let in_flight = line.took(",");
    if in_flight {
        line.word("in")?;
        line.word("flight")?;
        check_flight(point)?;
    }
    Ok((point, Fault::Sever { in_flight }))
}

/// Whether the question at this point can still be executed after it was given up.
fn check_flight(point: Point) -> Result<(), Complaint> {
    if point.place() == Place::After {
        let problem = "after a question nothing of it is in flight";
        return Err(Complaint::new(problem, "write `before`, or leave out `in flight`"));
    }
    if point.step().is_some_and(|step| !can_fly(step.verb)) {
        let problem = "such a question never leaves its server";
        return Err(Complaint::new(problem, "leave out `in flight`"));
    }
    Ok(())
}

fn crash(line: &mut Line<'_>, point: Point) -> Result<Fault, Complaint> {
    let (mut in_flight, mut linger) = (false, false);
    while line.took(",") {
        let word = line.next()?;
        match word {
            "in" => {
                line.word("flight")?;
                in_flight = true;
            }
            "locks" => {
                line.word("linger")?;
                linger = true;
            }
            _ => {
                return Err(Complaint::unknown(
                    word,
                    "sort of crash",
                    &["in flight", "locks linger"],
                ));
            }
        }
    }
    if in_flight {
        check_flight(point)?;
    }
    Ok(Fault::Crash { in_flight, linger })
}

fn hold(line: &mut Line<'_>, names: Names<'_>) -> Result<(Point, Fault), Complaint> {
    let point = line.site(names)?;
    if point.place() != Place::Before {
        let problem = "a handler is held before a question, not after it";
        return Err(Complaint::new(problem, "write `before`, with the question that comes next"));
    }
    let until = match line.next()? {
        "for" => {
            line.word("the")?;
            line.word("longest")?;
            Until::Longest
        }
        "until"
            if line.peek().is_some_and(|word| word.starts_with(|c: char| c.is_ascii_digit())) =>
        {
            let passed = line.number("number of questions", 1, 255)? as u8;
            let word = line.next()?;
            if !matches!(word, "question" | "questions") {
                return Err(Complaint::unknown(word, "end of a hold", &["questions of others"]));
            }
            line.word("of")?;
            line.word("others")?;
            Until::Passed(passed)
        }
        "until" => ends_after(line.site(names)?)?,
        word => {
            return Err(Complaint::unknown(word, "end of a hold", &["until", "for the longest"]));
        }
    };
    Ok((point, Fault::Hold(until)))
}

fn ends_after(point: Point) -> Result<Until, Complaint> {
    if point.place() == Place::After {
        return Ok(Until::Point(point));
    }
    let problem = "a hold ends after a question of another handler";
    Err(Complaint::new(problem, "write `after` in place of the second `before`"))
}

fn example(verb: &str) -> &'static str {
    match verb {
        "drop" => "drop reply of op-1 attempt-1",
        "duplicate" => "duplicate request of op-1 attempt-1",
        "late" => "late 300ms request of op-1 attempt-1",
        "partition" => "partition client of op-1 attempt-2",
        "sweep" => "sweep before op-1 attempt-2",
        "crash" => "crash in op-1 attempt-1 after commit",
        "cancel" => "cancel op-1 attempt-1 after apply",
        "pause" => "pause 150ms in op-1 attempt-1 before begin",
        "fail" => "fail over op-1 attempt-1 after put",
        "sever" => "sever op-1 attempt-1 after commit",
        _ => "hold op-1 attempt-2 before apply until op-1 attempt-1 after commit",
    }
}
