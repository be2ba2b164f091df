"""Blokus as its rules page says it, for tests: pieces, ids, texts and symmetries, taken from no implementation.

A cell is a pair (row from the top, column); a placement is the tuple of its cells, sorted.
"""

from functools import lru_cache
from itertools import groupby, product

COLUMNS = "abcdefghijklmnopqrst"
LETTERS = "byrg"
EDGES = ((0, 1), (0, -1), (1, 0), (-1, 0))
CORNERS = ((1, 1), (1, -1), (-1, 1), (-1, -1))

# [BK-1.3] Every piece, drawn as a text of cells, in the order of the page.
DRAWN = {
    "1": "a1",
    "2": "a1,a2",
    "I3": "a1,a2,a3",
    "V3": "a1,b1,a2",
    "I4": "a1,a2,a3,a4",
    "L4": "a1,b1,a2,a3",
    "T4": "a1,b1,c1,b2",
    "O": "a1,b1,a2,b2",
    "Z4": "a1,b1,b2,c2",
    "I5": "a1,a2,a3,a4,a5",
    "L5": "a1,b1,a2,a3,a4",
    "Y": "a1,b1,c1,d1,b2",
    "P": "a1,b1,a2,b2,a3",
    "U": "a1,b1,c1,a2,c2",
    "V5": "a1,b1,c1,a2,a3",
    "T5": "a3,b3,c3,b2,b1",
    "N": "a1,b1,b2,c2,d2",
    "F": "b1,a2,b2,b3,c3",
    "W": "a1,b1,b2,c2,c3",
    "Z5": "a1,b1,b2,b3,c3",
    "X": "b1,a2,b2,c2,b3",
}
PIECES = list(DRAWN)
SIZES = {piece: text.count(",") + 1 for piece, text in DRAWN.items()}
JUNIOR = ["1", "2", "I3", "V3", "I4", "L4", "T4", "O", "Z4", "I5", "L5", "P"]  # [BK-7.2]


# Cells and placements.


def cell_of(text, side):
    """[BK-1.2] The cell that a text says."""
    return side - int(text[1:]), COLUMNS.index(text[0])


def cell_text(cell, side):
    """[BK-1.2] The text of a cell."""
    return f"{COLUMNS[cell[1]]}{side - cell[0]}"


def cells_of(text, side):
    """The placement that a text says."""
    return tuple(sorted(cell_of(part, side) for part in text.split(",")))


def text_of(cells, side):
    """[BK-4.2] The text of a placement: from the lowest row up, in a row from the left."""
    return ",".join(cell_text(cell, side) for cell in sorted(cells, key=lambda cell: (-cell[0], cell[1])))


def ids(text, side):
    """[BK-1.2] The ids of some cells of a text."""
    return {row * side + column for row, column in cells_of(text, side)} if text else set()


def near(cells, steps):
    """The cells, on the board or not, that are such steps away from some cells."""
    return {(row + i, column + j) for row, column in cells for i, j in steps}


# Pieces and ids.


def moved(cells):
    """Cells moved to row 0 and column 0, sorted."""
    cells = list(cells)
    top, left = min(row for row, _ in cells), min(column for _, column in cells)
    return tuple(sorted((row - top, column - left) for row, column in cells))


def turned(cells):
    """Cells turned and flipped in all eight ways, each moved to the corner."""
    images = []
    for _ in range(4):
        cells = [(column, -row) for row, column in cells]
        images += [moved(cells), moved((row, -column) for row, column in cells)]
    return images


def orientations(piece):
    """[BK-4.1] The orientations of a piece, in order."""
    return sorted(set(turned(cells_of(DRAWN[piece], 9))))


def named(options):
    """[BK-7.2] The names of the pieces that an option says, in order."""
    words = {"all": PIECES, "junior": JUNIOR}
    words |= {f"up_to_{n}": [piece for piece in PIECES if SIZES[piece] <= n] for n in (2, 3, 4)}
    return words.get(options["pieces"], options["pieces"].split("+"))


def placements(options):
    """[BK-4.1] The placements in the order of their ids."""
    return [cells for _, _, cells in parts(options["board"], tuple(named(options)))]


@lru_cache(maxsize=4)
def parts(side, pieces):
    """[BK-4.1] The placements in the order of their ids: piece, number of the orientation, and cells."""
    return [
        (piece, number, tuple((top + row, left + column) for row, column in shape))
        for piece in pieces
        for number, shape in enumerate(orientations(piece))
        for top, left in product(range(side), range(side))
        if max(top + row for row, _ in shape) < side and max(left + column for _, column in shape) < side
    ]


def full_hand(options):
    """[BK-1.3] All pieces of a colour, in order."""
    return [piece for piece in named(options) for _ in range(options["copies"])]


def without(options, *placed):
    """[BK-5.3] The text of a hand from which some pieces have been placed."""
    hand = full_hand(options)
    for piece in placed:
        hand.remove(piece)
    return ("*" if not placed else ",".join(hand)) or "-"


def hand_of(options, text):
    """[BK-5.3] The pieces of the text of a hand."""
    return full_hand(options) if text == "*" else [] if text == "-" else text.split(",")


# Positions: the fields of a text.


def fields(state):
    """The five fields of the text of a position."""
    return state.serialize().split(" ")[1:]


def rows_of(board):
    """[BK-5.1] The rows of the text of a board: letters, and a dot for each empty cell."""
    rows = []
    for row in board.split("/"):
        tokens = ["".join(run) for _, run in groupby(row, str.isdecimal)]
        rows.append("".join("." * int(token) if token.isdecimal() else token for token in tokens))
    return rows


def board_of(rows):
    """[BK-5.1] The text of a board of such rows."""
    runs = [[(letter, len(list(run))) for letter, run in groupby(row)] for row in rows]
    return "/".join("".join(str(n) if letter == "." else letter * n for letter, n in row) for row in runs)


def drawn(picture):
    """The text of a board from its picture: one line a row, letters and dots."""
    return board_of([line.replace(" ", "") for line in picture.strip().splitlines()])


def squares(board, letter):
    """The cells of a colour on the text of a board."""
    return {(i, j) for i, row in enumerate(rows_of(board)) for j, mark in enumerate(row) if mark == letter}


def starts(options):
    """[BK-1.4] The start squares of the colours."""
    last = options["board"] - 1
    if options["starts"] == "corners":
        return [(0, 0), (0, last), (last, last), (last, 0)][: options["colours"]]
    return [cell_of(text, options["board"]) for text in options["starts"].split("+")]


def usable(board, letter):
    """[BK-2.2] The empty cells that share no edge with a square of a colour."""
    return squares(board, ".") - near(squares(board, letter), EDGES)


def contacts(options, board, letter):
    """[BK-2.1] [BK-2.2] The cells of which a placement of a colour covers one."""
    own = squares(board, letter)
    first = starts(options)
    wanted = near(own, CORNERS) if own else first if options["start"] == "any_corner" else [first[index(letter)]]
    return usable(board, letter) & set(wanted)


def index(letter):
    """The number of a colour."""
    return LETTERS.index(letter)


def possible(options, text, letter):
    """[BK-2.1] [BK-2.2] The placements of a colour in a position: every one is looked at."""
    board, _, hands, _, _ = text.split(" ")[-5:]
    free, touch = usable(board, letter), contacts(options, board, letter)
    hand = set(hand_of(options, hands.split("/")[index(letter)]))
    return [
        (piece, number, cells)
        for piece, number, cells in parts(options["board"], tuple(named(options)))
        if piece in hand and free.issuperset(cells) and not touch.isdisjoint(cells)
    ]


def possible_cells(options, text, letter):
    """The cells of the placements of a colour."""
    return [cells for _, _, cells in possible(options, text, letter)]


# Symmetries.


def image(cell, j, side):
    """[BK-8.1] A cell moved by the symmetry j of the board."""
    row, column = cell
    if j & 1:
        column = side - 1 - column
    if j & 2:
        row = side - 1 - row
    return (column, row) if j & 4 else (row, column)


def symmetries(options):
    """[BK-8.1] [BK-8.2] The symmetries (renaming of the colours, symmetry of the board), in order."""
    first, found = starts(options), []
    for t, j in product(range(options["colours"]), range(8)):
        to = [image(cell, j, options["board"]) for cell in first]
        own = all(cell == first[(c + t) % len(first)] for c, cell in enumerate(to))
        fits = sorted(to) == sorted(first) if options["start"] == "any_corner" else own
        if fits and (t == 0 or options["sharing"] != "fourth"):
            found.append((t, j))
    return found


def image_of_text(options, text, t, j):
    """[BK-8.1] The fields of a position seen through a symmetry."""
    board, side, hands, *marks = text.split(" ")[-5:]
    size, letters = options["board"], LETTERS[: options["colours"]]
    renamed = str.maketrans(letters, letters[t:] + letters[:t])
    rows = rows_of(board.translate(renamed))
    cells = {image((i, j0), j, size): mark for i, row in enumerate(rows) for j0, mark in enumerate(row)}
    new_rows = ["".join(cells[i, j0] for j0 in range(size)) for i in range(size)]
    moved_hands = hands.split("/")[-t:] + hands.split("/")[:-t] if t else hands.split("/")
    new_marks = ["".join(sorted(mark.translate(renamed), key=f"{LETTERS}-".index)) for mark in marks]
    return " ".join([board_of(new_rows), side.translate(renamed), "/".join(moved_hands), *new_marks])


def image_of_player(options, player, t):
    """[BK-8.1] [BK-1.5] The player who plays a player's colours after they have been renamed."""
    return (player + t) % {"none": options["colours"], "pairs": 2, "fourth": 3}[options["sharing"]]
