//! Level 1. The size of a plan's workload, where it is smaller than the scenario's.
//!
//! What one client with one operation shows needs no crowd around it. A plan may only take away:
//! with fewer attempts the last one comes earlier, so a contract that was possible stays possible.
//! Imports the scenarios' types.

use onestroke_scenarios::{Client, Scenario, Workload};

/// How many of each there are; `None` is as many as in the scenario.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Size {
    /// The clients.
    pub clients: Option<u16>,
    /// The operations of each client.
    pub operations: Option<u16>,
    /// The attempts after which a client gives up.
    pub attempts: Option<u8>,
    /// The attempts that are sent at the same instant.
    pub at_once: Option<u8>,
}

/// What a line of the header says of the size.
pub(super) const KEYS: [&str; 4] = ["clients", "operations", "attempts", "at-once"];

impl Size {
    /// The size of the scenario itself.
    pub const FULL: Self = Self { clients: None, operations: None, attempts: None, at_once: None };

    /// The scenario with a workload of this size.
    pub fn of(self, scenario: &Scenario) -> Scenario {
        let Scenario { workload, client, .. } = scenario.clone();
        let workload = Workload {
            clients: self.clients.unwrap_or(workload.clients),
            operations: self.operations.unwrap_or(workload.operations),
            at_once: self.at_once.unwrap_or(workload.at_once),
            ..workload
        };
        let client = Client { attempts: self.attempts.unwrap_or(client.attempts), ..client };
        Scenario { workload, client, ..scenario.clone() }
    }

    /// How this scenario's size differs from that of the larger one that it was made of.
    pub fn between(smaller: &Scenario, larger: &Scenario) -> Self {
        fn other<T: PartialEq>(less: T, more: &T) -> Option<T> {
            (less != *more).then_some(less)
        }
        Self {
            clients: other(smaller.workload.clients, &larger.workload.clients),
            operations: other(smaller.workload.operations, &larger.workload.operations),
            attempts: other(smaller.client.attempts, &larger.client.attempts),
            at_once: other(smaller.workload.at_once, &larger.workload.at_once),
        }
    }

    /// The first line that asks for more than the scenario has: its key, and how many there are.
    pub fn beyond(self, scenario: &Scenario) -> Option<(&'static str, u16)> {
        let Scenario { workload, client, .. } = scenario;
        let most = [
            workload.clients,
            workload.operations,
            u16::from(client.attempts),
            u16::from(workload.at_once),
        ];
        let mut wanted = self.numbers().into_iter().zip(most);
        let beyond = |((key, number), most): ((_, Option<u16>), u16)| {
            number.filter(|number| *number > most).map(|_| (key, most))
        };
        wanted.find_map(beyond)
    }

    /// The lines of the header that say it.
    pub(crate) fn lines(self) -> impl Iterator<Item = (&'static str, u16)> {
        self.numbers().into_iter().filter_map(|(key, number)| Some((key, number?)))
    }

    /// In words: `1 client`, `2 operations each`, `3 attempts at most`.
    pub(crate) fn words(self) -> String {
        let word = |(key, number): (&'static str, u16)| {
            let (one, many) = match key {
                "clients" => ("client", "clients"),
                "operations" => ("operation each", "operations each"),
                "attempts" => ("attempt at most", "attempts at most"),
                _ => ("at once", "at once"),
            };
            format!("{number} {}", if number == 1 { one } else { many })
        };
        self.lines().map(word).collect::<Vec<_>>().join(", ")
    }

    /// Takes what a line says; the key is one of [`KEYS`].
    pub(super) fn set(&mut self, key: &str, number: u16) {
        let small = || u8::try_from(number).ok();
        match key {
            "clients" => self.clients = Some(number),
            "operations" => self.operations = Some(number),
            "attempts" => self.attempts = small(),
            _ => self.at_once = small(),
        }
    }

    fn numbers(self) -> [(&'static str, Option<u16>); 4] {
        let [clients, operations, attempts, at_once] = KEYS;
        [
            (clients, self.clients),
            (operations, self.operations),
            (attempts, self.attempts.map(u16::from)),
            (at_once, self.at_once.map(u16::from)),
        ]
    }
}
