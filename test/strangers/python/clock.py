"""The clock of the service, its timers, and how times are written.

All times are whole milliseconds since 1970. The clock can be moved forward, so that fourteen days can be waited for:
timers that fall due on the way run in order, each at its own time. Only the liveness of sockets (heartbeats, idle
limits, the wait for a webhook receiver) uses real time, because a moved clock says nothing about the other end.
"""

import asyncio
import heapq
import itertools
import time
import traceback
from datetime import datetime, timedelta, timezone

EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
LAST_WRITABLE = 253402300799999  # the end of the year 9999


class Timer:
    def __init__(self, due, callback):
        self.due = due
        self.callback = callback
        self.cancelled = False

    def cancel(self):
        self.cancelled = True
        self.callback = None  # a cancelled timer stays in the heap until its time: it must not hold a document


class Clock:
    def __init__(self):
        self._start = time.time() - time.monotonic()
        self._skew = 0
        self._heap = []
        self._sequence = itertools.count()
        self._wakeup = None

    def now(self):
        return int((self._start + time.monotonic()) * 1000) + self._skew

    def at(self, due, callback):
        timer = Timer(due, callback)
        heapq.heappush(self._heap, (due, next(self._sequence), timer))
        if self._heap[0][2] is timer:
            self._arm()
        return timer

    def after(self, milliseconds, callback):
        return self.at(self.now() + milliseconds, callback)

    async def advance(self, milliseconds):
        target = self.now() + milliseconds
        while self._heap and self._heap[0][0] <= target:
            due, _, timer = heapq.heappop(self._heap)
            self._skew += max(0, due - self.now())
            self._run(timer)
            await asyncio.sleep(0)  # what the timer woke up takes its first step at this time
        self._skew += max(0, target - self.now())
        self._arm()

    def _arm(self):
        if self._wakeup:
            self._wakeup.cancel()
            self._wakeup = None
        if self._heap:
            seconds = max(0, self._heap[0][0] - self.now()) / 1000
            self._wakeup = asyncio.get_running_loop().call_later(min(seconds, 3600), self._fire)

    def _fire(self):
        while self._heap and self._heap[0][0] <= self.now():
            self._run(heapq.heappop(self._heap)[2])
        self._arm()

    @staticmethod
    def _run(timer):
        if timer.cancelled:
            return
        try:
            timer.callback()
        except Exception:
            traceback.print_exc()


def plain_time(milliseconds):
    """ISO 8601, UTC, with milliseconds: what a Computer must have."""
    moment = EPOCH + timedelta(milliseconds=milliseconds)
    return moment.strftime('%Y-%m-%dT%H:%M:%S.') + f'{milliseconds % 1000:03d}Z'


def odd_time(milliseconds):
    """ISO 8601 with six digits and an offset, for the timestamps whose form is left open."""
    moment = EPOCH + timedelta(milliseconds=milliseconds)
    return moment.strftime('%Y-%m-%dT%H:%M:%S.') + f'{milliseconds % 1000:03d}000+00:00'
