//! eXtreme Gammon's `.xgp`: one position, in the records of an `.xg`.
//!
//! The file has a match, a game, and one record of a cube. If the dice were rolled, a record of a
//! play follows, of the same player, with the roll. The header of every `.xgp` holds the same GUID.
//! The first board of the game may be empty.
//!
//! The facts are those of two dumps of files of eXtreme Gammon 2.10 and of two readers. One reader
//! is in the repository of the dumps (<https://github.com/halheinrich/ConvertXgToJson_Lib>), the
//! other is <https://pypi.org/project/ankigammon/>.

use super::xg::{CUBE, GAME, KIND, MATCH, Match, PLAY, RECORD, board, cube, int, seat};
use crate::record::error::RecordErrorKind;
use crate::record::single_position::SinglePosition;
use crate::{Cube, CubeOwner, Dice, Position, Seat};

/// 2f5af5e1-e021-4832-a423-ef480ec58a0b, at byte 24 of the header.
const GUID: [u8; 16] = [
    0xe1, 0xf5, 0x5a, 0x2f, 0x21, 0xe0, 0x32, 0x48, 0xa4, 0x23, 0xef, 0x48, 0x0e, 0xc5, 0x8a, 0x0b,
];

/// The position of a file, as the reason why it has no games; `None` if it is a match.
pub(super) fn read(bytes: &[u8], data: &[u8]) -> Option<Result<RecordErrorKind, RecordErrorKind>> {
    let is_position = bytes.get(24..40) == Some(&GUID);
    is_position.then(|| position(data).map(RecordErrorKind::single))
}

/// Where a record keeps what a position needs.
struct Places {
    player: usize,
    cube: usize,
    board: usize,
}

fn position(data: &[u8]) -> Result<crate::GameState, RecordErrorKind> {
    let records = || data.chunks_exact(RECORD);
    let of_kind = |kind: u8| records().find(|record| record[KIND] == kind);
    let (Some(head), Some(game)) = (of_kind(MATCH), of_kind(GAME)) else {
        return Err(RecordErrorKind::Damaged("expected a position of eXtreme Gammon"));
    };
    let known = Match::of(head).map_err(|variant| RecordErrorKind::Variant(variant.to_owned()))?;
    let mut asked = records().filter(|record| [CUBE, PLAY].contains(&record[KIND]));
    let first = asked.next().ok_or(RecordErrorKind::Damaged("no position in it"))?;
    let places = places(first);
    let player = seat(int(first, places.player))
        .ok_or(RecordErrorKind::Damaged("no player on roll in it"))?;
    // The roll stands in the record of the play.
    let rolled = std::iter::once(first).chain(asked).take(2).find(|record| {
        record[KIND] == PLAY && seat(int(record, self::places(record).player)) == Some(player)
    });
    let die = |record: &[u8], at: usize| u8::try_from(int(record, at)).unwrap_or(0);
    let dice = rolled.and_then(|record| Dice::new(die(record, 100), die(record, 104)));
    let (power, owner) = cube(int(first, places.cube));
    let scoring = known.scoring(game)?;
    let points = board(first, places.board);
    let seen = Position::new(points).map_err(|error| unusable(&error.to_string()))?;
    let is_x = player == Seat::X;
    let position = SinglePosition {
        points: if is_x { points } else { *seen.flipped().points() },
        scoring: if is_x { scoring } else { scoring.flipped() },
        cube: 1 << (power + known.automatic(game)).min(u32::from(Cube::MAX_LOG2)),
        owner: CubeOwner::of_seat(owner, player),
        on_roll: player,
        dice,
    };
    position.state().map_err(|reason| unusable(&reason))
}

fn places(record: &[u8]) -> Places {
    if record[KIND] == PLAY {
        Places { player: 64, cube: 108, board: 9 }
    } else {
        Places { player: 12, cube: 32, board: 36 }
    }
}

fn unusable(reason: &str) -> RecordErrorKind {
    RecordErrorKind::set_up("of the file", reason.to_owned())
}
