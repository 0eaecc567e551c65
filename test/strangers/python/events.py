"""Webhooks: settings, statistics, and the queue of each target."""

import asyncio
import base64
import math
import ssl
from urllib.parse import urlsplit

import jsontext
from clock import odd_time

COMPUTER_STATE = 'computer state'
PRINT_JOB_STATE = 'print job state'
PRINTER_STATE = 'printer state'  # one more than the specification has

# What `messages` of a webhook calls the types.
MESSAGE_NAMES = {COMPUTER_STATE: 'ComputerState', PRINT_JOB_STATE: 'PrintJobState', PRINTER_STATE: 'PrinterState'}

MAX_WEBHOOKS = 5
RETRY_MS = 5000
TIMEOUT_SECONDS = 15  # for a receiver to answer, in real time
DECAYS = {'exp7d': 7 * 86400_000, 'exp1d': 86400_000, 'exp1h': 3600_000, 'exp5m': 300_000}


class Statistic:
    """A count, and counts in which each event fades with e^(-age / scale)."""

    def __init__(self, clock):
        self.clock = clock
        self.count = 0
        self.decayed = dict.fromkeys(DECAYS, 0.0)
        self.at = clock.now()

    def _fade(self):
        now = self.clock.now()
        for name, scale in DECAYS.items():
            self.decayed[name] *= math.exp((self.at - now) / scale)
        self.at = now

    def add(self, times=1):
        self._fade()
        self.count += times
        for name in DECAYS:
            self.decayed[name] += times

    def show(self):
        self._fade()
        return {'measures': {'counts': self.count, **self.decayed}}


class Webhook:
    def __init__(self, id, account, clock):
        self.id = id
        self.account = account
        self.url = self.secret = ''
        self.messages = []
        self.received = Statistic(clock)
        self.dropped = Statistic(clock)
        self.successful = Statistic(clock)
        self.failed = Statistic(clock)

    def wants(self, type):
        return self.messages == ['*'] or MESSAGE_NAMES[type] in self.messages

    def show(self):
        return {
            'webhookId': self.id,
            'url': self.url,
            'secret': self.secret,
            'messages': self.messages,
            'receivedEvents': self.received.show(),
            'droppedEvents': self.dropped.show(),
            'successfulRequests': self.successful.show(),
            'failedRequests': self.failed.show(),
        }


class Queued:
    def __init__(self, event, webhook):
        self.event = event
        self.webhook = webhook
        self.retried = False


class Target:
    """An address with a secret, for one account: what the events for it were queued with. A webhook that is changed
    later has another target, so that these events stay with the old one."""

    def __init__(self, url, secret):
        self.url = url
        self.secret = secret
        self.queue = []
        self.busy = False
        self.failed_at = None  # when the last request failed; None if it succeeded or there was none
        self.timer = None


class Events:
    def __init__(self, clock):
        self.clock = clock
        self.targets = {}
        self.tasks = set()

    def emit(self, account, type, data):
        event = {
            'type': type,
            'accountId': account.id,
            'controllingAccountId': account.controlling.id,
            'createdAt': odd_time(self.clock.now()),
            'data': data,
        }
        accounts = [account] if account.controlling is account else [account, account.controlling]
        for webhook in [webhook for each in accounts for webhook in each.webhooks.values()]:
            if webhook.wants(type):
                webhook.received.add()
                key = (webhook.account.id, webhook.url, webhook.secret)
                target = self.targets.setdefault(key, Target(webhook.url, webhook.secret))
                target.queue.append(Queued(event, webhook))
                self._pump(key, target)

    def _pump(self, key, target):
        """Sends what is due, or waits until it is. One request at a time: the due time of what comes meanwhile
        depends on its outcome."""
        if target.busy or target.timer:
            return
        if not target.queue:
            if target.failed_at is None:
                self.targets.pop(key, None)
            return
        due = 0 if target.failed_at is None else target.failed_at + RETRY_MS
        if due > self.clock.now():
            target.timer = self.clock.at(due, lambda: self._due(key, target))
            return
        target.busy = True
        task = asyncio.get_running_loop().create_task(self._send(key, target))
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    def _due(self, key, target):
        target.timer = None
        self._pump(key, target)

    async def _send(self, key, target):
        batch, target.queue = target.queue, []
        try:
            succeeded = await asyncio.wait_for(
                post(target.url, target.secret, [queued.event for queued in batch]), TIMEOUT_SECONDS
            )
        except Exception:  # whatever goes wrong between here and the receiver is a failed request
            succeeded = False
        for webhook in {queued.webhook for queued in batch}:
            (webhook.successful if succeeded else webhook.failed).add()
        target.failed_at = None if succeeded else self.clock.now()
        if not succeeded:
            for queued in batch:
                if queued.retried:
                    queued.webhook.dropped.add()
            again = [queued for queued in batch if not queued.retried]
            for queued in again:
                queued.retried = True
            target.queue = again + target.queue
        target.busy = False
        self._pump(key, target)


def usable_url(url):
    try:
        parts = urlsplit(url)
        return parts.scheme in ('http', 'https') and bool(parts.hostname) and (parts.port or 1) > 0
    except ValueError:
        return False


async def post(url, secret, events):
    """Whether the receiver answered with 2xx and `X-Service-Webhook-Status: OK`."""
    parts = urlsplit(url)
    secure = parts.scheme == 'https'
    port = parts.port or (443 if secure else 80)
    body = jsontext.encode(events)
    path = (parts.path or '/') + (f'?{parts.query}' if parts.query else '')
    login = base64.b64encode(b'webhook:' + secret.encode('utf-8', 'replace')).decode()
    head = (
        f'POST {quote_rest(path)} HTTP/1.1\r\nHost: {parts.netloc.rpartition("@")[2]}\r\n'
        f'Authorization: Basic {login}\r\nContent-Type: application/json\r\n'
        f'Content-Length: {len(body)}\r\nUser-Agent: stranger\r\nConnection: close\r\n\r\n'
    )
    context = ssl.create_default_context() if secure else None
    reader, writer = await asyncio.open_connection(parts.hostname, port, ssl=context)
    try:
        writer.write(head.encode('latin-1', 'replace') + body)
        await writer.drain()
        while True:
            lines = (await reader.readuntil(b'\r\n\r\n')).decode('latin-1').split('\r\n')
            status = int(lines[0].split(' ')[1])
            if status >= 200 or status == 101:
                break  # 100 Continue and the like are not the answer yet
        pairs = [line.partition(':') for line in lines[1:]]
        headers = {name.strip().lower(): value.strip() for name, _, value in pairs}
        await discard(reader)
        return 200 <= status < 300 and headers.get('x-service-webhook-status') == 'OK'
    finally:
        writer.close()


async def discard(reader):
    """Lets the receiver finish its answer, within reason."""
    try:
        async with asyncio.timeout(1):
            while await reader.read(65536):
                pass
    except (TimeoutError, OSError):
        pass


def quote_rest(path):
    """Percent-encodes what may not stand in a request line; the rest is left as the caller wrote it."""
    return ''.join(
        char if '!' <= char <= '~' else ''.join(f'%{byte:02X}' for byte in char.encode('utf-8', 'replace'))
        for char in path
    )
