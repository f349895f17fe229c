//! Every kind of task that can come from another machine.

use std::sync::Arc;

use super::maker::{AttachedMaker, OpenTeams};
use nonet_engine::analysis::{ANALYSIS_TASK, open_analysis_task};
use nonet_engine::game::{SERIES_TASK, open_series_task};
use nonet_engine::progress::RemoteTask;
use nonet_engine::rollout::{ROLLOUT_TASK, open_rollout_task};
use nonet_training::benchmark::{REFERENCES_TASK, open_references_task};
use nonet_training::train::{GAMES_TASK, TARGETS_TASK, open_games_task, open_targets_task};

/// Opens a task of this kind that has come from another machine with its attachments. `teams` holds
/// what earlier tasks have opened.
///
/// # Errors
/// What is wrong with its description, or what cannot be made here.
pub fn open_task(
    kind: &str,
    settings: &[u8],
    attachments: Vec<Arc<[u8]>>,
    teams: &OpenTeams,
) -> Result<Box<dyn RemoteTask>, String> {
    let maker = AttachedMaker::new(attachments, teams);
    match kind {
        SERIES_TASK => open_series_task(settings, &maker),
        ROLLOUT_TASK => open_rollout_task(settings, &maker),
        ANALYSIS_TASK => open_analysis_task(settings, &maker),
        REFERENCES_TASK => open_references_task(settings, &maker),
        GAMES_TASK => open_games_task(settings, &maker),
        TARGETS_TASK => open_targets_task(settings, &maker),
        nonet_papers::CELLS_TASK => nonet_papers::open_cells_task(settings, &maker),
        other => Err(format!("unknown kind of task '{other}'")),
    }
}

#[cfg(test)]
mod tests {
    use std::ops::Range;
    use std::sync::Mutex;

    use super::*;
    use nonet_engine::analysis::analyse;
    use nonet_engine::backgammon::record::{GameHeader, Recorder};
    use nonet_engine::backgammon::{Position, Seat};
    use nonet_engine::class::Class;
    use nonet_engine::engine::Engine;
    use nonet_engine::eval::{Architecture, PubEval, Specialists};
    use nonet_engine::game::{
        Greedy, MatchLength, Player, SeriesConfig, SeriesRules, StreamPurpose,
        play_adjusted_series, play_series, stream,
    };
    use nonet_engine::progress::{DispatchError, Dispatcher, Job, Progress};
    use nonet_engine::rollout::{RolloutConfig, RolloutSums};
    use nonet_engine::search::{Plies, RollLuck, Search, SearchSettings};
    use nonet_training::benchmark::{ReferenceConfig, SamplingConfig, sampled, with_references};
    use nonet_training::train::{
        GameSource, GeneratedGames, Learner, RootStrap, Rule, Seats, StartKind, Starts, TargetRule,
        UpdateRule,
    };

    /// Sends every part through bytes and back, in parts of three, the last one first.
    #[derive(Debug, Default)]
    struct Loopback {
        kinds: Mutex<Vec<String>>,
        teams: OpenTeams,
    }

    impl Dispatcher for Loopback {
        fn dispatch(&self, job: &dyn Job, numbers: Range<u64>) -> Result<(), DispatchError> {
            let description = job.describe().expect("other machines can do it");
            self.kinds.lock().expect("no panic").push(job.kind().to_owned());
            let attachments = description.attachments.pieces().to_vec();
            let task = open_task(job.kind(), &description.settings, attachments, &self.teams);
            let task = task.map_err(DispatchError::Failed)?;
            let starts: Vec<u64> = numbers.clone().step_by(3).collect();
            for start in starts.into_iter().rev() {
                let part = start..(start + 3).min(numbers.end);
                let input = job.input(&part);
                let bytes = task.run(part.clone(), &input, &Progress::default());
                let bytes = bytes.map_err(DispatchError::Failed)?.expect("not stopped");
                assert_eq!(Some(&bytes), job.again(part.clone()).as_ref(), "{part:?}");
                job.accept(part, &bytes).map_err(DispatchError::Failed)?;
            }
            Ok(())
        }

        fn slots(&self) -> u64 {
            3
        }
    }

    fn elsewhere() -> (Progress, Arc<Loopback>) {
        let loopback = Arc::new(Loopback::default());
        (
            Progress::default().with_dispatcher(Arc::clone(&loopback) as Arc<dyn Dispatcher>),
            loopback,
        )
    }

    fn team(seed: u64) -> Specialists {
        Specialists::random(&Architecture::ALL[0], &mut stream(seed, StreamPurpose::Weights, 0))
    }

    fn config(games: u64, rules: SeriesRules) -> SeriesConfig {
        SeriesConfig { rules, ..SeriesConfig::new(games, 3) }
    }

    #[test]
    fn a_series_is_the_same_elsewhere_whoever_plays_it() {
        let one = team(1);
        let engine = Engine::builder().net(team(2)).plies(Plies::TWO).cube_plies(Plies::ONE);
        let engine = engine.build().expect("built").player();
        let search = Search::new(&one, Plies::TWO, SearchSettings::NORMAL);
        let length = MatchLength::new(3).expect("a length");
        let pairs: [(&dyn Player, &dyn Player, u64, SeriesRules); 4] = [
            (&Greedy(&one), &PubEval, 20, SeriesRules::Cubeless),
            (engine.as_ref(), &nonet_engine::game::Random, 4, SeriesRules::MONEY),
            (&search, &PubEval, 4, SeriesRules::Cubeless),
            (&Greedy(&one), &PubEval, 8, SeriesRules::Match(length)),
        ];
        for (a, b, games, rules) in pairs {
            let (config, (there, loopback)) = (config(games, rules), elsewhere());
            let here = play_series(a, b, &config, &Progress::default());
            assert!(here.is_ok());
            assert_eq!(play_series(a, b, &config, &there), here);
            assert_eq!(there.done(), games);
            assert_eq!(*loopback.kinds.lock().expect("no panic"), [SERIES_TASK]);
        }
    }

    #[test]
    fn the_luck_of_a_series_is_the_same_elsewhere() {
        let one = team(1);
        let luck = RollLuck::new(Search::new(&one, Plies::ONE, SearchSettings::NORMAL));
        let (config, (there, _)) = (config(8, SeriesRules::Cubeless), elsewhere());
        let play = |progress: &Progress| {
            play_adjusted_series(&PubEval, &nonet_engine::game::Random, &luck, &config, progress)
        };
        let here = play(&Progress::default());
        assert!(here.as_ref().is_ok_and(|series| series.adjusted.is_some()));
        assert_eq!(play(&there), here);
    }

    #[test]
    fn a_rollout_is_the_same_elsewhere_and_ends_where_it_would_have_ended() {
        let engine = Engine::builder().net(team(2)).build().expect("built");
        let context = engine.context(
            nonet_engine::backgammon::Scoring::Money { jacoby: false, beavers: false },
            nonet_engine::backgammon::Cube::CENTRED,
        );
        let context = context.expect("money");
        let line = Engine::rollout_line(&Position::START, Some(&context));
        let lines = [line.clone(), Engine::rollout_line(&Position::START, None)];
        let config = RolloutConfig { games: 1000, truncate: Some(3), ..RolloutConfig::default() };
        let roll = |progress: &Progress| {
            let mut sums = [RolloutSums::default(), RolloutSums::default()];
            let mut enough = |sums: &[RolloutSums]| sums[0].games() >= 432;
            engine.rollout_together(&lines, &config, &mut sums, &mut enough, progress);
            sums
        };
        let here = roll(&Progress::default());
        assert_eq!((here[0].games(), here[1].games()), (432, 432));
        let (there, loopback) = elsewhere();
        assert_eq!(roll(&there), here);
        assert_eq!(*loopback.kinds.lock().expect("no panic"), [ROLLOUT_TASK], "three at once");
    }

    #[test]
    fn references_are_the_same_elsewhere() {
        let engine = Engine::builder().net(team(2)).build().expect("built");
        let judges = [engine.with_plies(Plies::ONE).evaluator(), engine.evaluator()];
        let sampling = SamplingConfig::new(7, 1);
        let found = sampled(judges[0].as_ref(), &sampling, &Progress::default());
        let found = found.expect("not stopped");
        let config = ReferenceConfig { plays: 2, max_loss: 0.1 };
        let make = |progress: &Progress| {
            with_references(&found, judges[0].as_ref(), &judges, &config, progress)
        };
        let (here, (there, loopback)) = (make(&Progress::default()), elsewhere());
        assert!(here.as_ref().is_some_and(|made| made.len() == found.len()));
        assert_eq!(make(&there), here);
        assert_eq!(there.done(), found.len() as u64);
        assert_eq!(*loopback.kinds.lock().expect("no panic"), [REFERENCES_TASK]);
    }

    #[test]
    fn an_analysis_is_the_same_elsewhere() {
        let engine = Engine::builder().net(team(2)).plies(Plies::TWO).cube_plies(Plies::ONE);
        let engine = engine.build().expect("built");
        let scoring = nonet_engine::backgammon::Scoring::Money { jacoby: false, beavers: true };
        let header = GameHeader { names: ["ann".into(), "bob".into()], scoring };
        let mut game = Recorder::new(header);
        for (player, dice, play) in [
            (Seat::X, "52", "13/8 24/22"),
            (Seat::O, "21", "24/23 13/11"),
            (Seat::X, "62", "24/16"),
        ] {
            if player == Seat::O {
                game.double(player).expect("may");
                game.take(Seat::X).expect("may");
            }
            let dice = dice.parse().expect("a roll");
            let after = game.position().read_play(play, dice).expect(play).after;
            game.turn(player, dice, &after).expect("in turn");
        }
        let games = [game.finish()];
        let (there, loopback) = elsewhere();
        let here = analyse(&games, &engine, &Progress::default());
        assert!(matches!(&here, Ok(Some(found)) if found[0].decisions.len() > 4));
        assert_eq!(analyse(&games, &engine, &there), here);
        assert_eq!(there.done(), 5, "a double, a take and three rolls");
        assert_eq!(*loopback.kinds.lock().expect("no panic"), [ANALYSIS_TASK]);
    }

    #[test]
    fn games_and_targets_are_the_same_elsewhere() {
        let learner = team(1);
        let expert = Engine::builder().net(team(2)).plies(Plies::ONE).build().expect("built");
        let classes = [Seats::SelfPlay, Seats::Expert(expert.player())];
        for seats in classes {
            let (plies, epsilon) = (Plies::ONE, 0.1);
            let kinds = vec![StartKind::Class(Class::of(&Position::START))];
            let starts = Some(Starts { kinds, chance: 0.5 });
            let mut source = GeneratedGames { seed: 5, plies, epsilon, starts, seats };
            let (there, loopback) = elsewhere();
            let here = source.games(7..17, &learner).expect("games").games;
            let games = source.shared_games(7..17, &learner, &there).expect("games").games;
            assert_eq!(games, here);
            let teacher = expert.evaluator();
            let rootstrap = Rule::of(TargetRule::RootStrap(RootStrap::default()));
            for (rule, teacher) in [
                (rootstrap, None),
                (rootstrap, Some(teacher.as_ref())),
                (Rule::of(TargetRule::TdLeaf), None),
                (Rule::TD, Some(teacher.as_ref())),
            ] {
                let update = UpdateRule { teacher, ..UpdateRule::new(rule, 0.01, 0.6) };
                let learned = [&Progress::default(), &there].map(|progress| {
                    let mut learner = Learner::new(learner.clone(), None);
                    let stats = learner.learn_shared(&games[..4], &update, progress);
                    (learner, stats.expect("not stopped"))
                });
                assert_eq!(learned[0], learned[1]);
            }
            let kinds = loopback.kinds.lock().expect("no panic").clone();
            assert_eq!(kinds[0], GAMES_TASK);
            assert!(kinds[1..].iter().all(|kind| kind == TARGETS_TASK) && kinds.len() == 5);
        }
    }

    #[test]
    fn a_task_that_cannot_be_opened_says_why() {
        let error = |kind, settings: &[u8]| {
            open_task(kind, settings, Vec::new(), &OpenTeams::default()).err()
        };
        assert_eq!(error("chess", &[]).as_deref(), Some("unknown kind of task 'chess'"));
        for kind in
            [SERIES_TASK, ROLLOUT_TASK, ANALYSIS_TASK, REFERENCES_TASK, GAMES_TASK, TARGETS_TASK]
        {
            assert!(error(kind, &[1, 2, 3]).is_some(), "{kind}");
        }
    }
}
