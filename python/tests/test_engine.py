"""The engine.

Its answers are those of the program, it can be interrupted, and it lets other threads run.
"""

from __future__ import annotations

import os
import signal
import threading
import time
from pathlib import Path
from typing import Any, Callable

import numpy as np
import pytest

import nonet
from conftest import ROOT, Program
from nonet import Engine

QUESTIONS = [
    ("4HPwATDgc/ABMA", "31"),
    ("XGID=-a-B--E-C---dD---c-e----A-:1:1:1:52:2:4:0:7:10", None),
    ("XGID=--BBBCBB-A---------bbbbbc-:0:0:1:66:0:0:0:0:10", None),
    ("XGID=bBBBBB--------------------:0:0:1:64:0:0:0:0:10", None),
]
CHANCES = ("win", "win_gammon", "win_backgammon", "lose_gammon", "lose_backgammon")


def chances(answer: Any) -> list[float]:
    return [answer["outcomes"][name] for name in CHANCES]


@pytest.mark.parametrize("ply", [1, 2])
@pytest.mark.parametrize("question", QUESTIONS)
def test_moves_are_those_of_the_program(
    program: Program, question: tuple[str, str], ply: int
) -> None:
    state, dice = question
    theirs = program("hint", state, *([dice] if dice else []), "--ply", ply, "--plays", 5000)
    ours = Engine(ply=ply).moves(state, dice)
    assert len(ours) == theirs["legal"]
    for move, answer in zip(ours, theirs["plays"]):
        assert (move.play or "(no legal play)", move.ply) == (answer["play"], answer["plies"])
        assert [move.equity, move.loss, move.cubeless] == pytest.approx(
            [answer["equity"], answer["loss"], answer["cubeless"]], abs=1e-6
        )
        assert list(move.chances) == pytest.approx(chances(answer), abs=1e-6)
        assert (move.after.position_id, move.position_class) == (answer["id"], answer["class"])


def test_a_roller_decides_as_the_program_does(program: Program) -> None:
    theirs = program("hint", "4HPwATDgc/ABMA", "64", "--ply", "roller", "--plays", 3)
    engine = Engine("roller")
    ours = engine.moves("4HPwATDgc/ABMA", "64")
    assert (engine.ply, engine.roller, Engine().roller) == (3, "roller", None)
    for move, answer in zip(ours, theirs["plays"]):
        assert (move.play, move.games) == (answer["play"], answer["rollout"]["games"])
        expected = [answer["equity"], answer["rollout"]["stderr"]]
        assert [move.equity, move.stderr] == pytest.approx(expected, abs=1e-6)
    with pytest.raises(ValueError, match="expected 1 to 4 plies, or roller"):
        Engine("rolls")


@pytest.mark.parametrize(
    "state",
    [
        "4HPwATDgc/ABMA",
        "XGID=-a-B--E-C---dD---c-e----A-:0:0:1:00:2:4:0:7:10",
        "XGID=-BBBBBC------------bbbbbc-:0:0:1:00:0:0:3:0:10",
    ],
)
def test_cube_decisions_are_those_of_the_program(program: Program, state: str) -> None:
    theirs, ours = program("cube", state), Engine().cube(state)
    told = (theirs["action"], theirs["answer"], theirs["words"])
    assert (ours.action, ours.answer, ours.words) == told
    names = ("equity", "no_double", "double_take", "double_pass", "cubeless")
    expected = [theirs[name] for name in names]
    assert [getattr(ours, name) for name in names] == pytest.approx(expected, abs=1e-6)
    assert list(ours.chances) == pytest.approx(chances(theirs), abs=1e-6)
    assert (ours.is_double, ours.is_take) == (ours.action == "double", ours.answer != "pass")


def test_every_question_has_the_answer_of_the_program(program: Program) -> None:
    """The questions that the other front ends are asked, too (tests/servers/one_answer.rs)."""
    lines = (ROOT / "tests/common/questions.txt").read_text().splitlines()
    questions = [line for line in lines if not line.startswith("#")]
    assert len(questions) == 200
    quick = Engine(ply=1, cube_ply=1, bearoff=False)
    for question in questions:
        if question.split(":")[4] != "00":
            theirs = program("hint", question, "--ply", 1, "--plays", 3, "--no-bearoff")
            for move, answer in zip(quick.moves(question), theirs["plays"]):
                assert move.after.position_id == answer["id"], question
                theirs_of = [answer["equity"], answer["cubeless"]]
                assert [move.equity, move.cubeless] == pytest.approx(theirs_of, abs=1e-6), question
        else:
            theirs = program("cube", question, "--ply", 1, "--no-bearoff")
            ours = quick.cube(question)
            assert (ours.words, ours.answer) == (theirs["words"], theirs["answer"]), question
            names = ("no_double", "double_take", "double_pass", "cubeless")
            assert [getattr(ours, name) for name in names] == pytest.approx(
                [theirs[name] for name in names], abs=1e-6
            ), question


def test_explanations_are_those_of_the_program(program: Program) -> None:
    start = "4HPwATDgc/ABMA"
    theirs = program("why", start, "31", "--instead", "24/23 13/10", "--ply", 2)
    ours = Engine(ply=2).why(start, "31", instead="24/23 13/10")
    assert ours["sentences"] == theirs["sentences"] and len(ours["rolls"]) == 21
    cube = Engine(cube_ply=2).why(start)
    assert cube["sentences"] == program("why", start, "--ply", 2)["sentences"]
    with pytest.raises(ValueError, match="8/3"):
        Engine(ply=1).why(start, "31", instead="8/3")


def test_score_matrices_and_rolls_are_those_of_the_program(program: Program) -> None:
    start = "4HPwATDgc/ABMA"
    theirs = program("hint", start, "21", "--ply", 1, "--scores=3", "--play", "13/11 6/5")
    ours = Engine(ply=1).scores(start, "21", away=3, play="13/11 6/5")
    assert ours == theirs and len(ours["cells"]) == 1 + 9 + 4 and ours["complete"]
    cube = Engine(cube_ply=1).scores(start, away=2)
    assert cube == program("cube", start, "--ply", 1, "--scores=2")
    with pytest.raises(ValueError, match="1 to 15"):
        Engine(ply=1).scores(start, "21", away=16)
    rolls = Engine(ply=1).rolls(start)
    assert rolls == program("rolls", start, "--ply", 1) and len(rolls["rolls"]) == 21
    mean = sum(roll["throws"] * roll["equity"] for roll in rolls["rolls"]) / 36
    assert mean == pytest.approx(rolls["equity"], abs=1e-5)


def test_rollouts_are_those_of_the_program(program: Program) -> None:
    theirs = program("rollout", "4HPwATDgc/ABMA", "31", "--games", 144, "--seed", 3)
    seen: list[tuple[int, int]] = []
    state = nonet.GameState.start().with_dice("31")
    ours = Engine().rollout(
        state, 144, seed=3, progress=lambda done, total: seen.append((done, total))
    )
    for rolled, answer in zip(ours, theirs["rollouts"]):
        assert (rolled.play, rolled.games) == (answer["play"], answer["games"])
        assert [rolled.equity, rolled.stderr, rolled.loss] == pytest.approx(
            [answer["equity"], answer["stderr"], answer["loss"]], abs=1e-9
        )
    assert len(ours) == len(theirs["rollouts"]) == 3
    assert seen[-1] == (144, 144)


def test_strengths_are_those_of_the_program(program: Program) -> None:
    theirs = program("rollout", "4HPwATDgc/ABMA", "31", "--strengths", "--games", 4, "--seed", 3)
    ours = Engine().strengths(nonet.GameState.start().with_dice("31"), 4, seed=3)
    for table in (ours, theirs):
        del table["seconds"]
    assert ours == theirs
    weaker = Engine().rollout(nonet.GameState.start(), 36, levels=("human-11", "champion"))
    assert weaker[0].equity < Engine().rollout(nonet.GameState.start(), 36)[0].equity
    with pytest.raises(ValueError, match="unknown level 'nobody'"):
        Engine().rollout("4HPwATDgc/ABMA", 4, levels=("nobody", "champion"))


def test_what_ends_the_game_is_not_rolled_out(quick: Engine) -> None:
    board = np.zeros(26, np.int8)
    board[1], board[2], board[19] = 1, 1, -15
    state = nonet.GameState.from_board(board, "21")
    # Of the two plays one bears off both checkers: a gammon, whatever the opponent could roll.
    assert len(state.legal_plays()) > 1
    (going,) = quick.rollout(state, 4, plays=3)
    assert not state.play(going.play).is_over
    board[2] = 0
    with pytest.raises(ValueError, match="the play ends the game"):
        quick.rollout(nonet.GameState.from_board(board, "21"), 4)
    for cube in (False, True):
        with pytest.raises(ValueError, match="the game is over"):
            quick.strengths("AAAAoAAAAAAAAA", 4, cube=cube)


def test_a_cube_decision_is_rolled_out_as_by_the_program(program: Program) -> None:
    state = "XGID=-a-B--E-C---dD---c-e----A-:0:0:1:00:2:4:0:7:10"
    theirs = program("rollout", state, "--cube", "--games", 144)["cube"]
    ours = Engine().rollout_cube(state, 144)
    assert ours.decision.no_double == pytest.approx(theirs["no_double"]["equity"], abs=1e-6)
    gains = theirs["double_gains"]
    assert ours.double_gains == pytest.approx((gains["equity"], gains["stderr"]))


def test_an_analysis_is_that_of_the_program(program: Program) -> None:
    record = ROOT / "tests/records/crawford.mat"
    theirs = program("analyse", record, "--ply", 1, "--cube-ply", 1)
    seen: list[int] = []
    engine = Engine(ply=1, cube_ply=1)
    (ours,) = engine.analyse(record, progress=lambda done, total: seen.append(done * 1000 // total))
    line = repr(ours)
    assert len(line) < 200 and line.startswith("<Analysis ") and line.endswith(", 4 games>")
    assert f"{ours['names'][0]} PR {ours['summary'][0]['pr']:.2f}" in line
    assert repr(type(ours)()) == "<Analysis : 0 games>"
    assert ours["net"] == "champion"
    assert ours == theirs
    assert seen[-1] == 1000


def test_what_cannot_be_answered_is_a_value_error_in_words(tmp_path: Path) -> None:
    engine = Engine(ply=1, bearoff=False)
    with pytest.raises(ValueError, match="invalid ply '5': expected 1 to 4"):
        Engine(ply=5)
    with pytest.raises(ValueError, match="no net called 'nosuch': known are champion, expert"):
        Engine(net="nosuch")
    with pytest.raises(ValueError, match="dice have not been rolled"):
        engine.moves("4HPwATDgc/ABMA")
    with pytest.raises(ValueError, match="the game is over"):
        engine.cube("AAAAoAAAAAAAAA")
    with pytest.raises(ValueError, match="expected at least 1"):
        engine.rollout("4HPwATDgc/ABMA", 0)
    with pytest.raises(OSError, match="expected an existing file or folder"):
        engine.analyse(tmp_path / "nosuch.mat")
    letter = tmp_path / "letter.txt"
    letter.write_text("dear friend")
    with pytest.raises(ValueError, match="no usable game: .*unknown record format"):
        engine.analyse(letter)
    (tmp_path / "match.mat").write_bytes((ROOT / "tests/records/crawford.mat").read_bytes())
    with pytest.warns(UserWarning, match="no usable game: .*letter.txt.*unknown record format"):
        assert len(Engine(1, "small", cube_ply=1, bearoff=False).analyse(tmp_path)) == 1
    broken = tmp_path / "broken.nonet"
    broken.write_bytes(b"no net")
    with pytest.raises(ValueError, match="not a nonet file"):
        Engine(net=str(broken))


@pytest.mark.parametrize("name", ["champion", "expert", "swift", "small"])
def test_the_nets_are_in_the_package(name: str) -> None:
    assert Engine(1, name, bearoff=False).moves("4HPwATDgc/ABMA", "31")[0].play == "8/5 6/5"


def test_other_threads_run_while_the_engine_works(quick: Engine) -> None:
    turns = [0]

    def count() -> None:
        while not done.is_set():
            turns[0] += 1
            time.sleep(0.001)

    done = threading.Event()
    thread = threading.Thread(target=count)
    thread.start()
    quick.rollout("4HPwATDgc/ABMA", 288, truncate=0)
    done.set()
    thread.join()
    assert turns[0] > 20


def test_ctrl_c_interrupts_long_work(quick: Engine) -> None:
    long_work: list[Callable[[], object]] = [
        lambda: quick.rollout("4HPwATDgc/ABMA", 10_000_000, truncate=0),
        lambda: nonet.play_games(quick, "pubeval", 10_000_000),
        lambda: nonet.train(games=10_000_000),
    ]
    # A process that was started in the background may have inherited that it ignores the signal:
    # then nothing would end the work.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    for work in long_work:
        timer = threading.Timer(0.4, lambda: os.kill(os.getpid(), signal.SIGINT))
        timer.start()
        start = time.perf_counter()
        with pytest.raises(KeyboardInterrupt):
            work()
        assert time.perf_counter() - start < 5.0
    signal.signal(signal.SIGINT, before)


def test_an_exception_in_a_callback_ends_the_work_and_is_raised(quick: Engine) -> None:
    def refuse(done: int, total: int) -> None:
        raise RuntimeError("no more")

    with pytest.raises(RuntimeError, match="no more"):
        quick.rollout("4HPwATDgc/ABMA", 10_000_000, truncate=0, progress=refuse)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_forked_process_can_work_too(quick: Engine) -> None:
    small = Engine(1, "small", bearoff=False, threads=1)
    quick.rollout("4HPwATDgc/ABMA", 144)
    values = small.evaluate(nonet.START[None], ply=3)
    searching = Engine(3, "small", bearoff=False, threads=1)
    opening = nonet.GameState.start().with_dice("31")
    searching.strengths(opening, 1)
    child = os.fork()
    if child == 0:
        # Without pools of its own the child would wait for ever.
        signal.alarm(60)
        right = False
        try:
            games = quick.rollout("4HPwATDgc/ABMA", 144)[0].games
            again = small.evaluate(nonet.START[None], ply=3)
            right = games == 144 and again.tolist() == values.tolist()
            right = right and searching.strengths(opening, 1)["games"] == 1
        finally:
            os._exit(0 if right else 1)
    _, status = os.waitpid(child, 0)
    assert status == 0


def test_a_series_is_that_of_the_program(program: Program, quick: Engine) -> None:
    theirs = program("eval", "champion", "--against", "pubeval", "--games", 200, "--seed", 4)
    ours = nonet.play_games(quick, "pubeval", 200, seed=4)
    assert ours.games == theirs["games"] == sum(ours.outcomes)
    low, high = ours.interval95
    assert low < ours.ppg < high
    assert [ours.ppg, ours.stderr] == pytest.approx([theirs["ppg"], theirs["stderr"]], abs=1e-9)


def test_a_board_is_a_state_and_other_things_are_refused_in_words(quick: Engine) -> None:
    start = "4HPwATDgc/ABMA"
    assert quick.cube(nonet.START).cubeless == quick.cube(start).cubeless
    assert quick.moves("start", dice="31")[0].play == quick.moves(nonet.START, dice=(3, 1))[0].play
    state = "a state is a GameState, the text of an ID, or a board row of 26 numbers, not int"
    with pytest.raises(TypeError, match=state):
        quick.cube(7)
    roll = r"a roll is a text such as '31' or a pair such as \(3, 1\)"
    with pytest.raises(TypeError, match=roll):
        quick.moves(start, dice=31)  # type: ignore[arg-type]
