//! The command line: parse, dispatch, exit code. Nothing else.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(houserule::command_line(std::env::args_os()))
}
