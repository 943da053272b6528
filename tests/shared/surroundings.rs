//! What stands around a program that a test runs.

use std::path::Path;
use std::process::Command;

/// Takes away what the person running the tests may have set, and gives the program a home of its own.
pub fn at_home(command: &mut Command, home: &Path) {
    command.env_clear().env("HOME", home);
    if cfg!(windows) {
        // There, homes have another name, and the system finds itself by a variable.
        command.env("USERPROFILE", home).env("APPDATA", home.join("AppData").join("Roaming"));
        command.envs(std::env::vars_os().filter(|(name, _)| name.eq_ignore_ascii_case("SystemRoot")));
    }
}
