//! The examples at the end of a command's help.

use std::fmt::Write;

use clap::builder::Styles;

/// The end of a command's help: what to do, and the command line that does it.
pub(crate) fn examples(examples: &[(&str, &str)]) -> String {
    let styles = Styles::styled();
    let (heading, literal) = (styles.get_header(), styles.get_literal());
    let mut text = format!("{heading}Examples:{heading:#}\n");
    for (what, command) in examples {
        let _ = writeln!(text, "  {what}:\n    {literal}{command}{literal:#}");
    }
    text
}
