"""The options of a training run, for type checkers: ``nonet train --help`` explains each."""

from __future__ import annotations

from typing import Sequence, TypedDict, Union


class TrainOptions(TypedDict, total=False):
    """The options of ``nonet.train`` by name.

    ``lambda_`` and ``from_`` are ``lambda`` and ``from``.
    """

    source: str
    expert: str
    records: Sequence[str]
    unfinished: str
    targets: str
    method: str
    ply: int
    epsilon: float
    starts: Sequence[str]
    start_chance: float
    update: str
    backprop: str
    beta_alpha: float
    squash: float
    unforeseen: str
    successor: str
    sides: str
    outputs: str
    preset: str
    initial: float
    beta_initial: float
    from_: str
    specialize: bool
    widen: int
    widen_races: int
    all_outcomes: bool
    bearoff: bool
    siblings: int
    sibling_differences: float
    lookahead_lambda: float
    rollout_classes: Sequence[str]
    rollout_lambda: float
    rollout_games: int
    rollout_weight: float
    three_ply_above: float
    classes: Sequence[str]
    games: int
    alpha: Union[float, str]
    lambda_: Union[float, str]
    seed: int
    batch: int
    epochs: int
    fine_tune: int
    replay: int
    optimizer: str
    ema: int
    eval_every: int
    eval_at: Sequence[int]
    eval_games: int
    final_games: int
    test_dice: str
    eval_ply: int
    against: str
    gate_every: int
