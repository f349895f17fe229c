//! What explanations explain, in small: `reports/tools/why.py` measures it for many decisions.

use nonet::answer::{WhyAnswer, read_question};
use nonet::{Engine, Plies};

/// A decision that was chosen because it holds there: a change that loses it is seen.
///
/// The rolls that an explanation at 2-ply names make 60 % of the difference at 3-ply. The themes
/// that it names make half of the static difference when they are exchanged.
#[test]
fn what_is_named_makes_most_of_the_difference_a_ply_deeper() {
    let [shallow, deep] = [Plies::TWO, Plies::THREE].map(|ply| Engine::champion().with_plies(ply));
    let state = read_question("jO0GcCCKz4wBAw", Some("63")).expect("a question");
    let answer = WhyAnswer::of(&shallow, &state, None).expect("a decision");
    let deeper = WhyAnswer::of(&deep, &state, Some(&answer.worse.play)).expect("the same");
    assert_eq!(answer.better.play, deeper.better.play);
    let is_named = |dice: &str| answer.rolls.iter().any(|roll| roll.named && roll.dice == dice);
    assert!(answer.rolls.iter().any(|roll| roll.named));
    let named = deeper.rolls.iter().filter(|roll| is_named(&roll.dice));
    let part = named.map(|roll| roll.share).sum::<f32>() / deeper.rolls_loss;
    assert!(part >= 0.6, "{part}");
    assert!(answer.decisive_part.is_some_and(|part| part >= 0.5), "{:?}", answer.decisive_part);
}
