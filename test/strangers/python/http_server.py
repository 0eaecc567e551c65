"""HTTP/1.1 over asyncio streams: requests in, JSON out."""

import asyncio
import base64
import hashlib
import http
import secrets
import time
import traceback
from urllib.parse import parse_qsl, unquote

import jsontext
from clock import odd_time
from errors import ApiError

API_VERSION = '4.2.0-stranger.1'
MAX_HEAD = 65536
MAX_BODY = 50_000_000  # 50 MB
IDLE_SECONDS = 75
BODY_SECONDS = 120
SKIPPED_BODY = 1_000_000

REQUEST_HEADERS = (
    'Authorization, Content-Type, Accept-Version, X-Idempotency-Key, X-Child-Account-By-Id, '
    'X-Child-Account-By-Email, X-Child-Account-By-CreatorRef, X-Pretty, X-Dont-Log'
)
RESPONSE_HEADERS = (
    'Request-Id, Elapsed, Response-Time, Api-Version, Content-MD5, X-Account, X-Auth-With, X-Authorized-As, '
    'X-Child-Account-By-Id, X-Child-Account-By-Email, X-Child-Account-By-CreatorRef, Records-Returned, '
    'Records-Returned-Offset, Records-Returned-Limit, Records-Total'
)


class Request:
    def __init__(self, method, target, headers, peer):
        self.id = secrets.token_hex(11)
        self.started = time.monotonic()
        self.method = method
        self.headers = headers
        self.peer = peer
        self.body = b''
        if '://' in target.split('?')[0]:  # the absolute form, which proxies send
            target = '/' + target.split('://', 1)[1].partition('/')[2]
        path, _, query = target.partition('?')
        self.segments = [unquote(segment) for segment in path.split('/')[1:]]
        self.query = dict(parse_qsl(query, keep_blank_values=True))
        self.response_headers = []  # set while the request is handled, whatever its outcome

    def header(self, name, default=None):
        return self.headers.get(name, default)

    def tokens(self, name):
        return [token.strip() for token in self.header(name, '').split(',') if token.strip()]

    def wants_websocket(self):
        return self.method == 'GET' and 'websocket' in [token.lower() for token in self.tokens('upgrade')]


class Response:
    def __init__(self, value, status=200, headers=()):
        self.value = value
        self.status = status
        self.headers = list(headers)


def error_response(request, error):
    return Response({'uid': request.id, 'code': error.code, 'message': error.message}, error.status, error.headers)


class BadHead(Exception):
    pass


class HttpServer:
    """`app` has: admit(request), raises ApiError before the body is read; handle(request), which gives a Response;
    and upgrade(request), which gives a function that takes over the streams."""

    def __init__(self, app, clock):
        self.app = app
        self.clock = clock
        self.connections = set()

    async def serve(self, reader, writer):
        task = asyncio.current_task()
        self.connections.add(task)
        try:
            while await self._one(reader, writer):
                pass
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.TimeoutError, asyncio.CancelledError):
            pass  # the other end went away, or the service ends
        except Exception:
            traceback.print_exc()
        finally:
            self.connections.discard(task)
            writer.close()

    async def _one(self, reader, writer):
        """One request; True when another may follow on the connection."""
        try:
            request = await self._head(reader, writer)
        except BadHead as error:
            request = Request('GET', '/', {}, '')
            response = error_response(request, ApiError(400, 'MalformedRequest', str(error)))
            await self._write(writer, request, response, keep=False)
            return False
        if request is None:
            return False

        keep = request.header('connection', '').lower() != 'close' and request.header('x-http-version') == '1.1'
        try:
            self.app.admit(request)
            await self._body(request, reader, writer)
            if request.wants_websocket():
                take_over = self.app.upgrade(request)
                await take_over(reader, writer)
                return False
            response = await self.app.handle(request)
        except ApiError as error:
            response = error_response(request, error)
            if request.unread and not await self._skip(request, reader):
                await self._write(writer, request, response, keep=False)
                await self._linger(reader)
                return False
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.TimeoutError, asyncio.CancelledError):
            raise
        except Exception:
            traceback.print_exc()
            response = error_response(request, ApiError(500, 'OurMistake', 'The service failed at this request'))
            keep = False
        await self._write(writer, request, response, keep)
        return keep

    async def _head(self, reader, writer):
        try:
            head = await asyncio.wait_for(reader.readuntil(b'\r\n\r\n'), IDLE_SECONDS)
        except asyncio.LimitOverrunError:
            raise BadHead('The head of the request is too long') from None
        except asyncio.IncompleteReadError:
            return None
        lines = head.decode('latin-1').lstrip('\r\n').split('\r\n')
        parts = lines[0].split(' ')
        if len(parts) != 3 or not parts[2].startswith('HTTP/1.') or not (parts[1].startswith('/') or '://' in parts[1]):
            raise BadHead('The request line is malformed')
        headers = {}
        for line in lines[1:]:
            if not line:
                continue
            name, colon, value = line.partition(':')
            if not colon or not name or name != name.strip():
                raise BadHead('A header is malformed')
            name, value = name.lower(), value.strip()
            headers[name] = f'{headers[name]}, {value}' if name in headers else value
        headers['x-http-version'] = parts[2][5:]
        peer = writer.get_extra_info('peername') or ('',)
        request = Request(parts[0], parts[1], headers, peer[0])
        chunked = 'chunked' in request.header('transfer-encoding', '').lower()
        length = request.header('content-length', '0')
        if not (length.isascii() and length.isdigit()):
            raise BadHead('Content-Length is not a number')
        request.unread = 1 if chunked else int(length)  # while not 0, the connection cannot be used again
        return request

    async def _body(self, request, reader, writer):
        if not request.unread:
            return
        chunked = 'chunked' in request.header('transfer-encoding', '').lower()
        if not chunked and request.unread > MAX_BODY:
            raise self._too_large()
        if request.header('expect', '').lower() == '100-continue':
            writer.write(b'HTTP/1.1 100 Continue\r\n\r\n')
        if chunked:
            request.body = await asyncio.wait_for(self._chunks(reader), BODY_SECONDS)
        else:
            request.body = await asyncio.wait_for(reader.readexactly(request.unread), BODY_SECONDS)
        request.unread = 0

    async def _skip(self, request, reader):
        """Reads a short body that nobody wants, so that the connection can go on; True if it was read."""
        if request.header('transfer-encoding') or request.header('expect') or request.unread > SKIPPED_BODY:
            return False
        await asyncio.wait_for(reader.readexactly(request.unread), IDLE_SECONDS)
        request.unread = 0
        return True

    async def _chunks(self, reader):
        body = bytearray()
        while True:
            size_line = (await reader.readline()).split(b';')[0].strip()
            try:
                size = int(size_line, 16)
            except ValueError:
                raise ApiError(400, 'InvalidContent', 'The body is not properly chunked') from None
            if size == 0:
                while (await reader.readline()).strip():
                    pass  # trailers
                return bytes(body)
            if len(body) + size > MAX_BODY:
                raise self._too_large()
            body += await reader.readexactly(size)
            await reader.readexactly(2)

    @staticmethod
    def _too_large():
        return ApiError(413, 'TooMuchContent', 'A body has at most 50 MB')

    @staticmethod
    async def _linger(reader):
        """Reads on for a while, so that a client that still writes its body gets to see the answer."""
        until = time.monotonic() + 10
        while time.monotonic() < until:
            if not await asyncio.wait_for(reader.read(65536), 2):
                return

    async def _write(self, writer, request, response, keep):
        data = jsontext.encode(response.value, pretty=request.header('x-pretty') is not None)
        headers = [
            ('Content-Type', 'application/json'),
            ('Content-Length', str(len(data))),
            ('Content-MD5', base64.b64encode(hashlib.md5(data).digest()).decode()),
            ('Request-Id', request.id),
            ('Elapsed', f'{time.monotonic() - request.started:.6f}'),
            ('Response-Time', odd_time(self.clock.now())),
            ('Api-Version', API_VERSION),
            ('Access-Control-Allow-Origin', '*'),
            ('Access-Control-Allow-Headers', REQUEST_HEADERS),
            ('Access-Control-Allow-Methods', 'GET, POST, PUT, PATCH, DELETE, OPTIONS'),
            ('Access-Control-Expose-Headers', RESPONSE_HEADERS),
            ('Connection', 'keep-alive' if keep else 'close'),
            *request.response_headers,
            *response.headers,
        ]
        reason = http.HTTPStatus(response.status).phrase
        lines = [f'HTTP/1.1 {response.status} {reason}', *(f'{name}: {value}' for name, value in headers), '', '']
        writer.write('\r\n'.join(lines).encode('latin-1'))
        if request.method != 'HEAD':
            writer.write(data)
        await writer.drain()
