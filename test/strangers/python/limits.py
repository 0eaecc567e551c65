"""The request rate: 10 a second, bursts of 30, for each address and for each account."""

from errors import ApiError

PER_SECOND = 10
BURST = 30


class Buckets:
    def __init__(self, clock):
        self.clock = clock
        self.levels = {}  # what -> (tokens, at)

    def take(self, what):
        now = self.clock.now()
        tokens, at = self.levels.get(what, (BURST, now))
        tokens = min(BURST, tokens + (now - at) * PER_SECOND / 1000)
        if tokens < 1:
            self.levels[what] = (tokens, now)
            raise ApiError(429, 'TooManyRequests', 'At most 10 requests a second', [('Retry-After', '1')])
        self.levels[what] = (tokens - 1, now)
        if len(self.levels) > 10000:  # full buckets need not be remembered
            self.levels = {
                key: (tokens, at)
                for key, (tokens, at) in self.levels.items()
                if tokens + (now - at) * PER_SECOND / 1000 < BURST
            }
