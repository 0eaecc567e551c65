"""A black-box test: the service as a process, callers over HTTP, computers and browsers over websockets."""

import base64
import http.client
import json
import os
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urlencode, urlsplit

HERE = Path(__file__).parent


def wait_until(condition):
    until = time.monotonic() + 8
    while not condition():
        if time.monotonic() > until:
            raise AssertionError('waited in vain')
        time.sleep(0.02)


class Answer:
    def __init__(self, response):
        self.status = response.status
        self.headers = response.headers
        text = response.read()
        self.body = json.loads(text) if text else None


class Service:
    def __init__(self, *options):
        self.folder = tempfile.TemporaryDirectory()
        ready = os.path.join(self.folder.name, 'ready.json')
        command = [sys.executable, str(HERE / 'service.py'), '--port', '0', '--ready-file', ready, *options]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        until = time.monotonic() + 10
        while not os.path.exists(ready):
            if time.monotonic() > until or self.process.poll() is not None:
                raise RuntimeError('the service did not start')
            time.sleep(0.02)
        self.ready = json.loads(Path(ready).read_text())
        self.host = urlsplit(self.ready['url']).netloc
        self.key = self.ready['apiKey']

    def call(self, method, path, body=None, key=None, form=None, headers=None, raw=None):
        connection = http.client.HTTPConnection(self.host, timeout=10)
        headers = dict(headers or {})
        key = self.key if key is None else key
        if key:
            headers['Authorization'] = 'Basic ' + base64.b64encode(f'{key}:'.encode()).decode()
        data = raw
        if form is not None:
            data = urlencode(form)
            headers['Content-Type'] = 'application/x-www-form-urlencoded'
        elif body is not None:
            data = json.dumps(body)
        connection.request(method, path, data, headers)
        answer = Answer(connection.getresponse())
        connection.close()
        return answer

    def advance(self, seconds):
        self.call('POST', '/_clock/advance', {'milliseconds': int(seconds * 1000)})

    def stop(self):
        self.process.terminate()
        code = self.process.wait(5)
        self.folder.cleanup()
        return code


class Socket:
    """The client's end of a websocket."""

    def __init__(self, service, path, key=None, protocol=None):
        host, port = service.host.split(':')
        self.socket = socket.create_connection((host, int(port)), timeout=5)
        lines = [f'GET {path} HTTP/1.1', f'Host: {service.host}', 'Upgrade: websocket', 'Connection: Upgrade']
        lines += ['Sec-WebSocket-Version: 13', 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==']
        if key:
            lines.append('Authorization: Basic ' + base64.b64encode(f'{key}:'.encode()).decode())
        if protocol:
            lines.append(f'Sec-WebSocket-Protocol: {protocol}')
        self.socket.sendall(('\r\n'.join(lines) + '\r\n\r\n').encode())
        self.stream = self.socket.makefile('rb')
        self.status = int(self.stream.readline().split()[1])
        self.headers = http.client.parse_headers(self.stream)
        self.close_code = None

    def send(self, message):
        data = message if isinstance(message, bytes) else json.dumps(message).encode()
        self.frame(1, data)

    def frame(self, opcode, data):
        length = len(data)
        head = bytes([0x80 | opcode]) + (
            bytes([0x80 | length]) if length < 126 else struct.pack('>BH', 0xFE, length)
            if length < 65536 else struct.pack('>BQ', 0xFF, length)
        )
        mask = b'\x01\x02\x03\x04'
        self.socket.sendall(head + mask + bytes(each ^ mask[index % 4] for index, each in enumerate(data)))

    def receive(self):
        """The next message, or None at the end."""
        while True:
            head = self.stream.read(2)
            if len(head) < 2:
                return None
            length = head[1] & 0x7F
            if length >= 126:
                length = int.from_bytes(self.stream.read(2 if length == 126 else 8), 'big')
            data = self.stream.read(length)
            opcode = head[0] & 0x0F
            if opcode == 8:
                self.close_code = int.from_bytes(data[:2], 'big')
                return None
            if opcode == 1:
                return json.loads(data)

    def close(self):
        self.stream.close()
        self.socket.close()


class Desk(Socket):
    """A computer."""

    def __init__(self, service, key=None, installation=None, holding=(), name='Desk'):
        super().__init__(service, '/link', key or service.key, 'platen.link.v1')
        self.installation = installation or str(uuid.uuid4())
        client = {'installationId': self.installation, 'computerName': name, 'hostname': 'desk', 'inet': '10.0.0.7'}
        client |= {'inet6': None, 'version': '1.0.0', 'edition': None}
        self.send({'type': 'hello', 'client': client, 'holding': list(holding)})
        self.welcome = self.receive()

    def report(self, message):
        id = str(uuid.uuid4())
        self.send({'id': id, **message})
        while (answer := self.receive()) and answer['type'] != 'ack':
            pass
        return answer

    def printers(self, *keys):
        printers = [
            {'key': key, 'name': key, 'description': '', 'default': None, 'state': 'online', 'capabilities': {'x': [1]}}
            for key in keys
        ]
        return self.report({'type': 'printers', 'printers': printers})

    def state(self, job, state, id=None):
        time = '2026-01-01T08:00:00.000Z'
        report = {'type': 'job-state', 'jobId': job, 'state': state, 'message': None, 'data': None}
        return self.report({**report, 'createTimestamp': time, **({'id': id} if id else {})})

    def job(self):
        message = self.receive()
        assert message['type'] == 'job', message
        return message


class Receiver:
    """A webhook receiver."""

    def __init__(self):
        self.requests = []
        self.answers = []  # what to answer next: whether with the header
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers['Content-Length']))
                good = outer.answers.pop(0) if outer.answers else True
                self.send_response(200)
                if good:
                    self.send_header('X-Service-Webhook-Status', 'OK')
                self.send_header('Content-Length', '0')
                self.end_headers()
                outer.requests.append((self.headers, json.loads(body)))

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(('127.0.0.1', 0), Handler)
        self.url = f'http://127.0.0.1:{self.server.server_port}/hook?x=1'
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def wait(self, count):
        wait_until(lambda: len(self.requests) >= count)
        return self.requests


JOB = {'contentType': 'raw_base64', 'content': 'SGVsbG8K', 'title': 'Greeting'}


class ServiceTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.service = Service('--no-rate-limit', '--clock-control')

    @classmethod
    def tearDownClass(cls):
        assert cls.service.stop() == 0

    def call(self, *args, **rest):
        return self.service.call(*args, **rest)

    def child(self, **fields):
        account = {'firstname': '-', 'lastname': '-', 'email': f'{uuid.uuid4()}@x', 'password': 'password', **fields}
        answer = self.call('POST', '/account', {'Account': account, 'ApiKeys': ['a'], 'Tags': {'t': 'v'}})
        self.assertEqual(answer.status, 201)
        return answer.body['Account']['id'], answer.body['ApiKeys'][0]['key']

    def desk(self, *printers, **rest):
        desk = Desk(self.service, **rest)
        self.addCleanup(desk.close)
        if printers:
            desk.printers(*printers)
        return desk

    def printer_of(self, desk, key=None):
        return self.call('GET', f'/computers/{desk.welcome["computerId"]}/printers', key=key).body[0]['id']

    def state_of(self, desk):
        return self.call('GET', f'/computers/{desk.welcome["computerId"]}').body[0]['state']

    # HTTP

    def test_headers_and_errors(self):
        ping = self.call('GET', '/ping', key='')
        self.assertEqual((ping.status, ping.headers['Content-Type']), (200, 'application/json'))
        noop = self.call('GET', '/noop')
        self.assertEqual(noop.body, noop.headers['Request-Id'])
        self.assertEqual(noop.headers['X-Auth-With'], 'ApiKey')
        for key in ('', 'wrong'):
            answer = self.call('GET', '/noop', key=key)
            self.assertEqual((answer.status, answer.body['code']), (401, 'InvalidCredentials'))
            self.assertEqual(answer.headers['WWW-Authenticate'], 'Basic realm=Api')
            self.assertEqual(answer.body['uid'], answer.headers['Request-Id'])
        self.assertEqual(self.call('POST', '/printjobs', raw='{').body['code'], 'InvalidContent')
        self.assertEqual(self.call('POST', '/printjobs', raw='[' * 100000).body['code'], 'InvalidContent')
        self.assertEqual(self.call('GET', '/nowhere').status, 404)
        self.assertEqual(self.call('PUT', '/whoami').status, 405)
        self.assertEqual(self.call('OPTIONS', '/whoami', key='').status, 200)

    def test_large_bodies(self):
        answer = self.call('POST', '/printjobs', raw=b'"' + b'x' * 50_000_000 + b'"')
        self.assertEqual(answer.status, 413)
        self.assertEqual(self.call('POST', '/printjobs', raw=iter([b'{', b'}'])).status, 400)  # chunked

    def test_children(self):
        id, key = self.child(creatorRef='ref 1')
        by_ref = {'X-Child-Account-By-CreatorRef': 'ref 1'}
        answer = self.call('GET', '/whoami', headers=by_ref)
        self.assertEqual(answer.body['id'], id)
        self.assertEqual(answer.headers['X-Account'], str(id))
        self.assertEqual(answer.headers['X-Child-Account-By-CreatorRef'], 'ref 1')
        self.assertEqual(self.call('GET', '/whoami', key=key).body['creatorRef'], 'ref 1')
        self.assertEqual(self.call('GET', '/whoami', headers={'X-Child-Account-By-Id': '1'}).status, 401)
        self.assertEqual(self.call('PATCH', '/account', {'firstname': 'A'}, headers=by_ref).body['firstname'], 'A')
        self.assertEqual(self.call('PATCH', '/account', {'password': 'short'}, headers=by_ref).status, 400)
        self.assertEqual(self.call('PUT', '/account/state', 'suspended', headers=by_ref).status, 200)
        self.assertEqual(self.call('GET', '/account/state', headers=by_ref).body, 'suspended')
        self.assertEqual(self.call('GET', '/computers', key=key).status, 403)
        self.assertEqual(self.call('PUT', '/account/state', 'active', headers=by_ref).status, 200)
        self.assertEqual(self.call('GET', '/computers', key=key).status, 200)
        self.assertEqual(self.call('DELETE', '/account', headers=by_ref).status, 200)
        self.assertEqual(self.call('GET', '/computers', key=key).status, 401)
        self.assertEqual(self.call('DELETE', '/account').status, 403)
        single = self.service.ready['singleApiKey']
        self.assertEqual(self.call('POST', '/account', {}, key=single).status, 403)

    def test_forms(self):
        form = [('Account[firstname]', '-'), ('Account[lastname]', '-'), ('Account[email]', 'form@x')]
        form += [('Account[password]', '12345678'), ('ApiKeys[]', 'one'), ('ApiKeys[]', 'two'), ('Tags[a.b]', 'ü')]
        answer = self.call('POST', '/account', form=form)
        self.assertEqual(answer.status, 201)
        self.assertEqual([each['name'] for each in answer.body['ApiKeys']], ['one', 'two'])
        self.assertEqual(answer.body['Account']['Tags'], [{'tag': 'a.b', 'value': 'ü'}])
        desk = self.desk('laser')
        form = {'printerId': self.printer_of(desk), 'contentType': 'raw_base64', 'content': 'SGVsbG8K', 'qty': '2'}
        form |= {'options[copies]': '3', 'options[color]': 'false'}
        self.assertEqual(self.call('POST', '/printjobs', form=form).status, 201)
        job = desk.job()
        self.assertEqual((job['qty'], job['options']), (2, {'copies': 3, 'color': False}))

    def test_tags_and_keys(self):
        self.assertEqual(self.call('POST', '/account/tag/a_b', 'value').body['value'], 'value')
        self.assertEqual(self.call('GET', '/account/tag/a_b').body['value'], 'value')
        self.assertEqual(self.call('POST', '/account/tag/a%20b', 'value').status, 400)
        self.assertEqual(self.call('POST', '/account/tag/a', 'x' * 1025).status, 400)
        self.call('DELETE', '/account/tag/a_b')
        self.assertEqual(self.call('GET', '/account/tag/a_b').status, 404)
        key = self.call('POST', '/account/apikey/new%20key').body['key']
        self.assertEqual(self.call('GET', '/noop', key=key).status, 200)
        desk = self.desk(key=key)
        self.call('DELETE', '/account/apikey/new%20key')
        self.assertIsNone(desk.receive())
        self.assertEqual(desk.close_code, 4401)
        self.assertEqual(self.call('GET', '/noop', key=key).status, 401)

    def test_downloads_and_client_keys(self):
        uid = str(uuid.uuid4())
        key = self.call('GET', f'/client/key/{uid}?edition=e&version=1').body['clientKey']
        self.assertEqual(len(key), 47)
        self.assertEqual(self.desk(key=key).welcome['type'], 'welcome')
        self.assertEqual(self.call('GET', '/noop', key=key).status, 401)
        latest = self.call('GET', '/download/clients/osx').body
        self.assertEqual(latest['release'], '10.0.1')
        self.call('PATCH', f'/download/clients/{latest["id"]}', {'enabled': False})
        self.assertEqual(self.call('GET', '/download/clients/osx').body['release'], '9.12.0')
        self.assertEqual(self.call('GET', '/download/clients/linux').status, 404)

    # computers and jobs

    def test_paging(self):
        _, key = self.child()
        desk = self.desk(*'abcde', key=key)
        ids = sorted(each['id'] for each in self.call('GET', '/printers', key=key).body)
        page = self.call('GET', f'/printers?limit=2&after={ids[4]}', key=key)
        self.assertEqual([each['id'] for each in page.body], [ids[3], ids[2]])
        self.assertEqual(page.headers['Records-Total'], '5')
        self.assertEqual(page.headers['Records-Returned-Offset'], '1')
        page = self.call('GET', f'/printers/{ids[2]},{ids[0]},{ids[2]}?dir=asc', key=key)
        self.assertEqual([each['id'] for each in page.body], [ids[0], ids[2]])
        self.assertEqual(self.call('GET', '/printers?limit=301', key=key).status, 400)
        self.assertEqual(self.call('GET', '/printers/1', key=key).status, 404)
        desk.printers('a')
        self.assertEqual(len(self.call('GET', '/printers', key=key).body), 1)

    def test_a_job(self):
        desk = self.desk('laser')
        printer = self.printer_of(desk)
        id = self.call('POST', '/printjobs', {'printerId': printer, **JOB}).body
        job = desk.job()
        self.assertEqual((job['jobId'], job['printerKey'], job['content']), (id, 'laser', 'SGVsbG8K'))
        self.assertEqual(self.call('DELETE', f'/printjobs/{id}').body, [])
        desk.send({'type': 'ack', 'id': job['id']})
        desk.state(id, 'received')
        desk.state(id, 'done', 'same')
        desk.state(id, 'done', 'same')
        states = self.call('GET', f'/printjobs/{id}/states').body
        self.assertEqual([each['state'] for each in states], ['done', 'received', 'sent_to_client', 'new'])
        self.assertEqual((states[0]['clientVersion'], states[0]['message'], states[3]['age']), ('1.0.0', '', 0))

    def test_waiting_cancelling_expiry_and_idempotency(self):
        desk = self.desk('laser')
        printer = self.printer_of(desk)
        desk.close()
        wait_until(lambda: self.state_of(desk) == 'disconnected')
        post = lambda **rest: self.call('POST', '/printjobs', {'printerId': printer, **JOB, **rest}).body
        first, second, third = post(expireAfter=60), post(), post()
        self.assertEqual(self.call('DELETE', f'/printers/{printer}/printjobs/{third},1').body, [third])
        key = {'X-Idempotency-Key': str(uuid.uuid4())}
        body = {'printerId': printer, **JOB, 'expireAfter': 0}
        self.assertEqual(self.call('POST', '/printjobs', body, headers=key).status, 201)
        self.assertEqual(self.call('POST', '/printjobs', body, headers=key).body['code'], 'Conflict')
        self.service.advance(61)
        state = self.call('GET', f'/printjobs/{first}/states').body[0]
        self.assertEqual((state['state'], state['age']), ('expired', 60000))
        self.service.advance(24 * 3600)
        self.assertEqual(self.call('POST', '/printjobs', body, headers=key).status, 201)
        again = self.desk(installation=desk.installation)
        self.assertEqual(again.welcome['computerId'], desk.welcome['computerId'])
        self.assertEqual(again.job()['jobId'], second)
        again.close()
        third_time = self.desk(installation=desk.installation)
        self.assertEqual(third_time.job()['jobId'], second)
        third_time.close()
        self.service.advance(14 * 24 * 3600)
        holder = self.desk(installation=desk.installation, holding=[second])
        last = post()
        self.assertEqual(holder.job()['jobId'], last)

    def test_eight_at_a_time_and_takeover(self):
        old = self.desk('laser')
        printer = self.printer_of(old)
        ids = [self.call('POST', '/printjobs', {'printerId': printer, **JOB}).body for _ in range(10)]
        jobs = [old.job() for _ in range(8)]
        self.assertEqual([job['jobId'] for job in jobs], ids[:8])
        for job in jobs[:7]:
            old.send({'type': 'ack', 'id': job['id']})
        self.assertEqual([old.job()['jobId'] for _ in range(2)], ids[8:])
        new = self.desk(installation=old.installation, holding=ids[:7])
        self.assertEqual([new.job()['jobId'] for _ in range(3)], ids[7:])
        more = self.call('POST', '/printjobs', {'printerId': printer, **JOB}).body
        self.assertEqual(new.job()['jobId'], more)
        new.close()
        self.assertEqual(old.job()['jobId'], more)

    def test_link_refusals(self):
        for key, protocol, status in (('no', 'platen.link.v1', 401), (self.service.key, 'other', 426)):
            socket = Socket(self.service, '/link', key, protocol)
            self.addCleanup(socket.close)
            self.assertEqual(socket.status, status)
        self.assertEqual(self.desk().report({'type': 'scales', 'scales': []})['type'], 'ack')
        empty_id = {'type': 'printers', 'id': '', 'printers': []}
        for bad in (b'{', b'{"type": 1e999}', [], {'type': 'x'}, {'type': 'ack', 'id': 'x'}, empty_id):
            desk = self.desk()
            desk.send(bad)
            self.assertEqual(desk.receive()['type'], 'error')
            self.assertIsNone(desk.receive())
            self.assertEqual(desk.close_code, 4400)
        desk = self.desk()
        desk.socket.sendall(struct.pack('>BBQ', 0x81, 0xFF, 4194305) + b'abcd')
        self.assertIsNone(desk.receive())
        self.assertEqual(desk.close_code, 1009)
        desk = self.desk()
        self.call('DELETE', f'/computers/{desk.welcome["computerId"]}')
        self.assertIsNone(desk.receive())
        self.assertEqual(desk.close_code, 4404)
        self.assertNotEqual(
            self.desk(installation=desk.installation).welcome['computerId'], desk.welcome['computerId']
        )

    # scales

    def test_scales(self):
        _, key = self.child()
        desk = self.desk(key=key)
        id = desk.welcome['computerId']
        browser = Socket(self.service, '/ws/1')
        self.addCleanup(browser.close)
        browser.send([1, 'subscribe', [0, '/scales/']])
        self.assertEqual(browser.receive(), ['protocol', 'ack', 1])
        self.assertEqual(browser.receive()[1], 'error')
        browser.send([2, 'authenticate', {'apiKey': key}])
        browser.receive()
        self.assertEqual(browser.receive()[2]['currentWebsockets'], 1)
        browser.send([3, 'subscribe', [0, f'/computer/{id}/scales/']])
        browser.receive()
        scale = {'key': 'k', 'deviceName': 'A/b', 'vendor': None, 'product': None, 'vendorId': 1, 'productId': 2}
        desk.report({'type': 'scales', 'scales': [scale | {'port': None}, scale | {'port': 'p', 'key': 'l'}]})
        at = '2026-01-01T08:00:00.000Z'
        reading = {'type': 'reading', 'mass': [1000, None], 'measurement': {'g': 1}}
        desk.report(reading | {'scaleKey': 'l', 'clientReportedCreateTimestamp': at})
        self.assertEqual(browser.receive()[1], [f'computer.{id}.scales.A/b.1'])
        self.assertEqual(self.call('GET', f'/computer/{id}/scale/A%2Fb/1', key=key).body['mass'], [1000, None])
        self.assertEqual(len(self.call('GET', f'/computer/{id}/scales/A%2Fb', key=key).body), 1)
        self.assertEqual(self.call('GET', f'/computer/{id}/scales').body, [])
        self.assertEqual(self.call('PUT', '/scale', key=key).status, 200)
        self.assertEqual(self.call('GET', '/computer/0/scales', key=key).body[0]['deviceName'], 'Service Test Scale')
        self.service.advance(45)
        self.assertEqual(self.call('GET', f'/computer/{id}/scale/A%2Fb/1', key=key).status, 404)

    # webhooks

    def count(self, key, statistic):
        return self.call('GET', '/webhooks', key=key).body[0][statistic]['measures']['counts']

    def test_webhooks(self):
        child, key = self.child()
        receiver = Receiver()
        self.addCleanup(receiver.server.server_close)
        self.addCleanup(receiver.server.shutdown)
        hook = {'url': receiver.url, 'secret': 's', 'messages': ['ComputerState']}
        both = {**hook, 'messages': ['*', 'ComputerState']}
        self.assertEqual(self.call('POST', '/webhook', both, key=key).status, 400)
        id = self.call('POST', '/webhook', hook, key=key).body[0]['webhookId']
        receiver.answers = [False, True]
        desk = self.desk(key=key)
        headers, events = receiver.wait(1)[0]
        self.assertEqual(base64.b64decode(headers['Authorization'].split()[1]), b'webhook:s')
        self.assertEqual((events[0]['type'], events[0]['accountId']), ('computer state', child))
        wait_until(lambda: self.count(key, 'failedRequests') == 1)
        desk.close()
        wait_until(lambda: self.count(key, 'receivedEvents') == 2)
        self.assertEqual(len(receiver.requests), 1)
        self.service.advance(5)
        self.assertEqual([each['data']['connections'] for each in receiver.wait(2)[1][1]], [1, 0])
        wait_until(lambda: self.count(key, 'successfulRequests') == 1)
        counts = [self.count(key, name) for name in ('receivedEvents', 'droppedEvents', 'failedRequests')]
        self.assertEqual(counts, [2, 0, 1])
        self.service.advance(3600)
        self.assertAlmostEqual(
            self.call('GET', '/webhooks', key=key).body[0]['receivedEvents']['measures']['exp1h'], 2 / 2.718, 1
        )
        for _ in range(4):
            self.assertEqual(self.call('POST', '/webhook', hook, key=key).status, 200)
        self.assertEqual(self.call('POST', '/webhook', hook, key=key).status, 409)
        self.assertEqual(self.call('PATCH', f'/webhook/{id}', {'secret': 'new'}, key=key).body[0]['secret'], 'new')
        self.assertEqual(len(self.call('DELETE', f'/webhook/{id}', key=key).body), 4)


    def test_an_unreachable_receiver(self):
        _, key = self.child()
        hook = {'url': 'http://127.0.0.1:1/', 'secret': 's', 'messages': ['*']}
        self.call('POST', '/webhook', hook, key=key)
        self.desk(key=key)
        for failures in (1, 2):
            wait_until(lambda: self.count(key, 'failedRequests') == failures)
            self.assertEqual(self.count(key, 'droppedEvents'), failures - 1)
            self.service.advance(5)


class RateTest(unittest.TestCase):
    def test_rate(self):
        service = Service()
        self.addCleanup(service.stop)
        for count in range(500):
            answer = service.call('GET', '/noop')
            if answer.status != 200:
                break
        self.assertEqual(answer.body['code'], 'TooManyRequests')
        self.assertGreaterEqual(count, 30)


if __name__ == '__main__':
    unittest.main()
