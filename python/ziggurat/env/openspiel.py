"""Every game as a game of OpenSpiel (extra `openspiel`); importing this module registers them.

>>> import pyspiel
>>> from ziggurat.env import openspiel
>>> game = pyspiel.load_game("ziggurat_pylos(preset=mini,options=removal:mandatory)")
>>> game == openspiel.load_game("pylos", "mini", removal="mandatory")
True
>>> state = game.new_initial_state()
>>> state.apply_action(state.string_to_action("1a1"))

A game's short name is `ziggurat_` and the game's name. Its parameters are

- `preset`: the name of a preset;
- `options`: settings as in a canonical text, each over the preset's, with `:` and `;` for `=` and `,`, which mean
  something else in OpenSpiel's text of a game;
- `seed`: -1 (the default) if chance decides about the deal, else the seed of `Game.new_initial_state`: then there are
  no chance nodes, and all games have the same deal. Games without chance ignore it.

Chance: a game of ziggurat is a function of its seed and of the actions. So a game with chance begins with eight chance
nodes, each of 256 equally likely outcomes: together the 64 bits of the seed, the highest byte first. All that is drawn
later, such as a deck that is shuffled anew, follows from them, and no player sees them.

Games without secrets are declared as of perfect information, the others as of imperfect information. What a player
knows is what the position tells him: what he could deduce from earlier ones is not kept, so there is no perfect recall.

Games whose options set no limit of length are cut after `LONGEST` actions: all returns are 0 then.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from operator import index
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

try:
    import pyspiel
except ImportError as error:
    raise ImportError('ziggurat.env.openspiel needs OpenSpiel: pip install "ziggurat[openspiel]"') from error

import ziggurat
from ziggurat.env.arguments import action_id, has_secrets, loaded

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ziggurat import Game, State

PREFIX = "ziggurat_"
LONGEST = 100_000  #: actions until a game is cut that has no limit of its own
SEED_BYTES = 8  #: chance nodes at the start of a game with chance
OUTCOMES = 256  #: of each chance node
DRAWN = -1  #: the parameter `seed` of games that chance decides about
PARAMETERS = {"preset": "", "options": "", "seed": DRAWN}
CHANCE, TERMINAL = int(pyspiel.PlayerId.CHANCE), int(pyspiel.PlayerId.TERMINAL)
EVERY_BYTE = [(outcome, 1 / OUTCOMES) for outcome in range(OUTCOMES)]


def load_game(
    game: str | Game, preset: str | None = None, *, seed: int = DRAWN, **options: str | int | bool
) -> ZigguratSpielGame:
    """The OpenSpiel game of `ziggurat.load_game(game, preset, **options)`, whose errors it raises, or of a game of it.

    ValueError for a seed that is neither -1 nor from 0 to 2**31 - 1, the integers that OpenSpiel knows.
    """
    ours = loaded(game, preset, options)
    parameters = {"options": settings_of(ours), "seed": _checked_seed(seed)}
    found: ZigguratSpielGame = pyspiel.load_game(PREFIX + ours.name, parameters)
    return found


def register() -> None:
    """Register every game with OpenSpiel; importing the module does it."""
    for name in ziggurat.games():
        game = ziggurat.load_game(name)
        pyspiel.register_game(_game_type(game, has_chance(game)), _class_of(name))


class ZigguratSpielGame(pyspiel.Game):  # type: ignore[misc]  # OpenSpiel has no types
    """A game for OpenSpiel; `ziggurat_game` is the game of ziggurat behind it.

    Its parameters are written in one way: games with the same options have the same text, and are equal.
    """

    NAME: ClassVar[str]  #: of the game of ziggurat; there is a class for each

    def __init__(self, params: dict[str, Any]) -> None:
        params = {**PARAMETERS, **params}
        game = ziggurat.load_game(f"{self.NAME}({_settings(params['options'])})", params["preset"] or None)
        seed = _checked_seed(params["seed"])
        chance = has_chance(game)
        self.ziggurat_game = game
        self.seed = seed if chance else 0  #: of all games; -1 if chance decides
        written = {"options": settings_of(game), "seed": seed if chance else DRAWN}
        kept = {key: value for key, value in written.items() if value != PARAMETERS[key]}
        drawn = self.seed == DRAWN
        super().__init__(_game_type(game, drawn), _game_info(game, drawn), kept)

    def new_initial_state(self, position: str | None = None) -> ZigguratSpielState:
        """The start of a game; or a position, from a text of `ziggurat.State.serialize` (ParseError if it is none)."""
        if position is None:
            return ZigguratSpielState(self)
        return self.state_at(self.ziggurat_game.deserialize(position))

    def state_at(self, position: State, left: int | None = None) -> ZigguratSpielState:
        """A position without a history, and the number of actions until it is cut."""
        state = ZigguratSpielState(self)
        state.ziggurat_state = position
        state._left = self.max_game_length() if left is None else left
        return state

    def action_to_string(self, player: int, action: int) -> str:
        """The text of an action id, of any player; at a chance node, of a byte of the seed."""
        return f"seed byte {action}" if player == CHANCE else self.ziggurat_game.action_to_string(action)

    def max_chance_nodes_in_history(self) -> int:
        """The number of chance nodes at the start."""
        return SEED_BYTES if self.seed == DRAWN else 0

    def make_py_observer(
        self,
        iig_obs_type: pyspiel.IIGObservationType | dict[str, Any] | None = None,
        params: dict[str, Any] | None = None,
    ) -> PlayerObserver | None:
        """What a player sees; with perfect recall, what he knows, as far as the position tells.

        None for other parts of the information, which OpenSpiel's `make_observation` allows; ValueError for parameters:
        there are none.
        """
        if isinstance(iig_obs_type, dict):  # so does the observer of C++ call it that is asked for without a type
            iig_obs_type, params = None, iig_obs_type
        if params:
            raise ValueError(f"observers have no parameters, but were given {params!r}")
        if iig_obs_type is None:
            return PlayerObserver(self.ziggurat_game, knows=False)
        hidden = self.get_type().information == pyspiel.GameType.Information.IMPERFECT_INFORMATION
        own = iig_obs_type.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        if iig_obs_type.public_info and (own or not hidden):
            return PlayerObserver(self.ziggurat_game, knows=iig_obs_type.perfect_recall)
        return None

    def __reduce__(self) -> tuple[Callable[[str], ZigguratSpielGame], tuple[str]]:
        """Through a function of this module, so that reading a pickle registers the games."""
        return _restored, (str(self),)


class ZigguratSpielState(pyspiel.State):  # type: ignore[misc]  # OpenSpiel has no types
    """A state for OpenSpiel; `ziggurat_state` is the state of ziggurat behind it, None while the seed is drawn.

    OpenSpiel copies and pickles the attributes of a state one by one, so there are few.
    """

    ziggurat_state: State | None

    def __init__(self, game: ZigguratSpielGame) -> None:
        super().__init__(game)
        self._drawn = ""  # the bytes of the seed so far, in hexadecimal digits
        self._left = game.max_game_length()  # actions until the game is cut
        self.ziggurat_state = None if game.seed == DRAWN else game.ziggurat_game.new_initial_state(game.seed)

    def current_player(self) -> int:
        """The player to move, or OpenSpiel's number for chance or the end."""
        if self.ziggurat_state is None:
            return CHANCE
        return self.ziggurat_state.current_player() if self._left else TERMINAL

    def is_terminal(self) -> bool:
        """Has the game ended, or been cut?"""
        return self.ziggurat_state is not None and (self.ziggurat_state.is_terminal() or not self._left)

    def returns(self) -> list[float]:
        """`ziggurat.State.returns`: 0 before the end, and if the game was cut."""
        if self.ziggurat_state is None:
            return [0.0] * self.num_players()
        found: list[float] = self.ziggurat_state.returns().tolist()
        return found

    def legal_actions(self, player: int | None = None) -> list[int]:
        """Legal action ids, ascending; of a player, by default of the one to move; the outcomes at a chance node.

        OpenSpiel asks `_legal_actions` instead, after several questions that need not be asked from Python.
        """
        if self.ziggurat_state is None:
            return list(range(OUTCOMES)) if player in (None, CHANCE) else []
        legal: list[int] = self.ziggurat_state.legal_actions(player).tolist() if self._left else []
        return legal

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The bytes of the seed, all equally likely."""
        return EVERY_BYTE

    def string_to_action(self, player: int | str, text: str | None = None) -> int:
        """The id of an action, legal or not, from its text, with or without a player before it.

        ParseError if no action is written so, OpenSpiel's error if no byte of the seed is.
        """
        written = player if text is None else text
        if self.ziggurat_state is None:
            found: int = super().string_to_action(written)
            return found
        return self.ziggurat_state.string_to_action(written)  # type: ignore[arg-type]  # which raises TypeError

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> ZigguratSpielState:
        """A state that the player cannot tell from this one: `ziggurat.State.resample` with a seed from the sampler.

        It has no history, which would tell what is hidden. A clone where nothing is hidden. ValueError before the game
        has begun.
        """
        game: ZigguratSpielGame = self.get_game()
        if self.ziggurat_state is None:
            raise ValueError("there is nothing to resample before the game has begun")
        if game.get_type().information == pyspiel.GameType.Information.PERFECT_INFORMATION:
            clone: ZigguratSpielState = self.clone()
            return clone
        seed = _bits(sampler(), 32) << 32 | _bits(sampler(), 32)
        return game.state_at(self.ziggurat_state.resample(player, seed), self._left)

    def _legal_actions(self, player: int) -> list[int]:
        return self.legal_actions(player)

    def _apply_action(self, action: int) -> None:
        if self.ziggurat_state is not None:
            if not self._left:
                raise ziggurat.IllegalActionError(f"no action is legal: the game was cut after {LONGEST} actions")
            self.ziggurat_state.apply_action(action)
            self._left -= 1
            return
        self._drawn += f"{action_id(action, OUTCOMES):02x}"
        if len(self._drawn) == 2 * SEED_BYTES:
            self.ziggurat_state = self.get_game().ziggurat_game.new_initial_state(int(self._drawn, 16))

    def _action_to_string(self, player: int, action: int) -> str:
        if self.ziggurat_state is not None and player != CHANCE:
            return self.ziggurat_state.action_to_string(action)
        text: str = self.get_game().action_to_string(player, action)
        return text

    def __str__(self) -> str:
        """The whole position, secrets included: the drawing, and as the last line the text that `deserialize` reads."""
        if self.ziggurat_state is None:
            return f"seed {self._drawn:?<{2 * SEED_BYTES}}"
        return f"{self.ziggurat_state}\n{self.ziggurat_state.serialize()}"


class PlayerObserver:
    """OpenSpiel's observer: `tensor` (float32, flat) and `dict["observation"]` (planes) are views of one array.

    The tensor is `State.observation_tensor`, and the text `observation_string`, or `information_state_string` if it is
    to tell all that the player knows. Before the game has begun, all is 0 and the text is empty.
    """

    def __init__(self, game: Game, knows: bool) -> None:
        self._knows = knows
        self._planes: NDArray[np.float32] = np.zeros(game.observation_tensor_shape(), np.float32)
        self.tensor = self._planes.reshape(-1)
        self.dict = {"observation": self._planes}

    def set_from(self, state: ZigguratSpielState, player: int) -> None:
        """Write what the player sees; ValueError if there is no such player."""
        if state.ziggurat_state is None:
            self._planes.fill(0)
        else:
            state.ziggurat_state.observation_tensor(player, out=self._planes)

    def string_from(self, state: ZigguratSpielState, player: int) -> str:
        """What the player sees or knows, as text; ValueError if there is no such player."""
        if state.ziggurat_state is None:
            return ""
        if self._knows:
            return state.ziggurat_state.information_state_string(player)
        return state.ziggurat_state.observation_string(player)


def settings_of(game: Game) -> str:
    """The options of a game as the parameter `options` has them."""
    settings = str(game).removeprefix(f"{game.name}(").removesuffix(")")
    return ";".join(item.replace("=", ":", 1) for item in settings.split(","))


def has_chance(game: Game) -> bool:
    """Does the seed of a game matter?"""
    return bool(game.new_initial_state(0) != game.new_initial_state(1))


def _restored(text: str) -> ZigguratSpielGame:
    game: ZigguratSpielGame = pyspiel.load_game(text)
    return game


@cache
def _class_of(name: str) -> type[ZigguratSpielGame]:
    """The class of a game.

    OpenSpiel keeps what makes a game beyond the end of the interpreter. A class, unlike a function, outlives that.
    """
    title = "".join(part.capitalize() for part in name.split("_"))
    return type(f"ZigguratSpiel{title}", (ZigguratSpielGame,), {"NAME": name, "__module__": __name__})


def _settings(options: str) -> str:
    """The settings of a canonical text from the parameter `options`, which may have its signs, too."""
    items = [item for item in options.replace(";", ",").split(",") if item]
    return ",".join(item if "=" in item else item.replace(":", "=", 1) for item in items)


def _checked_seed(seed: int) -> int:
    if not DRAWN <= index(seed) < 2**31:
        raise ValueError(f"seed is -1 or an integer from 0 to 2**31 - 1, not {seed!r}")
    return index(seed)


def _bits(number: float, count: int) -> int:
    """The first binary digits of a number from 0 to 1."""
    return min(int(number * (1 << count)), (1 << count) - 1)


def _game_type(game: Game, drawn: bool) -> pyspiel.GameType:
    kinds = pyspiel.GameType
    return kinds(
        short_name=PREFIX + game.name,
        long_name=f"{game.name.replace('_', ' ').title()} (ziggurat)",
        dynamics=kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.EXPLICIT_STOCHASTIC if drawn else kinds.ChanceMode.DETERMINISTIC,
        information=(
            kinds.Information.IMPERFECT_INFORMATION if has_secrets(game) else kinds.Information.PERFECT_INFORMATION
        ),
        utility=kinds.Utility.ZERO_SUM,
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=game.num_players(),
        min_num_players=game.num_players(),
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=PARAMETERS,
    )


def _game_info(game: Game, drawn: bool) -> pyspiel.GameInfo:
    """Winners share 1 and losers -1 (`State.returns`), so that the sum is 0 and nobody gets more."""
    return pyspiel.GameInfo(
        num_distinct_actions=game.num_distinct_actions(),
        max_chance_outcomes=OUTCOMES if drawn else 0,
        num_players=game.num_players(),
        min_utility=-1.0,
        max_utility=1.0,
        utility_sum=0.0,
        max_game_length=game.max_game_length() or LONGEST,
    )


register()
