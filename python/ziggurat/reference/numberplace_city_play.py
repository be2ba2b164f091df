"""What is legal in Numberplace City.

The contract is sections 2, 4 and 7 of `cpp/games/numberplace_city/RULES.md`; the clauses are cited where they are
followed. `legal_moves` looks for what can be done, `fault` says of one action why it cannot: they are written apart.
What an action does is in `numberplace_city_turns.py`.
"""

from collections.abc import Iterator

from ziggurat.reference.numberplace_city_actions import Kind, Move
from ziggurat.reference.numberplace_city_board import CELLS, TEXTS, TURNS
from ziggurat.reference.numberplace_city_options import area_of
from ziggurat.reference.numberplace_city_state import Bonus, Seat, State, free_cells, is_final, is_terminal, to_move

# [NC-4.1] What a letter of the bonus table stands for.
EFFECT_KINDS = {
    "r": Kind.REMOVE,
    "s": Kind.START,
    "d": Kind.DISCARD,
    "t": Kind.TURN,
    "p": Kind.POINT,
    "w": Kind.WIN,
}


def own(s: State) -> Seat:
    """What the player to move has."""
    return s.seats[to_move(s)]


def passes_free(s: State) -> bool:
    """[NC-2.3] [NC-2.4] Whether a pass of the player to move costs no tile."""
    return not own(s).hand or (is_final(s) and s.options.final_pass == "free")


def legal_moves(s: State) -> Iterator[Move]:
    """The legal actions."""
    if is_terminal(s):
        return
    if s.bonus is not None:
        yield from decisions(s, s.bonus)
        return
    numbers = sorted(set(own(s).hand))
    cells = free_cells(s, to_move(s))
    yield from (Move(Kind.LAY, number, cell) for number in numbers for cell in cells)  # [NC-2.2]
    if passes_free(s):
        yield Move(Kind.PASS)
    else:
        yield from (Move(Kind.GIVE, number) for number in numbers)


# Bonuses.


def decisions(s: State, bonus: Bonus) -> Iterator[Move]:
    """[NC-4.2] What the owner of a bonus may do."""
    for letter in letters_offered(s, bonus):
        yield from choices(s, bonus.player, letter)
    yield Move(Kind.DECLINE)


def letters_offered(s: State, bonus: Bonus) -> list[str]:
    """[NC-4.2] The effects among which one is chosen."""
    table = s.options.bonus_table
    if s.options.bonus_scope == "one_of_up_to":
        return sorted(set(table[: bonus.number]))
    return [table[(bonus.effect or bonus.number) - 1]]


def choices(s: State, player: int, letter: str) -> list[Move]:
    """[NC-4.1] The choices that an effect offers."""
    if letter == "r":
        return [Move(Kind.REMOVE, cell=cell) for cell in CELLS if s.board[cell]]
    if letter == "d":
        return [Move(Kind.DISCARD, number) for number in sorted(set(s.seats[player].penalties))]
    if letter == "t":
        return [Move(Kind.TURN, turn=turn) for turn in TURNS]
    return [] if letter == "-" else [Move(EFFECT_KINDS[letter])]


def offers_choice(s: State, bonus: Bonus) -> bool:
    """[NC-4.3] Whether there is a choice besides `decline`."""
    return any(choices(s, bonus.player, letter) for letter in letters_offered(s, bonus))


def is_first_number(s: State, number: int) -> bool:
    """[NC-4.2] Whether a number is the first that has its effect."""
    table = s.options.bonus_table
    return table.index(table[number - 1]) == number - 1


# Why an action is not legal.


def fault(s: State, move: Move) -> str:
    """Why an action cannot be played; empty if it is legal."""
    if is_terminal(s):
        return "the game is over"
    if move.kind in (Kind.LAY, Kind.GIVE, Kind.PASS):
        if s.bonus is not None:
            return "[NC-4.2] a bonus must be decided first"
        return lay_fault(s, move) if move.kind == Kind.LAY else pass_fault(s, move)
    if s.bonus is None:
        return "[NC-4.2] there is no bonus to be decided"
    return "" if move.kind == Kind.DECLINE else bonus_fault(s, s.bonus, move)


def lay_fault(s: State, move: Move) -> str:
    """[NC-2.2] Why a tile cannot be laid; whether it fits is not asked."""
    if move.number not in own(s).hand:
        return f"[NC-2.2] there is no {move.number} in the hand"
    if move.cell not in area_of(s.options, to_move(s)):
        return f"[NC-2.2] {TEXTS[move.cell]} is not in the player's area"
    return f"[NC-2.2] {TEXTS[move.cell]} holds a built tile" if s.board[move.cell] else ""


def pass_fault(s: State, move: Move) -> str:
    """[NC-2.3] [NC-7.1] Why a pass is not possible."""
    if move.kind == Kind.PASS:
        return "" if passes_free(s) else "[NC-7.1] a pass costs a tile"
    if passes_free(s):
        return "[NC-7.1] a pass costs no tile"
    return "" if move.number in own(s).hand else f"[NC-2.3] there is no {move.number} in the hand"


def bonus_fault(s: State, bonus: Bonus, move: Move) -> str:
    """[NC-4.2] Why an effect cannot be chosen."""
    if move.kind not in [EFFECT_KINDS.get(letter) for letter in letters_offered(s, bonus)]:
        return "[NC-4.2] the bonus does not have this effect"
    if move.kind == Kind.REMOVE and not s.board[move.cell]:
        return f"[NC-4.1] {TEXTS[move.cell]} holds no built tile"
    if move.kind == Kind.DISCARD and move.number not in s.seats[bonus.player].penalties:
        return f"[NC-4.1] there is no {move.number} among the penalty tiles"
    return ""
