"""Practice: a match becomes cards, and new positions follow from the deck and the seed."""

from __future__ import annotations

from pathlib import Path

import pytest

import nonet
from conftest import ROOT, Program
from nonet import Deck, Engine

RECORD = ROOT / "tests/records/five-points.mat"


@pytest.fixture(scope="module")
def engine() -> Engine:
    return Engine(ply=1, cube_ply=1, bearoff=False)


def test_a_match_becomes_cards_and_new_positions(engine: Engine) -> None:
    deck = Deck("root")
    seen: list[tuple[int, int]] = []
    new = deck.take_up(engine, RECORD, progress=lambda done, total: seen.append((done, total)))
    assert new == len(deck.cards)
    assert deck.take_up(engine, RECORD) == 0, "known"
    assert seen[-1][0] == seen[-1][1]
    shares = deck.overview()["shares"]["plans"]
    # A row without a mistake and with less than half a per cent is left out: nine kinds of games.
    assert 1 - 9 * 0.005 <= sum(share["share"] for share in shares) <= 1 + 1e-6
    assert all(share["interval"][0] <= share["share"] <= share["interval"][1] for share in shares)
    drawn = deck.draw(engine, 2, seed=5)
    again = Deck("root")
    again.take_up(engine, RECORD)
    assert again.draw(engine, 2, seed=5) == drawn
    kinds = {(card["plan"], card["mistake"]) for card in deck.cards}
    assert {card["plan"] for card in drawn} <= {plan for plan, _ in kinds}
    cards, wrong = len(deck.cards), drawn[0]
    told = deck.answer(engine, wrong["xgid"], wrong["made"])
    assert (told["right"], told["best"], len(deck.cards)) == (False, wrong["best"], cards + 1)
    assert told["loss"] == pytest.approx(wrong["loss"]) and told["equities"][0]["plies"] == 2
    right = deck.answer(engine, drawn[1]["xgid"], drawn[1]["best"])
    assert (right["right"], right["loss"], len(deck.cards)) == (True, 0, cards + 1)


def test_what_cannot_be_done_is_said(engine: Engine) -> None:
    deck = Deck("zoe")
    with pytest.raises(ValueError, match="'zoe' plays in no match"):
        deck.take_up(engine, RECORD)
    with pytest.raises(ValueError, match="has no card"):
        deck.answer(engine, "XGID=none", "8/5 6/5")
    with pytest.raises(ValueError, match="expected 1 to 100"):
        deck.draw(engine, 0)
    plans = [card["plan"] for card in deck.draw(engine, 1)]
    assert plans == ["opening"], "without a match frequent kinds"


def test_a_deck_in_a_folder_is_that_of_the_program(
    engine: Engine, program: Program, tmp_path: Path
) -> None:
    deck = Deck("root", tmp_path / "practice")
    deck.take_up(engine, RECORD)
    with pytest.raises(OSError, match="another nonet practises as root"):
        Deck("root", tmp_path / "practice")
    overview = deck.overview()
    del deck
    theirs = program("practise", "--list", "--data", tmp_path)
    assert (theirs["cards"], theirs["shares"]) == (overview["cards"], overview["shares"])
    assert nonet.Deck("root", tmp_path / "practice").overview()["cards"] == overview["cards"]
