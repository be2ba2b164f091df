"""PettingZoo environments of every game (extra `pettingzoo`): agents act one after the other.

>>> from ziggurat.env import pettingzoo
>>> env = pettingzoo.env("pylos", preset="mini")
>>> env.reset(seed=1)
>>> for agent in env.agent_iter():
...     observation, reward, termination, truncation, info = env.last()
...     env.step(None if termination else int(observation["action_mask"].argmax()))

`env` has the usual wrappers around `raw_env`, whose docstring says what agents see and how games are seeded.
"""

from __future__ import annotations

import copy
import secrets
from typing import TYPE_CHECKING, Any

import numpy as np

try:
    import gymnasium
    from pettingzoo import AECEnv
    from pettingzoo.utils.wrappers import OrderEnforcingWrapper, TerminateIllegalWrapper
except ImportError as error:
    raise ImportError('ziggurat.env.pettingzoo needs PettingZoo: pip install "ziggurat[pettingzoo]"') from error

from ziggurat.env.arguments import RENDER_MODES, action_id, drawing, loaded, one_of
from ziggurat.env.opponents import episode_seed

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ziggurat import Game, State

METADATA = {
    "name": "ziggurat_v0",  # an environment puts in its game
    "render_modes": list(RENDER_MODES),
    "is_parallelizable": False,
    "render_fps": 1,
}
LOST = -1.0  #: the reward of an illegal action with illegal="lose": the least return there is


def env(
    game: str | Game,
    preset: str | None = None,
    *,
    render_mode: str | None = None,
    seed: int | None = None,
    illegal: str = "raise",
    **options: str | int | bool,
) -> AECEnv:
    """The environment of a game, wrapped so that calls in the wrong order are refused.

    `game` is a name or a canonical text, with `preset` and `options` as `ziggurat.load_game` takes them, or a game of
    `load_game`; `render_mode` and `seed` are those of `raw_env`. An illegal action raises IllegalActionError and
    changes nothing; with `illegal="lose"` it ends the game as PettingZoo's TerminateIllegalWrapper does: the agent gets
    -1, the others 0. An action that is no id raises ValueError or TypeError in any case, and so do bad arguments.
    """
    one_of("illegal", illegal, ("raise", "lose"))
    environment = raw_env(game, preset, render_mode=render_mode, seed=seed, **options)
    return Ordered(Losing(environment) if illegal == "lose" else environment)


class raw_env(AECEnv):  # type: ignore[misc]  # noqa: N801  # PettingZoo has no types; all its environments have this name
    """One game; `player_0` to `player_<n-1>` are its agents, and the one who is to move is `agent_selection`.

    Turns of several actions are several steps of one agent. What an agent sees, at any time, is a dict of

    - "observation": float32[game.observation_tensor_shape()], its `State.observation_tensor`, from 0 to 1;
    - "action_mask": int8[game.num_distinct_actions()], 1 for legal actions; all 0 for an agent that cannot act now.

    Nothing that is hidden from the agent is in it. `infos[agent]["action_mask"]` is the mask, too. Rewards are 0 until
    the end, then the returns of the game (`State.returns`). Limits of length are rules of the games, so their ends are
    terminations; nothing is ever truncated.

    Seeds: `reset(seed=s)` begins game 0 of seed s, which is `game.new_initial_state(s)`, and each `reset()` after it
    the next one: game k > 0 has the seed `stream_key(s, k, 4)` (docs/random-stream.md), as episode k of row 0 of a
    `ziggurat.BatchEnv` has. `seed` of the constructor is for a first `reset()` without a seed; if that has none either,
    one is drawn from the operating system's entropy. `options` of `reset` are ignored.

    `render()` returns the drawing as the agent to move sees it, text with `render_mode="ansi"` and SVG with "svg".
    `copy.copy`, `copy.deepcopy` and pickles are environments of their own that play on alike. `game` and `position` are
    the ziggurat game and its state: look at it, but do not play on it.
    """

    metadata: dict[str, Any] = METADATA
    position: State

    def __init__(
        self,
        game: str | Game,
        preset: str | None = None,
        *,
        render_mode: str | None = None,
        seed: int | None = None,
        **options: str | int | bool,
    ) -> None:
        super().__init__()
        self.render_mode = one_of("render_mode", render_mode, (None, *RENDER_MODES))
        self.game = loaded(game, preset, options)
        self.metadata = {**METADATA, "name": f"ziggurat_{self.game.name}_v0"}
        self._begun: tuple[int, int] | None = None  # the seed of the last games, and which of them this is
        if seed is not None:
            self.game.new_initial_state(seed)  # raises for a bad one
        self._first = seed
        self.possible_agents = [f"player_{player}" for player in range(self.game.num_players())]
        self.agents = list(self.possible_agents)
        self._seats = {agent: player for player, agent in enumerate(self.possible_agents)}
        shape, count = self.game.observation_tensor_shape(), self.game.num_distinct_actions()
        self.observation_spaces = {agent: _observation_space(shape, count) for agent in self.agents}
        self.action_spaces = {agent: gymnasium.spaces.Discrete(count) for agent in self.agents}
        self.state_space = gymnasium.spaces.Box(0.0, 1.0, (len(self.agents), *shape), np.float32)

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin game 0 of the seed, or the next game; ValueError or TypeError for a seed that is none."""
        base, index = self._next(seed)
        self.position = self.game.new_initial_state(episode_seed(base, index))
        self._begun = base, index
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._skip_agent_selection = None
        self._go_on()
        self.refresh_infos()

    def step(self, action: int | None) -> None:
        """Play an action of the agent to move; None, and nothing else, for an agent whose game is over.

        IllegalActionError if it is not legal, ValueError or TypeError if it is no id; nothing has changed then.
        """
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self.position.apply_action(action_id(action, self.game.num_distinct_actions()))
        self._cumulative_rewards[agent] = 0.0
        self._go_on()
        for changed in {agent, self.agent_selection}:
            self.infos[changed] = {"action_mask": self._mask(changed)}

    def observe(self, agent: str) -> dict[str, NDArray[Any]]:
        """What the agent sees, in new arrays; ValueError if there is no such agent."""
        if agent not in self._seats:
            raise ValueError(f"agent is one of {', '.join(self._seats)}, not {agent!r}")
        return {
            "observation": self.position.observation_tensor(self._seats[agent]),
            "action_mask": self._mask(agent),
        }

    def state(self) -> NDArray[np.float32]:
        """float32[agents, *planes]: what all agents see, for a critic in training; no agent may get it."""
        return np.stack([self.position.observation_tensor(player) for player in self._seats.values()])

    def render(self) -> str | None:
        """The drawing as the agent to move sees it; without a render mode None, and a warning."""
        if self.render_mode is None:
            gymnasium.logger.warn("render() does nothing without a render_mode")
            return None
        return drawing(self.render_mode, self.position, self._seats[self.agent_selection])

    def close(self) -> None:
        """There is nothing to close."""

    def observation_space(self, agent: str) -> gymnasium.spaces.Dict:
        """The space of `observe(agent)`."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> gymnasium.spaces.Discrete:
        """The space of the agent's actions; `sample(mask)` takes its mask."""
        return self.action_spaces[agent]

    def refresh_infos(self) -> None:
        """Make the infos of all agents anew."""
        self.infos = {agent: {"action_mask": self._mask(agent)} for agent in self.agents}

    def _next(self, seed: int | None) -> tuple[int, int]:
        """The seed and the number of the game that a reset begins."""
        if seed is not None:
            return seed, 0
        if self._begun is not None:
            return self._begun[0], self._begun[1] + 1
        return secrets.randbits(64) if self._first is None else self._first, 0

    def _go_on(self) -> None:
        """Find out who is to move; after the end, give the rewards, and dismiss the agents in order."""
        if not self.position.is_terminal():
            self.agent_selection = self.possible_agents[self.position.current_player()]
            return
        self.rewards = dict(zip(self.agents, self.position.returns().tolist(), strict=True))
        self.terminations = dict.fromkeys(self.agents, True)
        self.agent_selection = self.agents[0]
        self._accumulate_rewards()

    def _mask(self, agent: str) -> NDArray[np.int8]:
        """int8[actions], a new array: the legal actions of an agent."""
        if self._seats[agent] == self.position.current_player() and not self.terminations.get(agent, True):
            return self.position.legal_actions_mask().view(np.int8)
        return np.zeros(self.game.num_distinct_actions(), np.int8)

    def __copy__(self) -> raw_env:
        """A copy shares nothing that changes, so it is a deep one."""
        return copy.deepcopy(self)


class Ordered(OrderEnforcingWrapper):  # type: ignore[misc]  # PettingZoo has no types
    """Refuses calls in the wrong order; a copy has an environment of its own."""

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Like `raw_env.reset`; after an error nothing has begun."""
        self.env.reset(seed=seed, options=options)
        self._has_reset = self._has_updated = True

    def __copy__(self) -> Ordered:
        return copy.deepcopy(self)

    def __str__(self) -> str:
        return str(self.env)


class Losing(TerminateIllegalWrapper):  # type: ignore[misc]  # PettingZoo has no types
    """An illegal action of an agent ends the game: it gets -1, the others 0, and nobody can act any more."""

    def __init__(self, env: raw_env) -> None:
        super().__init__(env, illegal_reward=LOST)

    def step(self, action: int | None) -> None:
        """Like `raw_env.step`, but for illegal actions."""
        inner = self.env.unwrapped
        if not (inner.terminations[inner.agent_selection] or inner.truncations[inner.agent_selection]):
            action = action_id(action, inner.game.num_distinct_actions())
        self._prev_obs = None  # the mask is looked up anew: who got the last one may have written there
        super().step(action)
        if self._terminated:
            inner.truncations = dict.fromkeys(inner.truncations, False)
            inner.refresh_infos()


def _observation_space(shape: tuple[int, ...], count: int) -> gymnasium.spaces.Dict:
    planes = gymnasium.spaces.Box(0.0, 1.0, shape, np.float32)
    mask = gymnasium.spaces.Box(0, 1, (count,), np.int8)
    return gymnasium.spaces.Dict({"observation": planes, "action_mask": mask})
