"""What a position of Blox hides, for the laws of secrets: hands and the deck.

A module like this one there is for every game with secrets. `FIELDS` names the fields of the text of a position;
`slots` are the hidden places, as the texts of what lies in them, in an order in which `refilled` puts others there.
"""

LETTERS = "wrgk"
FIELDS = ("sides", "towers", "seats", "deck", "discard", "phase", "seat", "turn", "turns", "chance")  # [BX-7.1]


def secret_views(game):
    """The names of the arrays of a player that are for his eyes only."""
    return {"hand"}


def seats_of(fields):
    return [seat.split(":") for seat in fields["seats"].split("/")]


def with_seats(fields, seats):
    return {**fields, "seats": "/".join(":".join(seat) for seat in seats)}


def in_order(cards):
    return "".join(sorted(cards, key=LETTERS.find)) or "-"


def slots(game, fields, viewer):
    """The cards that a player does not see: the hands of the others, and the deck, which has no order."""
    hands = [seat[1] for player, seat in enumerate(seats_of(fields)) if player != viewer]
    return [*hands, fields["deck"].strip("-")]


def refilled(game, fields, viewer, slots):
    """The fields with other cards in the hidden places."""
    *hands, deck = slots
    seats, others = seats_of(fields), iter(hands)
    for player, seat in enumerate(seats):
        if player != viewer:
            seat[1] = in_order(next(others))
    return {**with_seats(fields, seats), "deck": in_order(deck)}


def shown(game, fields, viewer):
    """How many hidden cards a drawing shows: those in hands."""
    return sum(map(len, slots(game, fields, viewer)[:-1]))


def known(game, fields, viewer):
    """[BX-7.5] What a player knows, as a line: counts in place of cards."""
    seats = seats_of(fields)
    for player, seat in enumerate(seats):
        seat[1] = seat[1] if player == viewer else str(len(seat[1]))
    told = {**with_seats(fields, seats), "deck": str(len(fields["deck"].strip("-")))}
    return " ".join([str(viewer), *(told[name] for name in FIELDS if name != "chance")])


def hides_little(game):
    """Whether all cards may be in hands: then two players hide nothing from each other, and nothing can be drawn."""
    options = game.options
    return 4 * options["cards_per_colour"] <= options["players"] * options["hand"]


def may_not_be_exchanged(state, viewer):
    """Whether hidden cards decide what was done before: those of a begun turn."""
    return state.in_turn() and state.current_player() != viewer


def ends_round(state, action):
    """Whether an action reveals hidden things."""
    return False


# What is public, changed one at a time: None where it cannot be.


def other_discard(game, fields, rng):
    """A card of the discard and one of the deck of another colour change places: the discard is public."""
    pairs = [(d, c) for d in set(fields["discard"]) - {"-"} for c in set(fields["deck"]) - {"-", d}]
    if not pairs:
        return None
    mine, theirs = rng.choice(sorted(pairs))
    discard = in_order(fields["discard"].replace(mine, "", 1) + theirs)
    return {**fields, "discard": discard, "deck": fields["deck"].replace(theirs, mine, 1)}


def other_points(game, fields, rng):
    seats = seats_of(fields)
    seat = rng.choice(seats)
    seat[0] = str(int(seat[0]) + 1)
    return with_seats(fields, seats)


def other_joker(game, fields, rng):
    seats = seats_of(fields)
    seat = rng.choice(seats)
    seat[3] = {"j": "x", "x": "j"}[seat[3]]
    return with_seats(fields, seats)


def fewer_pawns(game, fields, rng):
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


def fewer_towers(game, fields, rng):
    """A tower goes to some player."""
    towers = [] if fields["towers"] == "-" else fields["towers"].split(",")
    if not towers:
        return None
    blocks = towers.pop(rng.randrange(len(towers))).split(":")[1]
    seats = seats_of(fields)
    seat = rng.choice(seats)
    seat[2] = in_order(seat[2].strip("-") + blocks)
    return {**with_seats(fields, seats), "towers": ",".join(towers) or "-"}


def other_phase(game, fields, rng):
    return {**fields, "phase": {"1": "2", "2": "3", "3": "4", "4": "4+", "4+": "4"}[fields["phase"]]}


def other_seat(game, fields, rng):
    return {**fields, "seat": str((int(fields["seat"]) + 1) % len(seats_of(fields))), "turn": "-"}


def other_turns(game, fields, rng):
    return {**fields, "turns": str(int(fields["turns"]) + 1)}


def no_turn(game, fields, rng):
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


def not_observed(change, before, after):
    """Whether no plane tells a change: after the end none says who would be next."""
    return change is other_seat and before.is_terminal() and after.is_terminal()


# What is a player's own.


def other_hand(game, fields, player, rng):
    """A card of a player and one of the deck of another colour change places."""
    seats = seats_of(fields)
    pairs = [(h, d) for h in set(seats[player][1]) for d in set(fields["deck"]) - {"-", h}]
    if not pairs:
        return None
    mine, drawn = rng.choice(sorted(pairs))
    seats[player][1] = in_order(seats[player][1].replace(mine, "", 1) + drawn)
    return {**with_seats(fields, seats), "deck": fields["deck"].replace(drawn, mine, 1)}


OWN = [other_hand]
