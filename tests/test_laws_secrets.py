"""Laws of what players know: a view of a player depends on nothing that he cannot see, and on all that he can."""

import random
from importlib import import_module

import numpy as np
import pytest
from common import GAMES, chosen, has_secrets, positions, seen, views, walk

import ziggurat as zg

HIDDEN = [text for text in GAMES if has_secrets(zg.load_game(text))]
SECRETIVE = [name for name in zg.games() if has_secrets(zg.load_game(name))]


def knowledge(game):
    """What is hidden in a game with secrets: its module `knowledge_...`."""
    return import_module(f"knowledge_{game.name}")


@pytest.fixture(params=GAMES)
def game(request):
    return zg.load_game(request.param)


@pytest.fixture(params=HIDDEN)
def hidden(request):
    """A game in which something is hidden."""
    return zg.load_game(request.param)


def some(game, wanted=40):
    """Positions of random games, a part of them inside turns, and all ends."""
    states = list(positions(game, range(3), 1000 if has_secrets(game) else 60))
    inside = [state for state in states if state.in_turn()]
    rng = random.Random(str(game))
    picked = rng.sample(states, min(wanted, len(states))) + rng.sample(inside, min(wanted // 2, len(inside)))
    return [*picked, *(state for state in states if state.is_terminal())]


def secret_views(state):
    """The names of the arrays of a player that are for his eyes only."""
    return knowledge(state.get_game()).secret_views(state.get_game()) if has_secrets(state.get_game()) else set()


def public(state):
    """What everybody may know, and what is said to each who asks about another player."""
    game, secret = state.get_game(), secret_views(state)
    arrays = {name: np.asarray(state.analysis(name)).tolist() for name in zg.describe(game.name)["analyses"]}
    return {
        "player": state.current_player(),
        "over": state.is_terminal(),
        "in turn": state.in_turn(),
        "winners": state.winners(),
        "scores": state.scores().tolist(),
        "returns": state.returns().tolist(),
        "analyses": arrays,
        "views": {key: value for key, value in views(state).items() if key[0] not in secret},
    }


def refusals(state, rng):
    """What is said about some illegal actions."""
    illegal = np.flatnonzero(state.legal_actions_mask() == 0).tolist()
    said = {}
    for action in rng.sample(illegal, min(12, len(illegal))):
        with pytest.raises(zg.IllegalActionError) as caught:
            state.clone().apply_action(action)
        said[action] = str(caught.value)
    return said


def view(state, viewer):
    """All that a player can ask for, were he the one at the keyboard: what is public, and what is his."""
    own = {
        "known": state.information_state_string(viewer),
        "observation": seen(state, viewer),
        "legal": state.legal_actions(viewer).tolist(),
        "drawing": state.observation_string(viewer),
        "secrets": {name: views(state)[name, viewer] for name in secret_views(state)},
        "resampled": [state.resample(viewer, seed).serialize() for seed in (0, 2**64 - 1)],
    }
    if viewer == state.current_player():
        own["mask"] = state.legal_actions_mask().tobytes()
        own["counts"] = state.count_legal(), state.count_turns()
        own["refusals"] = refusals(state, random.Random(3))
    return {**public(state), **own}


# Samples.


def test_a_sample_keeps_all_that_the_player_sees(game):
    for number, state in enumerate(some(game)):
        before = state.clone()
        for viewer in range(game.num_players()):
            expected = view(state, viewer)
            for seed in (number, number + 1):
                sample = state.resample(viewer, seed)
                assert type(sample) is type(state)
                assert sample.get_game() == game
                assert sample._broken_invariant() == ""
                assert view(sample, viewer) == expected
        assert state == before


def test_a_sample_is_a_state_of_its_own_that_is_written_read_and_played(game):
    rng = random.Random(1)
    for state in some(game, 15):
        for viewer in range(game.num_players()):
            sample, before = state.resample(viewer, rng.randrange(2**64)), state.serialize()
            assert sample is not state
            assert game.deserialize(sample.serialize()) == sample
            assert hash(game.deserialize(sample.serialize())) == hash(sample)
            for _ in range(8):
                if sample.is_terminal():
                    break
                sample.apply_action(chosen(rng, sample))
                assert sample._broken_invariant() == ""
            assert state.serialize() == before


def test_a_sample_is_decided_by_its_seed(game):
    for state in some(game, 15):
        for viewer in range(game.num_players()):
            texts = [state.resample(viewer, seed).serialize() for seed in (7, 7, 0)]
            assert texts[0] == texts[1]
            assert texts[2] == state.resample(viewer).serialize() == state.resample(player=viewer, seed=0).serialize()


def test_without_secrets_a_sample_is_a_clone(game):
    if has_secrets(game):
        return
    for state in some(game, 15):
        for viewer in range(game.num_players()):
            assert state.resample(viewer, 5) == state
            assert f"{game} {state.information_state_string(viewer)}" == state.serialize()


# Drawings.


def test_a_drawing_for_a_player_shows_all_but_what_he_does_not_see(game):
    """A question mark for each hidden card or tile in its place, all else as in the whole drawing."""
    for state in some(game, 15):
        whole = str(state)
        assert "?" not in whole
        for viewer in range(game.num_players()):
            drawing = state.observation_string(viewer)
            assert state.observation_string(player=viewer) == drawing
            if not has_secrets(game):
                assert drawing == whole
                continue
            assert len(drawing) == len(whole)
            assert all(sign in ("?", true) for sign, true in zip(drawing, whole, strict=True))
            assert drawing.count("?") == knowledge(game).shown(game, parts(state), viewer)


# Of games with secrets.


def parts(state):
    """The parts of the text of a position by name."""
    fields = knowledge(state.get_game()).FIELDS
    return dict(zip(fields, state.serialize().split(") ", 1)[1].split(" "), strict=True))


def rebuilt(game, fields):
    """The position of some parts of a text; None if there is none."""
    try:
        return game.deserialize(f"{game} {' '.join(fields[name] for name in knowledge(game).FIELDS)}")
    except zg.ParseError:
        return None


def unseen(game, fields, viewer):
    """The cards or tiles that a player does not see."""
    return sorted("".join(knowledge(game).slots(game, fields, viewer)))


def is_open(game, fields, viewer):
    """Whether there are several deals that a player could believe in: two kinds that may change places."""
    slots = [slot for slot in knowledge(game).slots(game, fields, viewer) if slot]
    return len(slots) > 1 and len(set("".join(slots))) > 1


def covered(game, fields, viewer):
    """The fields without what a player does not see."""
    slots = ["?" * len(slot) for slot in knowledge(game).slots(game, fields, viewer)]
    return {**knowledge(game).refilled(game, fields, viewer, slots), "chance": "?"}


def exchanged(game, state, viewer, rng):
    """A position with other hidden cards or tiles and another stream. None if what was done before forbids it."""
    fields = parts(state)
    slots, hidden = knowledge(game).slots(game, fields, viewer), unseen(game, fields, viewer)
    rng.shuffle(hidden)
    others = ["".join(hidden.pop() for _ in slot) for slot in slots]
    stream = f"{rng.randrange(2**64):016x}.{rng.randrange(2**64):016x}"
    return rebuilt(game, {**knowledge(game).refilled(game, fields, viewer, others), "chance": stream})


def test_what_a_player_sees_does_not_depend_on_what_is_hidden(hidden):
    """Nor do error texts, masks and arrays that are not secret: all that `view` collects."""
    rng, compared, possible, others = random.Random(str(hidden)), 0, 0, 0
    for state in some(hidden):
        for viewer in range(hidden.num_players()):
            twin = exchanged(hidden, state, viewer, rng)
            if twin is None:
                assert knowledge(hidden).may_not_be_exchanged(state, viewer)
                continue
            assert twin != state
            assert view(twin, viewer) == view(state, viewer)
            compared += 1
            possible += is_open(hidden, parts(state), viewer)
            others += parts(twin)["seats"] != parts(state)["seats"]
    assert compared > 10 or len(some(hidden)) < 5
    assert 4 * others >= possible


def test_the_stream_of_chance_is_seen_by_nobody(hidden):
    for state in some(hidden, 10):
        fields = parts(state)
        for stream in ("0" * 16 + "." + "0" * 16, "f" * 16 + "." + "f" * 16):
            twin = rebuilt(hidden, {**fields, "chance": stream})
            for viewer in range(hidden.num_players()):
                assert view(twin, viewer) == view(state, viewer)
                assert fields["chance"] not in state.information_state_string(viewer)


def test_samples_of_several_seeds_differ_where_something_is_hidden(hidden):
    several = 0
    for state in some(hidden, 15):
        for viewer in range(hidden.num_players()):
            found = [parts(state.resample(viewer, seed)) for seed in range(25)]
            chance = [fields.pop("chance") for fields in found]
            assert len({*chance, parts(state)["chance"]}) == 26  # no search sees the true next shuffle
            assert {text.split(".")[1] for text in chance} == {"0" * 16}
            distinct = {tuple(fields.values()) for fields in found}
            if not is_open(hidden, parts(state), viewer):
                assert len(distinct) == 1
            elif not state.in_turn():
                assert len(distinct) > 1
                several += 1
    assert several or knowledge(hidden).hides_little(hidden)


def test_own_and_public_things_stay_and_hidden_ones_move(hidden):
    """What is drawn anew is all that is not seen, and every player's view draws other things."""
    for state in some(hidden, 15):
        fields = parts(state)
        for viewer in range(hidden.num_players()):
            sample = parts(state.resample(viewer, 3))
            assert covered(hidden, sample, viewer) == covered(hidden, fields, viewer)
            assert unseen(hidden, sample, viewer) == unseen(hidden, fields, viewer)


def test_every_action_changes_what_everybody_knows(hidden):
    for seed in range(2):
        known = None
        for state in walk(hidden, seed, 150):
            after = [state.information_state_string(viewer) for viewer in range(hidden.num_players())]
            assert known is None or all(old != new for old, new in zip(known, after, strict=True))
            assert len(set(after)) == hidden.num_players()
            known = after


def test_events_within_a_round_do_not_depend_on_what_is_hidden(hidden):
    """Of two positions that a viewer cannot tell apart, every action that both allow and that reveals nothing."""
    rng, compared = random.Random(str(hidden)), 0
    for state in some(hidden, 12):
        for viewer in range(hidden.num_players()):
            twin = exchanged(hidden, state, viewer, rng)
            both = [a for a in state.legal_actions().tolist() if twin is not None and twin.is_legal(a)]
            for action in rng.sample(both, min(25, len(both))):
                if not knowledge(hidden).ends_round(state, action):
                    assert state.events(action) == twin.events(action)
                    compared += 1
    assert compared > 30


CHANGES = [(name, change) for name in SECRETIVE for change in import_module(f"knowledge_{name}").CHANGES]


@pytest.mark.parametrize(("name", "change"), CHANGES, ids=lambda value: getattr(value, "__name__", value))
def test_everybody_knows_of_what_is_public(name, change):
    rng, found = random.Random(change.__name__), 0
    for text in HIDDEN:
        game = zg.load_game(text)
        for state in some(game, 20) if game.name == name else ():
            fields = change(game, parts(state), rng)
            changed = fields and rebuilt(game, fields)
            if changed is None:
                continue
            found += 1
            for viewer in range(game.num_players()):
                assert changed.information_state_string(viewer) != state.information_state_string(viewer)
                unseen = knowledge(game).not_observed(change, state, changed)
                assert seen(changed, viewer) != seen(state, viewer) or unseen
    assert found > 10


def test_a_player_knows_his_own_and_nobody_else_does(hidden):
    """A card or tile of a player and one that nobody sees, of another kind, change places."""
    rng, found = random.Random(5), 0
    for state in some(hidden):
        player = rng.randrange(hidden.num_players())
        for change in knowledge(hidden).OWN:
            fields = change(hidden, parts(state), player, rng)
            changed = fields and rebuilt(hidden, fields)
            if changed is None:
                continue
            found += 1
            for viewer in range(hidden.num_players()):
                same = viewer != player
                assert (changed.information_state_string(viewer) == state.information_state_string(viewer)) == same
                assert (changed.observation_string(viewer) == state.observation_string(viewer)) == same
                assert (seen(changed, viewer) == seen(state, viewer)) == same
                assert any(views(changed)[n, viewer] != views(state)[n, viewer] for n in secret_views(state)) != same
                if same:
                    assert view(changed, viewer) == view(state, viewer)
    assert found > 5 or knowledge(hidden).hides_little(hidden)


def test_what_is_known_is_a_line_without_what_is_hidden(hidden):
    """[BX-7.5] [NC-8.5]"""
    for state in some(hidden, 10):
        for viewer in range(hidden.num_players()):
            assert state.information_state_string(viewer) == knowledge(hidden).known(hidden, parts(state), viewer)


# Of Numberplace City alone.


def test_nc_12_1_events_of_a_lay_do_not_tell_the_number():
    """[NC-12.1] Nor those of a pass where penalty tiles are closed, to the one who plays it and to all others."""
    texts, compared = [text for text in HIDDEN if text.startswith("numberplace_city")], 0
    for text in texts:
        game = zg.load_game(text)
        for state in some(game, 12):
            told = {}
            for action in state.legal_actions().tolist():
                kind = state.action_to_string(action).split("=")[0]
                if not knowledge(game).ends_round(state, action) and (kind != "pass" or "penalties_open" in text):
                    told.setdefault(kind, []).append(state.events(action))
            assert all(events == same[0] for same in told.values() for events in same)
            compared += sum(len(same) - 1 for same in told.values())
    assert compared > 300
