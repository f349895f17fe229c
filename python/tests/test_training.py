"""Training, and nets as arrays and files."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

import nonet
from conftest import Program
from nonet import Engine, Net

SMALL: dict[str, Any] = {
    "games": 400,
    "preset": "small",
    "eval_every": 200,
    "eval_at": [],
    "eval_games": 100,
    "final_games": 100,
    "seed": 3,
}


def test_a_run_gives_the_net_of_the_program_byte_for_byte(program: Program, tmp_path: Path) -> None:
    out = tmp_path / "run"
    words = [
        word
        for key, value in SMALL.items()
        for word in (f"--{key.replace('_', '-')}", "0" if value == [] else str(value))
    ]
    program("train", *words, "--out", out)
    run = nonet.train({**SMALL, "eval_at": [0]}, threads=1)
    assert run.net.to_bytes() == (out / "best.nonet").read_bytes()
    assert run.last.to_bytes() == (out / "last.nonet").read_bytes()
    assert run.command.startswith("nonet train --preset small --games 400")


def test_the_curve_is_arrays_and_tests_are_told() -> None:
    told: list[dict[str, float]] = []
    seen: list[tuple[int, int]] = []
    run = nonet.train(
        SMALL,
        on_test=told.append,
        progress=lambda *at: seen.append(at),
        play_off=False,
        lambda_=0.5,
        alpha=0.05,
    )
    assert list(run.curve["games"]) == [200, 400] == [row["games"] for row in told]
    assert run.curve["lambda"] == pytest.approx([0.5, 0.5])
    assert np.isfinite(run.curve["ppg"]).all() and (run.curve["stderr"] > 0).all()
    assert np.isfinite(run.curve["average_ppg"]).all()
    assert (run.games, run.stopped, seen[-1]) == (400, False, (400, 400))


def test_the_curve_has_every_opponent_of_the_tests() -> None:
    run = nonet.train(SMALL, against="pubeval,random", play_off=False)
    assert len(run.curve["random_ppg"]) == 2
    assert (run.curve["random_ppg"] > run.curve["average_ppg"]).all()


@pytest.mark.parametrize("seconds", [0.0, 0.5])
def test_a_callback_stops_the_run_at_its_test_however_slow_it_is(seconds: float) -> None:
    def second(row: dict[str, float]) -> bool:
        time.sleep(seconds)
        return row["games"] < 400

    run = nonet.train(SMALL, on_test=second, games=100_000)
    assert (run.stopped, run.games, list(run.curve["games"])) == (True, 400, [200, 400])


def test_a_callback_stops_the_run_at_its_last_test_too() -> None:
    run = nonet.train(SMALL, on_test=lambda row: row["games"] < 400)
    assert (run.stopped, run.games) == (True, 400)
    assert run.progress["play_off"] is None and run.progress["last_match"] is None
    assert not nonet.train(SMALL, on_test=lambda row: True).stopped


def test_a_callback_may_use_the_only_thread_of_its_run() -> None:
    games: list[int] = []

    def play(row: dict[str, float]) -> None:
        games.append(nonet.play_games("random", "pubeval", 10, threads=1).games)

    assert not nonet.train(SMALL, on_test=play, play_off=False, threads=1).stopped
    assert games == [10, 10]


def test_an_exception_of_a_callback_ends_the_run_and_frees_its_thread() -> None:
    def fail(row: dict[str, float]) -> None:
        raise KeyError("of the caller")

    with pytest.raises(KeyError, match="of the caller"):
        nonet.train(SMALL, on_test=fail, games=100_000, threads=1)
    assert nonet.play_games("random", "pubeval", 10, threads=1).games == 10


#: A UBGI engine that plays until a file is there.
ENGINE = """\
import sys
from pathlib import Path

import nonet

engine = nonet.Engine(1, "small", bearoff=False, threads=1)
state = dice = ""
for line in sys.stdin:
    word, _, rest = line.strip().partition(" ")
    if word == "ubgi":
        print("id name scripted")
        print("ubgiok", flush=True)
    elif word == "isready":
        print("readyok", flush=True)
    elif word == "position":
        state = rest.split()[-1]
    elif word == "dice":
        dice = rest.replace(" ", "")
    elif word == "go":
        if Path(sys.argv[1]).exists():
            sys.exit(3)
        plays = [move.play for move in engine.moves(state, dice)]
        print("bestmove", plays[0] if plays else "pass", flush=True)
    elif word == "quit":
        break
"""


def test_an_opponent_that_fails_in_the_last_match_is_an_error(tmp_path: Path) -> None:
    script, gone = tmp_path / "engine.py", tmp_path / "gone"
    script.write_text(ENGINE)
    words = {"games": 200, "eval_games": 4, "final_games": 4}
    against = f"ubgi:'{sys.executable}' '{script}' '{gone}'"
    with pytest.raises(RuntimeError, match="scripted failed"):
        nonet.train({**SMALL, **words}, against=against, on_test=lambda _: gone.touch(), threads=1)
    assert gone.exists()


def test_wrong_options_are_value_errors_in_words() -> None:
    with pytest.raises(ValueError, match="unknown field `gamse`"):
        nonet.train(gamse=3)  # type: ignore[call-arg]
    with pytest.raises(ValueError, match="invalid schedule 'fast'"):
        nonet.train(alpha="fast")
    with pytest.raises(ValueError, match="`games`"):
        nonet.train(games=0)
    with pytest.raises(ValueError, match="unknown architecture 'huge'"):
        nonet.train(preset="huge")
    with pytest.raises(ValueError, match="unknown records 'a.mat'"):
        nonet.train(source="observe", records=["a.mat"])


def forward(arrays: dict[str, Any], x: npt.NDArray[np.float32]) -> npt.NDArray[np.float64]:
    """A net by its documented formula."""

    def activation(sums: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        grown: npt.NDArray[np.float64] = 1 / (1 + np.exp(-sums))
        return {"sigmoid": grown, "silu": sums * grown}[arrays["hidden"]]

    sums = x @ arrays["w1"].astype(float) + arrays["b1"]
    hidden = activation(arrays["beta"].astype(float) * sums)
    if "w_second" in arrays:
        hidden = activation(hidden @ arrays["w_second"].astype(float) + arrays["b_second"])
    out = hidden @ arrays["w2"].astype(float) + arrays["b2"]
    if arrays["output"] == "softmax":
        grown = np.exp(out[:, 1:] - out[:, 1:].max(1, keepdims=True))
        out[:, 1:] = grown / grown.sum(1, keepdims=True)
    return np.asarray(out)


@pytest.mark.parametrize("name", ["expert", "champion", "deep"])
def test_arrays_and_inputs_give_the_heads_of_the_engine(
    name: str, boards: npt.NDArray[np.int8]
) -> None:
    net = Net.random("128-16/128-16/256-32", 4) if name == "deep" else Net.open(name)
    heads = Engine(1, net, bearoff=False).heads(boards)
    classes = nonet.classify(boards)
    # Wide first layers are rounded to 16 bits for play.
    error = 0.01
    assert (heads[:, 1:] != 0).all(1).sum() > len(boards) / 4
    for index, slug in enumerate(nonet.CLASSES):
        mine = classes == index
        of_class = net.net_of_class[slug]
        encoding = net.encodings[of_class]
        out = forward(net.arrays()[of_class], nonet.encode(boards[mine], encoding))
        seen = heads[mine]
        # What the rules exclude has moved to another outcome of the same side.
        open_to_both = (seen[:, 1:4].sum(1) > 0) & (seen[:, 4:].sum(1) > 0)
        wins = out[open_to_both, 1:4].sum(1)
        if net.arrays()[of_class]["output"] == "softmax":
            assert seen[open_to_both, 1:4].sum(1) == pytest.approx(wins, abs=3 * error), slug
        free = (seen[:, 1:] != 0).all(1)
        assert seen[free, 1:] == pytest.approx(out[free, 1:], abs=error), slug
        # In races with a softmax the average follows from the outcomes.
        if encoding == "contact":
            assert seen[free, 0] == pytest.approx(out[free, 0], abs=3 * error), slug


def test_changed_arrays_make_another_net_that_plays(tmp_path: Path) -> None:
    net = Net.random("large", 2)
    arrays = net.arrays()["default"]
    assert arrays["w1"].shape == (393, 40) and arrays["w2"].shape == (40, 7)
    rng = np.random.default_rng(1)
    wide = {
        "w1": rng.normal(0, 0.1, (393, 96)),
        "b1": np.zeros(96),
        "w2": rng.normal(0, 0.1, (96, 7)),
        "b2": np.zeros(7),
        "output": "softmax",
    }
    other = net.with_arrays({"default": wide})
    assert other != net and other.arrays()["default"]["output"] == "softmax"
    assert np.array_equal(other.arrays()["race"]["w1"], net.arrays()["race"]["w1"])
    start = nonet.START[None]
    heads = Engine(1, other, bearoff=False).heads(start)
    expected = forward(other.arrays()["default"], nonet.encode(start))
    assert heads[0] == pytest.approx(expected[0], abs=1e-4)
    path = tmp_path / "other.nonet"
    other.save(path)
    assert Net.open(str(path)).to_bytes() == other.to_bytes()
    assert nonet.play_games(other, "random", 10).games == 10


def test_arrays_that_do_not_fit_are_refused_in_words() -> None:
    net = Net.random("small")
    arrays = net.arrays()
    name = net.names[-1]
    good = arrays[name]
    for change, words in [
        ({"w1": good["w1"][:-1]}, f"invalid shape .* of w1 of '{name}'"),
        ({"w2": good["w2"].T}, "invalid shape .* of w2"),
        ({"b1": good["w1"]}, "b1 of .* must have one dimension"),
        ({"b2": np.full(7, np.nan)}, "is not a finite number"),
        (
            {"hidden": "relu"},
            "unknown activation 'relu' of .*: expected one of sigmoid, rbf, softsign",
        ),
        ({"output": "tanh"}, "unknown output activation 'tanh'"),
        ({"w3": good["w2"]}, "unknown key 'w3'"),
        ({"w1": "abc"}, "is not an array of numbers"),
    ]:
        with pytest.raises(ValueError, match=words):
            net.with_arrays({name: {**good, **change}})
    with pytest.raises(ValueError, match="unknown net 'all': expected one of"):
        net.with_arrays({"all": good})
    with pytest.raises(ValueError, match="w1 of .* is missing"):
        net.with_arrays({name: {"b1": good["b1"], "b2": good["b2"]}})


def test_a_second_layer_that_does_not_fit_is_refused_in_words() -> None:
    net = Net.random("128-16/128-16/256-32", 4)
    good = net.arrays()["default"]
    assert good["w1"].shape[1] == 256 and good["w_second"].shape == (256, 32)
    changed = {**good, "w_second": good["w_second"] * 2}
    kept = net.with_arrays({"default": changed}).arrays()["default"]
    assert np.array_equal(kept["w_second"], changed["w_second"])
    alone = {key: value for key, value in good.items() if key != "b_second"}
    wide = {
        "w_second": np.zeros((256, 65)),
        "b_second": np.zeros(65),
        "w2": np.zeros((65, 7)),
    }
    for arrays, words in [
        (alone, "b_second"),
        ({**good, "w_second": good["w_second"][:-1]}, "invalid shape .* of w_second"),
        ({**good, **wide}, "65"),
    ]:
        with pytest.raises(ValueError, match=words):
            net.with_arrays({"default": arrays})


def test_safetensors_keep_every_bit(tmp_path: Path) -> None:
    path = tmp_path / "net.safetensors"
    for net in (Net.open("champion"), Net.open("small"), Net.random("128-16/128-16/256-32", 4)):
        nonet.save_safetensors(net, path)
        read = nonet.load_safetensors(path)
        assert read.preset == net.preset
        for key, arrays in net.arrays().items():
            for what, value in arrays.items():
                assert np.array_equal(value, read.arrays()[key][what]), (key, what)
    assert [file.name for file in tmp_path.iterdir()] == ["net.safetensors"]
    net.save(tmp_path / "net.nonet")
    assert path.stat().st_mode == (tmp_path / "net.nonet").stat().st_mode, "others may read it, too"
    whole = path.read_bytes()
    headers = [b"[]", b"7", b"[" * 100_000, b'{"__metadata__": {"format": "nonet", "preset": 7}}']
    others = [len(header).to_bytes(8, "little") + header for header in headers]
    for wrong in (b"", b"no tensors", whole[:5000], whole[:-4], *others):
        path.write_bytes(wrong)
        with pytest.raises(ValueError, match="is not a safetensors file of a nonet team"):
            nonet.load_safetensors(path)


def test_safetensors_are_read_by_the_package_of_that_name(tmp_path: Path) -> None:
    numpy_files = pytest.importorskip("safetensors.numpy", reason="safetensors is not installed")
    path = tmp_path / "net.safetensors"
    nonet.save_safetensors(Net.open("small"), path)
    tensors = numpy_files.load_file(path)
    for name, arrays in Net.open("small").arrays().items():
        assert np.array_equal(tensors[f"{name}.w1"], arrays["w1"])


def test_type_checkers_know_every_option() -> None:
    from nonet._options import TrainOptions

    names = {name.rstrip("_") for name in TrainOptions.__annotations__}
    assert names == set(nonet.TRAIN_OPTIONS)
