import { describe, expect, it } from 'vitest';

import { atOnce } from '../../../src/common/sliced-work.ts';
import {
  checkComputerMessage,
  decodeComputerMessage,
  decodeLong,
  decodeServiceMessage,
  describeFrameError,
  encodeLong,
  encodeMessage,
  LONG_FRAME_BYTES,
} from '../../../src/link/codec.ts';
import { jobMessage, jobState, printerNamed } from '../../support/link-computer.ts';

/** What the codec says about a text frame from a computer. */
function complaint(text: string): string {
  const decoded = decodeComputerMessage(Buffer.from(text), false);
  return decoded.ok ? 'none' : describeFrameError(decoded.error);
}

function printersWith(capabilities: unknown): string {
  const printers = [{ ...printerNamed('Laser'), capabilities }];
  return JSON.stringify({ type: 'printers', id: 'p', printers });
}

function frameNested(levels: number): string {
  const nested = '{"a":'.repeat(levels) + '1' + '}'.repeat(levels);
  return printersWith(0).replace('"capabilities":0', `"capabilities":${nested}`);
}

describe('the codec', () => {
  it('gives back what was encoded, in both directions', () => {
    const state = { type: 'job-state', ...jobState('s-1') } as const;
    expect(decodeComputerMessage(Buffer.from(encodeMessage(state)), false)).toEqual({
      ok: true,
      value: state,
    });
    const job = jobMessage(4);
    expect(decodeServiceMessage(Buffer.from(encodeMessage(job)), false)).toEqual({ ok: true, value: job });
  });

  it('reads fragmented and array buffers like whole ones', () => {
    const bytes = Buffer.from('{"type":"refresh"}');
    const whole = { ok: true, value: { type: 'refresh' } };
    expect(decodeServiceMessage([bytes.subarray(0, 5), bytes.subarray(5)], false)).toEqual(whole);
    expect(decodeServiceMessage(new Uint8Array(bytes).buffer, false)).toEqual(whole);
  });

  it.each(['', 'a', 'ab"\n'])('gives back a long document that is written and read in pieces, behind %j', (shift) => {
    const content = shift + '🖨é"\\\n\u0000'.repeat(LONG_FRAME_BYTES / 3);
    const job = { ...jobMessage(4), content, options: { content: '"content":""' } };
    expect(atOnce(decodeLong(atOnce(encodeLong(job)), false))).toEqual({ ok: true, value: job });
  });

  it('refuses binary frames', () => {
    const decoded = decodeComputerMessage(Buffer.from('{"type":"ack","id":"1"}'), true);
    expect(decoded).toMatchObject({ ok: false, error: { where: 'frame' } });
  });

  it.each([
    ['', 'frame: not JSON'],
    ['{"type":"ack"', 'frame: not JSON'],
    ['[1]', 'frame: a message is a JSON object with a type'],
    ['null', 'frame: a message is a JSON object with a type'],
    ['"ack"', 'frame: a message is a JSON object with a type'],
    ['{}', 'frame: unknown message type none; known are hello, printers'],
    ['{"type":"welcome"}', 'frame: unknown message type "welcome"'],
    ['{"type":"__proto__"}', 'frame: unknown message type "__proto__"'],
    ['{"type":"ack"}', 'ack: id: '],
    ['{"type":"ack","id":7}', 'ack: id: '],
    [JSON.stringify({ type: 'job-state', ...jobState('s'), jobId: 1.5 }), 'job-state: jobId: '],
    [JSON.stringify({ type: 'job-state', ...jobState('s'), jobId: 2 ** 60 }), 'job-state: jobId: '],
    [JSON.stringify({ type: 'job-state', ...jobState('s'), createTimestamp: 'now' }), 'job-state: createTimestamp: '],
    [printersWith('many'), 'printers: printers[0].capabilities: '],
  ])('says where %s is wrong', (text, expected) => {
    expect(complaint(text)).toContain(expected);
  });

  it('shortens a huge type in its message', () => {
    expect(complaint(JSON.stringify({ type: 'x'.repeat(5_000) })).length).toBeLessThan(200);
  });

  it('refuses a message that nests too deep, however deep, without exhausting the stack', () => {
    expect(complaint(frameNested(20))).toBe('none');
    expect(complaint(frameNested(40))).toBe('printers: nested deeper than 32 levels');
    expect(complaint(frameNested(40_000))).toBe('printers: nested deeper than 32 levels');
  });

  it('drops fields that the table does not name, but passes capabilities on whole', () => {
    const text = printersWith({ papers: { A4: [2100, 2970] }, oddity: [null] }).replace(
      '"id":"p"',
      '"id":"p","more":1',
    );
    const decoded = decodeComputerMessage(Buffer.from(text), false);
    expect(decoded).toMatchObject({
      ok: true,
      value: { printers: [{ capabilities: { papers: { A4: [2100, 2970] }, oddity: [null] } }] },
    });
    expect(decoded.ok && 'more' in decoded.value).toBe(false);
  });

  it('takes times with an offset', () => {
    const state = { type: 'job-state', ...jobState('s'), createTimestamp: '2026-01-01T02:00:00+02:00' };
    expect(checkComputerMessage(state).ok).toBe(true);
  });
});
