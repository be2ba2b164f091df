"""Values that are wrong nearly everywhere, for tests of bad input."""

import math
import re

import numpy as np

ERRORS = (TypeError, ValueError, OverflowError)
HUGE = [2**31, 2**63 - 1, 2**63, 2**64, 10**400, -1, -(2**31) - 1, -(2**63) - 1]
NOT_NUMBERS = [
    None,
    1.0,
    1.5,
    math.nan,
    math.inf,
    "1",
    b"1",
    "",
    [],
    [1],
    {},
    1j,
    object(),
    int,
    np.zeros(2),
    np.float64(1),
]
NOT_TEXTS = [None, b"1a1", bytearray(b"1a1"), 1, 1.5, True, [], ["1a1"], {}, object(), str, np.zeros(2)]
BAD_TEXTS = [
    "",
    " ",
    "\0",
    "1a1\0",
    "pass\0",
    "\ud800",
    "1a1\udfff",
    "é",
    "1a1 ",
    " 1a1",
    "a" * 100_000,
    "-",
    ",",
    "1a1>",
    ">",
    "a1,",
    "stop\n",
]
SURROGATE = re.compile("[\ud800-\udfff]")
