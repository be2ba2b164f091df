"""Laws of what players know: a view of a player depends on nothing that he cannot see, and on all that he can."""

import random

import numpy as np
import pytest
from common import GAMES, chosen, has_secrets, positions, seen, views, walk

import ziggurat as zg

HIDDEN = [text for text in GAMES if has_secrets(zg.load_game(text))]
FIELDS = ("sides", "towers", "seats", "deck", "discard", "phase", "seat", "turn", "turns", "chance")  # [BX-7.1]
LETTERS = "wrgk"


@pytest.fixture(params=GAMES)
def game(request):
    return zg.load_game(request.param)


@pytest.fixture(params=HIDDEN)
def hidden(request):
    """A game in which something is hidden."""
    return zg.load_game(request.param)


def some(game, wanted=40):
    """Positions of random games, a part of them inside turns, and an end."""
    states = list(positions(game, range(3), 1000 if has_secrets(game) else 60))
    inside = [state for state in states if state.in_turn()]
    rng = random.Random(str(game))
    picked = rng.sample(states, min(wanted, len(states))) + rng.sample(inside, min(wanted // 2, len(inside)))
    return [*picked, states[-1]]


def public(state):
    """What everybody may know, and what is said to each who asks about another player."""
    game, everything = state.get_game(), views(state)
    arrays = {name: np.asarray(state.analysis(name)).tolist() for name in zg.describe(game.name)["analyses"]}
    return {
        "player": state.current_player(),
        "over": state.is_terminal(),
        "in turn": state.in_turn(),
        "winners": state.winners(),
        "scores": state.scores().tolist(),
        "returns": state.returns().tolist(),
        "analyses": arrays,
        "views": {key: value for key, value in everything.items() if key[0] != "hand"},
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
        "hand": {key: value for key, value in views(state).items() if key == ("hand", viewer)},
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


# Of games with secrets.


def parts(state):
    """The parts of the text of a position by name."""
    return dict(zip(FIELDS, state.serialize().split(") ", 1)[1].split(" "), strict=True))


def rebuilt(game, fields):
    """The position of some parts of a text; None if there is none."""
    try:
        return game.deserialize(f"{game} {' '.join(fields[name] for name in FIELDS)}")
    except zg.ParseError:
        return None


def seats_of(fields):
    return [seat.split(":") for seat in fields["seats"].split("/")]


def with_seats(fields, seats):
    return {**fields, "seats": "/".join(":".join(seat) for seat in seats)}


def in_order(cards):
    return "".join(sorted(cards, key=LETTERS.index)) or "-"


def unseen(fields, viewer):
    """The cards that a player does not see, those of the deck last."""
    hands = [seat[1] for player, seat in enumerate(seats_of(fields)) if player != viewer]
    return "".join(hands) + fields["deck"].strip("-")


def is_open(fields, viewer):
    """Whether there are several deals that a player could believe in: cards of two colours that may change places."""
    places = len(seats_of(fields)) - 1 + (fields["deck"] != "-")
    return places > 1 and len(set(unseen(fields, viewer))) > 1


def exchanged(game, state, viewer, rng):
    """A position with other hidden cards and another stream: cards go anywhere. None if the begun turn forbids it."""
    fields = parts(state)
    cards, seats = list(unseen(fields, viewer)), seats_of(fields)
    rng.shuffle(cards)
    for player, seat in enumerate(seats):
        if player != viewer:
            seat[1], cards = in_order(cards[: len(seat[1])]), cards[len(seat[1]) :]
    stream = f"{rng.randrange(2**64):016x}.{rng.randrange(2**64):016x}"
    return rebuilt(game, {**with_seats(fields, seats), "deck": "".join(cards) or "-", "chance": stream})


def test_what_a_player_sees_does_not_depend_on_what_is_hidden(hidden):
    rng, compared, possible, others = random.Random(str(hidden)), 0, 0, 0
    for state in some(hidden):
        for viewer in range(hidden.num_players()):
            twin = exchanged(hidden, state, viewer, rng)
            if twin is None:
                assert state.in_turn()
                assert state.current_player() != viewer
                continue
            assert twin != state
            assert view(twin, viewer) == view(state, viewer)
            compared += 1
            possible += is_open(parts(state), viewer)
            others += parts(twin)["seats"] != parts(state)["seats"]
    assert compared > 10
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
            if not is_open(parts(state), viewer):
                assert len(distinct) == 1
            elif not state.in_turn():
                assert len(distinct) > 1
                several += 1
    # Two players with all cards in their hands hide nothing from each other.
    assert several or 4 * hidden.options["cards_per_colour"] == hidden.num_players() * hidden.options["hand"]


def test_own_and_public_cards_stay_and_hidden_ones_move(hidden):
    """What is drawn anew are all the cards that are not seen, and every player's view draws other ones."""
    for state in some(hidden, 15):
        fields = parts(state)
        for viewer in range(hidden.num_players()):
            sample = parts(state.resample(viewer, 3))
            kept = [name for name in FIELDS if name not in ("seats", "deck", "chance")]
            assert [sample[name] for name in kept] == [fields[name] for name in kept]
            assert in_order(unseen(sample, viewer)) == in_order(unseen(fields, viewer))
            for player, (ours, theirs) in enumerate(zip(seats_of(sample), seats_of(fields), strict=True)):
                assert [ours[0], *ours[2:]] == [theirs[0], *theirs[2:]]
                assert len(ours[1]) == len(theirs[1])
                assert player != viewer or ours[1] == theirs[1]


def test_every_action_changes_what_everybody_knows(hidden):
    for seed in range(2):
        known = None
        for state in walk(hidden, seed, 150):
            after = [state.information_state_string(viewer) for viewer in range(hidden.num_players())]
            assert known is None or all(old != new for old, new in zip(known, after, strict=True))
            assert len(set(after)) == hidden.num_players()
            known = after


# What is public, changed one at a time.


def other_discard(fields, rng):
    """A card of the discard and one of the deck of another colour change places: the discard is public."""
    pairs = [(d, c) for d in set(fields["discard"]) - {"-"} for c in set(fields["deck"]) - {"-", d}]
    if not pairs:
        return None
    mine, theirs = rng.choice(sorted(pairs))
    discard = in_order(fields["discard"].replace(mine, "", 1) + theirs)
    return {**fields, "discard": discard, "deck": fields["deck"].replace(theirs, mine, 1)}


def other_points(fields, rng):
    seats = seats_of(fields)
    seat = rng.choice(seats)
    seat[0] = str(int(seat[0]) + 1)
    return with_seats(fields, seats)


def other_joker(fields, rng):
    seats = seats_of(fields)
    seat = rng.choice(seats)
    seat[3] = {"j": "x", "x": "j"}[seat[3]]
    return with_seats(fields, seats)


def fewer_pawns(fields, rng):
    """A pawn goes back to its owner's supply."""
    seats = seats_of(fields)
    on_board = [seat for seat in seats if seat[4] != "-"]
    if not on_board:
        return None
    seat = rng.choice(on_board)
    pawns = seat[4].split("+")
    pawns.pop(rng.randrange(len(pawns)))
    seat[4] = "+".join(pawns) or "-"
    return with_seats(fields, seats)


def fewer_towers(fields, rng):
    """A tower goes to some player."""
    towers = [] if fields["towers"] == "-" else fields["towers"].split(",")
    if not towers:
        return None
    blocks = towers.pop(rng.randrange(len(towers))).split(":")[1]
    seats = seats_of(fields)
    seat = rng.choice(seats)
    seat[2] = in_order(seat[2].strip("-") + blocks)
    return {**with_seats(fields, seats), "towers": ",".join(towers) or "-"}


def other_phase(fields, rng):
    return {**fields, "phase": {"1": "2", "2": "3", "3": "4", "4": "4+", "4+": "4"}[fields["phase"]]}


def other_seat(fields, rng):
    return {**fields, "seat": str((int(fields["seat"]) + 1) % len(seats_of(fields))), "turn": "-"}


def other_turns(fields, rng):
    return {**fields, "turns": str(int(fields["turns"]) + 1)}


def no_turn(fields, rng):
    return None if fields["turn"] == "-" else {**fields, "turn": "-"}


CHANGES = [
    other_discard,
    other_points,
    other_joker,
    fewer_pawns,
    fewer_towers,
    other_phase,
    other_seat,
    other_turns,
    no_turn,
]


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
def test_everybody_knows_of_what_is_public(change):
    rng, found = random.Random(change.__name__), 0
    for text in HIDDEN:
        game = zg.load_game(text)
        for state in some(game, 10):
            fields = change(parts(state), rng)
            changed = fields and rebuilt(game, fields)
            if changed is None:
                continue
            found += 1
            for viewer in range(game.num_players()):
                assert changed.information_state_string(viewer) != state.information_state_string(viewer)
                over = state.is_terminal() and changed.is_terminal()  # then no plane says who would be next
                assert seen(changed, viewer) != seen(state, viewer) or (over and change is other_seat)
    assert found > 50


def test_a_player_knows_his_own_cards_and_nobody_else_does(hidden):
    """A card of a player and one of the deck of another colour change places."""
    rng, found = random.Random(5), 0
    for state in some(hidden):
        fields = parts(state)
        player = rng.randrange(hidden.num_players())
        seats = seats_of(fields)
        pairs = [(h, d) for h in set(seats[player][1]) for d in set(fields["deck"]) - {"-", h}]
        if not pairs:
            continue
        mine, drawn = rng.choice(sorted(pairs))
        seats[player][1] = in_order(seats[player][1].replace(mine, "", 1) + drawn)
        deck = fields["deck"].replace(drawn, mine, 1)
        changed = rebuilt(hidden, {**with_seats(fields, seats), "deck": deck})
        if changed is None:
            continue
        found += 1
        for viewer in range(hidden.num_players()):
            same = viewer != player
            assert (changed.information_state_string(viewer) == state.information_state_string(viewer)) == same
            assert (seen(changed, viewer) == seen(state, viewer)) == same
            assert (views(changed)["hand", viewer] == views(state)["hand", viewer]) == same
            if same:
                assert view(changed, viewer) == view(state, viewer)
    cards, options = 4 * hidden.options["cards_per_colour"], hidden.options
    assert found > 5 or cards <= options["players"] * options["hand"]


def test_what_is_known_is_a_line_with_counts_in_place_of_cards(hidden):
    """[BX-7.5]"""
    for state in some(hidden, 10):
        fields = parts(state)
        for viewer in range(hidden.num_players()):
            seats = seats_of(fields)
            for player, seat in enumerate(seats):
                seat[1] = seat[1] if player == viewer else str(len(seat[1]))
            told = {**with_seats(fields, seats), "deck": str(len(fields["deck"].strip("-")))}
            words = [str(viewer), *(told[name] for name in FIELDS if name != "chance")]
            assert state.information_state_string(viewer) == " ".join(words)
