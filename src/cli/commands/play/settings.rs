//! The options of a match: those of a new one, and those that a match that goes on cannot change.

use std::path::Path;

use nonet::answer::read_id;
use nonet::backgammon::{GameState, Scoring, Seat};
use nonet::engine::{Engine, Level};
use nonet::open::is_built_in;
use nonet::person_match::{MatchSettings, PersonMatch, SettingsError, player_names};

use super::Args;
use crate::cli::error::usage;
use crate::cli::output::shell_word::shell_word;

/// The settings of a new match.
pub(super) fn of_args(args: &Args, seed: u64) -> anyhow::Result<MatchSettings> {
    let named =
        |name: &str| Level::named(name).ok_or_else(|| usage(SettingsError::Level(name.to_owned())));
    let level = args.level.as_deref().map_or(Ok(Level::CHAMPION), named)?;
    let plies = args.ply.unwrap_or(Engine::PLAY_PLIES);
    let cube_plies = args.cube_ply.unwrap_or(Engine::CUBE_PLIES);
    let start = args.position.as_deref().map(read_id).transpose().map_err(usage)?;
    let net = args.engine.net.clone();
    Ok(MatchSettings {
        seed,
        level,
        plies,
        cube_plies,
        net,
        start,
        person: Seat::X,
        two_people: false,
    })
}

/// Refuses options that would change a match that goes on between players of these names.
pub(super) fn check_unchanged(
    settings: &MatchSettings,
    names: &[String; 2],
    args: &Args,
) -> anyhow::Result<()> {
    let changed = |name: &str, given: String, kept: String| {
        usage(format!(
            "invalid --{name} {given}: the match goes on as it began, with {kept}; leave the option out"
        ))
    };
    match (&args.level, args.ply, args.seed) {
        (Some(level), _, _) if level != settings.level.name => {
            return Err(changed("level", level.clone(), settings.level.name.to_owned()));
        }
        (_, Some(ply), _) if ply != settings.plies => {
            return Err(changed("ply", ply.get().to_string(), settings.plies.get().to_string()));
        }
        (_, _, Some(seed)) if seed != settings.seed => {
            return Err(changed("seed", seed.to_string(), settings.seed.to_string()));
        }
        _ => {}
    }
    if let Some(plies) = args.cube_ply.filter(|plies| *plies != settings.cube_plies) {
        let kept = settings.cube_plies.get().to_string();
        return Err(changed("cube-ply", plies.get().to_string(), kept));
    }
    let kept = &names[settings.person.index()];
    if let Some(name) = &args.name
        && player_names(Some(name)).map_err(usage)?[0] != *kept
    {
        return Err(changed("name", name.clone(), kept.clone()));
    }
    let same_net = args.engine.net == settings.net
        || [&args.engine.net, &settings.net].into_iter().all(|net| is_built_in(net));
    if !same_net {
        return Err(usage(format!(
            "the match began with --net {0}: expected --net {0}",
            shell_word(Path::new(&settings.net))
        )));
    }
    if args.save.is_some() {
        return Err(usage("invalid --save: a match that goes on is saved in its own file"));
    }
    Ok(())
}

/// The scoring of a new match, seen by X.
pub(super) fn scoring(args: &Args) -> anyhow::Result<Scoring> {
    let length = if args.money { 0 } else { args.length.unwrap_or(PersonMatch::LENGTH) };
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
