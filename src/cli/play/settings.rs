//! What a match needs beside its record, as tags of the `.mat` file: the seed, the level, the start.

use nonet::answer::read_id;
use nonet::backgammon::record::{GameStart, RecordEvent, RecordedGame};
use nonet::backgammon::{GameState, Scoring, Seat};
use nonet::engine::{Engine, Level};
use nonet::game::MatchSession;
use nonet::search::Plies;

use super::Args;
use crate::cli::usage;

/// The name of the net in records.
pub(super) const NET_NAME: &str = "nonet";

/// The settings of a match that its record does not hold.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Settings {
    pub(super) seed: u64,
    pub(super) level: Level,
    pub(super) plies: Plies,
    /// Of cube decisions.
    pub(super) cube_plies: Plies,
    pub(super) net: String,
    /// The position that the first game begins in.
    pub(super) start: Option<GameState>,
    pub(super) person: Seat,
}

impl Settings {
    /// The settings of a new match.
    pub(super) fn of_args(args: &Args, seed: u64) -> anyhow::Result<Settings> {
        let level = args.level.as_deref().map_or(Ok(Level::CHAMPION), level)?;
        let plies = args.ply.unwrap_or(Plies::TWO);
        let cube_plies = args.cube_ply.unwrap_or(Engine::CUBE_PLIES);
        let start = args.position.as_deref().map(read_id).transpose().map_err(usage)?;
        let net = args.engine.net.clone();
        Ok(Settings { seed, level, plies, cube_plies, net, start, person: Seat::X })
    }

    /// The session before its first decision.
    pub(super) fn begin(
        &self,
        names: [String; 2],
        scoring: Scoring,
    ) -> anyhow::Result<MatchSession> {
        let Some(start) = &self.start else {
            return Ok(MatchSession::new(names, scoring, self.seed));
        };
        let begun = MatchSession::from_position(names, start, self.seed);
        begun.map_err(|error| usage(format!("cannot begin in {}: {error}", start.xgid())))
    }

    /// The tags of the record.
    pub(super) fn tags(&self) -> Vec<(String, String)> {
        let person = if self.person == Seat::X { "first" } else { "second" };
        let tags = [
            ("Seed", self.seed.to_string()),
            ("Level", self.level.name.to_owned()),
            ("Ply", self.plies.get().to_string()),
            ("CubePly", self.cube_plies.get().to_string()),
            ("Net", self.net.clone()),
            ("Person", person.to_owned()),
        ];
        let start = self.start.as_ref().map(|start| ("Start", start.xgid()));
        tags.into_iter().chain(start).map(|(name, value)| (name.to_owned(), value)).collect()
    }

    /// The settings in the tags of a record; `None` if it is not one of `nonet play`.
    pub(super) fn of_tags(tags: &[(&str, &str)]) -> anyhow::Result<Option<Settings>> {
        let tag = |wanted: &str| tags.iter().find(|(name, _)| *name == wanted).map(|(_, v)| *v);
        let (Some("nonet"), Some(seed), Some(named), Some(ply), Some(net), Some(person)) =
            (tag("Site"), tag("Seed"), tag("Level"), tag("Ply"), tag("Net"), tag("Person"))
        else {
            return Ok(None);
        };
        let invalid = |name: &str, value: &str, wanted: &str| {
            usage(format!("invalid tag [{name} \"{value}\"]: expected {wanted}"))
        };
        // Records of earlier versions do not have it.
        let cube_plies = tag("CubePly").map_or(Ok(Engine::CUBE_PLIES), |cube_ply| {
            cube_ply.parse().map_err(|_| invalid("CubePly", cube_ply, "1 to 4"))
        });
        let start = tag("Start").map(read_id).transpose();
        Ok(Some(Settings {
            seed: seed.parse().map_err(|_| invalid("Seed", seed, "a number"))?,
            level: level(named)?,
            plies: ply.parse().map_err(|_| invalid("Ply", ply, "1 to 4"))?,
            cube_plies: cube_plies?,
            net: net.to_owned(),
            start: start.map_err(|error| usage(format!("invalid tag Start: {error}")))?,
            person: match person {
                "first" => Seat::X,
                "second" => Seat::O,
                _ => return Err(invalid("Person", person, "first or second")),
            },
        }))
    }

    /// Refuses options that would change a match that goes on.
    pub(super) fn check_unchanged(&self, args: &Args) -> anyhow::Result<()> {
        let changed = |name: &str, given: String, kept: String| {
            usage(format!(
                "invalid --{name} {given}: the match goes on as it began, with {kept}; leave the option out"
            ))
        };
        match (&args.level, args.ply, args.seed) {
            (Some(level), _, _) if level != self.level.name => {
                return Err(changed("level", level.clone(), self.level.name.to_owned()));
            }
            (_, Some(ply), _) if ply != self.plies => {
                return Err(changed("ply", ply.get().to_string(), self.plies.get().to_string()));
            }
            (_, _, Some(seed)) if seed != self.seed => {
                return Err(changed("seed", seed.to_string(), self.seed.to_string()));
            }
            _ => {}
        }
        if let Some(plies) = args.cube_ply.filter(|plies| *plies != self.cube_plies) {
            let kept = self.cube_plies.get().to_string();
            return Err(changed("cube-ply", plies.get().to_string(), kept));
        }
        if args.engine.net != self.net {
            return Err(usage(format!(
                "the match began with --net {0}: expected --net {0}",
                self.net
            )));
        }
        if args.save.is_some() {
            return Err(usage("invalid --save: a match that goes on is saved in its own file"));
        }
        Ok(())
    }
}

fn level(name: &str) -> anyhow::Result<Level> {
    Level::named(name).ok_or_else(|| {
        let names = nonet::engine::LEVELS.map(|level| level.name).join(", ");
        usage(format!("invalid level '{name}': expected {names}"))
    })
}

/// The scoring of a new match, seen by X.
pub(super) fn scoring(args: &Args) -> anyhow::Result<Scoring> {
    let length = if args.money { 0 } else { args.length.unwrap_or(3) };
    if length == 0 {
        return Ok(Scoring::Money { jacoby: args.jacoby, beavers: args.beavers });
    }
    if (args.jacoby || args.beavers) && args.position.is_none() {
        return Err(usage("--jacoby and --beavers are rules of money games: add --money"));
    }
    Scoring::of_match(length, 0, 0, false).map_err(usage)
}

/// The rules of money games added to a position.
pub(super) fn with_rules(start: &mut GameState, args: &Args) -> anyhow::Result<()> {
    match &mut start.state.scoring {
        Scoring::Money { jacoby, beavers } => {
            *jacoby |= args.jacoby;
            *beavers |= args.beavers;
            Ok(())
        }
        Scoring::Match(_) if args.jacoby || args.beavers => Err(usage(
            "--jacoby and --beavers are rules of money games: the position is of a match",
        )),
        Scoring::Match(_) => Ok(()),
    }
}

/// Names of the players, the person's first; without characters that a record cannot hold.
pub(super) fn names(name: Option<&str>) -> anyhow::Result<[String; 2]> {
    let plain = name.unwrap_or("you").replace([':', '"', '\0'], " ");
    let words: Vec<&str> = plain.split_whitespace().collect();
    let name = words.join(" ");
    if name.is_empty() || name.eq_ignore_ascii_case(NET_NAME) {
        return Err(usage(format!("invalid name '{name}': expected a name other than {NET_NAME}")));
    }
    Ok([name, NET_NAME.to_owned()])
}

/// The session of a record before its first decision: where its first game begins.
pub(super) fn start_of(games: &[RecordedGame], seed: u64) -> MatchSession {
    let first = &games[0];
    let begins = first.events().first().map(|event| match event {
        RecordEvent::Turn(turn) => turn.player,
        RecordEvent::Double { player, .. }
        | RecordEvent::Beaver { player, .. }
        | RecordEvent::Take { player }
        | RecordEvent::Drop { player } => *player,
    });
    let mut start = *first.start();
    // A position that is set up is seen by X as long as nobody is on roll.
    if start != GameStart::USUAL && start.on_roll.is_none() {
        start.on_roll = begins;
        if begins == Some(Seat::O) {
            start.position = start.position.flipped();
        }
    }
    let header = first.header().clone();
    MatchSession::from_start(header.names, header.scoring, start, seed)
}
