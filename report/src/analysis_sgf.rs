//! The annotated .sgf of analysed matches.

use std::io;

use super::{AnalysedMatch, cost_of, decision_of, severity_name};
use nonet_engine::analysis::{AnalysedDecision, Analysis, CubeCall, DecisionKind, Severity};
use nonet_engine::backgammon::Scoring;
use nonet_engine::backgammon::record::{SgfCube, SgfMark, SgfNote, SgfPlay, SgfWriter};
use nonet_engine::search::Plies;

/// All games with their analysis as an `.sgf`; `plies` are those of cube decisions. GNU Backgammon
/// reads the games of one match.
///
/// # Errors
/// None of the disk: a record that the format cannot hold.
pub fn analysis_sgf(matches: &[AnalysedMatch], plies: Plies) -> io::Result<Vec<u8>> {
    let mut writer = SgfWriter::new(Vec::new());
    for game in matches.iter().flat_map(|one| &one.games) {
        writer.write(&game.game, &notes(game, plies))?;
    }
    Ok(writer.into_inner())
}

/// A note for each event.
fn notes(analysis: &Analysis, plies: Plies) -> Vec<SgfNote> {
    let mut notes = vec![SgfNote::default(); analysis.game.events().len()];
    for analysed in &analysis.decisions {
        let Some(note) = notes.get_mut(analysed.event) else { continue };
        match &analysed.what {
            DecisionKind::Play(play) => {
                let of = |scored: &nonet_engine::engine::ScoredMove| SgfPlay {
                    steps: analysed
                        .position
                        .steps_to(play.dice, scored.after())
                        .unwrap_or_default(),
                    chances: scored.value.cumulative(),
                    equity: scored.equity,
                    plies: gnubg_plies(scored.plies),
                };
                note.plays = play.plays.iter().map(of).collect();
                note.played = play.played;
                note.luck = Some(play.luck);
            }
            DecisionKind::CubeCall(call) => {
                let decision = &call.decision;
                // gnubg wants chances in a match and normalized equities for money.
                let [no_double, double_take] = match analysed.scoring {
                    Scoring::Money { .. } => [decision.no_double, decision.double_take],
                    Scoring::Match(_) => [decision.utility[0], decision.utility[1]],
                };
                note.cube = Some(SgfCube {
                    chances: decision.cubeless.cumulative(),
                    cubeless: decision.cubeless.equity(),
                    no_double,
                    double_take,
                    plies: gnubg_plies(plies),
                });
            }
        }
        // A node has one mark: that of the worse decision.
        let mark = match analysed.severity() {
            Severity::Fine => None,
            Severity::Doubtful => Some(SgfMark::Doubtful),
            Severity::Bad => Some(SgfMark::Bad),
            Severity::VeryBad => Some(SgfMark::VeryBad),
        };
        let is_play = matches!(analysed.what, DecisionKind::Play(_));
        if mark.is_some() && (is_play || note.plays.is_empty()) {
            note.mark = mark;
        }
        if mark.is_some() {
            if !note.comment.is_empty() {
                note.comment.push('\n');
            }
            note.comment += &comment(analysed);
        }
    }
    notes
}

/// gnubg counts plies from 0.
fn gnubg_plies(plies: Plies) -> u8 {
    plies.get().saturating_sub(1)
}

fn comment(analysed: &AnalysedDecision) -> String {
    let (said, better) = decision_of(analysed);
    let cost = cost_of(analysed);
    let cost = if cost.is_empty() { cost } else { format!(" ({cost})") };
    let missed = match &analysed.what {
        DecisionKind::CubeCall(call) if call.call == CubeCall::NoDouble => "missed double: ",
        _ => "",
    };
    let rolled = if analysed.rollout.is_some() { ", rolled out" } else { "" };
    format!(
        "{missed}{said} {} {}, loses {:.3}{cost}; better: {better}{rolled}",
        analysed.severity().symbol(),
        severity_name(analysed.severity()),
        analysed.loss()
    )
}
