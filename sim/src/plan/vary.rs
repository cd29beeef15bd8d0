//! Level 1. One harmless choice as a line of a recording: `vary op-1 attempt-2 route offset 1 tie 0`.
//!
//! Imports `point` and `choice`.

use super::bad::Complaint;
use super::line::Line;
use crate::choice::Variation;
use crate::point::{Names, Point};

const EXAMPLE: &str = "vary op-1 attempt-1 before commit offset 812 tie 40312";

/// Reads one variation; the line is at `vary`.
pub(super) fn read(line: &mut Line<'_>, names: Names<'_>) -> Result<Variation, Complaint> {
    line.like(EXAMPLE);
    line.word("vary")?;
    let point = place(line, names)?;
    line.word("offset")?;
    let offset = line.number("offset", 0, u64::from(u32::MAX))? as u32;
    line.word("tie")?;
    let tie = line.number("tie", 0, u64::from(u16::MAX))? as u16;
    line.end()?;
    Ok(Variation { point, offset, tie })
}

/// Its line.
pub(super) fn write(variation: Variation, names: Names<'_>) -> String {
    let Variation { point, offset, tie } = variation;
    format!("vary {} offset {offset} tie {tie}", names.point(point))
}

fn place(line: &mut Line<'_>, names: Names<'_>) -> Result<Point, Complaint> {
    match line.peek() {
        Some("sending") => {
            line.took("sending");
            return Ok(Point::send(line.message()?));
        }
        Some("request" | "reply") => return Ok(Point::travel(line.message()?)),
        _ => {}
    }
    let subject = line.subject()?;
    Ok(match line.next()? {
        "before" => Point::before(line.question(subject, names)?),
        "after" => Point::after(line.question(subject, names)?),
        "waking" => Point::wake(line.question(subject, names)?),
        "deadlock" => Point::victim(line.question(subject, names)?),
        "backoff" => Point::backoff(subject.op, subject.attempt),
        "route" => Point::route(subject),
        word => {
            let all = ["before", "after", "waking", "deadlock", "backoff", "route"];
            return Err(Complaint::unknown(word, "place that varies", &all));
        }
    })
}
