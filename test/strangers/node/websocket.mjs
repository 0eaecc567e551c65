// RFC 6455, as far as a service needs it.
import { createHash } from 'node:crypto';

const GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
const OPS = { more: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 };

export function refuseUpgrade(socket, status, code, message, headers = {}) {
  const body = JSON.stringify({ message, code, uid: `up-${process.hrtime.bigint()}` });
  const lines = [
    `HTTP/1.1 ${status} No`,
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
    `request-id: ${JSON.parse(body).uid}`,
    'connection: close',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ];
  socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`);
}

/** @param handlers - {onText, onEnd, onPong?, onBinary?, maxBytes?} */
export function acceptWebSocket(request, socket, head, handlers, protocol) {
  const accept = createHash('sha1')
    .update(request.headers['sec-websocket-key'] + GUID)
    .digest('base64');
  const chosen = protocol === undefined ? '' : `Sec-WebSocket-Protocol: ${protocol}\r\n`;
  socket.write(
    `HTTP/1.1 101 Speak\r\nUPGRADE: WebSocket\r\nCONNECTION: upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n${chosen}\r\n`,
  );
  return new WebSocket(socket, head, handlers);
}

class WebSocket {
  #socket;
  #handlers;
  #buffered;
  #fragments;
  #isOver = false;
  #hasClosed = false;

  constructor(socket, head, handlers) {
    this.#socket = socket;
    this.#handlers = handlers;
    this.#buffered = head;
    socket.setNoDelay(true);
    socket.setTimeout(0);
    socket.on('data', (chunk) => this.#take(chunk));
    socket.on('end', () => socket.end());
    socket.on('close', () => this.#finish());
    if (head.length > 0) setImmediate(() => this.#take(Buffer.alloc(0)));
  }

  send(text) {
    this.#write(OPS.text, Buffer.from(text));
  }

  ping() {
    this.#write(OPS.ping, Buffer.from('?'));
  }

  get isDraining() {
    return this.#socket.writableLength > 0;
  }

  close(code, reason) {
    if (this.#hasClosed) return;
    const payload = Buffer.alloc(2);
    payload.writeUInt16BE(code);
    const words = Buffer.from(reason).subarray(0, 120);
    this.#write(OPS.close, Buffer.concat([payload, words]));
    this.#hasClosed = true;
    this.#socket.end();
    setTimeout(() => this.#socket.destroy(), 3_000).unref();
    this.#finish();
  }

  cut() {
    this.#socket.destroy();
    this.#finish();
  }

  #finish() {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#handlers.onEnd();
  }

  #write(op, payload) {
    if (this.#hasClosed || this.#socket.destroyed) return;
    const { length } = payload;
    const head = Buffer.alloc(length < 126 ? 2 : length < 65_536 ? 4 : 10);
    head[0] = 0x80 | op;
    head[1] = length < 126 ? length : length < 65_536 ? 126 : 127;
    if (head.length === 4) head.writeUInt16BE(length, 2);
    if (head.length === 10) head.writeBigUInt64BE(BigInt(length), 2);
    this.#socket.write(Buffer.concat([head, payload]));
  }

  #take(chunk) {
    this.#handlers.onAlive?.();
    this.#buffered = this.#buffered.length === 0 ? chunk : Buffer.concat([this.#buffered, chunk]);
    while (!this.#hasClosed && !this.#isOver && this.#frame());
  }

  /** Takes one frame; false where there is no whole one. */
  #frame() {
    const bytes = this.#buffered;
    if (bytes.length < 2) return false;
    const [first, second] = bytes;
    const op = first & 0x0f;
    const isLast = (first & 0x80) !== 0;
    if ((first & 0x70) !== 0 || (second & 0x80) === 0) return this.#refuse(1002, 'no such frame');
    const short = second & 0x7f;
    if (op >= 8 && (short > 125 || !isLast)) return this.#refuse(1002, 'a control frame is short and whole');
    const lengthBytes = short === 126 ? 2 : short === 127 ? 8 : 0;
    if (bytes.length < 2 + lengthBytes) return false;
    const length =
      lengthBytes === 0 ? short : Number(lengthBytes === 2 ? bytes.readUInt16BE(2) : bytes.readBigUInt64BE(2));
    const before = this.#fragments?.reduce((sum, part) => sum + part.length, 0) ?? 0;
    if (length + before > (this.#handlers.maxBytes ?? 65_536)) return this.#refuse(1009, 'the frame is too long');
    const start = 2 + lengthBytes + 4;
    if (bytes.length < start + length) return false;
    const mask = bytes.subarray(start - 4, start);
    const payload = Buffer.from(bytes.subarray(start, start + length));
    for (let at = 0; at < length; at++) payload[at] ^= mask[at % 4];
    this.#buffered = bytes.subarray(start + length);
    return this.#act(op, isLast, payload);
  }

  #act(op, isLast, payload) {
    if (op === OPS.ping) this.#write(OPS.pong, payload);
    else if (op === OPS.close) this.close(1000, '');
    else if (op === OPS.binary && !this.#fragments) return this.#refuse(4400, 'a message is text');
    else if (op === OPS.text || op === OPS.more) return this.#text(op, isLast, payload);
    else if (op !== OPS.pong) return this.#refuse(1002, 'no such frame');
    return true;
  }

  #text(op, isLast, payload) {
    if ((op === OPS.more) !== (this.#fragments !== undefined)) return this.#refuse(1002, 'a fragment out of order');
    const parts = [...(this.#fragments ?? []), payload];
    this.#fragments = isLast ? undefined : parts;
    if (!isLast) return true;
    let text;
    try {
      text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.concat(parts));
    } catch {
      return this.#refuse(1007, 'no UTF-8');
    }
    this.#handlers.onText(text);
    return true;
  }

  #refuse(code, reason) {
    this.close(code, reason);
    return false;
  }
}
