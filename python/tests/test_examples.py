"""The examples run, and the docstrings say what happens."""

from __future__ import annotations

import doctest
import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import nonet

EXAMPLES = Path(__file__).parents[1] / "examples"


def run(*words: object) -> str:
    command = [sys.executable, *map(str, words)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_code_of_the_book_runs() -> None:
    text = (EXAMPLES.parents[1] / "docs/src/python.md").read_text()
    code = "\n".join(part.split("```")[0] for part in text.split("```python\n")[1:])
    quick = "games=300, eval_at=[0], eval_every=150, eval_games=50, final_games=50"
    assert "games=20_000" in code
    shown = code[code.index("# <Move") + 2 :].split("\n")[0]
    record = EXAMPLES.parents[1] / "tests/records/five-points.mat"
    match = code.replace('"Anna"', '"root"').replace('"match.mat"', repr(str(record)))
    assert match != code
    told = run("-c", match.replace("games=20_000", quick))
    assert shown in told
    wrong = [line for line in told.splitlines() if line.startswith("False 0.")]
    assert len(wrong) == 2, "two new positions, answered with what tempts"


def test_first_steps() -> None:
    assert "8/5 6/5" in run(EXAMPLES / "first.py")


def test_td_lambda_learns_to_beat_random_play() -> None:
    out = run(EXAMPLES / "td_lambda.py", "--steps", 700, "--tests", 1, "--games", 64)
    first, last = (float(line.split(":")[1].split()[0]) for line in out.splitlines())
    # Standard errors near 0.1.
    assert last > first + 0.4 and last > 0.7


def test_a_specialist_is_fitted_in_pytorch_and_plays_or_is_skipped_in_words() -> None:
    out = run(EXAMPLES / "fit_torch.py", "--games", 60, "--epochs", 10)
    skipped = "skipped: this example needs PyTorch" in out
    assert skipped or "champion with the fitted race net" in out


def test_a_match_is_analysed() -> None:
    assert "PR " in run(EXAMPLES / "analyse_match.py")


def run_notebook(name: str, quick: dict[str, str]) -> str:
    """What the code prints with smaller numbers. Its pictures come last."""
    book = json.loads((EXAMPLES / name).read_text())
    cells = [cell["source"] for cell in book["cells"] if cell["cell_type"] == "code"]
    code = "\n".join("".join(source) + "\n" for source in cells)
    for number, smaller in quick.items():
        assert number in code
        code = code.replace(number, smaller)
    if importlib.util.find_spec("matplotlib") is None:
        # The tests' environment may lack it; the numbers come first.
        code = code[: code.index("from matplotlib")]
    else:
        code = "import matplotlib\nmatplotlib.use('svg')\n" + code
    return run("-c", code)


def test_the_notebook_of_the_paper_runs() -> None:
    quick = {
        "games = 10_000 ": "games = 500 ",
        "test_games = 1_000 ": "test_games = 100 ",
        "simulations = 3 ": "simulations = 2 ",
    }
    out = run_notebook("learning_curve.ipynb", quick)
    assert "nonet train" in out and "   500 games:" in out and "the paper 0.200" in out


def test_the_notebook_of_the_course_has_the_figures_of_its_chapter_and_runs() -> None:
    quick = {"games = 5_000": "games = 300", "eval_games=1_000": "eval_games=100"}
    out = run_notebook("how_it_learns.ipynb", quick)
    chapter = (EXAMPLES.parents[1] / "docs/src/how-it-learns.md").read_text()
    table = out.splitlines()[:3]
    for line in table:
        assert "| " + " | ".join(line.split()) + " |" in chapter, line
    assert "   300 games:" in out and " trained:" in out and "after 300 games" in out


@pytest.mark.parametrize("name", [name for name in nonet.__all__ if callable(getattr(nonet, name))])
def test_docstrings_are_there_and_their_examples_hold(name: str) -> None:
    found = getattr(nonet, name)
    assert found.__doc__, name
    if isinstance(found, type):
        for member in vars(found):
            if not member.startswith("_"):
                told = getattr(found, member).__doc__
                assert told or member in ("metadata", "render_mode"), f"{name}.{member}"
    tests = doctest.DocTestFinder().find(found, name, module=False, globs={"nonet": nonet})
    results = [doctest.DocTestRunner().run(test) for test in tests if test.examples]
    assert not any(result.failed for result in results)


def test_the_module_runs_the_program_or_says_where_to_get_it() -> None:
    # Without a path, so that no other program runs.
    words, env = [sys.executable, "-m", "nonet", "--version"], {**os.environ, "PATH": ""}
    done = subprocess.run(words, capture_output=True, text=True, check=False, env=env)
    if (Path(nonet.__file__).parent / "bin").is_dir():
        assert done.returncode == 0 and done.stdout.startswith(f"nonet {nonet.__version__}")
    else:
        assert done.returncode == 2 and "install a wheel of a release" in done.stderr
