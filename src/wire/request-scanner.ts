/**
 * Request scanner: finds where requests begin in the bytes of an HTTP/1 connection, and changes none.
 *
 *   line ─► head ─┬─► body of a length ─┬─► line …        not HTTP, or upgraded: opaque
 *                 └─► chunks, trailers ─┘                 from there to the end
 *
 * Bytes come out as they went in; only an incomplete request line is kept back.
 */

/** A run of bytes; where `request` is set it begins a request: `POST /printjobs`, without the query. */
export interface Segment {
  readonly bytes: Buffer;
  readonly request?: string;
}

type State = 'line' | 'head' | 'body' | 'chunk-size' | 'trailers' | 'opaque';

const LINE_FEED = 0x0a;
const LONGEST_LINE = 64 * 1024;
const REQUEST_LINE = /^([A-Z]+) (\S+) HTTP\/1\.[01]\r?\n$/;

export class RequestScanner {
  #state: State = 'line';
  /** Bytes of a line that is not whole yet. */
  #line: Buffer = Buffer.alloc(0);
  #bodyBytes = 0;
  #isChunked = false;
  #isUpgrade = false;

  /** Takes the next bytes of the connection. */
  feed(bytes: Buffer): Segment[] {
    const segments: Segment[] = [];
    let rest = bytes;
    while (rest.length > 0) {
      const taken = this.#state === 'opaque' ? 0 : this.#take(rest, segments);
      rest = rest.subarray(taken);
      if (this.#state !== 'opaque') continue;
      segments.push({ bytes: Buffer.concat([this.#keptBack(), rest]) });
      break;
    }
    return joined(segments);
  }

  /** What was kept back, when the connection ends. */
  flush(): Buffer {
    return this.#state === 'line' || this.#state === 'opaque' ? this.#keptBack() : Buffer.alloc(0);
  }

  /** @returns how many of the bytes it dealt with */
  #take(rest: Buffer, segments: Segment[]): number {
    if (this.#state === 'body') return this.#takeBody(rest, segments);
    const end = rest.indexOf(LINE_FEED);
    const piece = rest.subarray(0, end < 0 ? rest.length : end + 1);
    const line = Buffer.concat([this.#line, piece]);
    this.#line = end < 0 ? line : Buffer.alloc(0);
    if (this.#state === 'line') return this.#takeRequestLine(line, piece.length, end >= 0, segments);
    segments.push({ bytes: piece });
    if (end >= 0) this.#readLine(line.toString('latin1').trim().toLowerCase());
    return piece.length;
  }

  #takeRequestLine(line: Buffer, taken: number, isWhole: boolean, segments: Segment[]): number {
    if (!isWhole) {
      if (line.length > LONGEST_LINE) this.#giveUp(line);
      return taken;
    }
    const text = line.toString('latin1');
    const match = REQUEST_LINE.exec(text);
    if (match) {
      this.#state = 'head';
      segments.push({ bytes: line, request: `${match[1]} ${match[2]?.split('?')[0]}` });
    } else if (text.trim() === '') segments.push({ bytes: line });
    else this.#giveUp(line);
    return taken;
  }

  #takeBody(rest: Buffer, segments: Segment[]): number {
    const bytes = rest.subarray(0, this.#bodyBytes);
    segments.push({ bytes });
    this.#bodyBytes -= bytes.length;
    if (this.#bodyBytes === 0) this.#state = this.#isChunked ? 'chunk-size' : 'line';
    return bytes.length;
  }

  #readLine(line: string): void {
    if (this.#state === 'head') this.#readHeadLine(line);
    else if (this.#state === 'chunk-size') this.#readChunkSize(line);
    else if (line === '') this.#begin();
  }

  #readHeadLine(line: string): void {
    if (line !== '') {
      const length = /^content-length:\s*(\d+)$/.exec(line);
      if (length) this.#bodyBytes = Number(length[1]);
      if (/^transfer-encoding:.*chunked/.test(line)) this.#isChunked = true;
      if (line.startsWith('upgrade:')) this.#isUpgrade = true;
      return;
    }
    if (this.#isUpgrade) this.#state = 'opaque';
    else if (this.#isChunked) this.#state = 'chunk-size';
    else if (this.#bodyBytes > 0) this.#state = 'body';
    else this.#begin();
  }

  /** The data of a chunk is followed by a line end of its own. */
  #readChunkSize(line: string): void {
    const size = Number.parseInt(line, 16);
    if (Number.isNaN(size)) this.#state = 'opaque';
    else if (size === 0) this.#state = 'trailers';
    else {
      this.#bodyBytes = size + '\r\n'.length;
      this.#state = 'body';
    }
  }

  #begin(): void {
    this.#state = 'line';
    this.#bodyBytes = 0;
    this.#isChunked = false;
  }

  #giveUp(keptBack: Buffer): void {
    this.#state = 'opaque';
    this.#line = keptBack;
  }

  #keptBack(): Buffer {
    const kept = this.#line;
    this.#line = Buffer.alloc(0);
    return kept;
  }
}

/** Neighbours that belong to one request in one piece. */
function joined(segments: readonly Segment[]): Segment[] {
  const runs: Segment[][] = [];
  for (const segment of segments) {
    const last = runs.at(-1);
    if (last && segment.request === undefined) last.push(segment);
    else runs.push([segment]);
  }
  return runs.map((run) => ({ ...run[0], bytes: Buffer.concat(run.map(({ bytes }) => bytes)) }));
}
