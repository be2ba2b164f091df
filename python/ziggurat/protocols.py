"""What every game and every state offers, whatever the game: the types to annotate with.

The native classes (one pair a game) and the pure-Python reference have these methods. Names are OpenSpiel's where it
has one.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

if TYPE_CHECKING:  # NumPy is loaded when the first array is made: it is most of what an import would cost
    import numpy as np
    from numpy.typing import NDArray

StateType = TypeVar("StateType", bound="State")


class Game(Protocol):
    """The rules of one game with its options: an immutable value with ==, hash and pickle. `str(game)` is canonical."""

    @property
    def name(self) -> str:
        """The game's name, as `load_game` takes it."""

    @property
    def options(self) -> dict[str, str | int | bool]:
        """All options with their values, in the order of the rules page."""

    def num_players(self) -> int:
        """The number of players."""

    def num_distinct_actions(self) -> int:
        """Action ids are 0 to this number - 1."""

    def max_game_length(self) -> int | None:
        """An upper bound on the actions of a game; None if there is none."""

    def observation_tensor_shape(self, encoding: str = "planes") -> tuple[int, ...]:
        """The shape of `State.observation_tensor`; the rules page describes the planes.

        "compact" is one row of the same content: the cells of a plane that has them, the one value of a plane that has
        one.
        """

    def new_initial_state(self, seed: int = 0) -> State:
        """A state at the start of the game; `seed` (0 <= seed < 2**64, else ValueError) decides all its chance."""

    def deserialize(self, text: str) -> State:
        """The state that `State.serialize` wrote; ParseError if the text is malformed or of another game."""

    def action_to_string(self, action: int) -> str:
        """The text of an action id; ValueError if there is no such id."""

    def string_to_action(self, text: str) -> int:
        """The id of an action, legal or not, from its text; ParseError if no action is written so."""

    def num_symmetries(self) -> int:
        """The number of symmetries of the board that the rules respect."""

    def transform_action(self, action: int, k: int) -> int:
        """The action id under symmetry k, 0 <= k < num_symmetries(); 0 is the identity."""

    def table(self, name: str, out: NDArray[np.int32] | None = None) -> NDArray[np.int32]:
        """The array of that name, of the game alone; `ziggurat.describe` lists them, the rules page has their shapes.

        Written into `out` if given. ValueError for another name, TypeError or ValueError if `out` does not fit.
        """


class State(Protocol):
    """A position of a game, with ==, hash, pickle and copy. Only `apply_action` changes it."""

    def get_game(self) -> Game:
        """The game that this is a state of."""

    def current_player(self) -> int:
        """The player to move; -4 (OpenSpiel's terminal player) after the end."""

    def is_terminal(self) -> bool:
        """Has the game ended?"""

    def in_turn(self) -> bool:
        """Is this between the actions of one turn?"""

    def legal_actions(self, player: int | None = None) -> NDArray[np.int32]:
        """Legal action ids, ascending; empty for anyone but the player to move, and after the end."""

    def legal_actions_mask(self, out: NDArray[np.uint8] | None = None) -> NDArray[np.uint8]:
        """uint8[num_distinct_actions], 1 for legal ids; written into `out` if given.

        TypeError or ValueError if `out` does not fit.
        """

    def count_legal(self) -> int:
        """The number of legal actions."""

    def count_turns(self) -> int:
        """The number of legal turns (whole sequences of actions); inside a turn, of ways to finish it."""

    def is_legal(self, action: int) -> bool:
        """Is the action legal now? ValueError if there is no such id."""

    def apply_action(self, action: int) -> None:
        """Play an action in place; IllegalActionError (state unchanged) if it is not legal."""

    def events(self, action: int) -> list[dict[str, Any]]:
        """What playing the action makes public, in order; the rules page has the keys, `event` is the first.

        A secret until it is played: the report of a reveal. Empty for games that have nothing to tell.
        IllegalActionError if the action is not legal, ValueError if there is no such id.
        """

    def clone(self: StateType) -> StateType:
        """An independent copy."""

    def returns(self) -> NDArray[np.float64]:
        """float64[players]: w winners of n get 1/w each, the others -1/(n-w); 0 before the end and if w is 0 or n."""

    def scores(self) -> NDArray[np.int32]:
        """int32[players]: the game's own points."""

    def winners(self) -> list[int]:
        """The players who have won; empty before the end and after a draw."""

    def action_to_string(self, action: int) -> str:
        """The text of an action id."""

    def string_to_action(self, text: str) -> int:
        """The id of an action, legal or not, from its text; ParseError if no action is written so."""

    def turn_to_string(self, actions: Iterable[int]) -> str:
        """The text of a turn: the texts of its actions one after the other, without a closing one."""

    def string_to_turn(self, text: str) -> list[int]:
        """The action ids of the legal turn that is written so; ParseError if there is none."""

    def serialize(self) -> str:
        """One line of text that `Game.deserialize` reads."""

    def observation_tensor(
        self, player: int, out: NDArray[np.float32] | None = None, encoding: str = "planes"
    ) -> NDArray[np.float32]:
        """float32[observation_tensor_shape(encoding)]: what the player sees; written into `out` if given."""

    def information_state_string(self, player: int) -> str:
        """What the player knows, as one line: the position text where the game has no secrets."""

    def observation_string(self, player: int) -> str:
        """The drawing as the player sees it: `str` of a native state, with `?` for what is hidden from him."""

    def resample(self: StateType, player: int, seed: int = 0) -> StateType:
        """A state that the player cannot tell from this one: what he does not see is drawn anew with the seed.

        Every consistent deal is equally likely; what he could deduce from earlier positions is not kept. A clone where
        the game has no secrets.
        """

    def transformed(self: StateType, k: int) -> StateType:
        """The state under symmetry k, 0 <= k < num_symmetries(); 0 is the identity."""

    def canonical(self: StateType) -> tuple[StateType, int]:
        """(state, k): of all images transformed(k) the one whose serialize() is least, and the least such k."""

    def analysis(self, name: str, out: NDArray[Any] | None = None) -> NDArray[Any]:
        """The array of that name; `ziggurat.describe` lists them, the rules page has shapes and formulas.

        Written into `out` if given. ValueError for another name, TypeError or ValueError if `out` does not fit.
        """

    def view(self, name: str, player: int, out: NDArray[Any] | None = None) -> NDArray[Any]:
        """The array of that name, of one player; `ziggurat.describe` lists them as "views", the rules page has shapes.

        Each is a method of its name, too: `state.reachable(0)` is `state.view("reachable", 0)`. Written into `out` if
        given. ValueError for another name or player, TypeError or ValueError if `out` does not fit.
        """

    def to_svg(
        self,
        *,
        last_action: int | str | Iterable[int | str] | None = None,
        size: float | None = None,
        coordinates: bool = True,
        hands: bool = False,
        legal: bool | Iterable[int | str] | None = None,
        player: int | None = None,
        secrets: bool = False,
    ) -> str:
        """A drawing as SVG; `ziggurat.formats.svg.draw` tells what the keywords are."""

    def _repr_svg_(self) -> str | None: ...

    def _perft(self, depth: int, unit: Any, divide: bool, threads: int, hash_mb: int, progress: Any) -> Any: ...
