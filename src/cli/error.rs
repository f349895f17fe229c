//! Errors of the command line and their exit codes.

use std::io::{self, Write};

use rustix::event::{PollFd, PollFlags, Timespec, poll};

/// Invalid arguments: exit code 2. All other errors: exit code 1.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(crate) struct Usage(String);

/// An error of invalid arguments.
pub(crate) fn usage(error: impl std::fmt::Display) -> anyhow::Error {
    Usage(error.to_string()).into()
}

/// Whether the reader of our output has closed the pipe, as in `nonet moves ... | head`.
///
/// A connection to another program breaks with the same error. So the output itself is asked.
pub(crate) fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let broken = |cause: &io::Error| cause.kind() == io::ErrorKind::BrokenPipe;
    error.chain().any(|cause| cause.downcast_ref().is_some_and(broken)) && output_is_closed()
}

fn output_is_closed() -> bool {
    let stdout = io::stdout();
    let mut asked = [PollFd::new(&stdout, PollFlags::OUT)];
    let at_once = Timespec { tv_sec: 0, tv_nsec: 0 };
    poll(&mut asked, Some(&at_once)).is_ok()
        && asked[0].revents().intersects(PollFlags::ERR | PollFlags::HUP | PollFlags::NVAL)
}

/// Prints what is wrong with the arguments, or the help that they ask for.
pub(crate) fn print_parse_error(error: &clap::Error) {
    // The messages of Rust's parsers of numbers do not say what they expect.
    const NUMBERS: [(&str, &str); 4] = [
        ("invalid digit found in string", "expected a whole number"),
        ("invalid float literal", "expected a number"),
        ("number too large to fit in target type", "the number is too large"),
        ("cannot parse integer from empty string", "expected a whole number"),
    ];
    let text = error.to_string();
    let _ = match NUMBERS.iter().find(|(technical, _)| text.contains(technical)) {
        Some((technical, plain)) => write!(io::stderr(), "{}", text.replace(technical, plain)),
        None => error.print(),
    };
}
