"""The counters of random games of Blox, seen from outside: by the texts of actions and positions."""

import numpy as np

KINDS = ("enter", "move", "capture", "demolish", "build", "swap")
PHASES = ("phase_1", "phase_2", "phase_3", "phase_4")


def kind_of(text):
    """[BX-5] The kind of the action that begins a turn."""
    signs = {"@": "enter", "-": "move", "x": "capture", "d": "demolish", "b": "build", "~": "swap"}
    return next(signs[sign] for sign in text[:1] + text[2:3] + text[1:2] if sign in signs)


def count_action(state, action, counts):
    """Count what an action is: by its text, and by the phase in the text of the position."""
    text = state.action_to_string(action)
    if not state.in_turn():
        for name in (kind_of(text), f"phase_{state.serialize().split(' ')[6][0]}"):
            counts[name] += 1
    counts["joker"] += text[-1] == "j" and text[0] != "~"


def count_end(state, counts):
    counts["limit"] += state.serialize().split(" ")[6:8] != ["4+", "0"]  # [BX-4.1]


def happening(game):
    """What happens in many games."""
    return [*KINDS, "joker", *PHASES[game.options["start_phase"] - 1 :]]


def check(game, results):
    """What is true of every run."""
    check_ends(game, results)
    check_sums(game, results)


def check_ends(game, results):
    """[BX-4.1] [BX-4.2] Every game ended by the rules, at the end of a round, or is counted as one of the limit."""
    limited, most = results.counters["limit"], game.options["max_turns"]
    assert set(np.unique(limited)) <= {0, 1}
    assert (results.turns[limited == 1] == most).all()
    assert (results.turns[limited == 0] % game.num_players() == 0).all()
    assert (results.turns <= most).all()
    assert (results.winners > 0).all()
    assert (results.winners < 1 << game.num_players()).all()


def check_sums(game, results):
    """[BX-11] Each turn is of one kind and begun in one phase."""
    counters = results.counters
    assert list(counters) == [*KINDS, "joker", *PHASES, "limit"]
    assert np.array_equal(sum(counters[name] for name in KINDS), results.turns)
    assert np.array_equal(sum(counters[name] for name in PHASES), results.turns)
    assert (counters["joker"] <= counters["swap"] + game.num_players()).all()  # active at the start, and after a swap
    for phase in range(1, game.options["start_phase"]):
        assert not counters[f"phase_{phase}"].any()


def check_points(results):
    """Points are made by demolitions, captures and builds; each tower has a point at least, each capture three."""
    counters, points = results.counters, results.scores.sum(axis=1)
    makers = counters["demolish"] + counters["capture"] + counters["build"]
    assert (results.scores >= 0).all()
    assert ((points > 0) == (makers > 0)).all()
    assert (points >= counters["demolish"] + 3 * counters["capture"] + 2 * counters["build"]).all()
    assert (points <= 4 * counters["demolish"] + 4 * counters["capture"] + 7 * counters["build"]).all()
    best = results.scores == results.scores.max(axis=1, keepdims=True)
    won = results.winners[:, None] >> np.arange(results.scores.shape[1], dtype=np.uint32) & 1
    assert not (won.astype(bool) & ~best).any()
