//! Programs of this workspace: how they are built, and what they print.

use crate::systems::System;
use anyhow::{Context, Result, ensure};
use spec::program::Report;
use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

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

    /// Builds every program that these need, with the same profile.
    pub(crate) fn build(&self, systems: &[System]) -> Result<()> {
        let mut built: Vec<&str> = vec![];
        for system in systems {
            if !built.contains(&system.package) {
                self.build_one(system)?;
                built.push(system.package);
            }
        }
        Ok(())
    }

    fn build_one(&self, system: &System) -> Result<()> {
        eprintln!("building {}", system.package);
        let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut command = Command::new(cargo);
        command.args(["build", "--quiet", "--release", "--locked", "--package", system.package]);
        command.arg("--target-dir").arg(self.target_of(system)).current_dir(&self.folder);
        if let Some(flags) = system.rustflags {
            let given = env::var("RUSTFLAGS").unwrap_or_default();
            command.env("RUSTFLAGS", format!("{given} {flags}"));
        }
        let status = command.status().context("cargo cannot be run")?;
        ensure!(status.success(), "{} does not build", system.package);
        Ok(())
    }

    /// Other flags would build everything anew, back and forth: they have a folder of their own.
    fn target_of(&self, system: &System) -> PathBuf {
        match system.rustflags {
            None => self.target.clone(),
            Some(_) => self.target.join(system.package),
        }
    }

    /// Runs some seeds of a system.
    pub(crate) fn run(&self, system: &System, seeds: u64, more: &[&str]) -> Result<Report> {
        let program = self.target_of(system).join("release").join(system.package);
        let mut command = Command::new(&program);
        command.args(["--seeds", &seeds.to_string()]).args(system.arguments).args(more);
        let output = command.output().with_context(|| program.display().to_string())?;
        let (name, said) = (system.name, String::from_utf8_lossy(&output.stderr));
        ensure!(output.status.success(), "{name} failed with {}: {said}", output.status);
        serde_json::from_slice(&output.stdout)
            .with_context(|| format!("{name}: not the line of a peer: {:?}", output.stdout))
    }
}
