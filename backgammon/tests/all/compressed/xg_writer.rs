//! Writes `.xg` files for tests: every record that says something about the games, and no analysis.

use std::io::Write;

use backgammon::record::{RecordEnd, RecordEvent, RecordTurn, RecordedGame};
use backgammon::{GameState, Outcome, Position, Scoring, Seat, Stake, Turn};
use flate2::Compression;
use flate2::write::ZlibEncoder;

const RECORD: usize = 2560;
const VERSION: i32 = 30;

fn put(record: &mut [u8], at: usize, number: i32) {
    record[at..at + 4].copy_from_slice(&number.to_le_bytes());
}

fn record(kind: u8) -> Vec<u8> {
    let mut record = vec![0; RECORD];
    record[8] = kind;
    record
}

fn put_board(record: &mut [u8], at: usize, points: &[i8; 26]) {
    for (byte, &checkers) in record[at..at + 26].iter_mut().zip(points) {
        *byte = checkers as u8;
    }
}

const fn player(seat: Seat) -> i32 {
    if matches!(seat, Seat::X) { 1 } else { -1 }
}

fn score(scoring: Scoring, money: [i32; 2]) -> [i32; 2] {
    match scoring {
        Scoring::Match(score) => [score.own().into(), score.opponent().into()],
        Scoring::Money { .. } => money,
    }
}

fn head(names: &[String; 2], scoring: Scoring) -> Vec<u8> {
    let mut head = record(0);
    for (name, (short, wide)) in names.iter().zip([(9, 880), (50, 1138)]) {
        let bytes: Vec<u8> =
            name.chars().map(|c| u8::try_from(u32::from(c)).unwrap_or(b'?')).take(40).collect();
        head[short] = bytes.len() as u8;
        head[short + 1..short + 1 + bytes.len()].copy_from_slice(&bytes);
        for (at, unit) in name.encode_utf16().take(128).enumerate() {
            head[wide + 2 * at..wide + 2 * at + 2].copy_from_slice(&unit.to_le_bytes());
        }
    }
    match scoring {
        Scoring::Match(score) => {
            put(&mut head, 92, score.length().into());
            head[100] = 1;
        }
        Scoring::Money { jacoby, beavers } => {
            put(&mut head, 92, 99_999);
            (head[101], head[102]) = (jacoby.into(), beavers.into());
            head[584] = 1;
        }
    }
    put(&mut head, 552, VERSION);
    head[556..560].copy_from_slice(b"DMLI");
    // The highest cube is 1024.
    put(&mut head, 612, 10);
    head
}

/// The cube as 0, or the power of two with a sign for its owner.
fn cube_code(cube: u32, owner: Option<Seat>) -> i32 {
    let power = cube.ilog2() as i32;
    owner.map_or(0, |owner| power * player(owner))
}

/// The records of a position: the roll is that of a play that was not made.
fn position_records(state: &GameState) -> Vec<u8> {
    let GameState { position, state } = state;
    let on_roll = state.on_roll;
    let scoring = if on_roll == Seat::X { state.scoring } else { state.scoring.flipped() };
    let mut out = head(&["Player 1", "Player 2"].map(str::to_owned), scoring);
    let mut game = record(1);
    let [x, o] = score(scoring, [0, 0]);
    put(&mut game, 12, x);
    put(&mut game, 16, o);
    game[20] = matches!(scoring, Scoring::Match(score) if score.is_crawford()).into();
    put(&mut game, 48, 1);
    // In progress.
    game[52] = 1;
    out.extend(game);
    let board = of_first(position, on_roll);
    let code = cube_code(state.cube.value(), state.cube.owner().seat(on_roll));
    let mut cube = record(2);
    put(&mut cube, 12, player(on_roll));
    for at in (16..32).step_by(4) {
        put(&mut cube, at, -1);
    }
    put(&mut cube, 32, code);
    put_board(&mut cube, 36, board.points());
    out.extend(cube);
    if let Turn::Rolled(dice) = state.turn {
        let mut play = record(3);
        put_board(&mut play, 9, board.points());
        put(&mut play, 64, player(on_roll));
        play[68..100].fill(0xff);
        put(&mut play, 100, dice.high().into());
        put(&mut play, 104, dice.low().into());
        put(&mut play, 108, code);
        out.extend(play);
    }
    out
}

/// An `.xgp` file of a position.
pub(crate) fn position_file(state: &GameState) -> Vec<u8> {
    let mut bytes = file(&position_records(state));
    // What eXtreme Gammon writes into every such file.
    bytes[24..28].copy_from_slice(&0x2f5a_f5e1_u32.to_le_bytes());
    bytes[28..30].copy_from_slice(&0xe021_u16.to_le_bytes());
    bytes[30..32].copy_from_slice(&0x4832_u16.to_le_bytes());
    bytes[32..40].copy_from_slice(&0xa423_ef48_0ec5_8a0b_u64.to_be_bytes());
    bytes
}

fn of_first(position: &Position, on_roll: Seat) -> Position {
    if on_roll == Seat::X { *position } else { position.flipped() }
}

fn play(turn: &RecordTurn, cube: i32) -> Vec<u8> {
    let mut play = record(3);
    put_board(&mut play, 9, of_first(&turn.before, turn.player).points());
    // The board after the play, as the mover sees it.
    let after = turn.after.flipped();
    put_board(&mut play, 35, after.points());
    put(&mut play, 64, player(turn.player));
    let steps = turn.before.steps_to(turn.dice, &turn.after).expect("legal");
    for at in 0..4 {
        let (from, to) = steps
            .get(at)
            .map_or((-1, -1), |step| (i32::from(step.from) - 1, i32::from(step.to) - 1));
        put(&mut play, 68 + 8 * at, from);
        put(&mut play, 72 + 8 * at, to);
        play[1024 + 2 * at] = from as u8;
        play[1025 + 2 * at] = to as u8;
    }
    put(&mut play, 100, turn.dice.high().into());
    put(&mut play, 104, turn.dice.low().into());
    put(&mut play, 108, cube);
    put(&mut play, 120, i32::from(!steps.is_empty()));
    put(&mut play, 188, i32::from(!steps.is_empty()));
    put_board(&mut play, 192, after.points());
    play[2304] = 1;
    play
}

/// The records of a match.
pub(crate) fn records(games: &[RecordedGame]) -> Vec<u8> {
    let mut out = head(&games[0].header().names, games[0].header().scoring);
    let mut money = [0; 2];
    for (number, game) in (1..).zip(games) {
        let before = score(game.header().scoring, money);
        let mut header = record(1);
        put(&mut header, 12, before[0]);
        put(&mut header, 16, before[1]);
        header[20] =
            matches!(game.header().scoring, Scoring::Match(score) if score.is_crawford()).into();
        let on_roll = game.start().on_roll.unwrap_or(Seat::X);
        put_board(&mut header, 21, of_first(&game.start().position, on_roll).points());
        put(&mut header, 48, number);
        out.extend(header);
        events(game, &mut out);
        let mut footer = record(4);
        let mut after = before;
        if let Some((winner, points)) = game.won() {
            after[winner.index()] += points as i32;
            put(&mut footer, 24, player(winner));
            put(&mut footer, 28, points as i32);
            let way = match game.end() {
                RecordEnd::Resigned { stake: Stake::Single, .. } => 100,
                RecordEnd::Resigned { stake: Stake::Gammon, .. } => 101,
                RecordEnd::Resigned { stake: Stake::Backgammon, .. } => 102,
                RecordEnd::Natural { outcome: Outcome::Win, .. } => 1,
                RecordEnd::Natural { outcome: Outcome::WinGammon, .. } => 2,
                RecordEnd::Natural { .. } => 3,
                _ => 0,
            };
            put(&mut footer, 32, way);
        }
        put(&mut footer, 12, after[0]);
        put(&mut footer, 16, after[1]);
        money = after;
        out.extend(footer);
    }
    let mut end = record(5);
    put(&mut end, 12, money[0]);
    put(&mut end, 16, money[1]);
    out.extend(end);
    out
}

fn events(game: &RecordedGame, out: &mut Vec<u8>) {
    let (mut cube, mut owner) = (game.start().cube, game.start().cube_owner);
    let mut position = None;
    let mut pending: Option<Vec<u8>> = None;
    let mut value_offered = 0;
    for event in game.events() {
        match *event {
            RecordEvent::Turn(turn) => {
                if let Some(cube) = pending.take() {
                    out.extend(cube);
                } else {
                    // No double: there is a record all the same, with -2 before the first roll.
                    let mut none = record(2);
                    put(&mut none, 12, player(turn.player));
                    put(&mut none, 16, if position.is_none() { -2 } else { 0 });
                    put(&mut none, 20, -1);
                    put(&mut none, 32, cube_code(cube, owner));
                    put_board(&mut none, 36, of_first(&turn.before, turn.player).points());
                    out.extend(none);
                }
                out.extend(play(&turn, cube_code(cube, owner)));
                position = Some(of_first(&turn.after, turn.player.other()));
            }
            RecordEvent::Double { player: doubler, value } => {
                let mut record = record(2);
                put(&mut record, 12, player(doubler));
                put(&mut record, 16, 1);
                put(&mut record, 20, -1);
                put(&mut record, 24, -1);
                put(&mut record, 28, -1);
                put(&mut record, 32, cube_code(cube, owner));
                if let Some(position) = &position {
                    put_board(&mut record, 36, position.points());
                }
                (pending, value_offered) = (Some(record), value);
            }
            RecordEvent::Beaver { value, .. } => {
                let record = pending.as_mut().expect("a double");
                let at = if record[20] == 2 { 24 } else { 20 };
                put(record, at, 2);
                value_offered = value;
            }
            RecordEvent::Take { player: taker } | RecordEvent::Drop { player: taker } => {
                let taken = i32::from(matches!(event, RecordEvent::Take { .. }));
                let record = pending.as_mut().expect("a double");
                let at = match (record[20], record[24]) {
                    (2, 2) => 28,
                    (2, _) => 24,
                    _ => 20,
                };
                put(record, at, taken);
                let doubler = if record[12] == 1 { Seat::X } else { Seat::O };
                if taken == 1 {
                    (cube, owner) = (value_offered, Some(doubler.other()));
                } else if let Some(record) = pending.take() {
                    out.extend(record);
                }
                let _ = taker;
            }
        }
    }
    if let Some(record) = pending {
        out.extend(record);
    }
}

fn zlib(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).expect("memory");
    encoder.finish().expect("memory")
}

/// A file with the records, a picture of a few bytes and the index of its parts.
pub(crate) fn file(records: &[u8]) -> Vec<u8> {
    let picture = b"\xff\xd8\xff\xe0 no picture \xff\xd9";
    let mut out = b"RGMH".to_vec();
    out.extend(1i32.to_le_bytes());
    out.extend(8232i32.to_le_bytes());
    out.extend(0i64.to_le_bytes());
    out.extend((picture.len() as u32).to_le_bytes());
    out.resize(8232, 0);
    out.extend(picture);
    let short = [&records[..RECORD], &records[records.len() - RECORD..]].concat();
    let parts = [("temp.xg", records), ("temp.xgi", short.as_slice())];
    let (mut data, mut index) = (Vec::new(), Vec::new());
    for (name, part) in parts {
        let packed = zlib(part);
        let mut entry = vec![0; 532];
        entry[0] = name.len() as u8;
        entry[1..1 + name.len()].copy_from_slice(name.as_bytes());
        put(&mut entry, 512, part.len() as i32);
        put(&mut entry, 516, packed.len() as i32);
        put(&mut entry, 520, data.len() as i32);
        entry[524..528].copy_from_slice(&crc(part).to_le_bytes());
        entry[529] = 9;
        index.extend(entry);
        data.extend(packed);
    }
    let index = zlib(&index);
    let size = data.len() as i32;
    data.extend(&index);
    let mut trailer = vec![0; 36];
    trailer[..4].copy_from_slice(&crc(&data).to_le_bytes());
    put(&mut trailer, 4, parts.len() as i32);
    put(&mut trailer, 8, 1);
    put(&mut trailer, 12, index.len() as i32);
    put(&mut trailer, 16, size);
    put(&mut trailer, 20, 1);
    out.extend(data);
    out.extend(trailer);
    out
}

fn crc(bytes: &[u8]) -> u32 {
    let mut crc = flate2::Crc::new();
    crc.update(bytes);
    crc.sum()
}
