//! Games of our own, written down while they are played.

use rand_pcg::Pcg64;

use super::game::{Header, RecordedGame, Who};
use super::recorder::Recorder;
use crate::play::{Player, Table};

/// Plays one game without a cube, as [`Table::play`] does, and writes it down; player 0 is A. `None` if it runs past
/// [`crate::play::MAX_TURNS`].
pub fn play_recorded(
    table: &mut Table,
    header: Header,
    players: [&dyn Player; 2],
    dice: &mut Pcg64,
    choices: &mut Pcg64,
) -> Option<RecordedGame> {
    let mut recorder = Recorder::new(header);
    let mut kept = true;
    let game = table.play_seen(players, dice, choices, |turn| {
        let who = Who::BOTH[turn.player % 2];
        kept &= recorder.turn(who, turn.dice, turn.after).is_ok();
    });
    // The referee and the recorder know the same rules, so what was played to its end was kept.
    (game.is_some() && kept).then(|| recorder.finish())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backgammon::Session;
    use crate::play::{Domain, Random, stream};

    #[test]
    fn what_is_written_down_is_what_was_played() {
        let session = Session::Money { jacoby: false, beavers: false };
        let header = Header { names: ["ann".into(), "bob".into()], session };
        let mut table = Table::default();
        for index in 0..20 {
            let dice = || stream(5, Domain::Record, index);
            let choices = || stream(5, Domain::Choice, index);
            let players: [&dyn Player; 2] = [&Random, &Random];
            let played = table.play(players, &mut dice(), &mut choices()).expect("ends");
            let recorded =
                play_recorded(&mut table, header.clone(), players, &mut dice(), &mut choices());
            assert_eq!(recorded.expect("ends").into_game(), Some(played));
        }
    }
}
