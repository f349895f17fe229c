//! What explanations explain, in small: `reports/tools/why.py` measures it for many decisions.

use nonet::answer::{WhyAnswer, read_question};
use nonet::{Engine, Plies};

/// Two decisions that were chosen because it holds there: a change that loses it is seen.
///
/// The rolls that an explanation at 2-ply names make 60 % of the difference at 3-ply. The themes
/// that it names make half of the static difference when they are exchanged.
#[test]
fn what_is_named_makes_most_of_the_difference_a_ply_deeper() {
    let [shallow, deep] = [Plies::TWO, Plies::THREE].map(|ply| Engine::champion().with_plies(ply));
    for (id, dice, worse) in
        [("hufEAyBmzoYBUA", "54", "bar/21 6/1"), ("b7MBIBjMZswCBg", "31", "21/17")]
    {
        let state = read_question(id, Some(dice)).expect("a question");
        let answer = WhyAnswer::of(&shallow, &state, Some(worse)).expect("a decision");
        let deeper = WhyAnswer::of(&deep, &state, Some(worse)).expect("the same");
        assert_eq!(answer.better.play, deeper.better.play);
        let is_named = |dice: &str| answer.rolls.iter().any(|roll| roll.named && roll.dice == dice);
        let named = deeper.rolls.iter().filter(|roll| is_named(&roll.dice));
        let part = named.map(|roll| roll.share).sum::<f32>() / deeper.rolls_loss;
        assert!(part >= 0.6, "{id}: {part}");
        assert!(answer.decisive_part.is_some_and(|part| part >= 0.5), "{id}");
    }
}
