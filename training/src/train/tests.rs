//! A checkpoint goes on with the run that made it, and with no other.

use super::{ResumeError, TrainCheckpoint, TrainPlan, TrainSpec, Trainer};

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
