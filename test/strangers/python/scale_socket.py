"""The websocket for scales and connections, as docs/scale-websocket.md describes it."""

import asyncio
import time
from urllib.parse import unquote

import jsontext
from websocket import TEXT, WebSocket, answer_upgrade, check_upgrade

MAX_MESSAGE = 16384
MAX_SUBSCRIPTIONS = 5
MAX_SOCKETS = 5
AUTHENTICATE_MS = 10_000
PING_SECONDS = 30
SKIP_BYTES = 256 * 1024
CUT_BYTES = 8 * 1024 * 1024


class Refused(Exception):
    pass


def escape(text):
    return text.replace('\\', '\\\\').replace('.', '\\.')


class Subscription:
    """A path, taken apart. It matches readings or connections, with None for any."""

    def __init__(self, path):
        segments = [unquote(each) for each in path.strip('/').split('/')]
        self.kind = self.computer_id = self.name = self.number = None
        match segments:
            case ['scales']:
                self.kind = 'scales'
            case ['computers', 'connections']:
                self.kind = 'connections'
            case ['computer', id, 'connections']:
                self.kind, self.computer_id = 'connections', id
            case ['computer', id, 'scales']:
                self.kind, self.computer_id = 'scales', id
            case ['computer', id, 'scales', name]:
                self.kind, self.computer_id, self.name = 'scales', id, name
            case ['computer', id, 'scale', name, number]:
                self.kind, self.computer_id, self.name, self.number = 'scales', id, name, number

    def matches_reading(self, computer_id, name, number):
        return (
            self.kind == 'scales'
            and self.computer_id in (None, str(computer_id))
            and self.name in (None, name)
            and self.number in (None, str(number))
        )

    def matches_computer(self, computer_id):
        return self.kind == 'connections' and self.computer_id in (None, str(computer_id))


class Client:
    def __init__(self, hub, socket):
        self.hub = hub
        self.socket = socket
        self.credential = None
        self.subscriptions = {}
        self.last_ack = -1

    async def run(self):
        timer = self.hub.clock.after(AUTHENTICATE_MS, self._too_late)
        pings = asyncio.create_task(self._ping())
        try:
            while (message := await self.socket.receive()) is not None:
                self._read(*message)
        finally:
            timer.cancel()
            pings.cancel()
            self.hub.clients.discard(self)

    async def _ping(self):
        while True:
            await asyncio.sleep(PING_SECONDS)
            self.socket.ping()
            pinged = time.monotonic()
            await asyncio.sleep(PING_SECONDS)
            if self.socket.last_heard < pinged:
                self.socket.cut()

    def _too_late(self):
        if not self.credential:
            self.end(4401, 'there was no authentication within 10 s')

    def end(self, code, text):
        self._error(text, None)
        self.socket.close(code, text)

    def send(self, message):
        self.socket.send_text(jsontext.encode(message))
        if self.socket.waiting_bytes() > CUT_BYTES:
            self.socket.cut()

    def _error(self, text, ack):
        self.send(['system', 'error', {'error': text, 'ack': ack}])

    def _read(self, opcode, data):
        try:
            value = jsontext.decode(data) if opcode == TEXT else None
        except ValueError:
            value = None
        if not isinstance(value, list) or len(value) != 3:
            self.end(4400, 'a message is a JSON array of three elements')
            return
        ack, name, payload = value
        number = jsontext.whole(ack)
        if ack is not None and (number is None or number < 0):
            self._error('the first element is an integer from 0, or null', None)
            return
        if ack is not None:
            if number <= self.last_ack:
                self._error('the first element increases with each message', number)
                return
            self.last_ack = number
            self.send(['protocol', 'ack', number])
        try:
            self._execute(name, payload)
        except Refused as error:
            self._error(str(error), number)

    def _execute(self, name, payload):
        if name == 'authenticate':
            self._authenticate(payload)
        elif name not in ('subscribe', 'unsubscribe'):
            raise Refused('there is no such message')
        elif not self.credential:
            raise Refused(f'{name}: authenticate first')
        elif name == 'subscribe':
            self._subscribe(payload)
        else:
            if not isinstance(payload, list) or len(payload) != 1:
                raise Refused('unsubscribe: expected [id]')
            if self.subscriptions.pop(jsontext.whole(payload[0]), None) is None:
                raise Refused(f'unsubscribe: there is no subscription {payload[0]}')

    def _authenticate(self, payload):
        if not isinstance(payload, dict) or not isinstance(payload.get('apiKey'), str):
            raise Refused('authenticate: expected {"apiKey": string}')
        if self.credential:
            raise Refused('authenticate: that is done already')
        credential = self.hub.store.credentials.get(payload['apiKey'])
        if not credential or credential.client or credential.account.suspended:
            self.send(['system', 'authenticateResponse', {'error': 'The key is not valid'}])
            return
        others = [client for client in self.hub.clients if client.account is credential.account]
        if len(others) >= MAX_SOCKETS:
            self.send(['system', 'authenticateResponse', {'error': f'The account has {MAX_SOCKETS} websockets'}])
            return
        self.credential = credential
        response = {
            'accountId': credential.account.id,
            'permissions': 1,
            'maxSubscriptions': MAX_SUBSCRIPTIONS,
            'currentWebsockets': len(others) + 1,
            'maxWebsockets': MAX_SOCKETS,
        }
        self.send(['system', 'authenticateResponse', response])

    @property
    def account(self):
        return self.credential and self.credential.account

    def _subscribe(self, payload):
        if not isinstance(payload, list) or len(payload) != 2 or not isinstance(payload[1], str):
            raise Refused('subscribe: expected [id, path]')
        id = jsontext.whole(payload[0])
        if id is None or id < 0:
            raise Refused('subscribe: the id is an integer from 0')
        if id in self.subscriptions:
            raise Refused(f'subscribe: subscription {id} is there already')
        if len(self.subscriptions) >= MAX_SUBSCRIPTIONS:
            raise Refused(f'subscribe: at most {MAX_SUBSCRIPTIONS} subscriptions')
        subscription = Subscription(payload[1])
        if not subscription.kind:
            raise Refused('subscribe: there is no such path')
        self.subscriptions[id] = subscription
        for reading in reversed(self.hub.store.readings(self.account, subscription.matches_reading)):
            self.publish_reading(id, reading)
        for computer in self.account.computers.values():
            if subscription.matches_computer(computer.id):
                self.publish_connections(id, computer)

    def publish_reading(self, id, reading):
        if self.socket.waiting_bytes() > SKIP_BYTES:
            return
        data = self.hub.store.show_reading(reading)
        topic = f'computer.{data["computerId"]}.scales.{escape(data["deviceName"])}.{data["deviceNum"]}'
        self.send(['publish', [topic], [id, data]])

    def publish_connections(self, id, computer):
        topic = f'computer.{computer.id}.connections'
        self.send(['publish', [topic], [id, self.hub.links.show_connections(computer)]])


class ScaleHub:
    def __init__(self, store, links):
        self.store = store
        self.clock = store.clock
        self.links = links
        self.clients = set()
        store.key_listeners.append(self._key_invalid)
        links.reading_listeners.append(self._reading)
        links.connection_listeners.append(self._connections)

    def upgrade(self, request):
        accept = check_upgrade(request)

        async def take_over(reader, writer):
            answer_upgrade(writer, accept)
            client = Client(self, WebSocket(reader, writer, MAX_MESSAGE))
            self.clients.add(client)
            await client.run()

        return take_over

    def _key_invalid(self, credential):
        for client in [each for each in self.clients if each.credential is credential]:
            client.end(4401, 'the key is not valid any more')
            client.subscriptions.clear()
            self.clients.discard(client)

    def _reading(self, account, reading):
        data = reading['data']
        key = (data['computerId'], data['deviceName'], data['deviceNum'])
        for client in [each for each in self.clients if each.account is account]:
            for id, subscription in client.subscriptions.items():
                if subscription.matches_reading(*key):
                    client.publish_reading(id, reading)

    def _connections(self, computer):
        for client in [each for each in self.clients if each.account is computer.account]:
            for id, subscription in client.subscriptions.items():
                if subscription.matches_computer(computer.id):
                    client.publish_connections(id, computer)

    def shut_down(self):
        for client in self.clients:
            client.socket.close(1001, 'the service is shutting down')
