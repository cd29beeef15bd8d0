//! Lists the pinned plans of `scenarios/pinned/`, so that a plan is pinned by laying it there.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() {
    println!("cargo::rerun-if-changed=pinned");
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it"));
    let mut names: Vec<String> = fs::read_dir(root.join("pinned"))
        .expect("the folder of pinned plans is there")
        .flatten()
        .filter_map(|entry| entry.file_name().into_string().ok())
        .filter(|name| Path::new(name).extension().is_some_and(|end| end == "plan"))
        .collect();
    names.sort_unstable();
    let mut list = String::from("&[\n");
    for name in names {
        let path = root.join("pinned").join(&name).display().to_string();
        let shown = format!("scenarios/pinned/{name}");
        let _ = writeln!(list, "    ({shown:?}, include_str!({path:?})),");
    }
    list.push(']');
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it"));
    fs::write(out.join("pinned.rs"), list).expect("the build folder can be written");
}
