"""JSON in and out. The keys of an object are written in random order: they have none."""

import json
import math
import random

MAX_DEPTH = 32


def _shuffled(value):
    if isinstance(value, dict):
        keys = list(value)
        random.shuffle(keys)
        return {key: _shuffled(value[key]) for key in keys}
    if isinstance(value, (list, tuple)):
        return [_shuffled(each) for each in value]
    return value


def encode(value, pretty=False):
    """UTF-8. Half a surrogate pair, which JSON can escape and UTF-8 cannot hold, falls back to escapes."""
    style = {'indent': 4} if pretty else {'separators': (',', ':')}
    value = _shuffled(value)
    try:
        return json.dumps(value, ensure_ascii=False, **style).encode('utf-8')
    except UnicodeEncodeError:
        return json.dumps(value, ensure_ascii=True, **style).encode('ascii')


def _no_constant(name):
    raise ValueError(f'{name} is not JSON')


def _finite(text):
    value = float(text)
    if math.isinf(value):
        raise ValueError(f'{text[:20]} is too large')  # it could not be written as JSON again
    return value


def decode(data):
    """Raises ValueError for anything that is not JSON in UTF-8."""
    try:
        text = data if isinstance(data, str) else data.decode('utf-8')
        return json.loads(text, parse_constant=_no_constant, parse_float=_finite)
    except RecursionError:
        raise ValueError('nested too deeply') from None


def depth(value):
    """How deep objects and arrays nest; without recursion, because the value is untrusted."""
    deepest, level = 0, [value]
    while True:
        level = [each for each in level if isinstance(each, (dict, list))]
        if not level:
            return deepest
        deepest += 1
        level = [child for each in level for child in (each.values() if isinstance(each, dict) else each)]


def whole(value):
    """The integer that a JSON number is (1.0 has no fraction either), or None."""
    if isinstance(value, bool):
        return None
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return value if isinstance(value, int) and abs(value) <= 2**53 - 1 else None
