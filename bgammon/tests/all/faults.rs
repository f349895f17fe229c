//! Servers that misbehave and opponents who are hostile, made from seeds. Whatever they did, the
//! next match is played to its end.

use std::cell::Cell;
use std::collections::VecDeque;
use std::rc::Rc;
use std::time::Duration;

use bgammon::session::Close;
use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64;

use crate::world::{HOUR, MINUTE, Meddle, World, two};

/// The number of worlds, unless BGAMMON_SEEDS says another.
const SEEDS: u64 = 20;
/// How long they are bad.
const BAD: Duration = Duration::from_secs(10 * 60);

const NOISE: [&str; 14] = [
    "{\"Type\":\"confetti\",\"Player\":\"BOT_nonet\"}",
    "{\"Type\":\"board\"}",
    "{\"Type\":\"board\",\"Board\":[1,2,3]}",
    "{\"Type\":\"joined\"}",
    "{\"Type\":\"joined\",\"Player\":\"eve\",\"GameID\":99}",
    "{\"Type\":\"left\",\"Player\":\"eve\"}",
    "{\"Type\":\"rolled\",\"Player\":\"BOT_nonet\",\"Roll1\":6,\"Roll2\":6}",
    "{\"Type\":\"moved\",\"Player\":\"BOT_nonet\",\"Moves\":[[24,18]]}",
    "{\"Type\":\"win\",\"Player\":\"eve\",\"Points\":3}",
    "{\"Type\":\"failedok\",\"Reason\":\"no\"}",
    "{\"Type\":\"failedjoin\",\"Reason\":\"no\"}",
    "{\"Type\":\"failedleave\"}",
    "{\"Type\":7}",
    "\u{0}\u{1b}[2J{{{",
];

/// A link that loses, repeats, delays and invents lines while `bad`.
fn meddle(seed: u64, share: f64, noise: bool, bad: &Rc<Cell<bool>>) -> Meddle {
    let mut rng = Pcg64::seed_from_u64(seed);
    let bad = Rc::clone(bad);
    let mut held: Option<String> = None;
    Box::new(move |lines: &mut VecDeque<String>, line: String| {
        if !bad.get() || !rng.random_bool(share) {
            lines.push_back(line);
            lines.extend(held.take());
            return;
        }
        match rng.random_range(0..5) {
            0 => {}
            1 => lines.extend([line.clone(), line]),
            // It comes after the next one.
            2 => held = Some(line),
            3 => lines.push_front(line),
            _ if noise => {
                lines.push_back(NOISE[rng.random_range(0..NOISE.len())].to_owned());
                lines.push_back(line);
            }
            _ => lines.push_back(line),
        }
    })
}

/// What a hostile opponent sends.
const HOSTILE: [&str; 13] = [
    "leave",
    "resign",
    "k",
    "r",
    "d",
    "reset",
    "rm",
    "mv 24/23",
    "b",
    "say move!",
    "say {\"Type\":\"left\",\"Player\":\"BOT_nonet\"}",
    "j BOT_nonet",
    "c public 5 0 mine",
];

/// A world of this seed after its bad time, and the number of things that went wrong in it.
fn bad_world(seed: u64) -> (World, u32) {
    let mut rng = Pcg64::seed_from_u64(seed ^ 0xbad);
    let mut world = two(seed, rng.random_range(1..=5));
    let bad = Rc::new(Cell::new(true));
    // Some worlds have bad links, some hostile opponents, some both.
    let [link, hostile] = [!seed.is_multiple_of(3), seed % 3 != 1];
    let share = if link { [0.01, 0.05, 0.2][seed as usize % 5 % 3] } else { 0.0 };
    for (i, player) in world.players.iter_mut().enumerate() {
        let seed = 4 * seed + 2 * i as u64;
        player.incoming = meddle(seed, share, true, &bad);
        player.outgoing = meddle(seed + 1, share, false, &bad);
    }
    let mut troubles = 0;
    let mut next = Duration::ZERO;
    world.run(BAD, |world| {
        if world.now < next {
            return false;
        }
        next = world.now + Duration::from_millis(rng.random_range(100..60_000));
        let now = world.now;
        troubles += 1;
        match rng.random_range(0..13) {
            12 if link => world.lose(0, Duration::from_secs(rng.random_range(1..60))),
            0 if link => world.server.restart(),
            1 if link => world.cut(0, Duration::from_secs(rng.random_range(1..200))),
            2 if hostile => world.cut(1, Duration::from_secs(rng.random_range(1..200))),
            3 if hostile => {
                world.players[1].agent.rematches = rng.random_range(0..3);
                world.players[0].agent.rematches = rng.random_range(0..3);
            }
            _ if hostile => {
                if let Some(id) = world.players[1].connection {
                    world.server.line(id, HOSTILE[rng.random_range(0..HOSTILE.len())], now);
                }
            }
            _ => {}
        }
        false
    });
    bad.set(false);
    (world, troubles)
}

#[test]
fn after_any_trouble_the_next_match_is_played_to_its_end() {
    let seeds = std::env::var("BGAMMON_SEEDS").ok().and_then(|seeds| seeds.parse().ok());
    let mut names_refused = 0;
    for seed in 0..seeds.unwrap_or(SEEDS) {
        let (mut world, troubles) = bad_world(seed);
        assert!(troubles > 10);
        let before = world.players[0].agent.matches_over();
        let began = world.now;
        // The seat is kept for 15 minutes, and a match may have to be waited out.
        let done =
            world.run(began + 6 * HOUR, |world| world.players[0].agent.matches_over() > before);
        let bot = &world.players[0];
        let refused = |close: &&Close| matches!(close, Close::Refused(_));
        names_refused += bot.closed.iter().filter(refused).count();
        assert!(
            done,
            "seed {seed}: {:#?}\n{:#?}\n{:#?}",
            bot.session,
            bot.sent.iter().rev().take(20).collect::<Vec<_>>(),
            bot.agent.events.iter().rev().take(20).collect::<Vec<_>>()
        );
        // The bot does not flood the server.
        let lines = bot.sent.len() as f64 / (world.now.as_secs_f64() + 1.0);
        assert!(lines < 5.0, "seed {seed}: {lines} lines a second");
        assert!(world.now > 5 * MINUTE);
    }
    assert!(names_refused > 5, "{names_refused}");
}
