"""The service's end of RFC 6455, without extensions."""

import asyncio
import base64
import hashlib
import time

from errors import ApiError

GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11'
CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG = 0, 1, 2, 8, 9, 10
CLOSE_SECONDS = 2  # how long the other end has to answer a close


def check_upgrade(request):
    """Raises ApiError unless the request is a proper upgrade; gives the value of Sec-WebSocket-Accept."""
    key = request.header('sec-websocket-key', '')
    try:
        proper = len(base64.b64decode(key, validate=True)) == 16
    except ValueError:
        proper = False
    if request.header('sec-websocket-version') != '13':
        headers = [('Sec-WebSocket-Version', '13'), ('Upgrade', 'websocket')]
        raise ApiError(426, 'UpgradeRequired', 'WebSockets have version 13 here', headers)
    if not proper:
        raise ApiError(400, 'MalformedRequest', 'Sec-WebSocket-Key must be 16 bytes in base64')
    return base64.b64encode(hashlib.sha1((key + GUID).encode()).digest()).decode()


def answer_upgrade(writer, accept, protocol=None):
    lines = ['HTTP/1.1 101 Switching Protocols', 'Upgrade: websocket', 'Connection: Upgrade']
    lines.append(f'Sec-WebSocket-Accept: {accept}')
    if protocol:
        lines.append(f'Sec-WebSocket-Protocol: {protocol}')
    writer.write(('\r\n'.join(lines) + '\r\n\r\n').encode())


class Broken(Exception):
    """The other end broke RFC 6455."""

    def __init__(self, code, reason):
        super().__init__(reason)
        self.code = code


class WebSocket:
    def __init__(self, reader, writer, max_message):
        self.reader = reader
        self.writer = writer
        self.max_message = max_message
        self.closing = False
        self.last_heard = time.monotonic()

    # receiving

    async def receive(self):
        """(TEXT or BINARY, bytes), or None when the connection has ended. Answers pings and closes."""
        try:
            while True:
                message = await self._message()
                if message is None or not self.closing:
                    return message  # what arrives after our close is ignored
        except Broken as error:
            self.close(error.code, str(error))
            await self._until_end()
        except (ConnectionError, asyncio.IncompleteReadError, OSError):
            pass
        return None

    async def _message(self):
        kind, parts, size = None, [], 0
        while True:
            final, opcode, payload = await self._frame(size)
            if opcode == PING:
                if not self.closing:
                    self._send(PONG, payload)
            elif opcode == CLOSE:
                if not self.closing:
                    self.closing = True
                    self._send(CLOSE, payload[:2])
                self.writer.close()
                return None
            elif opcode in (TEXT, BINARY, CONTINUATION):
                if (opcode == CONTINUATION) != (kind is not None):
                    raise Broken(1002, 'a fragment is out of place')
                kind = opcode if kind is None else kind
                parts.append(payload)
                size += len(payload)
                if final:
                    return kind, b''.join(parts)
            elif opcode != PONG:
                raise Broken(1002, 'a frame has an unknown opcode')

    async def _frame(self, before):
        first, second = await self._exactly(2)
        final, opcode, length = first & 0x80, first & 0x0F, second & 0x7F
        if first & 0x70 or not second & 0x80:
            raise Broken(1002, 'a frame has reserved bits or no mask')
        if opcode >= 8 and (length > 125 or not final):
            raise Broken(1002, 'a control frame is too long or in fragments')
        if length >= 126:
            length = int.from_bytes(await self._exactly(2 if length == 126 else 8), 'big')
        if before + length > self.max_message and opcode < 8:
            raise Broken(1009, f'a message has at most {self.max_message} bytes')
        mask = await self._exactly(4)
        return bool(final), opcode, unmask(await self._exactly(length), mask)

    async def _exactly(self, length):
        # Not readexactly: bytes of a long frame on a slow line are a sign of life before it is complete.
        parts = []
        while length:
            part = await self.reader.read(min(length, 65536))
            if not part:
                raise ConnectionError('the connection ended')
            self.last_heard = time.monotonic()
            parts.append(part)
            length -= len(part)
        return parts[0] if len(parts) == 1 else b''.join(parts)

    async def _until_end(self):
        try:
            while await self.reader.read(65536):
                pass
        except (ConnectionError, OSError):
            pass

    # sending

    def _send(self, opcode, payload):
        length = len(payload)
        if length < 126:
            head = bytes([0x80 | opcode, length])
        elif length < 65536:
            head = bytes([0x80 | opcode, 126]) + length.to_bytes(2, 'big')
        else:
            head = bytes([0x80 | opcode, 127]) + length.to_bytes(8, 'big')
        if not self.writer.is_closing():
            self.writer.write(head + payload if length < 65536 else head)
            if length >= 65536:
                self.writer.write(payload)

    def send_text(self, data):
        if not self.closing:
            self._send(TEXT, data)

    async def drain(self):
        await self.writer.drain()

    def waiting_bytes(self):
        return self.writer.transport.get_write_buffer_size()

    def ping(self):
        if not self.closing:
            self._send(PING, b'')

    def close(self, code, reason=''):
        """Says goodbye; the connection ends when the other end answers, or soon after."""
        if self.closing:
            return
        self.closing = True
        reason = reason.encode('utf-8', 'replace')[:123].decode('utf-8', 'ignore').encode()
        self._send(CLOSE, code.to_bytes(2, 'big') + reason)
        asyncio.get_running_loop().call_later(CLOSE_SECONDS, self.cut)

    def cut(self):
        self.writer.transport.abort()

    async def heartbeat(self, interval, silence):
        """Pings, and cuts the connection after `silence` seconds of nothing. A job that is still flowing out counts
        as life: the ping behind it cannot have arrived."""
        waiting = 0
        while True:
            await asyncio.sleep(interval)
            self.ping()
            still = self.waiting_bytes()
            if still < waiting:
                self.last_heard = time.monotonic()
            waiting = still
            if time.monotonic() - self.last_heard > silence:
                self.cut()
                return


def unmask(payload, mask):
    length = len(payload)
    if not length:
        return payload
    key = (mask * (length // 4 + 1))[:length]
    return (int.from_bytes(payload, 'little') ^ int.from_bytes(key, 'little')).to_bytes(length, 'little')
