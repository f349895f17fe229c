//! The command `nonet`: parse, dispatch, print the error, exit code.

mod cli;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::run()
}
