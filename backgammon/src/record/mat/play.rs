//! The actions on a row of a `.mat` game, given to the game.

use super::row::{self, Action, Piece};
use super::{names, set_up};
use crate::record::error::RecordErrorKind;
use crate::record::game_reader::GameReader;
use crate::record::recorder::Recorder;
use crate::record::text_lines::NumberedLine;
use crate::{PlayError, Seat};

/// A single action with at least this many blanks before it is in the right column. The left column
/// begins after 1 or 2 blanks, the right one 25 to 35 columns later, or after two tabs.
const RIGHT_ACTION: usize = 10;
/// The same for a result, which is indented by 6 in the left column and by about 34 in the right
/// one.
const RIGHT_RESULT: usize = 20;

/// Reads the actions on a line of a game. The players take turns, so the column of a roll or a
/// double must agree with the turn. Besides, the column decides only who begins, and who wins by a
/// resignation if the next score does not show it.
pub(super) fn row(game: &mut GameReader, line: &NumberedLine) {
    let at = line.number;
    let (mut text, positions) = row::illegal_plays(&line.text);
    let named = names::named_result(&text, &game.header().names);
    let is_named = named.is_some();
    if let Some((player, action, rest)) = named {
        match action {
            Action::Wins(points) => game.wins(at, player, points),
            Action::Loses(points) => game.loses(at, player, points),
            _ => game.loses(at, player, None),
        }
        text = rest;
    }
    let pieces = row::pieces(&text);
    let numbered = row::row_number(&line.text).is_some();
    if !numbered && pieces.iter().all(|piece| row::is_remark(&piece.action)) {
        if !is_named {
            game.warn(at, RecordErrorKind::stray(&line.text));
        }
        return;
    }
    let actions = pieces.iter().filter(|piece| !piece.action.is_result()).count();
    for piece in pieces {
        let alone = actions <= 1 && piece.nth == 0;
        act(game, at, piece, (alone, numbered), &positions);
    }
}

fn act(
    game: &mut GameReader,
    at: u64,
    piece: Piece,
    (lone, numbered): (bool, bool),
    positions: &[String],
) {
    let Piece { action, gap, nth } = piece;
    let column = if nth == 1 || (lone && gap >= RIGHT_ACTION) { Seat::O } else { Seat::X };
    let player = game.to_act().unwrap_or(column);
    // If a line break is missing, the third action begins a new row.
    let wrong_column = nth < 2 && player != column;
    // Without numbers and columns, each line is a turn.
    let listed = lone && !numbered && gap < RIGHT_ACTION;
    match action {
        Action::Wins(points) => {
            let right = nth == 1 || gap >= RIGHT_RESULT;
            game.wins(at, if right { Seat::O } else { Seat::X }, points);
        }
        Action::Loses(points) => game.loses(at, column, points),
        Action::Resigned => {}
        Action::Take => game.act(at, |recorder| recorder.take(player)),
        Action::Drop => game.act(at, |recorder| recorder.drop(player)),
        Action::Beaver(value) => game.double(at, player, value, true),
        Action::Unknown { text, wanted } if wanted == row::TWO_DICE => {
            game.fail_turn(at, player, RecordErrorKind::unreadable(&text, wanted));
        }
        Action::Unknown { text, wanted } => {
            game.fail(at, RecordErrorKind::unreadable(&text, wanted))
        }
        Action::Roll { dice, play: Some(play) } if wrong_column => {
            let by = |player: Seat| {
                let play = &play;
                move |recorder: &mut Recorder| recorder.written(player, dice, play)
            };
            let after = game.recorder().after_missing_turn();
            let after = after.map(|start| game.recorder().going_on_from(start));
            let fits = after.is_some_and(|mut after| by(column)(&mut after).is_ok());
            if (!fits || listed) && !play.is_empty() && game.allows(by(player)) {
                // The columns are swapped from here on.
                game.roll(at, player, dice, Some(&play));
            } else {
                game.act_after_missing_turn(at, by(column));
            }
        }
        Action::Double(_) if wrong_column && !listed => {
            game.act_after_missing_turn(at, |recorder| recorder.double(column));
        }
        _ if wrong_column && !listed => {
            game.act(at, |game| Err(RecordErrorKind::OutOfTurn(game.name(player))));
        }
        Action::Double(value) => game.double(at, player, value, false),
        Action::Roll { dice, play } => game.roll(at, player, dice, play.as_deref()),
        Action::HiddenRoll => game.hidden_roll(at),
        Action::Illegal { dice, position } => {
            let text = position.and_then(|n| positions.get(n));
            match text.map(|text| set_up::of_illegal_play(text, game, player)) {
                Some(Ok(start)) => game.set_up(at, start),
                Some(Err(reason)) => game.fail(at, reason),
                None => {
                    let play = "Illegal play".to_owned();
                    game.fail(at, PlayError::Illegal { play, dice }.into());
                }
            }
        }
    }
}
