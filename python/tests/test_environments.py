"""Environments: the API checkers of their libraries, and the games of the program."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, seed_test

import nonet
from conftest import ROOT, Program
from nonet import BackgammonAECEnv, BackgammonEnv, BackgammonVectorEnv, Engine


@pytest.mark.parametrize("observation", ["board", "inputs"])
@pytest.mark.parametrize("opponent", ["self", "pubeval"])
def test_the_single_environment_passes_gymnasiums_checker(opponent: str, observation: str) -> None:
    check_env(BackgammonEnv(opponent, observation, strict=False), skip_render_check=True)


def test_an_action_that_is_no_legal_result_is_an_error() -> None:
    env = BackgammonEnv("pubeval")
    env.reset(seed=1)
    for wrong in (99_999, -1):
        with pytest.raises(ValueError):
            env.step(wrong)


def test_the_environment_is_made_by_its_name() -> None:
    env = gymnasium.make("nonet/Backgammon-v0", opponent="pubeval", render_mode="ansi")
    env.reset(seed=1)
    assert "X plays" in str(env.render())


def test_the_turns_of_two_agents_pass_pettingzoos_checkers() -> None:
    api_test(BackgammonAECEnv(), num_cycles=300)
    seed_test(lambda: BackgammonAECEnv(), num_cycles=100)


def greedy(engine: Engine, info: dict[str, Any]) -> Any:
    return nonet.lowest(engine.evaluate(info["results"])[:, 5], info["offsets"])


def test_a_seed_gives_the_games_of_the_program(
    program: Program, quick: Engine, tmp_path: Path
) -> None:
    record = tmp_path / "games.mat"
    program("record", "champion", "--games", 12, "--seed", 5, "--out", record)
    theirs = [
        [roll for roll in re.findall(r"\b([1-6]{2}):", game)]
        for game in re.split(r"Game \d+\n", record.read_text())[1:]
    ]
    env = BackgammonVectorEnv(12, dice="record")
    # The record has the dice of a roll in either order.
    rolls: list[list[str]] = [[] for _ in range(12)]
    seen, info = env.reset(seed=5)
    while any(info["game"] < 12):
        for k, (high, low) in enumerate(seen[:, 26:]):
            if info["game"][k] < 12:
                rolls[k].append(f"{high}{low}")
        seen, _, _, _, info = env.step(greedy(quick, info))
    assert [[("".join(sorted(roll))) for roll in game] for game in rolls] == [
        [("".join(sorted(roll))) for roll in game] for game in theirs
    ]


def test_each_place_plays_its_own_games_whatever_the_others_do(quick: Engine) -> None:
    def games(n: int, threads: int) -> dict[int, list[bytes]]:
        env = BackgammonVectorEnv(n, threads=threads)
        seen, info = env.reset(seed=7)
        found: dict[int, list[bytes]] = {}
        while info["game"].min() < 12:
            for board, number in zip(seen, info["game"]):
                found.setdefault(int(number), []).append(board.tobytes())
            seen, _, _, _, info = env.step(greedy(quick, info))
        return {number: game for number, game in found.items() if number < 12}

    assert games(4, 1) == games(6, 3) == games(12, 1)


def test_rewards_are_the_points_of_the_side_that_played() -> None:
    env = BackgammonVectorEnv(64)
    rng = np.random.default_rng(2)
    _, info = env.reset(seed=1)
    points: list[float] = []
    while len(points) < 60:
        mover = info["seat"].copy()
        actions = rng.integers(0, np.diff(info["offsets"]))
        _, rewards, terminated, truncated, info = env.step(actions)
        assert not truncated.any()
        # Who bears off the last checker has won.
        assert (rewards[terminated] > 0).all() and not rewards[~terminated].any()
        if terminated.any():
            assert np.array_equal(info["_final_obs"], terminated)
            last = info["final_obs"][terminated]
            # Seen by the loser, who would be on roll: no checkers of the winner, no dice.
            assert not (last[:, :26] < 0).any() and not last[:, 26:].any()
            points.extend(rewards[terminated] * np.where(mover[terminated] == 0, 1, -1))
    assert {abs(p) for p in points} <= {1.0, 2.0, 3.0}


def test_an_opponent_plays_the_other_seat_as_the_program_would(quick: Engine) -> None:
    env = BackgammonVectorEnv(400, "pubeval", dice="match")
    _, info = env.reset(seed=9)
    points = np.zeros(400)
    while (info["game"] < 400).any():
        assert not info["seat"].any()
        first = info["game"] < 400
        _, rewards, terminated, _, info = env.step(greedy(quick, info))
        points[first & terminated] = rewards[first & terminated]
    # The same dice from one seat: points a game in the interval of the series from both seats.
    series = nonet.play_games(quick, "pubeval", 800, seed=9)
    assert abs(points.mean() - series.ppg) < 4 * (points.std() / 20 + series.stderr)
    assert points.mean() > 0.3


def test_opponents_may_be_engines_and_nets() -> None:
    for opponent in (Engine(2, bearoff=False), nonet.Net.open("small"), "swift:1", "random"):
        env = BackgammonVectorEnv(3, opponent)
        env.reset(seed=1)
        env.step(np.zeros(3, np.int64))
    with pytest.raises(ValueError, match="no player called 'nobody'"):
        BackgammonVectorEnv(3, "nobody")


def test_an_illegal_index_is_an_error_or_wraps() -> None:
    strict = BackgammonVectorEnv(2)
    _, info = strict.reset(seed=1)
    legal = int(np.diff(info["offsets"])[1])
    invalid = f"invalid action {legal} in game 1: expected 0 to {legal - 1}"
    with pytest.raises(ValueError, match=invalid):
        strict.step(np.array([0, legal]))
    with pytest.raises(ValueError, match="invalid actions: expected 2, one for each game, not 3"):
        strict.step(np.zeros(3, np.int64))
    wraps = BackgammonVectorEnv(2, strict=False)
    wraps.reset(seed=1)
    a = wraps.step(np.array([0, legal]))[0]
    strict.reset(seed=1)
    assert np.array_equal(a, strict.step(np.zeros(2, np.int64))[0])


def test_resets_without_a_seed_go_on_and_with_the_seed_begin_again() -> None:
    env = BackgammonVectorEnv(3)
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(np.zeros(3, np.int64))
    first, info = env.reset(seed=1)
    again, more = env.reset()
    assert list(info["game"]) == [0, 1, 2] and list(more["game"]) == [3, 4, 5]
    assert not np.array_equal(first, again)
    assert np.array_equal(env.reset(seed=1)[0], first)
    single = BackgammonEnv("pubeval")
    single.reset(seed=1)
    done = False
    while not done:
        _, reward, done, _, info = single.step(0)
    assert abs(reward) in (1, 2, 3) and not len(info["results"])
    with pytest.raises(gymnasium.error.ResetNeeded):
        single.step(0)


def test_observations_fit_their_space_and_are_the_inputs_of_the_board() -> None:
    boards, inputs = BackgammonVectorEnv(20), BackgammonVectorEnv(20, observation="inputs")
    board, info = boards.reset(seed=4)
    seen, _ = inputs.reset(seed=4)
    for _ in range(30):
        assert boards.observation_space.contains(board) and inputs.observation_space.contains(seen)
        assert np.array_equal(seen[:, :-2], nonet.encode(board[:, :26]))
        assert seen[:, -2:] == pytest.approx(board[:, 26:] / 6)
        actions = np.diff(info["offsets"]) - 1
        board, _, _, _, info = boards.step(actions)
        seen = inputs.step(actions)[0]


def test_a_missing_library_is_named_with_what_to_install() -> None:
    code = (
        "import sys; sys.modules['gymnasium'] = None; import nonet\n"
        "try: nonet.BackgammonVectorEnv\n"
        "except ImportError as error: print(error)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT / "python",
    )
    assert "nonet.BackgammonVectorEnv needs gymnasium" in done.stdout
    assert "pip install 'nonet[gymnasium]'" in done.stdout


def state_of(row: Any) -> nonet.GameState:
    """A money position of an observation with a cube, without its roll."""
    board, (value, owner) = row[:26], row[29:31]
    points = "".join("-" if n == 0 else (chr(64 + n) if n > 0 else chr(96 - n)) for n in board)
    return nonet.GameState(f"XGID={points}:{value}:{owner}:1:00:0:0:0:0:10")


def decide(engine: Engine, row: Any, results: Any) -> int:
    """What the engine decides, by its own answers."""
    if row[28] == 1:
        return int(engine.cube(state_of(row)).is_double)
    if row[28] == 2:
        # The answer is judged as the player on roll sees it: the same board from the other side.
        offered = row.copy()
        offered[:26], offered[30] = nonet.flip(row[None, :26])[0], -row[30]
        return int(not engine.cube(state_of(offered)).is_take)
    best = engine.moves(state_of(row).with_dice((int(row[26]), int(row[27]))))[0]
    return int(np.flatnonzero((results == best.after.board).all(1))[0])


def test_a_game_with_the_cube_is_that_of_the_program(program: Program) -> None:
    small = Engine(1, net="small", bearoff=False)
    games = 24
    env = BackgammonVectorEnv(games, "small:1", dice="match", cube=True)
    seen, info = env.reset(seed=3)
    assert seen.shape == (games, 31) and seen.dtype == np.int8
    points, wins, counts = 0.0, 0, {(1, 1): 0, (2, 0): 0, (2, 1): 0}
    while (info["game"] < games).any():
        playing = info["game"] < games
        ends = zip(info["offsets"], info["offsets"][1:])
        actions = [
            decide(small, row, info["results"][a:b]) if on else 0
            for row, (a, b), on in zip(seen, ends, playing)
        ]
        for action, decision in zip(np.array(actions)[playing], info["decision"][playing]):
            if (decision, action) in counts:
                counts[decision, action] += 1
        seen, rewards, terminated, _, info = env.step(np.array(actions))
        points += float(rewards[playing & terminated].sum())
        wins += int((rewards[playing & terminated] > 0).sum())
    net = ROOT / "nets/small.nonet"
    words = ("eval", net, "--against", net, "--money", "--no-duplicate", "--games", games)
    series = program(*words, "--seed", 3)
    assert points == pytest.approx(games * series["ppg"]) and wins == series["wins"]
    cube = series["cube"]["player"]
    assert counts == {
        (1, 1): cube["doubles"] + cube["redoubles"],
        (2, 0): cube["takes"],
        (2, 1): cube["drops"],
    }
    assert min(counts.values()) > 0


def test_who_passes_loses_the_cube_and_who_takes_owns_it() -> None:
    env = BackgammonVectorEnv(1, cube=True)
    seen, info = env.reset(seed=1)
    assert info["decision"][0] == 0 and list(seen[0, 28:]) == [0, 0, 0]
    seen, _, _, _, info = env.step(np.zeros(1, np.int64))
    # The second turn begins with the question whether to double.
    doubler = int(info["seat"][0])
    assert info["decision"][0] == 1 and len(info["results"]) == 0 and not seen[0, 26:28].any()
    board = seen[0, :26].copy()
    seen, rewards, _, _, info = env.step(np.ones(1, np.int64))
    assert info["decision"][0] == 2 and info["seat"][0] == 1 - doubler and rewards[0] == 0
    assert np.array_equal(nonet.flip(seen[:, :26])[0], board)
    invalid = "invalid action 2 in game 0: expected 0 to 1, an index among its legal answers"
    with pytest.raises(ValueError, match=invalid):
        env.step(np.full(1, 2))
    seen, _, _, _, info = env.step(np.zeros(1, np.int64))
    # Taken: the doubler rolls, the cube at 2 is the other's.
    assert info["decision"][0] == 0 and info["seat"][0] == doubler
    assert list(seen[0, 28:]) == [0, 1, -1] and seen[0, 26] > 0
    seen, _, _, _, info = env.step(np.zeros(1, np.int64))
    assert info["decision"][0] == 1 and list(seen[0, 29:]) == [1, 1]
    env.step(np.ones(1, np.int64))
    _, rewards, terminated, _, info = env.step(np.ones(1, np.int64))
    # The doubler of the first time passes at 2: the reward is that of who passed.
    assert terminated[0] and rewards[0] == -2 and info["_final_obs"][0]
    assert list(info["final_obs"][0, 28:]) == [0, 1, 1]


def test_under_the_jacoby_rule_gammons_count_after_a_double_only() -> None:
    def points(jacoby: bool) -> set[float]:
        env = BackgammonVectorEnv(300, "random", cube=True, jacoby=jacoby)
        _, info = env.reset(seed=5)
        quick, found = Engine(1, net="small", bearoff=False), set()
        for _ in range(120):
            results = info["results"]
            values = quick.evaluate(results)[:, 5] if len(results) else np.zeros(0, np.float32)
            _, rewards, terminated, _, info = env.step(nonet.lowest(values, info["offsets"]))
            found |= set(rewards[terminated])
        return found

    assert points(jacoby=True) <= {1.0, -1.0}
    assert {2.0, 1.0} <= points(jacoby=False)


@pytest.mark.parametrize("observation", ["board", "inputs"])
def test_environments_with_the_cube_pass_the_checkers(observation: str) -> None:
    env = BackgammonEnv("pubeval", observation, cube=True, strict=False)
    check_env(env, skip_render_check=True)
    api_test(BackgammonAECEnv(cube=True, jacoby=True), num_cycles=300)
    with pytest.raises(ValueError, match="invalid option jacoby: expected cube as well"):
        BackgammonEnv(jacoby=True)
