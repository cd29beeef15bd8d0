//! Level 2. A store's own `tracing` lines, put into the trace in place. Only when details are kept;
//! otherwise they go wherever the process sends them.

use crate::point::Subject;
use crate::stage::Stage;
use onestroke_store::{Failure, Handler, Reply};
use std::fmt::{self, Write as _};
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::Poll;
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};

/// Polls a handler and takes down what its store says meanwhile.
pub(crate) fn poll(
    stage: &mut Stage,
    subject: Subject,
    handler: Pin<&mut dyn Handler>,
) -> Poll<Result<Reply, Failure>> {
    let lines = Arc::new(Mutex::new(Vec::new()));
    let listener = Listener { lines: Arc::clone(&lines) };
    let poll = tracing::subscriber::with_default(listener, || handler.poll());
    let lines = std::mem::take(&mut *lines.lock().expect("no store panics while it speaks"));
    for line in lines {
        stage.said(subject, || line);
    }
    poll
}

struct Listener {
    lines: Arc<Mutex<Vec<String>>>,
}

impl Subscriber for Listener {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.is_event()
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        let mut line = Line(String::new());
        event.record(&mut line);
        self.lines.lock().expect("no store panics while it speaks").push(line.0);
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

struct Line(String);

impl Visit for Line {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        let space = if self.0.is_empty() { "" } else { " " };
        let _ = match field.name() {
            "message" => write!(self.0, "{space}{value:?}"),
            name => write!(self.0, "{space}{name}={value:?}"),
        };
    }
}
