"""The service's end of the device link: connections of computers, reports and deliveries."""

import asyncio
import re
import traceback
import uuid
from collections import deque

import jsontext
from clock import plain_time
from errors import ApiError
from events import COMPUTER_STATE, PRINT_JOB_STATE, PRINTER_STATE
from model import FINAL_STATES, STABLE_STATES, Computer, JobState, Printer
from websocket import TEXT, WebSocket, answer_upgrade, check_upgrade

PROTOCOL = 'platen.link.v1'
MAX_FROM_COMPUTER = 4 * 1024 * 1024
MAX_TO_COMPUTER = 64 * 1024 * 1024
HELLO_MS = 10_000
HEARTBEAT_MS = 7500
MAX_UNACKNOWLEDGED = 8
SERVER_UUID = str(uuid.uuid4())
BY_SERVICE = ('new', 'sent_to_client', 'expired')  # states that a computer cannot report
TIMESTAMP = re.compile(r'\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)', re.ASCII)


class ProtocolError(Exception):
    pass


class Checked:
    """Typed access to the fields of a message; all of them must be present."""

    def __init__(self, value, path):
        if not isinstance(value, dict):
            raise ProtocolError(f'{path}: expected an object')
        self.value = value
        self.path = path

    def fail(self, name, expected):
        raise ProtocolError(f'{self.path}.{name}: expected {expected}')

    def get(self, name):
        if name not in self.value:
            self.fail(name, 'a value')
        return self.value[name]

    def string(self, name, least=0, most=None, null=False):
        value = self.get(name)
        if value is None and null:
            return None
        expected = 'a string' + (f' of {least} to {most} characters' if most else ' that is not empty' if least else '')
        if not isinstance(value, str) or len(value) < least:
            self.fail(name, expected)
        if most and len(value.encode('utf-16-le', 'surrogatepass')) > 2 * most:
            self.fail(name, expected)
        return value

    def integer(self, name, least):
        value = jsontext.whole(self.get(name))
        if value is None or value < least:
            self.fail(name, f'an integer from {least}')
        return value

    def boolean_or_null(self, name):
        value = self.get(name)
        if value is not None and not isinstance(value, bool):
            self.fail(name, 'a boolean or null')
        return value

    def object_or_null(self, name):
        value = self.get(name)
        if value is not None and not isinstance(value, dict):
            self.fail(name, 'an object or null')
        return value

    def list(self, name):
        value = self.get(name)
        if not isinstance(value, list):
            self.fail(name, 'an array')
        return value

    def objects(self, name):
        return [Checked(each, f'{self.path}.{name}[{index}]') for index, each in enumerate(self.list(name))]

    def timestamp(self, name):
        value = self.string(name)
        if not TIMESTAMP.fullmatch(value):
            self.fail(name, 'a timestamp')
        return value


class LinkConnection:
    def __init__(self, hub, socket, credential):
        self.hub = hub
        self.socket = socket
        self.credential = credential
        self.computer = None
        self.since = hub.clock.now()
        self.version = self.edition = self.hostname = None
        self.holding = set()
        self.backlog = deque()  # jobs to send on this connection
        self.pending = {}  # jobs that were sent on this connection and not acknowledged, by id of the delivery
        self.sent = set()  # ids of jobs that were sent on this connection
        self.wake = asyncio.Event()

    async def run(self):
        hello_timer = self.hub.clock.after(HELLO_MS, self._no_hello)
        tasks = [
            asyncio.create_task(self._deliver()),
            asyncio.create_task(self.socket.heartbeat(HEARTBEAT_MS / 1000, 2.5 * HEARTBEAT_MS / 1000)),
        ]
        try:
            while (message := await self.socket.receive()) is not None:
                try:
                    self._read(*message)
                except ProtocolError as error:
                    self.send({'type': 'error', 'code': 'BadMessage', 'message': str(error)})
                    self.socket.close(4400, str(error))
        finally:
            hello_timer.cancel()
            for task in tasks:
                task.cancel()
            self.hub.ended(self)

    def _no_hello(self):
        if not self.computer:
            self.socket.close(4400, 'there was no hello within 10 s')

    def send(self, message):
        self.socket.send_text(jsontext.encode(message))

    # messages of the computer

    def _read(self, opcode, data):
        if opcode != TEXT:
            raise ProtocolError('expected a text frame')
        try:
            value = jsontext.decode(data)
        except ValueError as error:
            raise ProtocolError(f'not JSON: {error}') from None
        if jsontext.depth(value) > jsontext.MAX_DEPTH:
            raise ProtocolError(f'nests more than {jsontext.MAX_DEPTH} levels deep')
        kind = Checked(value, 'message').string('type')
        message = Checked(value, kind)
        if (kind == 'hello') == (self.computer is not None):
            raise ProtocolError('hello comes first, and once')
        readers = {
            'hello': self._hello,
            'printers': self._printers,
            'scales': self._scales,
            'job-state': self._job_state,
            'reading': self._reading,
            'ack': self._ack,
        }
        if kind not in readers:
            raise ProtocolError(f'unknown type {kind[:40]}')
        if kind in ('hello', 'ack'):
            readers[kind](message)
            return
        id = message.string('id', 1, 100)
        readers[kind](message, id)
        self.send({'type': 'ack', 'id': id})

    def _hello(self, message):
        client = Checked(message.get('client'), 'hello.client')
        fields = {
            'name': client.string('computerName', 1),
            **{name: client.string(name, null=True) for name in ('hostname', 'inet', 'inet6', 'version', 'edition')},
        }
        installation = client.string('installationId', 1, 100)
        holding = [jsontext.whole(each) for each in message.list('holding')]
        if any(each is None or each < 1 for each in holding):
            message.fail('holding', 'an array of integers from 1')
        self.holding = set(holding)
        self.version, self.edition, self.hostname = fields['version'], fields['edition'], fields['hostname']
        self.computer = self.hub.computer_of(self.credential.account, installation, fields)
        self.send(
            {
                'type': 'welcome',
                'computerId': self.computer.id,
                'accountId': self.computer.account.id,
                'heartbeatMs': HEARTBEAT_MS,
                'greeting': 'Good day',
            }
        )
        self.hub.connected(self)

    def _printers(self, message, id):
        found = {}
        for each in message.objects('printers'):
            found[each.string('key', 1, 200)] = {  # a repeated key: the last one counts
                'name': each.string('name'),
                'description': each.string('description'),
                'default': each.boolean_or_null('default'),
                'state': each.string('state', null=True),
                'capabilities': each.object_or_null('capabilities'),
            }
        self.hub.set_printers(self.computer, found)

    def _scales(self, message, id):
        found = {}
        for each in message.objects('scales'):
            each.string('product', null=True)
            found[each.string('key', 1, 400)] = {
                'deviceName': each.string('deviceName'),
                'vendor': each.string('vendor', null=True) or '',
                'vendorId': each.integer('vendorId', 0),
                'productId': each.integer('productId', 0),
                'port': each.string('port', null=True) or '',
            }
        self.hub.set_scales(self.computer, found)

    def _job_state(self, message, id):
        job_id = message.integer('jobId', 1)
        state = message.string('state', 1, 100)
        text = message.string('message', null=True)
        data = message.object_or_null('data')
        message.timestamp('createTimestamp')
        self.hub.job_reported(self, id, job_id, state, text, data)

    def _reading(self, message, id):
        key = message.string('scaleKey')
        mass = message.list('mass')
        if len(mass) != 2 or any(each is not None and jsontext.whole(each) is None for each in mass):
            message.fail('mass', 'two integers or nulls')
        mass = [jsontext.whole(each) for each in mass]
        measurement = message.object_or_null('measurement')
        if measurement is None or not all(
            isinstance(each, (int, float)) and not isinstance(each, bool) for each in measurement.values()
        ):
            message.fail('measurement', 'an object of numbers')
        at = message.timestamp('clientReportedCreateTimestamp')
        self.hub.reading(self.computer, key, mass, measurement, at)

    def _ack(self, message):
        job = self.pending.pop(message.string('id', 1, 100), None)
        if not job:
            raise ProtocolError('ack.id: expected the id of a delivery that waits for it')
        job.acknowledged = True
        self.wake.set()

    # deliveries

    def queue(self, jobs):
        self.backlog.extend(jobs)
        self.wake.set()

    async def _deliver(self):
        while True:
            await self.wake.wait()
            self.wake.clear()
            while self.backlog and len(self.pending) < MAX_UNACKNOWLEDGED and not self.socket.closing:
                job = self.backlog.popleft()
                if job.id in self.sent or not self.hub.may_send(job):
                    continue
                try:
                    self._send_job(job)
                    # One document at a time in memory; `drain` fails when the connection is gone.
                    await self.socket.drain()
                except ConnectionError:
                    return
                except Exception:
                    traceback.print_exc()

    def _send_job(self, job):
        job.deliveries += 1
        id = f'{uuid.uuid4()}'
        frame = jsontext.encode(job.delivery(id))
        self.hub.sent(job)
        self.pending[id] = job
        self.sent.add(job.id)
        self.socket.send_text(frame)


class LinkHub:
    def __init__(self, store, events):
        self.store = store
        self.clock = store.clock
        self.events = events
        self.open = set()  # connections, before their hello too
        self.reading_listeners = []
        self.connection_listeners = []
        store.key_listeners.append(self._key_invalid)

    def upgrade(self, request, credential):
        if not request.wants_websocket():
            raise ApiError(426, 'UpgradeRequired', 'This address is for WebSockets', [('Upgrade', 'websocket')])
        if PROTOCOL not in request.tokens('sec-websocket-protocol'):
            headers = [('Sec-WebSocket-Protocol', PROTOCOL), ('Upgrade', 'websocket')]
            raise ApiError(426, 'NoCommonVersion', f'This service speaks {PROTOCOL}', headers)
        accept = check_upgrade(request)

        async def take_over(reader, writer):
            answer_upgrade(writer, accept, PROTOCOL)
            connection = LinkConnection(self, WebSocket(reader, writer, MAX_FROM_COMPUTER), credential)
            self.open.add(connection)
            await connection.run()

        return take_over

    def _key_invalid(self, credential):
        for connection in [each for each in self.open if each.credential is credential]:
            connection.socket.close(4401, 'the key is not valid any more')
            self.ended(connection)

    def shut_down(self):
        for connection in self.open:
            connection.socket.close(1001, 'the service is shutting down')

    # connections

    def computer_of(self, account, installation_id, fields):
        computer = next((each for each in account.computers.values() if each.installation_id == installation_id), None)
        if not computer:
            computer = Computer(self.store.ids.next(), account, installation_id, self.clock.now())
            account.computers[computer.id] = computer
        for name, value in fields.items():
            setattr(computer, name, value)
        return computer

    def connected(self, connection):
        computer = connection.computer
        if computer.newest:
            computer.newest.backlog.clear()
        computer.connections.append(connection)
        for job_id in connection.holding & computer.unfinished.keys():
            computer.unfinished[job_id].acknowledged = True
        unfinished = computer.unfinished.values()  # in order of id
        connection.queue([job for job in unfinished if job.delivered and job.id not in connection.holding])
        connection.queue([job for job in unfinished if not job.delivered])
        self._connections_changed(computer)

    def ended(self, connection):
        """Also called early, when the service itself ends the connection: it may take a while to be over."""
        self.open.discard(connection)
        computer = connection.computer
        if not computer or connection not in computer.connections:
            return
        was_newest = computer.newest is connection
        computer.connections.remove(connection)
        heir = computer.newest
        if was_newest and heir:
            # What the ended connection owed: unacknowledged, or to be repeated and not sent yet. What the heir was
            # sent before, or said to hold, is not sent twice on it.
            owed = {job.id: job for job in [*connection.pending.values(), *connection.backlog] if job.delivered}
            heir.queue([owed[id] for id in sorted(owed.keys() - heir.holding)])
            heir.queue([job for job in computer.unfinished.values() if not job.delivered])
        connection.backlog.clear()
        if not computer.deleted and not computer.account.deleted:
            self._connections_changed(computer)

    def _connections_changed(self, computer):
        self.events.emit(
            computer.account,
            COMPUTER_STATE,
            {'subject': computer.show(), 'connections': len(computer.connections)},
        )
        for listener in self.connection_listeners:
            listener(computer)

    def show_connections(self, computer):
        return {
            'accountId': computer.account.id,
            'computerId': computer.id,
            'connections': [
                {
                    'serverUuid': SERVER_UUID,
                    'hostname': each.hostname,
                    'connectionTimestamp': plain_time(each.since),
                    'edition': each.edition,
                    'version': each.version,
                }
                for each in computer.connections
            ],
        }

    def delete_computer(self, computer):
        computer.deleted = True
        account = computer.account
        del account.computers[computer.id]
        for printer in computer.printers.values():
            del account.printers[printer.id]
        for connection in list(computer.connections):
            connection.socket.close(4404, 'the computer was deleted')
            self.ended(connection)
        for listener in self.connection_listeners:
            listener(computer)

    def refresh(self, computer):
        if computer.newest:
            computer.newest.send({'type': 'refresh'})

    # printers and scales

    def set_printers(self, computer, found):
        if computer.deleted or computer.account.deleted:
            return
        for key, fields in found.items():
            printer = computer.printers.get(key)
            if not printer:
                printer = Printer(self.store.ids.next(), computer, key, self.clock.now())
                computer.printers[key] = printer
                computer.account.printers[printer.id] = printer
            before = printer.shown_state() if printer.listed else None
            for name, value in fields.items():
                setattr(printer, name, value)
            printer.listed = True
            if printer.shown_state() != before:
                self.events.emit(computer.account, PRINTER_STATE, {'subject': printer.show()})
        for key, printer in computer.printers.items():
            printer.listed = key in found

    def set_scales(self, computer, found):
        """A scale keeps its number while it is plugged in under the same name; others take the smallest free one."""
        scales = {}
        for key, fields in found.items():
            old = computer.scales.get(key)
            if old and old['deviceName'] == fields['deviceName']:
                scales[key] = {**fields, 'deviceNum': old['deviceNum']}
        for key, fields in found.items():
            if key not in scales:
                used = {each['deviceNum'] for each in scales.values() if each['deviceName'] == fields['deviceName']}
                number = next(number for number in range(len(used) + 1) if number not in used)
                scales[key] = {**fields, 'deviceNum': number}
        computer.scales = scales

    def reading(self, computer, key, mass, measurement, at):
        scale = computer.scales.get(key)
        if scale and not computer.deleted:
            self.add_reading(computer.account, computer.id, scale, mass, measurement, at)

    def add_reading(self, account, computer_id, scale, mass, measurement, at):
        data = {
            'mass': mass,
            'computerId': computer_id,
            **scale,
            'count': None,
            'measurement': measurement,
            'clientReportedCreateTimestamp': at,
            'ntpOffset': None,
        }
        reading = {'at': self.clock.now(), 'data': data}
        account.readings[(computer_id, scale['deviceName'], scale['deviceNum'])] = reading
        for listener in self.reading_listeners:
            listener(account, reading)
        return reading

    # jobs

    def add_job(self, job, idempotency_key=None):
        account, computer = job.account, job.printer.computer
        account.jobs[job.id] = job
        computer.unfinished[job.id] = job
        if idempotency_key is not None:
            account.idempotency[idempotency_key] = self.clock.now()
        self.record(job, 'new')
        job.created = job.states[0].created
        if not computer.newest:
            self.record(job, 'waiting_for_computer')
        job.timer = self.clock.at(job.expire_at, lambda: self._expire(job))
        if computer.newest:
            computer.newest.queue([job])

    def record(self, job, state, message='', data=None, client_version=None):
        recorded = JobState(job, state, self.clock.now(), message, data, client_version)
        job.states.append(recorded)
        if state in STABLE_STATES:
            self.events.emit(
                job.account,
                PRINT_JOB_STATE,
                {'subject': recorded.show(), 'printerId': job.printer.id, 'computerId': job.printer.computer.id},
            )

    def _expire(self, job):
        if not job.delivered and job.id in job.printer.computer.unfinished:
            self._finish(job)
            self.record(job, 'expired')

    def _finish(self, job):
        """Nothing is sent any more: the document and the credentials are not needed."""
        job.printer.computer.unfinished.pop(job.id, None)
        job.content = job.authentication = None
        if job.timer:
            job.timer.cancel()

    def may_send(self, job):
        if job.id not in job.printer.computer.unfinished or job.printer.computer.deleted:
            return False
        if not job.delivered and job.expire_at <= self.clock.now():
            self._expire(job)
            return False
        return True

    def sent(self, job):
        if not job.delivered:
            job.delivered = True
            job.timer.cancel()
            self.record(job, 'sent_to_client')

    def cancellable(self, job):
        return not job.delivered and job.id in job.printer.computer.unfinished

    def cancel(self, job):
        self._finish(job)
        del job.account.jobs[job.id]

    def job_reported(self, connection, report_id, job_id, state, message, data):
        computer = connection.computer
        job = computer.account.jobs.get(job_id)
        # Acknowledged all the same: it would be sent again forever.
        if not job or job.printer.computer is not computer or state in BY_SERVICE or report_id in computer.report_ids:
            return
        computer.report_ids.add(report_id)
        if not job.delivered and self.cancellable(job):
            job.delivered = True  # it has the job, however it came by it
            job.timer.cancel()
        self.record(job, state, message, data, connection.version)
        if state in FINAL_STATES and job_id in computer.unfinished:
            self._finish(job)
            if state == 'done':
                job.account.done_jobs += 1
