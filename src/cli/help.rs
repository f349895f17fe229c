//! The help texts: `-h` is one line an option, `--help` has details and examples, and `--help-all`
//! shows the options for research too.

use std::ffi::OsString;
use std::fmt::Write;

use clap::builder::Styles;
use clap::{Arg, ArgAction, ColorChoice, Command, CommandFactory};

use super::Cli;
use super::commands::GROUPS;
use super::output::counted::counted;

/// How much help the arguments ask for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Detail {
    /// `-h`
    Short,
    /// `--help`
    Long,
    /// `--help-all`
    All,
}

impl Detail {
    pub(super) fn of(arguments: &[OsString]) -> Detail {
        let given = |option: &str| {
            arguments.iter().take_while(|word| *word != "--").any(|word| word == option)
        };
        if given("--help-all") {
            Detail::All
        } else if given("-h") {
            Detail::Short
        } else {
            Detail::Long
        }
    }
}

/// Where these arguments want colours: help and errors come before the arguments are parsed.
pub(super) fn colours_of(arguments: &[OsString]) -> ColorChoice {
    let mut words = arguments.iter().filter_map(|word| word.to_str()).take_while(|w| *w != "--");
    let mut choice = ColorChoice::Auto;
    while let Some(word) = words.next() {
        let value = match word {
            "--color" => words.next(),
            word => word.strip_prefix("--color="),
        };
        choice = value.and_then(|value| value.parse().ok()).unwrap_or(choice);
    }
    choice
}

/// The command line with this much help.
pub(super) fn command_line(detail: Detail) -> Command {
    let all = Arg::new("help_all")
        .long("help-all")
        .help("Print help with the options for research")
        .action(ArgAction::HelpLong)
        .global(true)
        .hide(true);
    let command = detailed(Cli::command(), detail).arg(all);
    let groups = groups(&command);
    command.help_template(format!(
        "{{about}}\n\n{{usage-heading}} {{usage}}\n\n{groups}{{options}}{{after-help}}"
    ))
}

/// A command and its subcommands with this much help.
fn detailed(command: Command, detail: Detail) -> Command {
    let research = command.get_arguments().filter(|arg| arg.is_hide_long_help_set()).count();
    let command = command
        .mut_args(|arg| match detail {
            Detail::Short if arg.is_hide_long_help_set() => arg.hide_short_help(true),
            Detail::Short if arg.get_action().takes_values() => arg.hide_possible_values(true),
            Detail::Short | Detail::Long => arg,
            Detail::All => arg.hide_long_help(false),
        })
        .mut_subcommands(|command| detailed(command, detail));
    match command.get_after_long_help().map(|text| text.ansi().to_string()) {
        Some(text) if research > 0 && detail != Detail::All => {
            let more = counted(research, "more option");
            command.after_long_help(format!("{text}\n--help-all shows {more}, for research."))
        }
        _ => command,
    }
}

/// The commands under the headings of their groups.
fn groups(command: &Command) -> String {
    let styles = Styles::styled();
    let (heading, literal) = (styles.get_header(), styles.get_literal());
    let mut text = String::new();
    for (name, members) in GROUPS {
        let _ = writeln!(text, "{heading}{name}:{heading:#}");
        for member in *members {
            // A command may be left out by the features of this build.
            if let Some(found) = command.find_subcommand(member) {
                let about = found.get_about().map(ToString::to_string).unwrap_or_default();
                let _ = writeln!(text, "  {literal}{member:<12}{literal:#}  {about}");
            }
        }
        text.push('\n');
    }
    let _ = writeln!(text, "{heading}Options:{heading:#}");
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Calls `check` with each command that can be run, and its words.
    fn walk(command: &Command, words: &str, check: &mut dyn FnMut(&Command, &str)) {
        if !command.is_subcommand_required_set() {
            check(command, words);
        }
        for inner in command.get_subcommands().filter(|inner| inner.get_name() != "help") {
            walk(inner, &format!("{words} {}", inner.get_name()), check);
        }
    }

    fn built(detail: Detail) -> Command {
        let mut command = command_line(detail).term_width(100);
        command.build();
        command
    }

    #[test]
    fn short_help_is_one_line_an_option() {
        let mut long = Vec::new();
        walk(&built(Detail::Short), "nonet", &mut |command, words| {
            let help = command.clone().term_width(100).render_help().to_string();
            let entries = help.lines().skip_while(|line| !line.starts_with("Usage:")).skip(1);
            let continued =
                |line: &&str| line.starts_with("       ") && !line.trim_start().starts_with("--");
            long.extend(entries.filter(continued).map(|line| format!("{words}: {}", line.trim())));
        });
        assert!(long.is_empty(), "help texts that fill more than a line of -h: {long:#?}");
    }

    #[test]
    fn colours_are_chosen_before_the_arguments_are_parsed() {
        let choice =
            |line: &str| colours_of(&line.split(' ').map(OsString::from).collect::<Vec<_>>());
        assert_eq!(choice("nonet hint 31"), ColorChoice::Auto);
        assert_eq!(choice("nonet --color never hint --help"), ColorChoice::Never);
        assert_eq!(choice("nonet hint --color=always"), ColorChoice::Always);
        assert_eq!(choice("nonet hint --color=pink"), ColorChoice::Auto);
        assert_eq!(choice("nonet hint -- --color never"), ColorChoice::Auto);
    }

    #[test]
    fn every_option_has_help() {
        let mut silent = Vec::new();
        walk(&built(Detail::All), "nonet", &mut |command, words| {
            let without = command.get_arguments().filter(|arg| arg.get_help().is_none());
            silent.extend(without.map(|arg| format!("{words}: {}", arg.get_id())));
        });
        assert!(silent.is_empty(), "without a help text: {silent:#?}");
    }

    #[test]
    fn every_command_has_examples_that_parse() {
        let mut wrong = Vec::new();
        walk(&built(Detail::Long), "nonet", &mut |command, words| {
            let text = command.get_after_long_help().map(ToString::to_string).unwrap_or_default();
            let examples: Vec<&str> =
                text.lines().filter_map(|line| line.strip_prefix("    ")).collect();
            if !(2..=3).contains(&examples.len()) {
                wrong.push(format!("{words} has {} examples: expected 2 or 3", examples.len()));
            }
            for example in examples {
                let line =
                    example.split(" | ").find(|line| line.contains("nonet")).unwrap_or(example);
                let line =
                    line.split(" > ").next().unwrap_or(line).split(" < ").next().unwrap_or(line);
                let parsed = command_line(Detail::Long).try_get_matches_from(words_of(line));
                if let Err(error) = parsed {
                    wrong.push(format!("{example}: {error}"));
                }
                let after_variables = words_of(line).join(" ");
                if !after_variables.starts_with(words) {
                    wrong.push(format!("{example} is no example of {words}"));
                }
            }
        });
        assert!(wrong.is_empty(), "{wrong:#?}");
    }

    /// The words of a command line after its variables, as a shell takes them apart.
    fn words_of(line: &str) -> Vec<String> {
        let quoted = line.split('"').enumerate();
        let words = quoted.flat_map(|(place, part)| match place % 2 {
            0 => part.split_whitespace().map(str::to_owned).collect(),
            _ => vec![part.to_owned()],
        });
        words.skip_while(|word| word != "nonet").collect()
    }

    #[test]
    fn every_command_is_in_one_group() {
        let command = Cli::command();
        let mut listed: Vec<&str> = GROUPS.iter().flat_map(|(_, names)| *names).copied().collect();
        let mut known: Vec<&str> = command.get_subcommands().map(Command::get_name).collect();
        if cfg!(not(feature = "serve")) {
            known.push("serve");
        }
        listed.sort_unstable();
        known.sort_unstable();
        assert_eq!(listed, known);
    }

    #[test]
    fn options_for_research_are_in_the_whole_help_only() {
        let help = |detail| {
            let command = built(detail);
            let train = command.find_subcommand("train").expect("a command").clone();
            train.term_width(100).render_long_help().to_string()
        };
        let (usual, all) = (help(Detail::Long), help(Detail::All));
        assert!(!usual.contains("--squash") && usual.contains("--alpha"), "{usual}");
        assert!(usual.trim_end().ends_with("more options, for research."), "{usual}");
        assert!(all.contains("--squash"), "{all}");
        let command = built(Detail::Long);
        let reproduce = command.find_subcommand("reproduce").expect("a command").clone();
        let one = reproduce.term_width(100).render_long_help().to_string();
        assert!(one.trim_end().ends_with("--help-all shows 1 more option, for research."), "{one}");
    }

    #[test]
    fn the_default_of_fine_tuning_says_that_it_depends_on_the_run() {
        for detail in [Detail::Short, Detail::Long] {
            let command = built(detail);
            let train = command.find_subcommand("train").expect("a command").clone();
            let mut train = train.term_width(100);
            let help = match detail {
                Detail::Short => train.render_help(),
                _ => train.render_long_help(),
            };
            let help = help.to_string();
            let (_, own) = help.split_once("--fine-tune <GAMES>").expect("an option");
            let own = own.split("\n      --").next().unwrap_or_default();
            assert!(own.contains("[default: a fiftieth or 0]"), "{own}");
            assert!(!own.contains("[default: 0]"), "{own}");
        }
    }
}
