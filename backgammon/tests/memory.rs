//! Files that were made to fill the memory: what reading them takes, by the peak of the process.

#![cfg(target_os = "linux")]
#![allow(clippy::expect_used, reason = "a test that cannot go on fails")]
#![allow(clippy::print_stderr, reason = "figures for people")]

use std::time::{Duration, Instant};

use backgammon::record::read_record;

/// Bytes of memory of this process: the most since the last call.
fn most_memory() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").expect("Linux");
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("a peak");
    let kib: usize = line.trim().trim_end_matches(" kB").parse().expect("a number");
    // The peak becomes what is in use now.
    std::fs::write("/proc/self/clear_refs", "5").expect("writable by its process");
    kib << 10
}

const MIB: usize = 1 << 20;

/// Reads a file; says how many games and warnings it has, or why it is refused.
#[track_caller]
fn read(name: &str, bytes: &[u8], most: usize) -> String {
    let (_, start) = (most_memory(), Instant::now());
    let read = read_record(bytes, "f");
    let (took, time) = (most_memory().saturating_sub(bytes.len()), start.elapsed());
    let said = match &read {
        Ok(read) => format!("{} games, {} warnings", read.games.len(), read.warnings.len()),
        Err(error) => error.to_string(),
    };
    let size = bytes.len();
    eprintln!("{name}: {size} bytes, {} kiB, {} ms: {said}", took >> 10, time.as_millis());
    assert!(took < most, "{name}: {took} bytes of memory, expected less than {most}: {said}");
    assert!(time < Duration::from_secs(60), "{name}: {time:?}");
    said
}

#[cfg(feature = "compressed")]
mod compressed {
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::{GzEncoder, ZlibEncoder};

    /// A `.bgf`: the length of the name, and games that hold nothing.
    pub(super) fn bgf(name: usize, games: usize) -> Vec<u8> {
        let mut data = b":)\n\x03".to_vec();
        data.push(0xfa);
        // A name of 9 letters, and a text that ends with 0xfc.
        data.extend_from_slice(b"\x88nameGreen\xe0");
        data.extend(std::iter::repeat_n(b'a', name));
        data.extend_from_slice(b"\xfc\x84games\xf8");
        data.extend(std::iter::repeat_n([0xfa, 0xfb], games).flatten());
        data.extend_from_slice(b"\xf9\xfb");
        let mut bytes = b"{\"compression\":\"gzip\",\"encoding\":\"smile\"}\n".to_vec();
        let mut encoder = GzEncoder::new(&mut bytes, Compression::best());
        encoder.write_all(&data).expect("memory");
        encoder.finish().expect("memory");
        bytes
    }

    /// An `.xg`: one game in which X dances and O makes illegal plays.
    pub(super) fn xg(plays: usize) -> Vec<u8> {
        const RECORD: usize = 2560;
        let mut data = vec![0; (plays + 2) * RECORD];
        let put = |record: &mut [u8], at: usize, number: i32| {
            record[at..at + 4].copy_from_slice(&number.to_le_bytes());
        };
        put(&mut data, 92, 99_999);
        put(&mut data, 552, 30);
        data[556..560].copy_from_slice(b"DMLI");
        data[880..1136].fill(b'a');
        data[1138..1394].fill(b'b');
        // X is on the bar, and O has closed the home board.
        let mut board = [0u8; 26];
        (board[25], board[1]) = (1, 14);
        board[19..25].fill(2u8.wrapping_neg());
        for point in [18, 15, 12] {
            board[point] = 1u8.wrapping_neg();
        }
        data[RECORD + 8] = 1;
        data[RECORD + 21..RECORD + 47].copy_from_slice(&board);
        for (number, play) in data[2 * RECORD..].chunks_exact_mut(RECORD).enumerate() {
            let illegal = number % 2 == 1;
            play[8] = 3;
            play[9..35].copy_from_slice(&board);
            play[35..61].copy_from_slice(&board);
            put(play, 64, if illegal { -1 } else { 1 });
            put(play, 68, if illegal { 2 } else { -1 });
            put(play, 72, 20);
            put(play, 76, -1);
            put(play, 100, if illegal { 1 } else { 6 });
            put(play, 104, if illegal { 1 } else { 5 });
        }
        let mut bytes = vec![0; 8232];
        bytes[..4].copy_from_slice(b"RGMH");
        let mut encoder = ZlibEncoder::new(&mut bytes, Compression::best());
        encoder.write_all(&data).expect("memory");
        encoder.finish().expect("memory");
        bytes
    }
}

/// One test, because what it counts belongs to the process.
#[test]
fn files_that_were_made_to_fill_the_memory_do_not() {
    #[cfg(feature = "compressed")]
    {
        let refused = read("bgf, names", &compressed::bgf(1 << 20, 100_000), 64 * MIB);
        assert!(refused.contains("at most 2000 games"), "{refused}");
        let refused = read("bgf, games", &compressed::bgf(3, 2_000_000), 64 * MIB);
        assert!(refused.contains("too many values"), "{refused}");
        read("bgf, both", &compressed::bgf(1 << 20, 2_000), 64 * MIB);
        read("bgf, long", &compressed::bgf(1 << 28, 1), 64 * MIB);
        read("xg, plays", &compressed::xg(6_000), 96 * MIB);
        read("xg, more plays", &compressed::xg(13_000), 96 * MIB);
    }
    let name = "\u{d1}".repeat(1 << 19);
    let whole = |mut text: String, again: &str| {
        while text.len() + again.len() <= 4 * MIB {
            text.push_str(again);
        }
        text.into_bytes()
    };
    let most = 256 * MIB;
    let sgf = |tree: &str| whole(String::new(), tree);
    let sgg = |text: &str| whole("ann vs. bob\n".to_owned(), text);
    read("sgg, games", &sgg("Game 1.0-0\n1\t31: 8/5\n"), most);
    read("sgg, one game", &whole("Game 1.0-0\n".to_owned(), "1\t31:\n1\t\t62: O-O\n"), most);
    read("sgf, small trees", &sgf("(;W[31hefe])"), most);
    read("sgf, names", &sgf(&format!("(;PW[{0}]PB[{0}];W[31hefe])", "n".repeat(40))), most);
    read("sgf, one tree", &whole(format!("(;PW[{name}]PB[{name}]"), ";W[31hefe]AE[a]AW[a]"), most);
    read("sgf, positions", &whole(format!("(;PW[{name}];W[31hefe]"), ";AW[a]PL[W]"), most);
    read("sgf, stray", &sgf("(;W[31hefe]x\n)"), most);
    read(
        "sgf, stray in one game",
        &whole("(;RE[W+1];W[31hefe];W[double];B[drop]".into(), "x\n"),
        most,
    );
    let head = |name: &str| format!("; [Player 1 \"{name}\"]\n 3 point match\n");
    let long = "n".repeat(60_000);
    read("mat, names of tags", &whole(head(&long), "Game 1\n1) 31: 8/5 6/5\n"), most);
    let named = format!("3 point match\nGame 1\n{long}:0  b:0\n1) 31: 8/5 6/5\n");
    read("mat, names of lines", &whole(named, "Game 1\n1) 31: 8/5 6/5\n"), most);
    read("mat, errors", &whole(head("a"), "Game 1\n"), most);
    read("mat, rows", &whole(head("a") + "Game 1\na:0  b:0\n", "1)\n"), most);
    read("mat, a long row", &whole(head("a") + "Game 1\na:0  b:0\n1) 31:\n", "8/5\n"), most);
    read("mat, remarks", &whole(head("a") + "Game 1\na:0  b:0\n1) 31: 8/5 6/5\n", "x\n"), most);
    let lost = "Game 1\na:0  b:0\n1) 31: 8/5 6/5    33: 1/x\n2) 11: 13/12 6/5\n3) 65: 24/13\n";
    read("mat, lost turns", &whole(head("a"), lost)[..MIB], most);
    let colons = |of: &str| of.repeat(60_000 / of.len()) + "\n";
    read("mat, colons", &whole(head("a"), &colons("1:")), most);
    read("mat, lengths", &whole("x\n".into(), &colons("1 ")), most);
    let results = head("a") + "Game 1\na:0  w:0\n";
    read("mat, results", &whole(results, &colons("a w ")), most);
    let money = "Score is 0-0 in a money game.\n";
    read("oldmoves", &whole(String::new(), &format!("{money}a is X - b is O\nX: (3 1)\n")), most);
    let text = "The score (after 0 games) is: a 0, b 0\n";
    read("gnubg", &whole(String::new(), text), most);
    read("text, one word", &whole(String::new(), "a"), most);
    read("compact", &whole("x".into(), "1"), most);
}
