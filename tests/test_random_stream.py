"""The random stream of the reference against published figures and naive models (`docs/random-stream.md`)."""

import pytest

from ziggurat.reference.random import CHANCE, CHOICES, Stream, mix64, stream_key

SPLITMIX64_OF_1234567 = [
    6457827717110365317,
    3203168211198807973,
    9817491932198370423,
    4593380528125082431,
    16408922859458223821,
]


def drawn(seed, count):
    stream = Stream(seed)
    return [stream.draw() for _ in range(count)]


def naive_bounded(draws, n):
    """Lemire's method as a sentence: refuse a draw when it falls into the incomplete last round of n."""
    for spent, draw in enumerate(draws, 1):
        high, low = divmod(draw * n, 2**64)
        if low >= 2**64 % n:
            return high, spent
    raise AssertionError("too few draws")


def test_draws_are_those_of_the_published_generator():
    assert drawn(1234567, 5) == SPLITMIX64_OF_1234567


def test_a_counter_continues_a_stream():
    stream = Stream(1234567, counter=3)
    assert [stream.draw(), stream.draw()] == SPLITMIX64_OF_1234567[3:]
    assert stream.counter == 5


def test_keys_and_counters_wrap_at_64_bits():
    stream = Stream(2**64 - 1, counter=2**64 - 2)
    values = [stream.draw() for _ in range(2)]
    assert stream.counter == 0
    assert all(0 <= value < 2**64 for value in values)
    assert values[1] == mix64(2**64 - 1)


def test_mix64_is_injective_on_a_sample():
    sample = [*range(2000), *(2**64 - 1 - i for i in range(2000)), *(1 << i for i in range(11, 64))]
    assert mix64(0) == 0
    assert len({mix64(z) for z in sample}) == len(sample)


def test_keys_of_seed_index_and_tag_differ():
    keys = {stream_key(seed, index, tag) for seed in (0, 1, 2, 2**64 - 1) for index in range(200) for tag in range(4)}
    assert len(keys) == 4 * 200 * 4


@pytest.mark.parametrize("seed", [0, 1, 2**63, 2**64 - 1])
def test_a_key_is_made_in_three_steps(seed):
    golden = 0x9E3779B97F4A7C15
    first = mix64((seed + golden) % 2**64)
    for index in range(5):
        second = mix64(((first ^ index) + golden) % 2**64)
        keys = [mix64(((second ^ tag) + golden) % 2**64) for tag in range(4)]
        assert [stream_key(seed, index, tag) for tag in range(4)] == keys
    assert (CHANCE, CHOICES) == (0, 1)


@pytest.mark.parametrize("n", [1, 2, 3, 10, 217, 30433, 2**32 + 1, 2**63, 2**63 + 1, 3 * 2**62 + 5, 2**64 - 1])
def test_bounded_is_the_naive_model(n):
    for key in range(50):
        expected, spent = naive_bounded(drawn(key, 100), n)
        stream = Stream(key)
        assert stream.bounded(n) == expected
        assert stream.counter == spent


def test_bounded_refuses_draws_where_it_must():
    # Just above 2^63 almost half of the draws are refused.
    spent = []
    for key in range(200):
        stream = Stream(key)
        stream.bounded(2**63 + 1)
        spent.append(stream.counter)
    assert 300 < sum(spent) < 500


def test_bounded_1_spends_one_draw():
    stream = Stream(7)
    assert (stream.bounded(1), stream.counter) == (0, 1)


@pytest.mark.parametrize("n", [0, -1, 2**64])
def test_bounded_refuses_a_bad_bound(n):
    with pytest.raises(ValueError, match="bound"):
        Stream(0).bounded(n)


@pytest.mark.parametrize("length", [0, 1, 2, 3, 10, 52])
def test_shuffle_swaps_from_the_last_down(length):
    items, model = list(range(length)), list(range(length))
    draws, position = drawn(99, 200), 0
    for i in reversed(range(1, length)):
        j, spent = naive_bounded(draws[position:], i + 1)
        position += spent
        model[i], model[j] = model[j], model[i]
    stream = Stream(99)
    stream.shuffle(items)
    assert items == model
    assert stream.counter == position
