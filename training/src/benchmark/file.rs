//! The text format of benchmark decisions, one line for each, so that files can be read and
//! compared by people.

use std::fmt::Write;

use super::{BenchmarkDecision, DecisionSet, results};
use nonet_engine::backgammon::{Dice, Position};
use nonet_engine::eval::Evaluation;

/// The first line of a file.
const HEAD: &str = "nonet decisions 1";
/// An outcome's probability is written as an integer of 0 to this, in four hexadecimal digits.
const PARTS: f32 = 65_535.0;

/// An error in a file of decisions.
#[derive(Debug, thiserror::Error)]
#[error("{name}:{line}: {reason}")]
pub struct FileError {
    name: String,
    line: usize,
    reason: String,
}

impl FileError {
    pub(super) fn new(name: &str, line: usize, reason: String) -> FileError {
        FileError { name: name.to_owned(), line, reason }
    }
}

impl DecisionSet {
    /// Formats the decisions as text.
    ///
    /// Facts come first, then one line for each decision:
    ///
    /// - Its GNU Position ID.
    /// - The roll.
    /// - `d` (development) or `h` (held out).
    /// - For each result, sorted, the six outcomes by each judge, for the player on roll there.
    ///
    /// If all judges agree on a result, its outcomes are written once.
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut text = format!("{HEAD}\n");
        for (what, value) in &self.facts {
            let _ = writeln!(text, "# {what}: {value}");
        }
        for judge in &self.judges {
            let _ = writeln!(text, "# judge: {judge}");
        }
        for BenchmarkDecision { position, dice, held_out, references } in &self.decisions {
            let half = if *held_out { 'h' } else { 'd' };
            let _ = write!(text, "{} {}{} {half}", position.id(), dice.high(), dice.low());
            for result in references {
                text.push(' ');
                // If all judges agree, their evaluation is written once.
                let alike = result.windows(2).all(|pair| pair[0] == pair[1]);
                let said = if alike { &result[..result.len().min(1)] } else { result };
                for chance in said.iter().flat_map(|judged| judged.outcomes) {
                    let parts = (chance.clamp(0.0, 1.0) * PARTS).round() as u16;
                    let _ = write!(text, "{parts:04x}");
                }
            }
            text.push('\n');
        }
        text
    }

    /// Parses the text of [`DecisionSet::to_text`]; `name` appears in errors.
    ///
    /// # Errors
    /// [`FileError`] with the number of the first invalid line.
    pub fn from_text(text: &str, name: &str) -> Result<DecisionSet, FileError> {
        let mut set = DecisionSet::default();
        for (line, words) in text.lines().enumerate() {
            let wrong = |reason: &str| FileError::new(name, line + 1, reason.to_owned());
            if line == 0 {
                if words != HEAD {
                    return Err(wrong(&format!("not a decisions file: expected '{HEAD}'")));
                }
            } else if let Some(fact) = words.strip_prefix("# ") {
                match fact.split_once(": ") {
                    Some(("judge", judge)) => set.judges.push(judge.to_owned()),
                    Some((what, value)) => set.facts.push((what.to_owned(), value.to_owned())),
                    None => return Err(wrong("invalid fact: expected '# NAME: VALUE'")),
                }
            } else {
                let decision = read(words, set.judges.len()).map_err(|reason| wrong(&reason))?;
                set.decisions.push(decision);
            }
        }
        if set.decisions.is_empty() {
            let reason =
                "no decisions found: `nonet benchmark --make` writes such a file".to_owned();
            return Err(FileError::new(name, text.lines().count().max(1), reason));
        }
        Ok(set)
    }
}

fn read(words: &str, judges: usize) -> Result<BenchmarkDecision, String> {
    let mut words = words.split(' ');
    let (Some(id), Some(dice), Some(half)) = (words.next(), words.next(), words.next()) else {
        return Err("invalid decision: expected a position, a roll, and d or h".into());
    };
    let position = Position::from_id(id).map_err(|error| error.to_string())?;
    let dice: Dice = dice.parse().map_err(|error| format!("{error}"))?;
    let held_out = match half {
        "h" => true,
        "d" => false,
        other => return Err(format!("invalid part '{other}': expected d or h")),
    };
    let references = words.map(|word| judged(word, judges)).collect::<Result<Vec<_>, String>>()?;
    let legal = results(&position, dice).len();
    if references.len() != legal {
        return Err(format!("{} results, expected {legal} (the legal ones)", references.len()));
    }
    Ok(BenchmarkDecision { position, dice, held_out, references })
}

fn judged(word: &str, judges: usize) -> Result<Vec<Evaluation>, String> {
    let digits = word.as_bytes();
    if judges == 0 || (digits.len() != 24 * judges && digits.len() != 24) {
        return Err(format!(
            "{} digits for a result, expected 24, or 24 for each of {judges} judges",
            digits.len()
        ));
    }
    let parts = |four: &[u8]| {
        let text = std::str::from_utf8(four).unwrap_or_default();
        u16::from_str_radix(text, 16)
            .map_err(|_| format!("invalid number '{text}': expected hexadecimal digits"))
    };
    let outcomes = |all: &[u8]| -> Result<Evaluation, String> {
        let mut outcomes = [0.0; 6];
        for (chance, four) in outcomes.iter_mut().zip(all.chunks(4)) {
            *chance = f32::from(parts(four)?) / PARTS;
        }
        let value = Evaluation { average: 0.0, outcomes };
        Ok(Evaluation { average: value.outcome_equity(), outcomes })
    };
    let said = digits.chunks(24).map(outcomes).collect::<Result<Vec<_>, String>>()?;
    Ok(said.iter().copied().cycle().take(judges).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text() -> String {
        let dice = Dice::new(2, 1).expect("dice");
        let value = Evaluation { average: 0.2, outcomes: [0.45, 0.1, 0.05, 0.3, 0.08, 0.02] };
        let references = vec![vec![value, value.flipped()]; results(&Position::START, dice).len()];
        let decision =
            BenchmarkDecision { position: Position::START, dice, held_out: true, references };
        let set = DecisionSet {
            facts: vec![("seed".into(), "4".into())],
            judges: vec!["one".into(), "another: deep".into()],
            decisions: vec![decision],
        };
        set.to_text()
    }

    #[test]
    fn decisions_are_read_back_as_written() {
        let set = DecisionSet::from_text(&text(), "x").expect("readable");
        assert_eq!(set.to_text(), text());
        assert_eq!(set.judges, ["one", "another: deep"]);
        let equity = set.decisions[0].equities(Some(0))[0];
        assert!((equity + 0.45 + 0.2 + 0.15 - 0.3 - 0.16 - 0.06).abs() < 1e-3, "{equity}");
        let both = set.decisions[0].equities(None)[0];
        assert!(both.abs() < 1e-3, "two judges who contradict each other: {both}");
    }

    #[test]
    fn errors_name_the_invalid_line() {
        let refused =
            |text: &str| DecisionSet::from_text(text, "x").expect_err("damaged").to_string();
        assert!(refused("").contains("no decisions"));
        assert!(refused("hello").starts_with("x:1: not a decisions file"));
        let whole = text();
        let cut = &whole[..whole.len() - 10];
        assert!(refused(cut).starts_with("x:5: ") && refused(cut).contains("digits"));
        let short = whole.rsplit_once(' ').expect("words").0;
        assert!(refused(short).contains("the legal ones"), "{}", refused(short));
        assert!(refused(&whole.replace(" 21 h ", " 71 h ")).contains("71"));
        assert!(refused(&whole.replace(" 21 h ", " 21 x ")).contains("expected d or h"));
    }
}
