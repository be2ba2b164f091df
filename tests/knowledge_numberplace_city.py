"""What a position of Numberplace City hides, for the laws of secrets; see `knowledge_blox.py` for the form."""

from itertools import islice

import numberplace_city_model as city

FIELDS = city.PARTS  # [NC-8]


def secret_views(game):
    """[NC-11.2] The names of the arrays of a player that are for his eyes only."""
    return {"hand", "facedown"} | (set() if game.options["penalties_open"] else {"taken"})


def seats_of(fields):
    return [seat.split(":") for seat in fields["seats"].split("/")]


def with_seats(fields, seats):
    return {**fields, "seats": "/".join(":".join(seat) for seat in seats)}


def laid_of(fields):
    """The laid tiles, each as seat, cell and number."""
    parts = [] if fields["laid"] == "-" else fields["laid"].split(",")
    return [[part[0], part[2:6], part[7]] for part in parts]


def with_laid(fields, laid):
    return {**fields, "laid": ",".join(f"{seat}:{cell}={number}" for seat, cell, number in laid) or "-"}


def is_face_down(fields, tile, viewer):
    """[NC-8.5] Whether a laid tile is hidden: it lies open after an end that is one of the rules."""
    return fields["end"] == "-" and tile[0] != str(viewer)


def hidden_piles(game):
    """Which parts of a seat are hidden from others: the hand, and with `penalties_open=false` the penalty tiles."""
    return [1] if game.options["penalties_open"] else [1, 2]


def slots(game, fields, viewer):
    """[NC-6.1] The tiles that a player does not see; laid tiles and those of the supply have an order."""
    seats = seats_of(fields)
    laid = [tile[2] for tile in laid_of(fields) if is_face_down(fields, tile, viewer)]
    piles = [seats[p][i].strip("-") for i in hidden_piles(game) for p in range(len(seats)) if p != viewer]
    return [*laid, *piles, *fields["supply"].strip("-")]


def refilled(game, fields, viewer, slots):
    """The fields with other tiles in the hidden places."""
    places, seats, laid = iter(slots), seats_of(fields), laid_of(fields)
    for tile in laid:
        if is_face_down(fields, tile, viewer):
            tile[2] = next(places)
    for i in hidden_piles(game):
        for player, seat in enumerate(seats):
            if player != viewer:
                seat[i] = city.tiles(next(places))
    supply = "".join(islice(places, len(fields["supply"].strip("-"))))
    return {**with_seats(with_laid(fields, laid), seats), "supply": supply or "-"}


def shown(game, fields, viewer):
    """How many hidden tiles a drawing shows: all but the supply."""
    return sum(map(len, slots(game, fields, viewer))) - len(fields["supply"].strip("-"))


def known(game, fields, viewer):
    """[NC-8.5] What a player knows, as a line: `?` for each tile that he does not see."""
    seats, laid = seats_of(fields), laid_of(fields)
    for tile in laid:
        tile[2] = "?" if is_face_down(fields, tile, viewer) else tile[2]
    for player, seat in enumerate(seats):
        for i in hidden_piles(game):
            seat[i] = seat[i] if player == viewer else "?" * len(seat[i].strip("-")) or "-"
    told = {**with_seats(with_laid(fields, laid), seats), "supply": str(len(fields["supply"].strip("-")))}
    return " ".join([str(viewer), *(told[name] for name in FIELDS if name != "chance")])


def hides_little(game):
    """Whether nearly all tiles are in hands: then little can be drawn anew."""
    return 9 * game.options["tiles_per_number"] <= 4 * game.num_players()


def may_not_be_exchanged(state, viewer):
    """Hidden tiles never decide what was done before."""
    return False


def ends_round(state, action):
    """Whether an action is not a lay or a pass within a round: places grow within one [NC-8.2]."""
    after = state.clone()
    after.apply_action(action)
    before, now = city.read(state).place, city.read(after).place
    return not (before != "-" != now and int(before) < int(now))


# What is public, changed one at a time: None where it cannot be.


def other_discard(game, fields, rng):
    """A tile of the discard and one of the supply of another number change places."""
    return exchanged_with_supply(fields, "discard", rng)


def exchanged_with_supply(fields, name, rng):
    """A tile of a field and one of the supply of another number change places."""
    pairs = [(d, s) for d in sorted(set(fields[name]) - set("-.")) for s in sorted(set(fields["supply"]) - {"-", d})]
    if not pairs:
        return None
    mine, theirs = rng.choice(pairs)
    places = [i for i, sign in enumerate(fields[name]) if sign == mine]
    place = rng.choice(places)
    changed = fields[name][:place] + theirs + fields[name][place + 1 :]
    changed = city.tiles(changed) if name == "discard" else changed
    return {**fields, name: changed, "supply": fields["supply"].replace(theirs, mine, 1)}


def other_board(game, fields, rng):
    """A built tile and one of the supply of another number change places."""
    return exchanged_with_supply(fields, "board", rng)


def other_place_of_a_tile(game, fields, rng):
    """A built tile lies on another cell."""
    built = [cell for cell, sign in enumerate(fields["board"]) if sign != "."]
    free = [cell for cell, sign in enumerate(fields["board"]) if sign == "."]
    if not built or not free:
        return None
    here, there = rng.choice(built), rng.choice(free)
    board = list(fields["board"])
    board[here], board[there] = board[there], board[here]
    return {**fields, "board": "".join(board)}


def other_cell(game, fields, rng):
    """A laid tile lies on another cell."""
    laid = laid_of(fields)
    if not laid:
        return None
    tile = rng.choice(laid)
    tile[1] = rng.choice(sorted(city.names(city.area(game, int(tile[0]))) - {tile[1]}))
    return with_laid(fields, laid)


def passed_instead(game, fields, rng):
    """Who has laid a tile has passed with it."""
    laid, seats = laid_of(fields), seats_of(fields)
    if not laid:
        return None
    tile = laid.pop(rng.randrange(len(laid)))
    seat = seats[int(tile[0])]
    seat[2] = city.tiles(seat[2].strip("-") + tile[2])
    return with_laid(with_seats(fields, seats), laid)


def other_points(game, fields, rng):
    seats = seats_of(fields)
    seat = rng.choice(seats)
    seat[0] = str(int(seat[0]) + rng.choice([-1, 1]))
    return with_seats(fields, seats)


def fewer_tiles(game, fields, rng):
    """A tile of a hand goes to the supply, or one of the penalty tiles."""
    seats = seats_of(fields)
    piles = [(seat, i) for seat in seats for i in (1, 2) if seat[i] != "-"]
    if not piles:
        return None
    seat, i = rng.choice(piles)
    tile = rng.choice(seat[i])
    seat[i] = city.tiles(seat[i].replace(tile, "", 1))
    return {**with_seats(fields, seats), "supply": tile + fields["supply"].strip("-")}


def other_penalties(game, fields, rng):
    """An open penalty tile and one of the supply of another number change places."""
    return exchanged_pile(fields, 2, rng) if game.options["penalties_open"] else None


def exchanged_pile(fields, i, rng, players=()):
    """A tile of a seat, in the hand (1) or a penalty tile (2), and one of the supply change places."""
    seats = seats_of(fields)
    seat = seats[rng.choice(list(players or range(len(seats))))]
    pairs = [(h, s) for h in sorted(set(seat[i]) - {"-"}) for s in sorted(set(fields["supply"]) - {"-", h})]
    if not pairs:
        return None
    mine, theirs = rng.choice(pairs)
    seat[i] = city.tiles(seat[i].replace(mine, "", 1) + theirs)
    return {**with_seats(fields, seats), "supply": fields["supply"].replace(theirs, mine, 1)}


def other_status(game, fields, rng):
    seats = seats_of(fields)
    seat = rng.choice(seats)
    seat[3] = rng.choice([word for word in ("in", "passed", "out") if word != seat[3]])
    return with_seats(fields, seats)


def other_start(game, fields, rng):
    """Another start player, or another one of the next round."""
    start = fields["start"][0]
    if start != fields["start"]:
        return {**fields, "start": start}
    other = (int(start) + rng.randrange(1, game.num_players())) % game.num_players()
    return {**fields, "start": rng.choice([f"{other}", f"{start}>{other}"])}


def other_place(game, fields, rng):
    return None if fields["place"] == "-" else {**fields, "place": rng.choice("0123".replace(fields["place"], ""))}


def other_bonus(game, fields, rng):
    """Another player, number or effect of a bonus."""
    if fields["bonus"] == "-":
        return None
    parts = fields["bonus"].split(":")
    i = rng.randrange(len(parts))
    parts[i] = rng.choice([sign for sign in ("0123" if i == 0 else "123456789") if sign != parts[i]])
    return {**fields, "bonus": ":".join(parts)}


def other_end(game, fields, rng):
    """Another winner, or another end."""
    if fields["end"] == "-":
        return None
    word, colon, winner = fields["end"].partition(":")
    others = [f"{word}:{seat}" for seat in range(game.num_players()) if str(seat) != winner] if colon else []
    ends = [*others, "nobody", "count", "bonus:0"]
    return {**fields, "end": rng.choice([end for end in ends if end != fields["end"]])}


def other_turns(game, fields, rng):
    return {**fields, "turns": str(int(fields["turns"]) + 1)}


CHANGES = [
    other_discard,
    other_board,
    other_place_of_a_tile,
    other_cell,
    passed_instead,
    other_points,
    fewer_tiles,
    other_penalties,
    other_status,
    other_start,
    other_place,
    other_bonus,
    other_end,
    other_turns,
]


def not_observed(change, before, after):
    """Whether no plane tells a change: after the end none says how it came and whose place it would be [NC-9.2].

    Values above 1 are written 1 [NC-9].
    """
    if change is other_end or (change is other_place and before.is_terminal()):
        return True
    to_win = before.get_game().options["points_to_win"]
    return change is other_points and min(before.scores().max(), after.scores().max()) >= to_win


# What is a player's own.


def other_hand(game, fields, player, rng):
    """A tile of a player's hand and one of the supply of another number change places."""
    return exchanged_pile(fields, 1, rng, [player])


def other_closed_penalties(game, fields, player, rng):
    """A penalty tile that is face down and one of the supply of another number change places."""
    return None if game.options["penalties_open"] else exchanged_pile(fields, 2, rng, [player])


def other_laid_tile(game, fields, player, rng):
    """A tile that lies face down and one of the supply of another number change places."""
    laid = laid_of(fields)
    own = [tile for tile in laid if tile[0] == str(player)]
    others = sorted(set(fields["supply"]) - {"-", *(tile[2] for tile in own)})
    if not own or not others or fields["end"] != "-":
        return None
    tile, drawn = rng.choice(own), rng.choice(others)
    tile[2], laid_number = drawn, tile[2]
    return {**with_laid(fields, laid), "supply": fields["supply"].replace(drawn, laid_number, 1)}


OWN = [other_hand, other_closed_penalties, other_laid_tile]
