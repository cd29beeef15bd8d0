//! Level 2. What a handler was told, written down: with its trigger, all that it knows.
//!
//! Imports the store's answers and [`Canon`].

use onestroke_store::{
    Answer, CacheAnswer, CacheError, CallAnswer, CallError, Canon, DbAnswer, Told, Value,
};

/// Writes all that a handler was told.
pub(crate) fn portray_told(canon: &mut Canon, told: &[Told]) {
    for one in told {
        match one {
            Told::Now(now) => {
                canon.word(1_u8);
                canon.time(*now);
            }
            Told::Id(id) => {
                canon.word(2_u8);
                canon.id(*id);
            }
            Told::Answer(Answer::Slept) => canon.word(3_u8),
            Told::Answer(Answer::Called(Ok(CallAnswer::Done(receipt)))) => {
                canon.word(6_u8);
                canon.id(receipt.id);
            }
            Told::Answer(Answer::Called(Ok(CallAnswer::Unknown))) => canon.word(7_u8),
            Told::Answer(Answer::Called(Err(CallError::TimedOut))) => canon.word(8_u8),
            Told::Answer(Answer::Called(Err(CallError::Declined))) => canon.word(9_u8),
            Told::Answer(Answer::Cached(answer)) => portray_cached(canon, answer.as_ref()),
            Told::Answer(Answer::Db(Ok(answer))) => {
                canon.word(4_u8);
                portray_answer(canon, answer);
            }
            Told::Answer(Answer::Db(Err(error))) => {
                canon.word(5_u8);
                canon.text(&error.to_string());
            }
        }
    }
    canon.word(u64::MAX);
}

fn portray_cached(canon: &mut Canon, answer: Result<&CacheAnswer, &CacheError>) {
    match answer {
        Ok(CacheAnswer::Found(value)) => {
            canon.word(20_u8);
            canon.value(value.as_ref().unwrap_or(&Value::Null));
        }
        Ok(CacheAnswer::Done(done)) => {
            canon.word(21_u8);
            canon.word(*done);
        }
        Ok(CacheAnswer::Counted(number)) => {
            canon.word(22_u8);
            canon.value(&number.map_or(Value::Null, Value::Int));
        }
        Err(CacheError::ConnectionLost) => canon.word(23_u8),
        Err(CacheError::NotANumber) => canon.word(24_u8),
    }
}

fn portray_answer(canon: &mut Canon, answer: &DbAnswer) {
    match answer {
        DbAnswer::Began(session) => {
            canon.word(0_u8);
            canon.session(*session);
        }
        DbAnswer::Inserted => canon.word(1_u8),
        DbAnswer::Conflict => canon.word(2_u8),
        DbAnswer::Row(row) => {
            canon.word(3_u8);
            canon.word(row.is_some());
            if let Some(row) = row {
                canon.row(row);
            }
        }
        DbAnswer::Rows(rows) => {
            canon.word(4_u8);
            canon.size(rows.len());
            for row in rows {
                canon.row(row);
            }
        }
        DbAnswer::Changed(rows) => {
            canon.word(5_u8);
            canon.word(*rows);
        }
        DbAnswer::Committed => canon.word(6_u8),
        DbAnswer::RolledBack => canon.word(7_u8),
    }
}
