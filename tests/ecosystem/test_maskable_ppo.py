"""A learner of others on our environment: maskable PPO of sb3-contrib plays Blokus Duo. Needs the extra `ecosystem`.

    pip install '.[ecosystem]' && python -m pytest tests/ecosystem

takes half a minute on one core. The default test run leaves this folder out.
"""

import time

import gymnasium
import numpy as np
import pytest
import torch
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.evaluation import evaluate_policy
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from stable_baselines3.common.env_util import make_vec_env
from stable_baselines3.common.monitor import Monitor

import ziggurat.env.gymnasium

gymnasium.register_envs(ziggurat.env.gymnasium)
SETTINGS = {"preset": "duo", "observation": "compact"}
STEPS = 4096


@pytest.fixture(autouse=True)
def _one_core():
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


def test_maskable_ppo_trains_on_blokus_duo():
    """An illegal action would raise an error: the masks are heeded all the way."""
    start = time.perf_counter()
    with pytest.warns(UserWarning, match="rgb_array"):  # is asked for, and done without
        env = make_vec_env("ziggurat/Blokus-v0", n_envs=8, seed=1, env_kwargs=SETTINGS)
    assert is_masking_supported(env)
    model = MaskablePPO("MlpPolicy", env, n_steps=64, batch_size=128, n_epochs=4, gamma=1.0, seed=1, device="cpu")
    before = [parameter.detach().clone() for parameter in model.policy.parameters()]
    model.learn(STEPS)
    assert model.num_timesteps == STEPS
    after = list(model.policy.parameters())
    assert all(torch.isfinite(parameter).all() for parameter in after)
    assert any(not torch.equal(one, other) for one, other in zip(before, after, strict=True))
    episodes = list(model.ep_info_buffer)
    assert len(episodes) >= 100
    assert {episode["r"] for episode in episodes} <= {-1.0, 0.0, 1.0}
    rewards, lengths = evaluate_policy(
        model,
        Monitor(gymnasium.make("ziggurat/Blokus-v0", **SETTINGS)),
        n_eval_episodes=20,
        return_episode_rewards=True,
    )
    assert len(rewards) == 20
    assert min(lengths) > 5
    print(
        f"{time.perf_counter() - start:.0f} s; mean reward {np.mean(rewards):+.2f}, mean length {np.mean(lengths):.1f}"
    )


def test_an_untrained_model_obeys_masks_in_every_game():
    for spec in [spec for spec in gymnasium.registry.values() if spec.namespace == "ziggurat"]:
        env = gymnasium.make(spec.id, observation="compact", learner="random")
        model = MaskablePPO("MlpPolicy", env, n_steps=8, batch_size=8, seed=0, device="cpu")
        seen, _ = env.reset(seed=0)
        for _ in range(30):
            masks = get_action_masks(env)
            action, _ = model.predict(seen, action_masks=masks)
            assert masks[action]
            seen, _, ended, _, _ = env.step(action)
            if ended:
                seen, _ = env.reset()
