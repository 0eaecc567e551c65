/**
 * Checks of docs/device-link.md: connecting, refusals, frames that are not messages, heartbeats. They bind a service
 * that says that it speaks this link.
 */

import { PRINTED_CHALLENGE } from '../../oracle/invariants.ts';
import { isObject, type JsonObject } from '../../common/json-value.ts';
import { sleep, systemClock } from '../../common/clock.ts';
import { formatDuration } from '../../common/duration.ts';
import type { LinkClauseId } from '../../link/link-clauses.ts';
import { COMPUTER_FRAME_MAX_BYTES, LINK_CLOSE_CODES, LINK_PROTOCOLS, MESSAGE_MAX_DEPTH } from '../../link/messages.ts';
import type { Mismatch } from '../../oracle/mismatch.ts';
import type { Rules } from '../check.ts';
import { CameTooLate, CheckEnded } from '../context/check-ended.ts';
import type { CheckContext } from '../context/context.ts';
import { hello, join, printersReport, report } from '../context/link-computer.ts';
import { apiKeyPath } from '../context/account-paths.ts';
import { newKey } from '../context/keys-and-tags.ts';
import type { RawLink, Refusal } from '../context/raw-link.ts';
import { expectSuccess } from '../expect/answer.ts';
import { isId } from '../expect/records.ts';
import { expectEqual, expectThat } from '../expect/that.ts';

const [PROTOCOL] = LINK_PROTOCOLS;
const UNKNOWN_PROTOCOL = 'platen.link.v999';

/** Frames that are not messages, sent by a computer that has been welcomed. */
const NOT_MESSAGES: Readonly<Record<string, (context: CheckContext) => JsonObject | string | Buffer>> = {
  'a binary frame': () => Buffer.from('{"type":"ack","id":"1"}'),
  'what is not JSON': () => '{"type":"printers"',
  'an array': () => '[]',
  'an unknown type': () => ({ type: 'no-such-message', id: 'x1' }),
  'a report without a field': () => ({ type: 'printers', id: 'x2' }),
  'a field of a wrong type': () => ({ type: 'printers', id: 'x3', printers: 'none' }),
  'an id of 101 characters': () => printersReport('x'.repeat(101)),
  'an acknowledgement of nothing': () => ({ type: 'ack', id: 'never-sent' }),
  'a second hello': (context) => hello(context),
  'a message nested too deep': () => printersReport('x4', 'Deep', { capabilities: nested(MESSAGE_MAX_DEPTH) }),
};

function nested(levels: number): JsonObject {
  return levels === 0 ? {} : { inner: nested(levels - 1) };
}

export const LINK_CONNECTION_RULES: Rules = {
  'link/upgrade': {
    title: 'An upgrade of the link names the version that both sides speak, and enables no extension',
    needs: ['device-link'],
    async run({ openRawLink, judge }) {
      const link = await openRawLink({ protocols: [UNKNOWN_PROTOCOL, PROTOCOL] });
      const answer = link.refusal ? `refused with ${link.refusal.status}` : link.protocol;
      judge(
        'link/subprotocol',
        expectEqual(`subprotocol of an upgrade that offers ${UNKNOWN_PROTOCOL}, ${PROTOCOL}`, answer, PROTOCOL),
      );
      judge('link/no-extensions', expectEqual('extensions of the upgrade', link.extensions, ''));
    },
  },
  'link/refusals': {
    title: 'A refused upgrade says why, by its status, its headers and an error object',
    needs: ['device-link'],
    async run({ openRawLink, judge }) {
      const refused = async (
        clause: LinkClauseId,
        status: number,
        plan: Parameters<typeof openRawLink>[0],
      ): Promise<Refusal | undefined> => {
        const { refusal, end } = await openRawLink(plan);
        const seen = refusal?.status ?? (end ? 'none, the connection ended' : 101);
        judge(clause, expectEqual('status of the upgrade', seen, status));
        return refusal;
      };
      const missing = await refused('link/missing-key-401', 401, { key: null });
      const unknown = await refused('link/unknown-key-401', 401, { key: 'no-such-key' });
      await refused('link/401-before-426', 401, { key: 'no-such-key', protocols: [UNKNOWN_PROTOCOL] });
      const version = await refused('link/no-common-version-426', 426, { protocols: [UNKNOWN_PROTOCOL] });
      const scheme = missing?.headers['www-authenticate'] ?? 'none';
      judge(
        'link/401-names-scheme',
        expectThat(PRINTED_CHALLENGE.test(scheme), 'WWW-Authenticate of a 401', 'Basic realm=Api', scheme),
      );
      const spoken = version?.headers['sec-websocket-protocol'] ?? 'none';
      judge(
        'link/426-names-versions',
        expectThat(spoken.split(/\s*,\s*/).includes(PROTOCOL), 'Sec-WebSocket-Protocol of a 426', PROTOCOL, spoken),
      );
      judge('link/refusal-object', expectErrorObject(missing), expectErrorObject(unknown), expectErrorObject(version));
    },
  },
  'link/welcome': {
    title: 'The service answers hello with a complete welcome before anything else',
    needs: ['device-link'],
    async run(context) {
      const link = await context.openRawLink();
      await link.settle();
      judgeSilence(context, link.messages);
      link.say(hello(context));
      await link.hear(({ type }) => type === 'welcome');
      const [first] = link.messages;
      if (isId(first?.['computerId'])) context.computers.adopt(first['computerId']);
      context.demand('link/welcome-first', expectEqual('type of the first frame', first?.['type'], 'welcome'));
      const wrong = ['computerId', 'accountId', 'heartbeatMs'].filter((field) => !isId(first?.[field]));
      context.judge('link/welcome-fields', expectThat(wrong.length === 0, 'welcome', 'integers from 1', first));
    },
  },
  'link/child': {
    title: 'welcome names the Child whose key opened the link',
    needs: ['device-link', 'child-account'],
    async run(context) {
      const child = await context.children.create();
      const link = await context.openRawLink({ key: await newKey(context, child.api, 'link') });
      link.say(hello(context));
      const welcome = await link.hear(({ type }) => type === 'welcome');
      context.require(expectEqual('answer to hello', welcome?.['type'], 'welcome'));
      context.judge('link/welcome-account', expectEqual('accountId of welcome', welcome?.['accountId'], child.id));
    },
  },
  'link/unknown-fields': {
    title: 'The service ignores the fields of a newer version',
    needs: ['device-link'],
    async run(context) {
      const link = await join(context, { more: { newer: { nested: [1] } } });
      const isTaken = await report(link, printersReport('p1', 'Plain Printer', { newer: true }));
      context.judge(
        'link/unknown-fields-ignored',
        expectThat(isTaken, 'a report with a field more', 'an ack', endOf(link)),
      );
    },
  },
  'link/protocol-errors': {
    title: 'Anything but a message ends the connection with 4400, and the service ignores what follows',
    needs: ['device-link'],
    async run(context) {
      for (const [what, frame] of Object.entries(NOT_MESSAGES)) {
        const link = await join(context);
        link.say(frame(context));
        link.say(printersReport('after'));
        const code = await link.endCode();
        context.judge(
          'link/protocol-error-4400',
          expectEqual(`close code after ${what}`, code, LINK_CLOSE_CODES.badMessage),
        );
        const acks = link.messages.filter(({ type }) => type === 'ack');
        context.judge('link/nothing-after-an-error', expectEqual(`acknowledgements after ${what}`, acks, []));
      }
      const early = await context.openRawLink();
      early.say(printersReport('early'));
      const code = await early.endCode();
      context.judge(
        'link/protocol-error-4400',
        expectEqual('close code after a report before hello', code, LINK_CLOSE_CODES.badMessage),
      );
    },
  },
  'link/fragments': {
    title: 'The service accepts a message in several fragments',
    needs: ['device-link'],
    async run(context) {
      const link = await join(context);
      link.sayInFragments(printersReport('fragmented', 'Ünïcode 印刷'), 3);
      const ack = await link.hear(({ type, id }) => type === 'ack' && id === 'fragmented');
      context.judge(
        'link/fragments-taken',
        expectThat(ack !== undefined, 'a report in 3 fragments', 'an ack', endOf(link)),
      );
    },
  },
  'link/late-hello': {
    title: 'A connection may take ten seconds until hello; if it is closed without one, it is closed with 4400',
    needs: ['device-link'],
    async run(context) {
      const { timekeeper } = context.target;
      const beganMs = timekeeper.now();
      const late = await context.openRawLink();
      const silent = await context.openRawLink();
      // Small steps, in which pings are answered.
      const wait = async (steps: number): Promise<void> => {
        for (let step = 0; step < steps; step++) {
          await context.elapse(`${HELLO_STEP_S}s`);
          await late.settle();
        }
      };
      await wait(HELLO_EARLY_S / HELLO_STEP_S);
      const waitedMs = timekeeper.now() - beganMs;
      late.say(hello(context));
      const welcome = await late.hear(({ type }) => type === 'welcome');
      if (isId(welcome?.['computerId'])) context.computers.adopt(welcome['computerId']);
      if (!welcome && waitedMs >= HELLO_LIMIT_S * 1_000) {
        throw new CameTooLate(`hello was sent ${waitedMs} ms after the connection began to open`);
      }
      context.judge(
        'link/hello-waited-for',
        expectThat(welcome !== undefined, `hello after ${HELLO_EARLY_S} s`, 'welcome', endOf(late)),
      );
      await wait((HELLO_LATE_S - HELLO_EARLY_S) / HELLO_STEP_S);
      const code = silent.end?.code ?? BAD_MESSAGE;
      context.judge('link/no-hello-4400', expectEqual('close code of a connection without hello', code, BAD_MESSAGE));
    },
  },
  'link/revoked-key': {
    title: 'A connection ends with 4401 when its key is revoked',
    needs: ['device-link'],
    async run(context) {
      const name = `link-${context.naming.hex(10)}`;
      const key = await newKey(context, context.api, name);
      const { refusal } = await context.openRawLink({ key });
      context.demand(
        'link/any-key-opens',
        expectEqual('status of the upgrade with a new API key', refusal?.status ?? 101, 101),
      );
      const link = await join(context, { key });
      context.require(expectSuccess(await context.api.delete(apiKeyPath(name))));
      const heartbeatMs = Number(link.welcome['heartbeatMs']);
      // When is not said: a service may look at keys with each heartbeat.
      for (let beats = 0; beats < 2 && (await link.endCode()) === undefined; beats++) {
        await context.elapse(heartbeatMs);
      }
      const code = await link.endCode();
      const { noLongerWelcome } = LINK_CLOSE_CODES;
      context.judge(
        'link/revoked-key-4401',
        expectEqual('close code after the key was deleted', code, noLongerWelcome),
      );
    },
  },
  'link/frame-size': {
    title: 'The service accepts a frame of 4 MiB; a longer one ends the connection with 1009',
    needs: ['device-link'],
    async run(context) {
      const link = await join(context);
      const isTaken = await report(link, reportOf(COMPUTER_FRAME_MAX_BYTES));
      context.judge(
        'link/long-frame-taken',
        expectThat(isTaken, `a report of ${COMPUTER_FRAME_MAX_BYTES} bytes`, 'an ack', endOf(link)),
      );
      const other = await join(context);
      other.say(reportOf(COMPUTER_FRAME_MAX_BYTES + 1));
      context.judge(
        'link/too-long-frame-1009',
        expectEqual('close code after a byte more', await other.endCode(), 1009),
      );
    },
  },
  'link/heartbeat': {
    title: 'The service sends a ping every heartbeatMs',
    needs: ['device-link'],
    async run(context) {
      const link = await join(context);
      const heartbeatMs = Number(link.welcome['heartbeatMs']);
      const { timekeeper, waitsMs = BEATS_REAL_MS } = context.target;
      if (!timekeeper.isVirtual && BEATS * heartbeatMs > waitsMs) {
        const verdict = context.target.waitsMs === undefined ? 'inconclusive' : 'too-long';
        throw new CheckEnded(verdict, `${BEATS} heartbeats take longer than a run waits: ${formatDuration(waitsMs)}`);
      }
      for (let beats = 0; beats < BEATS; beats++) {
        await context.elapse(heartbeatMs);
        await link.settle();
      }
      const { pings } = link;
      if (timekeeper.moved && pings < BEATS - 1) return judgeRealBeats(context, link, heartbeatMs);
      context.judge(
        'link/pings',
        expectThat(pings >= BEATS - 1 && pings <= BEATS + 1, `pings within ${BEATS} heartbeats`, String(BEATS), pings),
      );
    },
  },
};

const BEATS = 3;
/** Beside a clock that a hook moves, for heartbeats that do not follow it: one of them is due within this time. */
const BEATS_BESIDE_MS = 15_000;
const BEATS_BESIDE_LEAST = 1.5;
/** On a real clock, unless the descriptor says how long a run may wait. */
const BEATS_REAL_MS = 45_000;

const BAD_MESSAGE = LINK_CLOSE_CODES.badMessage;
/** Before and after the ten seconds that a service waits for hello; on a busy machine the steps take longer. */
const HELLO_EARLY_S = 6;
const HELLO_LATE_S = 12;
/** The least time a service waits for it. */
const HELLO_LIMIT_S = 10;
const HELLO_STEP_S = 2;

/** Before hello an error may come, and the end. */
function judgeSilence({ judge }: CheckContext, messages: readonly JsonObject[]): void {
  const early = messages.filter(({ type }) => type !== 'error');
  judge('link/silent-before-hello', expectEqual('messages before hello', early, []));
}

function expectErrorObject(refusal: Refusal | undefined): Mismatch | undefined {
  const { status, body } = refusal ?? { status: 101, body: 'an upgrade' };
  const isError = isObject(body) && ['uid', 'code', 'message'].every((field) => typeof body[field] === 'string');
  return expectThat(
    isError,
    `body of an upgrade refused with ${status}`,
    'an error object with uid, code and message',
    body,
  );
}

/** A report of exactly this length. */
function reportOf(bytes: number): JsonObject {
  // In an unknown field: those of the page have limits of their own.
  const report = { ...printersReport('long'), padding: '' };
  return { ...report, padding: 'x'.repeat(bytes - JSON.stringify(report).length) };
}

function endOf({ end }: Pick<RawLink, 'end'>): string {
  return end ? `the connection ended: ${end.code} ${end.reason}` : 'no ack';
}

/** Heartbeats may come in real time while the rest of a service follows a clock that is moved. */
async function judgeRealBeats(context: CheckContext, link: RawLink, heartbeatMs: number): Promise<void> {
  const waitMs = Math.min(BEATS * heartbeatMs, BEATS_BESIDE_MS);
  const beats = waitMs / heartbeatMs;
  if (beats < BEATS_BESIDE_LEAST) {
    const verdict = context.target.waitsMs === undefined ? 'inconclusive' : 'too-long';
    throw new CheckEnded(verdict, 'the heartbeats of the service do not follow the clock that the hook moves');
  }
  const before = link.pings;
  await sleep(systemClock, waitMs);
  const pings = link.pings - before;
  const [least, most] = [Math.max(1, Math.floor(beats) - 1), Math.ceil(beats) + 1];
  context.judge(
    'link/pings',
    expectThat(
      pings >= least && pings <= most,
      `pings within ${formatDuration(waitMs)} of real time`,
      `${least} to ${most}`,
      pings,
    ),
  );
}
