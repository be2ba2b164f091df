"""What the server tells a seat follows from what that seat knows, and taking back is no way to know more."""

import copy
import json
import random

import pytest
from common import walk

import ziggurat as zg
from ziggurat.errors import IllegalActionError
from ziggurat.serve import Server, publicity, undoing
from ziggurat.serve import table as tables
from ziggurat.serve.table import Table
from ziggurat.turns import legal_turns

SECRETS = ["blox", "blox(players=3,hand=3)", "numberplace_city", "numberplace_city(players=2)",
           "numberplace_city(penalties_open=false,bonus_scope=all_up_to,points_to_win=9)"]  # fmt: skip
secret_games = pytest.mark.parametrize("text", SECRETS)


def seated_at(state, turns=()):
    """A server with one game, g1, which stands at a state."""
    server = Server()
    table = Table("g1", state.get_game(), 0, {}, 1)
    table.state = state.clone()
    table.turns = list(turns)
    server.tables["g1"] = table
    return server


def ask(server, command, seat, **fields):
    """What is answered to a seat, be it good or bad."""
    answer = server.answer({"command": command, "game": "g1", "seat": seat, **fields})
    assert answer.get("error", {}).get("code") != "internal"
    return answer.get("result") or answer["error"]


def code(server, command, seat, **fields):
    return ask(server, command, seat, **fields).get("code")


def questions(server, seat, state):
    """All that a seat can ask without changing anything, and what is answered, as one text."""
    rng = random.Random(3)
    answers = [ask(server, "view", seat, svg=True, since=0), ask(server, "record", seat)]
    answers += [ask(server, "legal", seat, unit=unit, limit=1000) for unit in ("turn", "action")]
    highest = state.get_game().num_distinct_actions()
    for action in [*rng.sample(range(highest), 40), highest]:
        if state.current_player() != seat or action == highest or not state.is_legal(action):
            answers.append(ask(server, "play", seat, actions=[action]))
    if state.current_player() != seat:
        answers += [
            ask(server, "play", seat, turn="x"),
            ask(server, "undo", seat),
            ask(server, "bot", seat, bot="random"),
        ]
    return json.dumps(answers)


def same_news(state, action, twin, seat):
    """An action of the twin that the seat cannot tell from an action of the state; None if there is none."""
    wanted = undoing.seen(state, action, seat)
    for other in twin.legal_actions().tolist():
        if undoing.seen(twin, other, seat) == wanted:
            return other
    return None


@secret_games
def test_seats_are_told_the_same_where_they_know_the_same(text):
    """In a state that a seat cannot tell from the true one it gets the same answers, before and after others act."""
    game, told = zg.load_game(text), 0
    for number, state in enumerate(walk(game, 7, 150)):
        if state.is_terminal() or state.in_turn() or number % 5 > 1:
            continue
        for seat in range(game.num_players()):
            twin = state.resample(seat, number)
            assert twin != state
            servers = [seated_at(state), seated_at(twin)]
            assert questions(servers[0], seat, state) == questions(servers[1], seat, twin)
            if state.current_player() == seat:
                continue
            action = random.Random(number).choice(state.legal_actions().tolist())
            other = same_news(state, action, twin, seat)
            if other is None:
                continue
            after = state.clone()
            after.apply_action(action)
            if after.is_terminal():
                continue
            for server, played in zip(servers, (action, other), strict=True):
                ask(server, "play", "all", actions=[played])
            assert questions(servers[0], seat, after) == questions(servers[1], seat, after)
            told += action != other
    assert told > 5 or game.name == "blox"  # numbers of tiles that differed, and did not show


@secret_games
def test_bots_tell_as_much_as_the_position(text):
    """A bot's turn is told to another seat as that seat may know it."""
    server = Server()
    server.answer({"command": "new", "name": text, "seed": 6, "bots": {"*": "greedy"}})
    table = server.tables["g1"]
    for _ in range(40):
        if table.state.is_terminal():
            break
        mover = table.state.current_player()
        watcher = (mover + 1) % table.game.num_players()
        played = ask(server, "bot", watcher)["turn"]
        own = ask(server, "view", mover)["turns"][-1]
        if table.state.is_terminal():
            break
        assert played["turn"] == publicity.public_text(table.game, own["turn"])
        assert (played["actions"] is None) == ("=?" in played["turn"])
        assert played["events"] == own["events"]


def test_hidden_texts():
    city = zg.load_game("numberplace_city")
    closed = zg.load_game("numberplace_city", penalties_open=False)
    for text, hidden, more in [
        ("r4c5=7", "r4c5=?", "r4c5=?"),
        ("pass=7", "pass=7", "pass=?"),
        ("pass", "pass", "pass"),
        ("remove=r4c5", "remove=r4c5", "remove=r4c5"),
        ("discard=7", "discard=7", "discard=7"),
        ("turn=180", "turn=180", "turn=180"),
    ]:
        assert (publicity.public_text(city, text), publicity.public_text(closed, text)) == (hidden, more)


def test_of_unknown_games_with_secrets_turns_are_not_told(monkeypatch):
    monkeypatch.setattr(publicity, "PUBLIC", {})
    server = seated_at(zg.load_game("blox").new_initial_state(3))
    ask(server, "bot", 0, bot="random")
    assert [ask(server, "view", seat)["turns"][0]["turn"] is None for seat in (0, 1)] == [False, True]
    server = seated_at(zg.load_game("pylos").new_initial_state())
    ask(server, "play", 0, turn="1a1")
    assert ask(server, "view", 1)["turns"][0]["turn"] == "1a1"


@pytest.mark.parametrize("name", ["blox", "numberplace_city"])
def test_after_the_end_all_is_told(name):
    server = Server()
    server.answer({"command": "new", "name": name, "options": {"max_turns": 8}, "seed": 6})
    table = server.tables["g1"]
    while not table.state.is_terminal():
        mover = table.state.current_player()
        assert {code(server, "record", seat) for seat in range(table.game.num_players())} == {"secret"}
        assert ask(server, "record", "all")["record"]["seed"] == 6
        ask(server, "bot", mover, bot="random")
    assert ask(server, "record", 1)["record"]["seed"] == 6
    told = [turn["turn"] for turn in ask(server, "view", 1, since=0)["turns"]]
    assert told == [turn["turn"] for turn in ask(server, "view", "all", since=0)["turns"]]
    assert "=?" not in "".join(told)
    assert code(server, "undo", table.turns[-1].player) == code(server, "undo", "all") == "cannot_undo"


def test_no_seat_is_told_of_the_seed():
    server = Server()
    new = server.answer({"command": "new", "name": "blox", "seed": 123456789, "bot_seed": 987654321})
    answers = [
        new,
        server.answer({"command": "open"}),
        ask(server, "view", 0, svg=True),
        ask(server, "bot", 0, bot="greedy"),
    ]
    assert "123456789" not in json.dumps(answers)
    assert "987654321" not in json.dumps(answers)


def test_seeds_that_nobody_chose_differ():
    server = Server()
    for name in ("g1", "g2"):
        assert server.answer({"command": "new", "name": "blox"})["result"]["game"] == name
    first, second = server.tables.values()
    assert first.seed != second.seed
    assert max(first.seed, second.seed) < 2**53
    assert first.bot_seed != second.bot_seed


# Taking back


def test_without_secrets_everything_can_be_taken_back():
    server = Server()
    server.answer({"command": "new", "name": "pylos", "bots": {"1": "random"}})
    table, states = server.tables["g1"], []
    while not table.state.is_terminal():
        states.append(table.state.clone())
        ask(server, "bot", 0, bot="random") if table.state.current_player() == 0 else ask(server, "bot", 0)
    for state in reversed(states):
        if table.turns[-1].player == 0:
            assert code(server, "undo", 1) == "cannot_undo"
        assert ask(server, "undo", 0)["turns_played"] == len(table.turns)
        assert table.state == state
    assert code(server, "undo", 0) == "cannot_undo"


def test_a_begun_turn_is_taken_back_to_where_it_began():
    server = Server()
    server.answer({"command": "new", "name": "pylos"})
    for number, turn in enumerate(["1a1", "1d4", "1b1", "1d3", "1a2", "1d1"]):
        ask(server, "play", number % 2, turn=turn)
    before = ask(server, "view", 0)
    played = ask(server, "play", 0, actions=["1b2"])
    assert (played["in_turn"], played["turn"]["turn"], played["turn"]["number"]) == (True, "1b2", 6)
    played = ask(server, "play", 0, actions=["-1a1"])
    assert (played["in_turn"], played["turn"]["turn"], played["turn"]["number"]) == (True, "1b2-1a1", 6)
    assert code(server, "undo", 1) == "cannot_undo"
    assert ask(server, "undo", 0)["turns_played"] == 6
    assert {**ask(server, "view", 0), "revision": before["revision"]} == before
    assert ask(server, "play", 0, turn="1b2-1a1")["turn"]["turn"] == "1b2-1a1"


def nothing_was_drawn(before, after, events):
    """What our rules say: no card or tile was drawn, no round was revealed, nothing shuffled."""
    revealed = {"solo_point", "knocked_out", "contradicted", "built", "recycled", "refilled"}
    revealed &= {event["event"] for event in events}
    place = -8 if before.get_game().name == "numberplace_city" else -7  # of the supply or the deck, in the text
    same = before.serialize().split(" ")[place] == after.serialize().split(" ")[place]
    return same and not revealed and not after.is_terminal()


@secret_games
def test_what_may_be_taken_back_is_what_has_revealed_nothing(text):
    """The sampled rule, against the rules of the games: no draw and no reveal."""
    found = set()
    for number, state in enumerate(walk(zg.load_game(text), 9, 300)):
        if state.is_terminal() or state.in_turn() or number % 3:
            continue
        turns = list(legal_turns(state))
        turn = random.Random(number).choice(turns)
        mover = state.current_player()
        server = seated_at(state)
        played = ask(server, "play", mover, actions=turn)
        after = server.tables["g1"].state.clone()
        allowed = nothing_was_drawn(state, after, played["turn"]["events"])
        found.add(allowed)
        others = [seat for seat in range(state.get_game().num_players()) if seat != mover]
        assert {code(server, "undo", seat) for seat in others} == {"cannot_undo"}
        assert (code(server, "undo", mover) is None) == allowed
        assert server.tables["g1"].state == (state if allowed else after)
    assert found == {True, False}


def test_a_turn_of_blox_that_draws_no_card_can_be_taken_back():
    state = zg.load_game("blox").new_initial_state(3)
    server = seated_at(state)
    turn = next(state.turn_to_string(turn) for turn in legal_turns(state) if state.turn_to_string(turn)[-1] == "j")
    for _ in range(2):
        ask(server, "play", 0, turn=turn)
        assert code(server, "undo", 0) is None
        assert server.tables["g1"].state == state


@secret_games
def test_what_is_begun_of_a_turn_can_be_taken_back(text):
    for number, state in enumerate(walk(zg.load_game(text), 2, 120)):
        if number % 4 or state.is_terminal() or state.in_turn():
            continue
        longer = [turn for turn in legal_turns(state) if len(turn) > 1]
        if not longer:
            continue
        turn, mover, server = random.Random(number).choice(longer), state.current_player(), seated_at(state)
        for action in turn[:-1]:
            ask(server, "play", mover, actions=[action])
        assert server.tables["g1"].state.in_turn()
        assert code(server, "undo", mover) is None
        assert server.tables["g1"].state == state


def test_one_turn_goes_back_not_two():
    """Else a player could see what the next one does, and then play something else."""
    state = zg.load_game("numberplace_city").new_initial_state(4)
    server = seated_at(state)
    for seat in (0, 1):
        ask(server, "play", seat, actions=[ask(server, "legal", seat)["turns"][0]["actions"][0]])
    assert code(server, "undo", 0) == "cannot_undo"
    assert code(server, "undo", 1) is None
    assert code(server, "undo", 0) == code(server, "undo", "all") == "cannot_undo"
    ask(server, "bot", 1, bot="random")
    assert code(server, "undo", "all") is None


def test_of_bots_with_secrets_nobody_takes_back_turns():
    server = Server()
    server.answer({"command": "new", "name": "numberplace_city", "bots": {"1": "random"}})
    ask(server, "bot", 0, bot="random")
    ask(server, "bot", 0)
    assert code(server, "undo", 0) == "cannot_undo"


LIKELY = (  # the mover plays action 200, of which he sees what nine of ten deals would show him
    "blox() BAAB g10:wrgk,h10:wrk,j8:wwgk,a7:rggk,a6:wgkk,b6:wwrr,d3:rrgk,j2:wrgk,b1:wrgk "
    "23:wgkkkk:wrggk:x:d7+c6+e5+a3/60:wrrrrr:-:j:b10+i9+f7+e6 rr wwwwwwwwwwwwwrrrrrrrrggggggggggggggkkkkkkkkkkk "
    "4 0 - 826 1956ecd1a275ec95.0000000000000397"
)


def test_what_was_refused_once_stays_refused(monkeypatch):
    """Else a player asks until all samples happen to agree, and has peeked: here once in a few hundred times."""
    state = zg.load_game("blox").deserialize(LIKELY)
    shown = undoing.seen(state, 200, 0)
    views = list(undoing.possible_views(state, 200, 0, counting()))
    assert 0.85 < sum(view == shown for view in views) / len(views) < 0.95
    rng = random.Random(5)
    monkeypatch.setattr(tables, "random_seed", lambda: rng.getrandbits(53))
    server = seated_at(state)
    ask(server, "play", 0, actions=[200])
    after = server.tables["g1"].state.clone()
    assert {code(server, "undo", seat) for _ in range(5000) for seat in (0, "all")} == {"cannot_undo"}
    assert server.tables["g1"].state == after


class Coin:
    """A game of one turn with a hidden coin: look at it, then bet on heads, which is legal if they are up; or do not
    look. Player 1 may be shown it, too, without player 0."""

    def __init__(self, heads, seen=()):
        self.heads, self.told, self.done, self.looked = heads, set(seen), False, False

    name = "coin"

    def get_game(self):
        return self

    def num_players(self):
        return 2

    def new_initial_state(self, seed=0):
        return Coin(bool(seed % 2))

    def clone(self):
        return copy.deepcopy(self)

    def resample(self, player, seed=0):
        twin = self.clone()
        twin.heads = self.heads if player in self.told else bool(seed % 2)
        twin.key = seed
        return twin

    def current_player(self):
        return 0

    def is_terminal(self):
        return False

    def in_turn(self):
        return self.looked and not self.done

    def is_legal(self, action):
        return action != "bet" or not self.looked or self.heads

    def apply_action(self, action):
        if not self.is_legal(action):
            raise IllegalActionError(f"{action} is not legal")
        self.told |= {"look": {0}, "show": {1}}.get(action, set())
        self.looked |= action in ("look", "show")
        self.done |= action == "bet"

    def events(self, action):
        return [{"event": "heads", "up": int(self.heads)}] if action == "tell" else []

    def information_state_string(self, player):
        return f"{player} {self.heads if player in self.told else '?'} {self.done}"

    def action_to_string(self, action):
        return action


def counting(start=0):
    numbers = iter(range(start, 10**6))
    return lambda: next(numbers)


@pytest.mark.parametrize(
    ("actions", "reveals"),
    [
        (["wait"], False),
        (["look"], True),
        (["show"], True),
        (["tell"], True),
        (["wait", "look"], True),
        (["bet"], False),
    ],
)
@pytest.mark.parametrize("heads", [True, False])
def test_whoever_learns_something_it_cannot_be_taken_back(actions, reveals, heads):
    assert undoing.reveals(Coin(heads), actions, counting()) == reveals
    assert not undoing.reveals(Coin(heads, seen=(0, 1)), ["look", "show"], counting())


@pytest.mark.parametrize("unlucky", [False, True])
def test_a_refusal_stands_when_the_turn_is_played_on(monkeypatch, unlucky):
    """The samples agree by chance; only before the first refusal is that an answer."""
    table = Table("g1", Coin(True), 0, {}, 0)
    table.state = Coin(True)
    table.play(["look"])
    if unlucky:
        monkeypatch.setattr(tables, "random_seed", lambda: 0)
        with pytest.raises(tables.RequestError, match="revealed"):
            table.undo(0)
    monkeypatch.setattr(tables, "random_seed", lambda: 1)
    for actions in ([], ["wait"], ["bet"]) if unlucky else ([],):
        if actions:
            assert table.play(actions) == 1
        assert not undoing.reveals(table.turns[-1].before, table.turns[-1].actions, tables.random_seed)
        if unlucky:
            with pytest.raises(tables.RequestError, match="revealed"):
                table.undo("all")
    if not unlucky:
        assert table.undo(0).actions == ["look"]
    assert len(table.turns) == unlucky


def test_an_action_that_is_hardly_ever_legal_proves_nothing(monkeypatch):
    monkeypatch.setattr(Coin, "is_legal", lambda self, action: getattr(self, "key", 0) % 100 == 0)
    assert undoing.reveals(Coin(True), ["wait"], counting())


def test_what_an_action_reveals_cannot_be_asked_for_by_an_illegal_one_behind_it(monkeypatch):
    """A seat looks and bets in one request. It is not refused for what it could not know: it has looked then."""
    for heads in (True, False):
        for twin in (1, 0):  # which way the coin lies that the seat imagines
            table = Table("g1", Coin(heads), 0, {}, 0)
            table.state = Coin(heads)
            monkeypatch.setattr(tables, "random_seed", lambda twin=twin: twin)
            if twin:
                assert table.play(["look", "bet"]) == (2 if heads else 1)
                assert table.turns[-1].actions == ["look", "bet"][: 2 if heads else 1]
                assert 0 in table.state.told
            else:
                with pytest.raises(tables.RequestError, match="bet is not legal"):
                    table.play(["look", "bet"])
                assert 0 not in table.state.told
