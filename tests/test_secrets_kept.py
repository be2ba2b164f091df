"""What must not tell secrets: error texts, representations, and the view of one player on the command line."""

import copy
import pickle

import blox_model as model
import numpy as np
import pytest

import ziggurat as zg
from ziggurat import reference
from ziggurat.cli import main

BOTH = pytest.mark.parametrize("load", [zg.load_game, reference.load_game], ids=["native", "reference"])


def secrets_of(state):
    """The hands, the deck or supply and the chance of a state, as its text has them."""
    _, _, _, seats, deck, *_, chance = state.serialize().split(" ")
    return [*(seat.split(":")[1] for seat in seats.split("/")), deck, *chance.split(".")[:1]]


@pytest.mark.parametrize("name", ["blox", "numberplace_city"])
@pytest.mark.parametrize(
    "misuse",
    [
        lambda state: getattr(state, zg.describe(state.get_game().name)["views"].popitem()[0])(0.5),
        lambda state: state.events("x"),
        lambda state: state.events(-1),
        lambda state: state.observation_string(None),
        lambda state: state.observation_string(4),
        lambda state: state.hand(),
        lambda state: state.apply_action("x"),
        lambda state: state.is_legal(None),
        lambda state: state.legal_actions("0"),
        lambda state: state.observation_tensor("x"),
        lambda state: state.string_to_turn(3),
        lambda state: state.analysis(3),
        lambda state: state.view("hand", "0"),
        lambda state: state.resample(0, "x"),
        lambda state: state.resample(9),
        lambda state: state.information_state_string(4),
    ],
)
def test_errors_of_arguments_tell_no_secrets(misuse, name):
    state = zg.load_game(name).new_initial_state(5)
    with pytest.raises((TypeError, ValueError)) as caught:
        misuse(state)
    assert [secret for secret in secrets_of(state) if secret in str(caught.value)] == []


def test_a_representation_tells_whose_turn_it_is_and_no_secrets():
    state = zg.load_game("blox", players=3, max_turns=2).new_initial_state(5)
    texts = []
    for _ in range(3):
        texts.append(repr(state))
        assert [secret for secret in secrets_of(state) if secret in repr(state)] == []
        if not state.is_terminal():
            state.apply_action(0 if state.is_legal(0) else state.legal_actions()[0])
    game = str(state.get_game())
    assert texts == [f"<{game}, player 0 to move>", f"<{game}, player 1 to move>", f"<{game} after the end>"]
    city = zg.load_game("numberplace_city", players=2, max_turns=1).new_initial_state(5)
    assert repr(city) == "<numberplace_city(players=2,max_turns=1), player 0 to move>"
    city.apply_action(city.legal_actions()[0])
    assert repr(city) == "<numberplace_city(players=2,max_turns=1) after the end>"
    open_state = zg.load_game("pylos").new_initial_state()
    assert repr(open_state) == f"<{open_state.serialize()}>"


@BOTH
def test_bx_4_3_points_are_counted_up_to_a_billion(load):
    """A tower of three is demolished: points stop at the greatest number that a text may have."""
    for before, after in ((10**9 - 4, 10**9 - 1), (10**9 - 2, 10**9), (10**9, 10**9)):
        game = model.board(load)
        own = model.seat(hand="wwwrrr", pawns="e5", points=before)
        state = model.at(game, own, towers={"e7": "www"}, phase=3)
        state.apply_action(state.string_to_action("0nd"))
        assert state.scores()[0] == after
        for again in (pickle.loads(pickle.dumps(state)), copy.deepcopy(state), game.deserialize(state.serialize())):
            assert again == state


@BOTH
@pytest.mark.parametrize("game", ["blox", "numberplace_city"])
def test_a_view_by_its_name_is_the_method(load, game):
    state = load(game).new_initial_state(3)
    for name in zg.describe(game)["views"]:
        for player in range(2):
            assert np.array_equal(state.view(name, player), getattr(state, name)(player))
    with pytest.raises(ValueError, match="nothing"):
        state.view("nothing", 0)
    with pytest.raises(ValueError, match="4"):
        state.view("hand", 4)
    with pytest.raises(ValueError, match="mobility"):
        load("blokus").new_initial_state().view("mobility", 0)


def test_show_for_a_player_does_not_tell_what_another_one_lacks(capsys):
    """Seed 2: player 0 has no black card; that is for his eyes only."""
    said = {}
    for player in (0, 1):
        assert main(["show", "blox", "--seed", "2", "--player", str(player), "--moves", "@f10"]) != 0
        said[player] = capsys.readouterr().err
    assert "the hand has" in said[0]
    assert "the hand has" not in said[1]
    assert "@f10" in said[1]


@pytest.mark.parametrize("move", ["pass=1", "r5c5=1"])
def test_show_for_a_player_does_not_tell_which_tiles_another_one_lacks(capsys, move):
    """Seed 4 of two players: player 1 has no 1 in hand."""
    said = {}
    for player in (0, 1):
        words = ["show", "numberplace_city", "--option", "players=2", "--seed", "4", "--player", str(player)]
        assert main([*words, "--moves", f"r8c2=2 {move}"]) != 0
        said[player] = capsys.readouterr().err
    assert "no 1 in hand" in said[1]
    assert "hand" not in said[0]
    assert move in said[0]


@BOTH
def test_a_representation_of_a_city_tells_no_secrets(load):
    state = load("numberplace_city").new_initial_state(5)
    assert repr(state) == "<numberplace_city(), player 0 to move>"
