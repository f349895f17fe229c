//! A checkpoint goes on with the run that made it, and with no other.

use std::sync::Arc;

use crate::train::{
    GeneratedGames, Participants, ResumeError, RunProgress, Seats, TrainCheckpoint, TrainPlan,
    TrainSpec, Trainer, starting_team,
};
use nonet_engine::backgammon::Position;
use nonet_engine::eval::{
    Evaluation, Evaluator, FeatureUsage, PlayingTeam, Specialists, TeamError, feature_importance,
};
use nonet_engine::features::{Encoding, Feature, Inputs, SparseInputs};
use nonet_engine::progress::{Attachments, Progress};
use nonet_engine::store::{
    read_checkpoint, read_checkpoint_with, read_net, read_net_with, write_checkpoint, write_net,
};

fn spec() -> TrainSpec {
    TrainSpec { preset: "hidden80".parse().expect("a preset"), ema: 0, ..TrainSpec::default() }
}

fn plan(spec: TrainSpec) -> TrainPlan {
    TrainPlan::try_from(spec).expect("a plan")
}

fn checkpoint() -> TrainCheckpoint {
    let plan = plan(spec());
    let opened = plan.open().expect("opened");
    Trainer::new(plan, opened.participants).checkpoint()
}

fn resume(spec: TrainSpec, checkpoint: TrainCheckpoint) -> Result<Trainer, ResumeError> {
    let plan = plan(spec);
    let opened = plan.open().expect("opened");
    Trainer::resume(plan, opened.participants, checkpoint)
}

fn refusal(spec: TrainSpec, checkpoint: TrainCheckpoint) -> String {
    match resume(spec, checkpoint) {
        Ok(_) => "resumed".to_owned(),
        Err(error) => error.to_string(),
    }
}

#[test]
fn a_checkpoint_goes_on_with_its_own_run() {
    assert_eq!(refusal(spec(), checkpoint()), "resumed");
}

#[test]
fn start_weights_and_sensitivities_are_those_of_the_options() {
    let weights = |spec: TrainSpec| {
        let plan = plan(spec);
        let opened = plan.open().expect("opened");
        starting_team(&plan, &opened.participants).nets()[2].mlp.to_weights()
    };
    let plain = weights(spec());
    let changed = weights(TrainSpec { initial: 0.2, beta_initial: Some(3.0), ..spec() });
    assert!(plain.beta.iter().all(|beta| *beta == 1.0));
    assert!(changed.beta.iter().all(|beta| *beta == 3.0));
    assert_eq!(changed.w1, &plain.w1 * 2.0);
    assert_eq!(changed.w2, &plain.w2 * 2.0);
}

#[test]
fn a_specialized_start_has_a_copy_of_the_shared_net_for_each_class() {
    let start = |specialize| {
        let from = Some("small".to_owned());
        let run = TrainSpec { from, specialize, ..spec() }.with_preset_of_start().expect("a net");
        let plan = plan(run);
        (
            plan.architecture().to_string(),
            starting_team(&plan, &plan.open().expect("opened").participants),
        )
    };
    let ((shape, shared), (own_shape, own)) = (start(false), start(true));
    assert_eq!((shape.as_str(), own_shape.as_str()), ("small", "large"));
    assert_eq!(own, shared.specialized());
}

#[test]
fn a_checkpoint_of_another_run_is_refused() {
    let other = TrainSpec { preset: "small".parse().expect("a preset"), ..spec() };
    let said = refusal(other, checkpoint());
    assert!(said.starts_with("the checkpoint holds the team of another run:"), "{said}");
    let averaged = TrainSpec { ema: 1_000, ..spec() };
    let said = refusal(averaged, checkpoint());
    assert!(said.contains("no averaged team, but the configuration asks for an"), "{said}");
}

#[test]
fn a_checkpoint_without_the_state_of_its_nets_is_refused() {
    let mut checkpoint = checkpoint();
    let expected = checkpoint.net_learners.len();
    checkpoint.net_learners.pop();
    let found = resume(spec(), checkpoint).err();
    assert_eq!(found, Some(ResumeError::NetLearners { found: expected - 1, expected }));
}

#[test]
fn a_checkpoint_with_more_games_than_the_configuration_asks_for_is_refused() {
    let mut checkpoint = checkpoint();
    checkpoint.progress.games = 10;
    let found = resume(TrainSpec { games: 9, ..spec() }, checkpoint).err();
    assert_eq!(found, Some(ResumeError::Games { found: 10, asked: 9 }));
}

/// The pips of both sides, and how many checkers each has left.
struct Race;

impl Inputs for Race {
    fn slug(&self) -> &str {
        "race4"
    }

    fn inputs(&self) -> usize {
        4
    }

    fn layout(&self) -> Vec<Feature> {
        ["own pips", "opponent pips", "own left", "opponent left"].map(Feature::named).into()
    }

    fn encode(&self, position: &Position, inputs: &mut SparseInputs) {
        inputs.push(0, f32::from(position.pips()) / 100.0);
        inputs.push(1, f32::from(position.opponent_pips()) / 100.0);
        inputs.push(2, f32::from(position.own_left()) / 15.0);
        inputs.push(3, f32::from(position.opponent_left()) / 15.0);
    }
}

#[test]
fn a_net_with_inputs_of_ones_own_learns_and_is_saved_and_read_with_them() {
    let start = Arc::new(Specialists::single(&Race, 128, 7).expect("a team"));
    let spec = || TrainSpec { games: 300, eval_every: 300, eval_games: 40, ..TrainSpec::default() };
    let participants = || Participants {
        start: Some(Arc::clone(&start)),
        ..plan(spec()).open().expect("opened").participants
    };
    let mut trainer = Trainer::new(plan(spec()), participants());
    let mut source = GeneratedGames::of(trainer.plan(), Seats::SelfPlay).expect("self-play");
    let mut tests = 0;
    let mut count = |progress: &RunProgress| tests = progress.history.len();
    trainer.run(&mut source, &mut count, &Progress::default()).expect("learns");
    assert_eq!(tests, 2);
    let folder = tempfile::tempdir().expect("a folder");
    let [net, state] = ["net.nonet", "state.nonet"].map(|name| folder.path().join(name));
    let best = trainer.best().expect("a test was played");
    assert_eq!(best.preset, "own");
    assert!(best.provenance.command.ends_with("# with a program's own start net"));
    write_net(&net, best).expect("written");
    let said = read_net(&net).expect_err("other inputs").to_string();
    assert!(said.contains("an unknown encoding 'race4'"), "{said}");
    let read = read_net_with(&net, &[&Race]).expect("read");
    assert_eq!(read, *best);
    // Alone or together, learning or at play, the values are the same bits.
    let positions = [Position::START, Position::from_sides(&[(3, 2)], &[(4, 1)]).expect("legal")];
    let playing = PlayingTeam::new(Arc::new(read.team.clone()));
    let mut values = [Evaluation::ZERO; 2];
    playing.evaluate_batch(&positions, &mut values);
    assert_eq!(values, positions.map(|position| read.team.evaluate(&position)));
    assert_eq!(playing.describe(&mut Attachments::default()), None, "other machines lack them");
    let seen = FeatureUsage::of(&read.team, &positions);
    let important = feature_importance(&read.team, 0, &seen);
    assert!(important.iter().any(|row| row.input.name == "own pips" && row.used == 1.0));
    write_checkpoint(&state, &trainer.checkpoint()).expect("written");
    assert!(read_checkpoint::<RunProgress, Vec<crate::train::NetLearner>>(&state).is_err());
    let checkpoint = read_checkpoint_with(&state, &[&Race]).expect("read");
    assert!(Trainer::resume(plan(spec()), participants(), checkpoint).is_ok());
}

#[test]
fn inputs_that_cannot_be_used_are_refused() {
    struct Wrong(&'static str, usize);

    impl Inputs for Wrong {
        fn slug(&self) -> &str {
            self.0
        }

        fn inputs(&self) -> usize {
            self.1
        }

        fn encode(&self, _: &Position, _: &mut SparseInputs) {}
    }

    static NONE: Wrong = Wrong("none", 0);
    static TAKEN: Wrong = Wrong("race277", 5);
    for wrong in [&NONE, &TAKEN] {
        let refused = Specialists::single(wrong, 20, 1);
        assert!(matches!(refused, Err(TeamError::Inputs { .. })), "{refused:?}");
    }
    let wide = Specialists::single(Encoding::Contact, 100_000, 1);
    assert!(matches!(wide, Err(TeamError::Shape { .. })), "{wide:?}");
}
