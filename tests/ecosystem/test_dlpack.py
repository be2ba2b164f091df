"""PyTorch reads the arrays of a batch where they lie: nothing is copied. Needs the extra `ecosystem`."""

import numpy as np
import pytest
import torch

import ziggurat as zg


@pytest.mark.parametrize("name", zg.games())
def test_torch_shares_the_buffers_of_a_batch(name):
    batch = zg.BatchEnv(zg.load_game(name), 8, seed=1)
    buffers = batch.buffers(observation="planes", legal="mask")
    arrays = {
        key: getattr(buffers, key)
        for key in ("observation", "legal_mask", "rewards", "terminations", "current_players")
    }
    tensors = {key: torch.from_dlpack(array) for key, array in arrays.items()}
    batch.reset(out=buffers)
    for _ in range(10):
        for key, array in arrays.items():
            assert tensors[key].data_ptr() == array.ctypes.data
            assert tuple(tensors[key].shape) == array.shape
            assert np.array_equal(tensors[key].numpy(), array)
        before = tensors["observation"].clone()
        batch.step(batch.sample(), out=buffers)
        assert not torch.equal(before, tensors["observation"])


def test_logits_of_torch_choose_actions_without_a_copy():
    """The mask as a tensor makes logits, and the batch reads them as NumPy sees them."""
    batch = zg.BatchEnv(zg.load_game("blokus", preset="duo"), 16, seed=3)
    buffers = batch.reset(out=batch.buffers(observation=None, legal="mask"))
    mask = torch.from_dlpack(buffers.legal_mask)
    torch.manual_seed(0)
    for _ in range(10):
        logits = torch.randn(mask.shape).masked_fill(mask == 0, -torch.inf)
        actions = batch.sample(policy=logits.numpy())
        assert (mask[torch.arange(16), torch.from_dlpack(actions).long()] == 1).all()
        batch.step(actions, out=buffers)
