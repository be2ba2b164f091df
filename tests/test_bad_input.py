"""What callers can get wrong: a typed error that names the value, a state that stays as it was, and never a crash."""

import copy
import pickle
import random
import re
from operator import index

import numpy as np
import pytest
from bad_values import BAD_TEXTS, ERRORS, HUGE, NOT_NUMBERS, NOT_TEXTS, SURROGATE
from common import walk

import ziggurat as zg
from ziggurat import _core

DUO = "blokus(board=14,colours=2,starts=e10+j5)"
TINY = "blokus(board=5,sharing=pairs,start=any_corner,starts=b2+d2+d4+b4,pieces=1+2+V3,copies=2)"
FEW = "blox(players=3,board=9,hand=2,cards_per_colour=2)"
CITY = "numberplace_city(players=2,areas=034+458,tiles_per_number=2,bonus_scope=all_up_to,penalties_open=false)"
GAMES = ["pylos", "pylos(base=3,removal=mandatory)", "blokus", "blokus(pass_mode=skip)", DUO, TINY, "blox", FEW]
GAMES += ["numberplace_city", CITY]


class Hostile:
    """An object whose special methods do what nobody expects."""

    def __init__(self, error=RuntimeError, value=None):
        self.error, self.value = error, value

    def give(self, *_):
        if self.value is not None:
            return self.value
        raise self.error("hostile")

    __index__ = __int__ = __eq__ = __hash__ = __len__ = __iter__ = __bool__ = __repr__ = __str__ = give


@pytest.fixture(params=GAMES)
def state(request):
    """A position in the middle of a game."""
    return list(walk(zg.load_game(request.param), 3, 8))[-1].clone()


@pytest.fixture
def unchanged(state):
    """Checks at the end that the state is as it was."""
    before, text = state.clone(), state.serialize()
    yield
    assert state == before
    assert state.serialize() == text
    assert state._broken_invariant() == ""


pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")


def ask_with_action(state):
    game = state.get_game()
    return [
        state.apply_action,
        state.is_legal,
        state.events,
        state.action_to_string,
        lambda a: state.turn_to_string([a]),
        game.action_to_string,
        lambda a: game.transform_action(a, 0),
    ]


@pytest.mark.usefixtures("unchanged")
def test_actions_that_do_not_exist(state):
    last = state.get_game().num_distinct_actions() - 1
    for ask in ask_with_action(state):
        for action in (last + 1, -1, 2**31, 2**32, -(2**31), 2**63 - 1):
            with pytest.raises(ValueError) as caught:
                ask(action)
            assert str(action) in str(caught.value)
            assert str(last) in str(caught.value)
        for action in HUGE:
            with pytest.raises(ERRORS):
                ask(action)


@pytest.mark.usefixtures("unchanged")
def test_actions_that_are_no_numbers(state):
    for ask in ask_with_action(state):
        for action in NOT_NUMBERS:
            with pytest.raises(TypeError):
                ask(action)


@pytest.mark.usefixtures("unchanged")
def test_illegal_actions_say_why(state):
    for action in np.flatnonzero(state.legal_actions_mask() == 0).tolist()[::37]:
        with pytest.raises(zg.IllegalActionError, match=r"action \d+ \(.*\) is not legal for player \d: .") as caught:
            state.apply_action(action)
        assert isinstance(caught.value, ValueError)
        assert f"({state.action_to_string(action)})" in str(caught.value)
        with pytest.raises(zg.IllegalActionError) as again:
            state.events(action)
        assert str(again.value) == str(caught.value)


@pytest.mark.parametrize("text", [*GAMES, "pylos(max_turns=3)", "blox(max_turns=3)", "numberplace_city(max_turns=3)"])
def test_actions_after_the_end(text):
    *_, state = walk(zg.load_game(text), 1, 5000)
    assert state.is_terminal()
    before = state.clone()
    for action in range(0, state.get_game().num_distinct_actions(), 7):
        assert not state.is_legal(action)
        for ask in (state.apply_action, state.events):
            with pytest.raises(zg.IllegalActionError, match="over"):
                ask(action)
    for bad in ("1a1", "", "stop", "pass", "~w", "done", "decline", "r1c1=1"):
        with pytest.raises(zg.ParseError):
            state.string_to_turn(bad)
    assert state == before


@pytest.mark.usefixtures("unchanged")
def test_players_and_symmetries_that_do_not_exist(state):
    game = state.get_game()
    asks = {
        state.observation_tensor: game.num_players(),
        state.legal_actions: game.num_players(),
        state.information_state_string: game.num_players(),
        state.observation_string: game.num_players(),
        state.resample: game.num_players(),
        lambda player: state.resample(player, seed=3): game.num_players(),
        **{getattr(state, name): game.num_players() for name in zg.describe(game.name)["views"]},
        state.transformed: game.num_symmetries(),
        lambda k: game.transform_action(0, k): game.num_symmetries(),
    }
    for ask, number in asks.items():
        for bad in (number, -1, 1000, -5, 2**31 - 1):
            with pytest.raises(ValueError) as caught:
                ask(bad)
            assert str(bad) in str(caught.value)
            assert str(number - 1) in str(caught.value)
        for bad in HUGE:
            with pytest.raises(ERRORS):
                ask(bad)
        for bad in NOT_NUMBERS:
            if bad is None and ask == state.legal_actions:
                continue  # the player to move
            with pytest.raises(TypeError):
                ask(bad)
    assert len(state.legal_actions(-4)) == 0  # the player after the end


@pytest.mark.usefixtures("unchanged")
def test_a_player_must_be_named(state):
    views = [getattr(state, name) for name in zg.describe(state.get_game().name)["views"]]
    for ask in (state.information_state_string, state.observation_string, state.resample, *views):
        for arguments in ((), (0, None, None), (0, 0, 0)):
            with pytest.raises(TypeError):
                ask(*arguments)
        with pytest.raises(TypeError):
            ask(viewer=0)


@pytest.mark.usefixtures("unchanged")
def test_seeds_of_samples_are_64_bits(state):
    for bad in (-1, 2**64, 10**400, -(2**63)):
        with pytest.raises(ValueError, match="seed"):
            state.resample(0, bad)
    for bad in NOT_NUMBERS:
        with pytest.raises(TypeError):
            state.resample(0, bad)
        with pytest.raises(TypeError):
            state.resample(player=0, seed=bad)
    for good in (0, 2**64 - 1, np.uint64(2**63), np.int8(1)):
        assert state.resample(0, good)._broken_invariant() == ""


@pytest.mark.usefixtures("unchanged")
def test_there_are_no_views_but_those_of_the_game(state):
    everything = {name for game in zg.games() for name in zg.describe(game)["views"]}
    for name in everything - set(zg.describe(state.get_game().name)["views"]) | {"wealth", "Hand", "hand "}:
        with pytest.raises(AttributeError):
            getattr(state, name)


@pytest.mark.usefixtures("unchanged")
def test_malformed_texts(state):
    game = state.get_game()
    for read in (
        game.string_to_action,
        state.string_to_action,
        state.string_to_turn,
        game.deserialize,
        zg.restore_state,
    ):
        for text in BAD_TEXTS:
            if text == "" and read == state.string_to_turn and state.in_turn():
                continue  # what is left of a turn may be the action alone that closes it, which has no text there
            with pytest.raises((ValueError, TypeError) if SURROGATE.search(text) else ValueError):
                read(text)
        for text in NOT_TEXTS:
            with pytest.raises((TypeError, AttributeError) if read is zg.restore_state else TypeError):
                read(text)
    with pytest.raises(zg.ParseError, match="zz9"):
        state.string_to_action("zz9")


def test_texts_of_other_games_are_refused():
    texts = [zg.load_game(text).new_initial_state().serialize() for text in GAMES]
    for i, name in enumerate(GAMES):
        for j, text in enumerate(texts):
            if i != j:
                with pytest.raises(zg.ParseError, match=r"pylos|blokus|blox|numberplace_city"):
                    zg.load_game(name).deserialize(text)


@pytest.mark.parametrize("bad", [-1, 2**64, 10**400, -(2**63)])
def test_seeds_are_64_bits(bad):
    for name in zg.games():
        game = zg.load_game(name)
        for ask in (game.new_initial_state, lambda seed, game=game: zg.simulate(game, 1, seed=seed)):
            with pytest.raises(ValueError, match="seed"):
                ask(bad)
    game = zg.load_game("pylos")
    assert game.new_initial_state(2**64 - 1) == game.new_initial_state(0)
    for name in ("blox", "numberplace_city"):
        assert zg.load_game(name).new_initial_state(2**64 - 1) != zg.load_game(name).new_initial_state(0)


@pytest.mark.parametrize("name", zg.games())
def test_seeds_are_integers(name):
    game = zg.load_game(name)
    for bad in NOT_NUMBERS:
        with pytest.raises(TypeError):
            game.new_initial_state(bad)
        with pytest.raises(TypeError):
            zg.simulate(game, 1, seed=bad)


@pytest.mark.usefixtures("unchanged")
@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ({"depth": -1}, "depth"),
        ({"depth": 1001}, "depth"),
        ({"depth": 2**63}, ""),
        ({"depth": 1, "threads": -1}, "threads"),
        ({"depth": 1, "threads": 1025}, "threads"),
        ({"depth": 1, "threads": 2**70}, ""),
        ({"depth": 1, "hash_mb": -1}, "hash_mb"),
        ({"depth": 1, "hash_mb": 2**40}, "hash_mb"),
        ({"depth": 1, "unit": "ply"}, "unit"),
        ({"depth": 1, "unit": ""}, "unit"),
        ({"depth": 1, "unit": "TURN"}, "unit"),
    ],
)
def test_perft_out_of_range(state, arguments, told):
    for divide in (False, True):
        with pytest.raises(ERRORS) as caught:
            zg.perft(state, divide=divide, **arguments)
        assert told in str(caught.value)


@pytest.mark.usefixtures("unchanged")
def test_perft_of_wrong_types(state):
    for bad in NOT_NUMBERS:
        for arguments in ({"depth": bad}, {"depth": 1, "threads": bad}, {"depth": 1, "hash_mb": bad}):
            with pytest.raises(TypeError):
                zg.perft(state, **arguments)
    for bad in (None, 1, "pylos", state.get_game(), type(state), []):
        with pytest.raises(TypeError):
            zg.perft(bad, 1)
    for bad in (1, [], None, b"turn"):
        with pytest.raises(ERRORS):
            zg.perft(state, 1, unit=bad)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ({"games": -1}, "games"),
        ({"games": 2**64}, ""),
        ({"games": 10**30}, ""),
        ({"games": 1, "first": -1}, "first"),
        ({"games": 1, "first": 2**64}, ""),
        ({"games": 1, "threads": -1}, "threads"),
        ({"games": 1, "threads": 1025}, "threads"),
        ({"games": 1, "uniform": "ply"}, "uniform"),
        ({"games": 1, "uniform": "Turn"}, "uniform"),
        ({"games": 1, "seed": -1}, "seed"),
    ],
)
def test_simulate_out_of_range(arguments, told):
    with pytest.raises(ERRORS) as caught:
        zg.simulate(zg.load_game("pylos"), **arguments)
    assert told in str(caught.value)


def test_simulate_of_more_games_than_fit_into_memory():
    for games in (2**62, 2**63 - 1, 2**63, 2**64 - 1):
        with pytest.raises((*ERRORS, MemoryError)):
            zg.simulate(zg.load_game("pylos"), games)


def test_simulate_of_wrong_types(state):
    game = state.get_game()
    for bad in NOT_NUMBERS:
        for arguments in ({"games": bad}, {"games": 1, "threads": bad}, {"games": 1, "first": bad}):
            with pytest.raises(TypeError):
                zg.simulate(game, **arguments)
    for bad in (None, 1, "pylos", state, type(game), []):
        with pytest.raises(TypeError):
            zg.simulate(bad, 1)


def test_no_games_at_all_are_fine():
    results = zg.simulate(zg.load_game("blokus"), 0)
    assert len(results) == 0
    assert results.scores.shape == (0, 4)


# Arrays to write into.


def wrong_arrays(shape, dtype):
    """Arrays of another dtype, shape or layout, and what is no array."""
    read_only = np.zeros(shape, dtype)
    read_only.flags.writeable = False
    wide = np.zeros((*shape[:-1], shape[-1] * 2), dtype)
    return {
        "float64": np.zeros(shape, np.float64),
        "int8": np.zeros(shape, np.int8),
        "four bytes": np.zeros(shape, np.int32 if dtype == np.float32 else np.float32),
        "object": np.zeros(shape, object),
        "other byte order": np.zeros(shape, np.dtype(dtype).newbyteorder(">")) if np.dtype(dtype).itemsize > 1 else 1,
        "structured": np.zeros(shape, [("x", dtype)]),
        "small": np.zeros((*shape[:-1], shape[-1] - 1), dtype),
        "large": np.zeros((*shape[:-1], shape[-1] + 1), dtype),
        "more dimensions": np.zeros((*shape, 1), dtype),
        "fewer dimensions": np.zeros((), dtype),
        "empty": np.zeros(0, dtype),
        "strided": wide[..., ::2],
        "reversed": np.zeros(shape, dtype)[..., ::-1],
        "read-only": read_only,
        "list": np.zeros(shape, dtype).tolist(),
        "bytes": bytes(100),
        "bytearray": bytearray(100),
        "memoryview": memoryview(np.zeros(shape, dtype)),
        "string": "out",
        "number": 5,
        "class": np.ndarray,
        "hostile": Hostile(),
        "broadcast": np.broadcast_to(np.zeros((), dtype), shape),
    }


def named_arrays(state):
    """Functions that write an analysis, a table or a player's view into an array, each with what it writes."""
    about = zg.describe(state.get_game().name)
    methods = [(state.analysis, name) for name in about["analyses"]]
    methods += [(state.get_game().table, name) for name in about["tables"]]
    methods += [(getattr(state, name), player) for name in about["views"] for player in (0, 1)]
    return [(lambda out, ask=ask, name=name: ask(name, out), ask(name)) for ask, name in methods]


@pytest.mark.usefixtures("unchanged")
def test_named_arrays_are_written_where_they_should_be(state):
    for ask, expected in named_arrays(state):
        out = np.full(expected.shape, 77, expected.dtype)
        assert ask(out) is out
        assert np.array_equal(out, expected)
        assert np.array_equal(ask(None), expected)


@pytest.mark.usefixtures("unchanged")
def test_names_of_arrays_that_do_not_exist(state):
    about = zg.describe(state.get_game().name)
    for ask, names in ((state.analysis, about["analyses"]), (state.get_game().table, about["tables"])):
        others = [*about["analyses"], *about["tables"]]
        near = [text for name in names for text in (name.upper(), f"{name} ", f"{name}\0", name[:-1])]
        for bad in [*BAD_TEXTS, *near, "wealth", *(name for name in others if name not in names)]:
            with pytest.raises((ValueError, TypeError) if SURROGATE.search(bad) else ValueError) as caught:
                ask(bad)
            assert SURROGATE.search(bad) or all(name in str(caught.value) for name in names or ["none"])
        for bad in NOT_TEXTS:
            with pytest.raises(TypeError):
                ask(bad)
        with pytest.raises(TypeError):
            ask()
        with pytest.raises(ValueError, match="wealth"):
            ask("wealth", np.zeros(4, np.int32))


@pytest.mark.usefixtures("unchanged")
def test_canonical_takes_no_arguments(state):
    for arguments in ((0,), (None,), (state,)):
        with pytest.raises(TypeError):
            state.canonical(*arguments)
    with pytest.raises(TypeError):
        state.canonical(k=0)


@pytest.mark.usefixtures("unchanged")
def test_arrays_that_do_not_fit(state):
    game = state.get_game()
    asks = {
        state.legal_actions_mask: ((game.num_distinct_actions(),), np.uint8),
        lambda out: state.observation_tensor(0, out): (game.observation_tensor_shape(), np.float32),
        **{ask: (value.shape, value.dtype) for ask, value in named_arrays(state)},
    }
    for ask, (shape, dtype) in asks.items():
        for name, out in wrong_arrays(shape, dtype).items():
            before = out.copy() if isinstance(out, np.ndarray) else None
            with pytest.raises(ERRORS):
                ask(out)
            assert before is None or (before == out).all(), name
    with pytest.raises(ValueError) as caught:
        state.observation_tensor(0, np.zeros((1, 2), np.float32))
    assert "(1, 2" in str(caught.value)
    assert str(game.observation_tensor_shape())[:-1] in str(caught.value)


def test_arrays_in_fortran_order_are_refused():
    state = zg.load_game("blokus").new_initial_state()
    with pytest.raises(ValueError, match="contiguous"):
        state.observation_tensor(0, np.zeros((8, 20, 20), np.float32, order="F"))


def test_an_array_subclass_and_an_unaligned_array():
    class Sub(np.ndarray):
        pass

    state = zg.load_game("pylos").new_initial_state()
    out = np.zeros(217, np.uint8).view(Sub)
    assert state.legal_actions_mask(out) is out
    raw = np.zeros(12 * 64 * 4 + 1, np.uint8)
    unaligned = raw[1:].view(np.float32).reshape(12, 4, 4, 4)
    assert not unaligned.flags.aligned
    try:
        state.observation_tensor(0, unaligned)
    except ValueError:
        return
    assert np.array_equal(unaligned, state.observation_tensor(0))


# Objects that play tricks.


@pytest.mark.usefixtures("unchanged")
def test_hostile_objects(state):
    game = state.get_game()
    calls = [
        *ask_with_action(state),
        state.string_to_turn,
        state.transformed,
        state.observation_tensor,
        state.legal_actions,
    ]
    calls += [getattr(state, name) for name in zg.describe(game.name)["views"]]
    calls += [state.information_state_string, state.observation_string, state.resample, lambda x: state.resample(0, x)]
    calls += [state.turn_to_string, game.deserialize, game.new_initial_state, game.string_to_action, zg.load_game]
    calls += [
        lambda x: zg.perft(state, x),
        lambda x: zg.simulate(game, x),
        zg.restore_state,
    ]
    calls += [lambda x: zg.load_game("pylos", max_turns=x), lambda x: zg.load_game("pylos", x)]
    calls += [lambda x, o=o: zg.load_game("blokus", **{o: x}) for o in ("board", "start", "starts", "pieces")]
    calls += [lambda x, o=o: zg.load_game("blox", **{o: x}) for o in ("players", "faces", "sides", "reach_new")]
    calls += [
        lambda x, o=o: zg.load_game("numberplace_city", **{o: x}) for o in zg.load_game("numberplace_city").options
    ]
    calls += [state.analysis, game.table]
    for call in calls:
        for error in (RuntimeError, KeyError, ValueError, TypeError, ZeroDivisionError):
            with pytest.raises((error, *ERRORS, AttributeError)):
                call(Hostile(error))
        for value in ("x", 1.5, None, [], -1, 2**200):
            with pytest.raises((RuntimeError, *ERRORS, AttributeError)):
                call(Hostile(value=value))


def test_an_index_that_changes_the_state(state):
    """The argument is read before the state is: an `__index__` that plays is the caller's own doing, and harmless."""

    class Player:
        def __index__(self):
            state.apply_action(state.legal_actions()[0])
            return int(state.legal_actions()[0])

    for _ in range(10):
        if state.is_terminal():
            break
        try:
            state.apply_action(Player())
        except (IndexError, *ERRORS):
            break
    assert state._broken_invariant() == ""


@pytest.mark.usefixtures("unchanged")
def test_comparisons_with_other_things(state):
    game = state.get_game()
    for value in (state, game):
        for other in [
            None,
            1,
            "x",
            object(),
            np.float64(1),
            type(value),
            *(zg.load_game(g) for g in GAMES if zg.load_game(g) != game),
        ]:
            assert (value == other) is False
            assert (value != other) is True
        with pytest.raises(TypeError):
            value < value  # noqa: B015
        with pytest.raises(AttributeError):
            value.colour = 1
    assert game != state
    assert zg.load_game("pylos") != zg.load_game("pylos", "mini")


def classes():
    """The native classes of games and states."""
    games = [zg.load_game(name) for name in (*zg.games(), "pylos(base=3)", "blox(board=9)")]
    return [type(value) for game in games for value in (game, game.new_initial_state())]


def test_classes_are_made_by_functions_only():
    assert len(set(classes())) == 12
    for cls in classes():
        for arguments in ((), (1,), ("pylos",), (None, None)):
            with pytest.raises(TypeError):
                cls(*arguments)


def quietly(call, *arguments):
    """The value of a call that may be refused, but in no other way than it should be; None if it was."""
    try:
        return call(*arguments)
    except (*ERRORS, RuntimeError, AttributeError, pickle.PicklingError):
        return None


@pytest.mark.parametrize("cls", classes(), ids=lambda cls: cls.__name__)
def test_empty_objects_do_not_crash(cls):
    """Objects whose C++ part was never made: there are none, or every method refuses to work."""
    others = [(), (zg.load_game("pylos").new_initial_state(),), (0,), ("x",), (None,), (0, 0)]
    others.append((1, _core.Unit.TURN, False, 1, 0, None))
    for name in dir(cls):
        if name in ("__class__", "__new__", "__init_subclass__", "__subclasshook__", "__dir__", "__doc__"):
            continue
        for arguments in others:
            empty = quietly(cls.__new__, cls)
            method = quietly(getattr, empty, name)
            if callable(method):
                quietly(method, *arguments)
    for function in (copy.copy, copy.deepcopy, pickle.dumps, repr, str, hash):
        quietly(lambda function=function: function(cls.__new__(cls)))


@pytest.mark.parametrize("cls", classes(), ids=lambda cls: cls.__name__)
def test_subclasses_do_not_crash(cls):
    try:
        sub = type("Sub", (cls,), {"__init__": lambda self: None})
    except TypeError:
        return
    with pytest.raises(TypeError):
        sub()
    for other in classes():
        if other is not cls:
            with pytest.raises(TypeError):
                type("Both", (cls, other), {})()
            with pytest.raises(TypeError):
                next(iter(vars(cls).values())).__get__(object())()


def test_methods_called_with_the_wrong_self():
    for cls in classes():
        for name in dir(cls):
            method = getattr(cls, name)
            if not callable(method) or name.startswith("__"):
                continue
            for wrong in (None, 1, "x", other_self(cls)):
                with pytest.raises(TypeError):
                    method(wrong)


def other_self(cls):
    """An object that is no instance of a class: a game for a state of Pylos, and a state of Pylos for anything else."""
    state, game = zg.load_game("pylos").new_initial_state(), zg.load_game("blokus")
    return game if "Pylos" in cls.__name__ else state


def test_damaged_pickles_are_refused(state):
    rng = random.Random(5)
    whole = pickle.dumps(state, 0)
    text = state.serialize()
    for _ in range(300):
        place = rng.randrange(len(text))
        changed = text[:place] + rng.choice("LDbyrg.-/*0123456789 (),=xwkj:+AB>in") + text[place + rng.randrange(2) :]
        damaged = whole.replace(text.encode(), changed.encode())
        try:
            read = pickle.loads(damaged)
        except (*ERRORS, pickle.UnpicklingError):
            continue
        assert read._broken_invariant() == ""
        assert read.serialize() == changed or str(read.get_game()) == str(zg.load_game(changed.split(") ")[0] + ")"))


# Random calls.


def any_value(rng, state):
    """A value that may be good, bad or absurd."""
    game = state.get_game()
    legal = state.legal_actions()
    return rng.choice(
        [
            lambda: rng.randrange(-3, game.num_distinct_actions() + 3),
            lambda: legal[rng.randrange(len(legal))] if len(legal) else 0,
            lambda: rng.choice(HUGE),
            lambda: rng.choice(NOT_NUMBERS),
            lambda: rng.choice(NOT_TEXTS),
            lambda: rng.choice(BAD_TEXTS),
            lambda: rng.randrange(4),
            lambda: rng.choice(
                [*(about := zg.describe(game.name))["analyses"], *about["tables"], *about["views"], "wealth"]
            ),
            lambda: np.zeros(rng.choice([(2,), (2, 21), (2, 14, 14), (4, 5, 5)]), rng.choice([np.int32, np.float32])),
            Hostile,
            lambda: Hostile(value=rng.choice([0, 1, "x", 2**70])),
            lambda: game.action_to_string(rng.randrange(game.num_distinct_actions())),
            lambda: mangled(rng, state.serialize()),
            lambda: [rng.randrange(game.num_distinct_actions()) for _ in range(rng.randrange(3))],
            lambda: np.zeros(rng.choice([game.num_distinct_actions(), 3]), rng.choice([np.uint8, np.float32])),
            lambda: np.zeros(game.observation_tensor_shape(), rng.choice([np.uint8, np.float32])),
            state.clone,
            lambda: game,
        ]
    )()


def mangled(rng, text):
    """A text with a few characters changed, left out or doubled."""
    letters = list(text)
    for _ in range(rng.randrange(4)):
        place = rng.randrange(len(letters))
        letters[place] = rng.choice(["", letters[place] * 2, chr(rng.randrange(128)), "9", " "])
        letters = list("".join(letters)) or [" "]
    return "".join(letters)


def small(value):
    """The value, or -1 for a number that would keep the test busy for long."""
    try:
        return value if index(value) <= 2 else -1
    except (*ERRORS, RuntimeError):
        return value


def fuzz_targets(state):
    """Every method of a state and of its game, and the functions, made harmless where they would take long."""
    game = state.get_game()
    methods = [getattr(x, name) for x in (state, game) for name in dir(x) if not name.startswith("_")]
    dunders = [
        getattr(x, name) for x in (state, game) for name in ("__eq__", "__ne__", "__deepcopy__", "__copy__", "__str__")
    ]
    functions = [
        zg.load_game,
        zg.restore_state,
        zg.rules,
        lambda x=1, y="turn": zg.perft(state, small(x), y, hash_mb=1),
        lambda x=1, y=0: zg.simulate(game, small(x), y, threads=1),
        lambda x=0, y=1: zg.perft(x, 1, threads=small(y)),
        lambda x=0, **_: zg.load_game("pylos", max_turns=x),
    ]
    return [target for target in methods + dunders + functions if callable(target)]


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("text", GAMES)
def test_random_calls(text, seed):
    rng = random.Random(f"{text} {seed}")
    state = zg.load_game(text).new_initial_state()
    for _ in range(300):
        if state.is_terminal():
            state = zg.load_game(text).new_initial_state()
        before = state.serialize()
        target = rng.choice(fuzz_targets(state))
        arguments = [any_value(rng, state) for _ in range(rng.randrange(3))]
        try:
            target(*arguments)
        except (*ERRORS, RuntimeError, AttributeError):
            assert state.serialize() == before
        assert state._broken_invariant() == ""
        assert re.match(r"[a-z_]+\(", state.serialize())
