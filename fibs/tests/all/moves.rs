//! The arguments of the command `move`: the text for each play of each roll, in the order of the
//! checkers moved.

#![allow(clippy::expect_used, reason = "a test that cannot go on fails")]

use backgammon::{Dice, Position, candidates};

/// The checksum FNV-1a, 64 bits.
fn fnv1a(sum: u64, text: &str) -> u64 {
    text.bytes().fold(sum, |sum, byte| (sum ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}

/// The order of the moves and the order of the plays stay as they are.
///
/// Servers and other clients see the order of the moves. Through an agent that chooses by index,
/// they also see the order of the plays.
#[test]
fn the_text_and_the_order_of_many_plays_never_change() {
    let mut position = Position::START;
    let (mut state, mut sum, mut words) = (1u64, 0xcbf2_9ce4_8422_2325u64, 0);
    let mut random = || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize
    };
    for _ in 0..10 {
        let mut all = Vec::new();
        for dice in Dice::ALL {
            let plays = candidates(&position, dice);
            for play in &plays {
                let steps = position.steps_to(dice, &play.after).expect("a legal play");
                let text: Vec<String> =
                    steps.iter().map(|step| format!("{}-{}", step.from, step.to)).collect();
                if !text.is_empty() {
                    sum = fnv1a(sum, &format!("{};", text.join(" ")));
                    words += 1;
                }
            }
            sum = fnv1a(sum, "|");
            all.push(plays);
        }
        let plays = &all[random() % 21];
        // A roll that cannot be played takes no random number.
        let dances = plays[0].after == position.flipped();
        position = if dances { plays[0].after } else { plays[random() % plays.len()].after };
        if position.outcome().is_some() {
            position = Position::START;
        }
    }
    assert_eq!((words, sum), (5_685, 6_965_221_844_681_615_102));
}
