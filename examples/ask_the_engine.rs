//! The best plays of a roll, their chances, and a cube decision, each at the score of an XGID.

#![allow(clippy::print_stdout, reason = "an example shows its results")]

use nonet::{Engine, GameState};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let engine = Engine::champion();
    // X leads 2 to 1 in a match to 7 and has rolled 31. Position IDs and GNU IDs are read, too.
    let rolled: GameState = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:2:1:0:7:10".parse()?;
    println!("{}\n{}", rolled.position, rolled.state);
    for play in engine.moves(&rolled)?.iter().take(3) {
        println!("{play}, {}", play.value);
    }
    let to_roll: GameState = "XGID=-a-aBbD-C-B-bCA---ab--bbb-:0:0:1:00:2:3:0:5:10".parse()?;
    let cube = engine.cube(&to_roll)?;
    println!("{cube}: {:+.3} without a double, {:+.3} with", cube.no_double, cube.double_take);
    Ok(())
}
