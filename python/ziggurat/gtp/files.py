"""Records as GTP's `loadsgf` and `savesgf` read and write them: BLKSGF where a game has a game type, else JSON."""

from pathlib import Path
from stat import S_ISREG

from ziggurat import load_game
from ziggurat.errors import ParseError
from ziggurat.formats import Record, blksgf
from ziggurat.formats.blksgf_replay import MOVES
from ziggurat.gtp.board import Board, Step
from ziggurat.gtp.names import names_of
from ziggurat.protocols import State

LARGEST = 16 << 20  #: bytes of a file that is read


def load(path: Path, move: int | None = None) -> Board:
    """The board after the main line of a record, or before its move (JSON: turn) of that number, from 1 on.

    RecordError if it is none, ParseError if it is too large, OSError if it cannot be read.
    """
    about = path.stat()
    if not S_ISREG(about.st_mode) or about.st_size > LARGEST:
        raise ParseError(f"not a file of at most {LARGEST} bytes")
    data = path.read_bytes()
    most = None if move is None else max(move - 1, 0)
    return from_record(Record.from_json(data), most) if data.lstrip()[:1] == b"{" else from_tree(data, most)


def from_record(record: Record, most: int | None) -> Board:
    """The board after `most` turns of a JSON record, or after all of its actions."""
    board = Board(record.load_game(), record.seed)
    for before, action, after in record.plays():
        if not before.in_turn():
            if most is not None and len(board.steps) == most:
                break
            board.steps.append(Step(before, len(board.actions)))
        board.actions.append(action)
        board.state = after
    if board.state.in_turn():
        raise ParseError("the record ends inside a turn; a GTP board stands between turns")
    return board


def from_tree(data: bytes, most: int | None) -> Board:
    """The board after `most` moves of the main line of a BLKSGF record, or after all of it."""
    record = blksgf.loads(data)
    board = Board(load_game("blokus", record.preset))
    moves = 0
    for number, state in blksgf.positions(record):
        names = {entry.name for entry in record.tree.nodes[number].properties}
        if names & MOVES and moves == most:
            break
        moves += bool(names & MOVES)
        add_node(board, state, bool(names & MOVES))
    return board


def add_node(board: Board, state: State, is_move: bool) -> None:
    """Go on to the state after a node. What a setup changed cannot be taken back."""
    if is_move and not board.from_setup:
        board.steps.append(Step(board.state, len(board.actions)))
        board.actions += actions_between(board, state)
    elif is_move:
        board.steps.append(Step(board.state, 0))
    elif state != board.state:
        board.from_setup, board.steps, board.actions = True, [], []
    board.state = state


def actions_between(board: Board, state: State) -> list[int]:
    """The passes and the placement that lead from the board's state to another one."""
    before = board.state.clone()
    passes: list[int] = []
    while True:
        for action in before.legal_actions().tolist():
            after = before.clone()
            after.apply_action(action)
            if after == state:
                return [*passes, action]
        passes.append(int(before.legal_actions()[0]))
        before.apply_action(passes[-1])


def record_text(board: Board) -> tuple[str, str]:
    """The suffix and the text of the record of a game. ValueError if it began with a setup."""
    if board.from_setup:
        raise ValueError("the game began with a setup; only games from the start are written")
    if len(names_of(board.game)) > 1:
        return ".blksgf", blksgf.dumps(blksgf.from_moves(board.game, board.actions))
    return ".json", Record.of(board.game, board.seed, board.actions).to_json() + "\n"
