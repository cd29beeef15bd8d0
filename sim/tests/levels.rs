//! Arrows only go down: a file of `sim/src` imports from its own level or from below, and no package
//! knows one above it.

use std::fs;
use std::path::{Path, PathBuf};

/// The levels of `sim/src/lib.rs`, the lowest first.
const LEVELS: [&[&str]; 7] = [
    &["time", "point", "choice"],
    &["trace", "plan", "queue", "stage", "forecast", "describe"],
    &["network", "client", "server", "database", "replica", "cache", "service", "told", "overhear"],
    &["world", "check", "moments"],
    &["run"],
    &["search", "report"],
    &["cli", "testing", "main"],
];

/// What a clause of the contract may see of this crate: the trace, and never the world.
const SEEN_BY_CHECKS: [&str; 4] = ["time", "point", "trace", "check"];

struct Source {
    /// From the folder that was searched, with `/`.
    name: String,
    text: String,
}

/// All `.rs` files of a package's `src`.
fn sources(package: &str) -> Vec<Source> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(package).join("src");
    let mut files = Vec::new();
    let mut folders = vec![root.clone()];
    while let Some(folder) = folders.pop() {
        let entries =
            fs::read_dir(&folder).unwrap_or_else(|bad| panic!("{}: {bad}", folder.display()));
        let paths = entries.map(|entry| entry.expect("a readable folder").path());
        let (inner, plain): (Vec<PathBuf>, Vec<PathBuf>) = paths.partition(|path| path.is_dir());
        folders.extend(inner);
        files.extend(plain.into_iter().filter(|path| path.extension().is_some_and(|e| e == "rs")));
    }
    files.sort_unstable();
    let source = |path: PathBuf| {
        let parts = path.strip_prefix(&root).expect("it was found there").iter();
        let parts: Vec<_> = parts.map(|part| part.to_string_lossy()).collect();
        Source { name: parts.join("/"), text: fs::read_to_string(&path).expect("UTF-8") }
    };
    files.into_iter().map(source).collect()
}

impl Source {
    /// The module directly under the crate's root in which it lies.
    fn module(&self) -> &str {
        self.name.split(['/', '.']).next().expect("a name has a first part")
    }

    /// How deep under the crate's root its own module is: 1 for `run.rs` and `plan/mod.rs`.
    fn depth(&self) -> usize {
        let deep = self.name.split('/').count();
        if self.name.ends_with("/mod.rs") { deep - 1 } else { deep }
    }

    /// Its lines with their numbers, without comments.
    fn code(&self) -> impl Iterator<Item = (usize, &str)> {
        let lines = self.text.lines().enumerate().map(|(at, line)| (at + 1, line));
        lines.filter(|(_, line)| !line.trim_start().starts_with("//"))
    }

    /// The modules of this crate that it names by `crate::`, with their lines.
    fn named(&self) -> Vec<(usize, String)> {
        let mut named = Vec::new();
        for (number, line) in self.code() {
            for (at, start) in line.match_indices("crate::") {
                let own = !line[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_');
                let after = &line[at + start.len()..];
                assert!(!after.starts_with(['{', '*']), "{}:{number}: one path a line", self.name);
                let end = after.find(|c: char| !c.is_alphanumeric() && c != '_');
                if own {
                    named.push((number, after[..end.unwrap_or(after.len())].to_owned()));
                }
            }
        }
        named
    }

    /// Whether it is compiled for this crate's own tests only.
    fn is_test(&self) -> bool {
        let last = self.name.rsplit('/').next().unwrap_or_default();
        self.name.contains("tests/") || last == "tests.rs" || last == "story.rs"
    }
}

fn level_of(module: &str) -> Option<usize> {
    LEVELS.iter().position(|modules| modules.contains(&module))
}

#[test]
fn every_module_has_a_level_and_the_front_page_names_it() {
    let front = sources("sim").into_iter().find(|one| one.name == "lib.rs").expect("a lib.rs");
    for source in sources("sim").iter().filter(|one| one.name != "lib.rs") {
        let level = level_of(source.module());
        let level = level.unwrap_or_else(|| panic!("{} has no level in levels.rs", source.name));
        if let Some(said) = source.text.strip_prefix("//! Level ") {
            let said = said.split(['.', ',']).next().unwrap_or_default();
            assert_eq!(said, level.to_string(), "{} says another level", source.name);
        }
        let names = format!("`{}`", source.module());
        let told = front.text.contains(&names) || matches!(level, 2 | 6);
        assert!(told, "lib.rs does not say at which level {names} is");
    }
}

#[test]
fn no_arrow_goes_up() {
    let mut arrows = 0;
    let mut up = Vec::new();
    for source in sources("sim").iter().filter(|one| one.name != "lib.rs") {
        let own = level_of(source.module()).expect("it has a level");
        for (line, module) in source.named() {
            let Some(level) = level_of(&module) else {
                panic!("{}:{line}: `crate::{module}` is no module with a level", source.name)
            };
            arrows += usize::from(module != source.module());
            if level > own {
                up.push(format!("{}:{line}: level {own} imports {module}, {level}", source.name));
            }
        }
    }
    assert!(arrows > 100, "only {arrows} arrows: are they read at all?");
    assert!(up.is_empty(), "{}", up.join("\n"));
}

#[test]
fn nobody_climbs_to_the_root_by_super() {
    for source in sources("sim").iter().filter(|one| one.name != "lib.rs") {
        let inline_tests = source.text.find("#[cfg(test)]\nmod tests {");
        let before = inline_tests.map_or(usize::MAX, |at| source.text[..at].lines().count());
        for (number, line) in source.code().filter(|(number, _)| *number <= before) {
            let climbs = "super::".repeat(source.depth());
            assert!(!line.contains(&climbs), "{}:{number}: write `crate::`", source.name);
        }
    }
}

#[test]
fn checks_never_see_the_world() {
    let checks = sources("sim").into_iter().filter(|source| source.module() == "check");
    for source in checks {
        for (line, module) in source.named() {
            let seen = SEEN_BY_CHECKS.contains(&module.as_str())
                || (source.is_test() && module == "moments");
            assert!(seen, "{}:{line}: a check sees `crate::{module}`", source.name);
        }
        for (line, code) in source.code() {
            let engine = ["onestroke_store::memory", "onestroke_store::sqlite", "Engine"];
            let sees = engine.iter().find(|name| code.contains(*name));
            assert_eq!(sees, None, "{}:{line}: a check sees an engine", source.name);
        }
    }
}

#[test]
fn no_package_knows_one_above_it() {
    let above = [
        ("store", &["onestroke_sim", "onestroke_scenarios"][..]),
        ("scenarios", &["onestroke_sim"][..]),
    ];
    for (package, names) in above {
        let sources = sources(package);
        assert!(sources.len() > 10, "only {} files in {package}", sources.len());
        for (source, name) in sources.iter().flat_map(|one| names.iter().map(move |n| (one, n))) {
            let line = source.text.lines().position(|line| line.contains(name)).map(|at| at + 1);
            assert_eq!(line, None, "{package}/src/{} mentions {name}", source.name);
        }
    }
}

#[test]
fn every_file_begins_by_saying_what_it_holds() {
    for package in ["store", "scenarios", "sim"] {
        for source in sources(package) {
            let begins = source.text.starts_with("//! ");
            assert!(begins, "{package}/src/{} does not begin with `//!`", source.name);
        }
    }
}
