//! The `Store` trait, and how a store becomes something that a world can poll.
//!
//! A store value is made anew for each incarnation of a server, so nothing that hides in it outlives
//! a crash. Each handler keeps one heap slot for the futures of all requests it will ever serve:
//! `Pin::set` writes the next future over the last one, with no allocation. Handlers stay on the
//! thread that made them; what crosses threads is the [`Entry`] that makes them.

use crate::ctx::Ctx;
use crate::desk::Desk;
use crate::record::{self, RECORDS};
use crate::request::{Failure, Reply, Request, Sweep, Trigger, Turn};
use crate::schema::Table;
use pin_project_lite::pin_project;
use std::cell::RefCell;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

/// One strategy: the code that handles triggers, given the world through [`Ctx`].
///
/// Write `handle` as a plain `async fn`. It may await nothing but `Ctx`.
pub trait Store: 'static {
    /// The tables it uses, besides the built-in [`crate::effects::EFFECTS`].
    const TABLES: &'static [&'static Table] = &[&RECORDS];

    /// Handles a client's request.
    fn handle(&self, ctx: &Ctx, request: &Request) -> impl Future<Output = Result<Reply, Failure>>;

    /// Handles the sweeper's turn; by default clears the expired records, if the store keeps
    /// [`RECORDS`].
    fn sweep(&self, ctx: &Ctx, sweep: Sweep) -> impl Future<Output = Result<Reply, Failure>> {
        let keeps = Self::TABLES.iter().any(|table| table.name == RECORDS.name);
        async move { if keeps { record::sweep(ctx, sweep).await } else { Ok(Reply::no_content()) } }
    }

    /// Handles a turn of background work; by default does nothing.
    fn work(&self, ctx: &Ctx, turn: Turn) -> impl Future<Output = Result<Reply, Failure>> {
        let _ = (ctx, turn);
        async { Ok(Reply::no_content()) }
    }

    /// Handles any trigger; by default hands each kind to its own method.
    fn on(&self, ctx: &Ctx, trigger: &Trigger) -> impl Future<Output = Result<Reply, Failure>> {
        async move {
            match trigger {
                Trigger::Request(request) => self.handle(ctx, request).await,
                Trigger::Sweep(sweep) => self.sweep(ctx, *sweep).await,
                Trigger::Work(turn) => self.work(ctx, *turn).await,
            }
        }
    }
}

/// A store that can be chosen by name. Cheap to clone, and crosses threads.
#[derive(Clone)]
pub struct Entry {
    /// Its name on the command line.
    pub name: &'static str,
    /// What it does and how it breaks, in a sentence or two.
    pub summary: &'static str,
    /// The family of strategies that it belongs to: [`Entry::OWN`] for an outsider's store.
    pub family: &'static str,
    /// Its tables.
    pub tables: &'static [&'static Table],
    /// The store has no fields, so that nothing can hide in it: what its handlers have been told is
    /// all that it knows.
    pub transparent: bool,
    make: Arc<dyn Fn() -> Box<dyn Process> + Send + Sync>,
}

/// One server's process: makes handlers, and starts anew after a crash.
pub trait Process {
    /// Makes the store anew: what the old value held is lost.
    fn restart(&self);
    /// A handler that serves one trigger at a time, over this desk.
    fn handler(&self, desk: Rc<Desk>) -> Pin<Box<dyn Handler>>;
}

/// One suspended handler, reused from trigger to trigger.
pub trait Handler {
    /// Begins to handle a trigger; poll next.
    fn start(self: Pin<&mut Self>, trigger: Trigger);
    /// Runs to its next question (`Pending`), or to its end.
    fn poll(self: Pin<&mut Self>) -> Poll<Result<Reply, Failure>>;
    /// Drops what it is doing: its open transactions land on the desk as dropped.
    fn cancel(self: Pin<&mut Self>);
}

impl Entry {
    /// The family of stores that do not come with the catalogue.
    pub const OWN: &'static str = "own";

    /// The same store as a member of a family.
    #[must_use]
    pub fn of_family(mut self, family: &'static str) -> Self {
        self.family = family;
        self
    }

    /// A store under a name, with the factory that each incarnation of a server calls.
    pub fn new<S: Store>(
        name: &'static str,
        summary: &'static str,
        factory: impl Fn() -> S + Send + Sync + Clone + 'static,
    ) -> Self {
        let make = move || -> Box<dyn Process> {
            let factory = factory.clone();
            let current = RefCell::new(Rc::new(factory()));
            Box::new(Incarnation { factory, current: Rc::new(current) })
        };
        let transparent = size_of::<S>() == 0;
        Self {
            name,
            summary,
            family: Self::OWN,
            tables: S::TABLES,
            transparent,
            make: Arc::new(make),
        }
    }

    /// A process that runs this store.
    pub fn process(&self) -> Box<dyn Process> {
        (self.make)()
    }
}

impl fmt::Debug for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Entry").field("name", &self.name).finish_non_exhaustive()
    }
}

struct Incarnation<S, F> {
    factory: F,
    current: Rc<RefCell<Rc<S>>>,
}

impl<S: Store, F: Fn() -> S> Process for Incarnation<S, F> {
    fn restart(&self) {
        let fresh = (self.factory)();
        let mut current = self.current.borrow_mut();
        match Rc::get_mut(&mut current) {
            Some(store) => *store = fresh,
            None => *current = Rc::new(fresh),
        }
    }

    fn handler(&self, desk: Rc<Desk>) -> Pin<Box<dyn Handler>> {
        let current = Rc::clone(&self.current);
        let make = move |trigger: Trigger| {
            let store = Rc::clone(&current.borrow());
            let ctx = Ctx::new(Rc::clone(&desk));
            async move { store.on(&ctx, &trigger).await }
        };
        Box::pin(Task { make, future: None })
    }
}

pin_project! {
    struct Task<M, F> {
        make: M,
        #[pin]
        future: Option<F>,
    }
}

impl<M, F> Handler for Task<M, F>
where
    M: Fn(Trigger) -> F,
    F: Future<Output = Result<Reply, Failure>>,
{
    fn start(self: Pin<&mut Self>, trigger: Trigger) {
        let mut this = self.project();
        let future = (this.make)(trigger);
        this.future.set(Some(future));
    }

    fn poll(self: Pin<&mut Self>) -> Poll<Result<Reply, Failure>> {
        let mut this = self.project();
        let future = this.future.as_mut().as_pin_mut().expect("a handler is polled after start");
        let poll = future.poll(&mut Context::from_waker(Waker::noop()));
        if poll.is_ready() {
            this.future.set(None);
        }
        poll
    }

    fn cancel(self: Pin<&mut Self>) {
        self.project().future.set(None);
    }
}
