"""The counters of random games of Numberplace City, seen from outside: by the texts of actions and positions."""

import numberplace_city_model as city
import numpy as np

BONUSES = tuple(f"bonus_{number}" for number in range(1, 10))
ENDS = ("end_points", "end_area", "end_bonus", "end_last", "end_nobody", "end_count", "limit")
COUNTERS = ("lay", "pass", *BONUSES, "declined", "built", "penalties", "eliminated", *ENDS)


def count_action(state, action, counts):
    """Count what an action is: by its text, and by the number that gave the bonus in the text of the position."""
    text, bonus = state.action_to_string(action), city.read(state).bonus
    if bonus == "-":
        counts["pass" if text.startswith("pass") else "lay"] += 1
    else:
        counts["declined" if text == "decline" else f"bonus_{bonus.split(':')[1]}"] += 1


def count_end(state, counts):
    """Count what lies on the table at the end, and how it came."""
    now = city.read(state)
    counts["built"] += len(city.built(state))
    counts["penalties"] += sum(len(seat.penalties) for seat in now.seats)
    counts["eliminated"] += sum(seat.status == "out" for seat in now.seats)
    counts["limit" if now.end == "-" else f"end_{now.end.split(':')[0]}"] += 1


def check(game, results):
    """What is true of every run [NC-13]."""
    assert tuple(results.counters) == COUNTERS
    check_sums(game, results)
    check_winners(game, results)
    check_limit(game, results)


def check_sums(game, results):
    """Every turn is one action, a lay, a pass or a decision; every game ended in one way."""
    counters = results.counters
    assert np.array_equal(results.plies, results.turns)
    assert np.array_equal(sum(counters[name] for name in ("lay", "pass", *BONUSES, "declined")), results.turns)
    assert all(set(np.unique(counters[name])) <= {0, 1} for name in ENDS)
    assert (sum(counters[name] for name in ENDS) == 1).all()
    assert (counters["built"] <= counters["lay"]).all()
    assert (counters["built"] + counters["penalties"] <= 9 * game.options["tiles_per_number"]).all()
    for number, effect in enumerate(game.options["bonus_table"], 1):
        if effect == "-" and game.options["bonus_scope"] == "own":
            assert not counters[f"bonus_{number}"].any()


def check_winners(game, results):
    """Who has won fits how the game ended: one or nobody, and by points those who have most of them or enough."""
    players, counters = game.num_players(), results.counters
    won = (results.winners[:, None] >> np.arange(players, dtype=np.uint32) & 1).astype(bool)
    number, enough = won.sum(axis=1), results.scores >= game.options["points_to_win"]
    ended = {name: counters[name] == 1 for name in ENDS}
    assert (number[ended["end_nobody"]] == 0).all()
    assert (number[ended["end_count"] | ended["limit"]] >= 1).all()
    for name in ("end_points", "end_area", "end_bonus", "end_last"):
        assert (number[ended[name]] == 1).all()
    assert np.array_equal(enough[ended["end_points"]], won[ended["end_points"]])
    assert not enough[~ended["end_points"]].any()
    assert (counters["eliminated"][ended["end_last"]] == players - 1).all()
    assert (counters["eliminated"][ended["end_nobody"]] == players).all()
    assert (counters["eliminated"][~ended["end_last"] & ~ended["end_nobody"]] < players).all()
    best = np.where(won, results.scores, -1).max(axis=1, keepdims=True)
    assert (~won | (results.scores == best)).all()


def check_limit(game, results):
    """[NC-5.2] Lays and passes are counted up to the limit; 0 is none."""
    counters, most = results.counters, game.options["max_turns"]
    acts, limited = counters["lay"] + counters["pass"], counters["limit"] == 1
    assert (acts[limited] == most).all()
    assert most == 0 or (acts <= most).all()
