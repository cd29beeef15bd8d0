//! Programs of this workspace: how they are built, and the line that they print.

use anyhow::{Context, Result, ensure};
use serde::de::DeserializeOwned;
use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

/// One program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Program {
    pub(crate) package: &'static str,
    pub(crate) name: &'static str,
    /// What its compiler is told besides.
    pub(crate) rustflags: Option<&'static str>,
}

/// This workspace on the disk.
#[derive(Debug)]
pub(crate) struct Workspace {
    folder: PathBuf,
    target: PathBuf,
}

impl Workspace {
    /// The one that this program was built from.
    pub(crate) fn here() -> Self {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let target = env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
        let target = target.unwrap_or_else(|| folder.join("target"));
        Self { folder, target }
    }

    /// Builds a program, and its package's others: all with the same profile.
    pub(crate) fn build(&self, program: &Program) -> Result<()> {
        eprintln!("building {}", program.package);
        let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut command = Command::new(cargo);
        command.args(["build", "--quiet", "--release", "--locked", "--package", program.package]);
        command.arg("--target-dir").arg(self.target_of(program)).current_dir(&self.folder);
        if let Some(flags) = program.rustflags {
            let given = env::var("RUSTFLAGS").unwrap_or_default();
            command.env("RUSTFLAGS", format!("{given} {flags}"));
        }
        let status = command.status().context("cargo cannot be run")?;
        ensure!(status.success(), "{} does not build", program.package);
        Ok(())
    }

    /// Other flags would build everything anew, back and forth: they have a folder of their own.
    fn target_of(&self, program: &Program) -> PathBuf {
        match program.rustflags {
            None => self.target.clone(),
            Some(_) => self.target.join(program.package),
        }
    }

    /// Runs a program, and reads the line that it prints.
    pub(crate) fn run<T: DeserializeOwned>(
        &self,
        program: &Program,
        arguments: &[&str],
    ) -> Result<T> {
        let path = self.target_of(program).join("release").join(program.name);
        let output = Command::new(&path).args(arguments).output();
        let output = output.with_context(|| path.display().to_string())?;
        let (name, said) = (program.name, String::from_utf8_lossy(&output.stderr));
        ensure!(output.status.success(), "{name} failed with {}: {said}", output.status);
        let line = String::from_utf8_lossy(&output.stdout);
        serde_json::from_str(&line).with_context(|| format!("{name}: not its line: {line}"))
    }
}
