/** Mutants of the device link: one for each thing that docs/device-link.md demands of a service. */

import type { LinkClauseId } from '../../src/link/link-clauses.ts';
import { LINK_PROTOCOLS } from '../../src/link/messages.ts';
import type { FrameMeddling, LinkMessage, LinkRefusal } from './meddling-websocket.ts';
import { broken, type Mutant } from './mutant.ts';
import { json } from './mutants.ts';

/** @param frames - a function where it remembers something */
function inFrames(clause: LinkClauseId, name: string, frames: FrameMeddling | (() => FrameMeddling)): Mutant {
  return { name, clause, frames: typeof frames === 'function' ? frames : () => frames };
}

const [PROTOCOL] = LINK_PROTOCOLS;
const UNACKNOWLEDGED_MOST = 8;
const LONG_BYTES = 1024 * 1024;

const isOf =
  (type: string, state?: string) =>
  (message: LinkMessage): boolean =>
    message['type'] === type && (state === undefined || message['state'] === state);

const isJob = isOf('job');
const isAck = isOf('ack');
const isHello = isOf('hello');
const isWelcome = isOf('welcome');

function withoutHeader(name: string, at: number): NonNullable<FrameMeddling['refusal']> {
  return ({ status, headers }) => {
    const { [name]: _left, ...kept } = headers;
    return status === at ? { headers: kept } : {};
  };
}

function refusedWith(status: number, when: (refusal: LinkRefusal, key: string | undefined) => boolean): FrameMeddling {
  return { refusal: (refusal, { headers }) => (when(refusal, headers.authorization) ? { status } : {}) };
}

const closes = (code: number, instead: number): FrameMeddling => ({
  closeCode: (given) => (given === code ? instead : given),
});

/** Changes what a computer says. */
const said = (when: (message: LinkMessage) => boolean, change: object): FrameMeddling => ({
  toService: (message) => [when(message) ? { ...message, ...change } : message],
});

/** Changes what a computer hears. */
const heard = (
  when: (message: LinkMessage) => boolean,
  change: (message: LinkMessage) => readonly LinkMessage[],
): FrameMeddling => ({
  toComputer: (message) => (when(message) ? change(message) : [message]),
});

/** An id that nothing else has. */
const newId = (): string => `made-up-${crypto.randomUUID()}`;

/** Every connection of a computer is welcomed under the id of the first. */
function sameIdForever(): FrameMeddling {
  let first: unknown;
  return heard(isWelcome, (welcome) => {
    first ??= welcome['computerId'];
    return [{ ...welcome, computerId: first }];
  });
}

/** States of an unusual name go on under ids of their own; the computer hears the id that it knows. */
function underNewIds(): FrameMeddling {
  const ids = new Map<unknown, unknown>();
  return {
    toService(message) {
      if (!isOf('job-state', 'somewhere')(message)) return [message];
      const id = newId();
      ids.set(id, message['id']);
      return [{ ...message, id }];
    },
    toComputer: (message) => [{ ...message, ...(ids.has(message['id']) && { id: ids.get(message['id']) }) }],
  };
}

/** A state that comes after the final one makes a job active again. */
function risenByLateStates(): FrameMeddling {
  const risen = new Set<unknown>();
  return {
    toService(message, { seen }) {
      if (isOf('job-state')(message) && seen.finished.has(message['jobId'])) risen.add(message['jobId']);
      return [message];
    },
    toComputer: (message, { seen }) =>
      isWelcome(message)
        ? [
            message,
            ...[...seen.jobs.values()].filter(({ jobId }) => risen.has(jobId)).map((job) => ({ ...job, id: newId() })),
          ]
        : [message],
  };
}

/** On every connection but the first, each job waits for the one after it. */
function newestFirst(): FrameMeddling {
  const kept: LinkMessage[] = [];
  return {
    toComputer(message, { index }) {
      if (!isJob(message) || index === 0) return [message];
      kept.push(message);
      return kept.length < 2 ? [] : kept.splice(0).toReversed();
    },
  };
}

/** Jobs of two printers with one name all go to the first. */
function firstOfName(): FrameMeddling {
  const first = new Map<unknown, unknown>();
  return {
    toService(message) {
      const printers = printersOf(message);
      for (const { key, name } of printers) {
        first.set(key, printers.find((one) => one['name'] === name)?.['key']);
      }
      return [message];
    },
    toComputer: (message) => [
      isJob(message) ? { ...message, printerKey: first.get(message['printerKey']) ?? message['printerKey'] } : message,
    ],
  };
}

/** Delivers eight of the jobs again that a computer has taken and lost. */
function eightAgain(): FrameMeddling {
  let count = 0;
  return {
    toComputer: (message, { seen }) =>
      isJob(message) && seen.acked.has(message['jobId']) && ++count > UNACKNOWLEDGED_MOST ? [] : [message],
  };
}

/** What was cancelled or has expired comes before the next job. */
const withSkipped: FrameMeddling = {
  toComputer(message, { seen }) {
    const known = new Set([...seen.jobs.values()].map(({ jobId }) => jobId));
    const before = [2, 1]
      .map((back) => Number(message['jobId']) - back)
      .filter((jobId) => jobId > 0 && !known.has(jobId));
    return isJob(message) ? [...before.map((jobId) => ({ ...message, id: newId(), jobId })), message] : [message];
  },
};

function knownUnanswered(): FrameMeddling {
  const known = new Set<string>();
  return {
    toService(message, { index }) {
      if (!isOf('job-state')(message)) return [message];
      const report = `${index} ${String(message['id'])}`;
      const isKnown = known.has(report);
      known.add(report);
      return isKnown ? [] : [message];
    },
  };
}

let laterMs = Date.UTC(2030, 0, 1);
const laterTime = (): string => new Date(++laterMs).toISOString();

export const LINK_MUTANTS: readonly Mutant[] = [
  inFrames('link/subprotocol', 'names a version that it does not speak', { firstOffered: true }),
  inFrames('link/no-extensions', 'compresses', { deflates: true }),
  inFrames(
    'link/missing-key-401',
    'answers 403 without a key',
    refusedWith(403, (_, key) => key === undefined),
  ),
  inFrames(
    'link/unknown-key-401',
    'answers 403 to a wrong key',
    refusedWith(403, ({ status }, key) => status === 401 && key !== undefined),
  ),
  inFrames('link/401-names-scheme', 'does not say how to authenticate', {
    refusal: withoutHeader('www-authenticate', 401),
  }),
  inFrames(
    'link/no-common-version-426',
    'answers 400 to other versions',
    refusedWith(400, ({ status }) => status === 426),
  ),
  inFrames('link/426-names-versions', 'does not say what it speaks', {
    refusal: withoutHeader('sec-websocket-protocol', 426),
  }),
  inFrames('link/401-before-426', 'looks at the version before the key', {
    refusal: (_, { headers }) => (headers['sec-websocket-protocol'] === PROTOCOL ? {} : { status: 426 }),
  }),
  inFrames('link/refusal-object', 'refuses in plain words', { refusal: () => ({ body: 'no' }) }),
  inFrames(
    'link/welcome-first',
    'says refresh before welcome',
    heard(isWelcome, (welcome) => [{ type: 'refresh' }, welcome]),
  ),
  inFrames(
    'link/welcome-fields',
    'has no heartbeat',
    heard(isWelcome, (welcome) => [{ ...welcome, heartbeatMs: 0 }]),
  ),
  inFrames('link/silent-before-hello', 'says refresh at once', {
    onOpen: (line) => line.toComputer({ type: 'refresh' }),
  }),
  inFrames('link/unknown-fields-ignored', 'refuses reports with a field more', {
    toService: (message) => ['newer' in message && !isHello(message) ? 'refused' : message],
  }),
  inFrames('link/protocol-error-4400', 'closes with 1002', closes(4400, 1002)),
  inFrames('link/nothing-after-an-error', 'acknowledges what comes after an error', {
    toService(message, line) {
      if (message['id'] === 'after') line.toComputer({ type: 'ack', id: 'after' });
      return [message];
    },
  }),
  inFrames('link/fragments-taken', 'takes no fragments', {
    toService(message, line) {
      if (message['id'] === 'fragmented') line.close(1003);
      return message['id'] === 'fragmented' ? [] : [message];
    },
  }),
  inFrames('link/hello-waited-for', 'waits for one hello at a time', {
    onOpen: ({ lines }) => lines.at(-1)?.close(4400),
  }),
  inFrames('link/no-hello-4400', 'closes with 1008 for want of a hello', closes(4400, 1008)),
  inFrames('link/long-frame-taken', 'takes a mebibyte', {
    toService(message, line, bytes) {
      if (bytes > LONG_BYTES) line.close(1009);
      return bytes > LONG_BYTES ? [] : [message];
    },
  }),
  inFrames('link/too-long-frame-1009', 'closes with 1008', closes(1009, 1008)),
  inFrames(
    'link/reports-acknowledged',
    'acknowledges twice',
    heard(isAck, (ack) => [ack, ack]),
  ),
  inFrames(
    'link/reports-acknowledged',
    'never acknowledges scales',
    heard(
      ({ type, id }) => type === 'ack' && id === 'r3',
      () => [],
    ),
  ),
  inFrames('link/applied-in-order', 'applies reports the wrong way round', {
    toService(message) {
      if (message['id'] === 'r1') return [];
      return message['id'] === 'r2'
        ? [message, { ...message, id: 'r1', printers: renamed(message, 'First name') }]
        : [message];
    },
  }),
  inFrames('link/one-printer-a-key', 'knows printers by their names', {
    toService: (message) => [isOf('printers')(message) ? { ...message, printers: keyedByName(message) } : message],
  }),
  inFrames('link/one-printer-a-key', 'knows one printer of each name', {
    toService: (message) => [
      isOf('printers')(message) ? { ...message, printers: firstOfEach(message, 'name') } : message,
    ],
  }),
  inFrames('link/last-of-equal-keys', 'takes the first of two printers with one key', {
    toService: (message) => [isOf('printers')(message) ? { ...message, printers: firstOfEach(message) } : message],
  }),
  inFrames(
    'link/any-state-taken',
    'knows no states but its own',
    said(isOf('job-state', 'somewhere'), { state: 'received' }),
  ),
  inFrames('link/state-recorded-once', 'records a state each time it is reported', underNewIds),
  inFrames('link/unknown-job-acknowledged', 'says nothing to reports about unknown jobs', {
    toService: (message) => (Number(message['jobId']) > 1_000_000_000 ? [] : [message]),
  }),
  inFrames('link/foreign-job-ignored', 'records what another computer says of a job', {
    toService(message, line) {
      const owner = line.lines.at(line.index - 1);
      if (isOf('job-state', 'elsewhere')(message)) owner?.toService({ ...message, id: newId() });
      return [message];
    },
    toComputer: (message) => (String(message['id']).startsWith('made-up') ? [] : [message]),
  }),
  inFrames(
    'link/job-fields',
    'leaves out the source',
    heard(isJob, ({ source: _left, ...job }) => [job]),
  ),
  inFrames('link/unacknowledged-comes-again', 'delivers once', {
    toComputer: (message, { seen, index }) => {
      const isKnown = [...seen.jobs.values()].some(({ jobId }) => jobId === message['jobId']);
      return isJob(message) && index > 0 && isKnown && !seen.acked.has(message['jobId']) ? [] : [message];
    },
  }),
  inFrames('link/lost-comes-again', 'takes an acknowledgement for the last word', {
    toComputer: (message, { seen, index }) =>
      isJob(message) && index > 0 && seen.acked.has(message['jobId']) ? [] : [message],
  }),
  inFrames('link/held-stays-away', 'does not ask what a computer holds', said(isHello, { holding: [] })),
  inFrames('link/finished-stays-away', 'delivers finished jobs again', {
    toComputer: (message, { seen }) =>
      isWelcome(message)
        ? [
            message,
            ...[...seen.jobs.values()]
              .filter(({ jobId }) => seen.finished.has(jobId))
              .map((job) => ({ ...job, id: newId() })),
          ]
        : [message],
  }),
  inFrames('link/finished-stays-away', 'delivers a finished job again when another state comes', risenByLateStates),
  inFrames('link/late-state-recorded', 'drops states after the final one', {
    toService(message, line) {
      const isLate = isOf('job-state', 'disappeared')(message);
      if (isLate) line.toComputer({ type: 'ack', id: message['id'] });
      return isLate ? [] : [message];
    },
  }),
  inFrames('link/states-of-service-ignored', 'says nothing to states that are its own', {
    toService: (message) => (isOf('job-state', 'expired')(message) ? [] : [message]),
  }),
  inFrames('link/in-order-of-ids', 'delivers the newest first', newestFirst),
  inFrames('link/eight-unacknowledged', 'does not wait for acknowledgements', {
    toComputer(message, line) {
      if (isJob(message)) line.toService({ type: 'ack', id: message['id'] });
      return [message];
    },
    toService: (message) => (isAck(message) ? [] : [message]),
  }),
  inFrames('link/next-after-ack', 'delivers eight and no more', {
    toService: (message) => (isAck(message) ? [] : [message]),
  }),
  inFrames(
    'link/not-repeated',
    'delivers twice',
    heard(isJob, (job) => [job, job]),
  ),
  inFrames('link/same-computer', 'knows no computer again', {
    toService: (message) => [
      isHello(message)
        ? { ...message, client: { ...(message['client'] as object), installationId: newId() } }
        : message,
    ],
  }),
  inFrames('link/other-account-other-computer', 'knows installations across accounts', sameIdForever),
  inFrames('link/deleted-computer-4404', 'says goodbye to a deleted computer', closes(4404, 1000)),
  inFrames('link/revoked-key-4401', 'says goodbye to a revoked key', closes(4401, 1000)),
  inFrames('link/deleted-computer-is-new', 'gives a deleted computer its old id', sameIdForever),
  inFrames('link/newest-gets-deliveries', 'delivers on every connection', {
    toComputer(message, { lines, index }) {
      if (isJob(message)) for (const other of lines) if (other.index !== index) other.toComputer(message);
      return [message];
    },
  }),
  inFrames('link/older-takes-over', 'forgets the older connection', {
    toComputer: (message, { lines, index }) => (isJob(message) && lines.length > index + 1 ? [] : [message]),
  }),
  broken('link/any-state-taken', 'shows of a long history new and the last twenty states', {
    meddle: json(/^GET \/printjobs\/\d+\/states$/, ([history = []]: readonly (readonly object[])[]) => [
      [...history.slice(0, 1), ...history.slice(1).slice(-20)],
    ]),
  }),
  broken('link/connected-by-any', 'shows a computer as disconnected that has connected twice', {
    meddle: json(/^GET \/computers\/\d+$/, (computers: readonly object[]) =>
      computers.map((computer) => ({ ...computer, state: 'disconnected' })),
    ),
  }),
  inFrames('link/pings', 'sends no pings', { pings: false }),
  inFrames('link/printer-key', 'sends jobs to the first printer of a name', firstOfName),
  inFrames('link/one-printer-a-key', 'cuts a long key', {
    toService: (message) => [
      isOf('printers')(message)
        ? { ...message, printers: printersOf(message).map((one) => ({ ...one, key: String(one['key']).slice(0, 64) })) }
        : message,
    ],
  }),
  inFrames('link/lists-are-complete', 'ignores an empty list of printers', {
    toService: (message, line) => {
      const isEmpty = isOf('printers')(message) && printersOf(message).length === 0;
      if (isEmpty) line.toComputer({ type: 'ack', id: message['id'] });
      return isEmpty ? [] : [message];
    },
  }),
  inFrames('link/delivered-alike', 'delivers an empty job at the second time', {
    toComputer: (message, { index }) => [isJob(message) && index > 0 ? { ...message, content: '' } : message],
  }),
  inFrames('link/delivered-alike', 'forgets the title of what was acknowledged', {
    toComputer: (message, { index }) => [isJob(message) && index > 0 ? { ...message, title: '' } : message],
  }),
  inFrames('link/delivered-alike', 'dates a job by its delivery', {
    toComputer: (message) => [isJob(message) ? { ...message, createTimestamp: laterTime() } : message],
  }),
  inFrames('link/lost-comes-again', 'delivers eight interrupted jobs again', eightAgain),
  inFrames('link/state-recorded-once', 'says nothing to a state that it has had on the connection', knownUnanswered),
  inFrames('link/ended-not-sent', 'sends what was cancelled or has expired', withSkipped),
  inFrames('link/any-key-opens', 'refuses every key', { credentials: () => undefined }),
  inFrames(
    'link/welcome-account',
    'welcomes a Child as its parent',
    heard(isWelcome, (welcome) => [{ ...welcome, accountId: 1 }]),
  ),
  inFrames('link/other-installation-other-computer', 'looks at the beginning of an installation', {
    toService: (message) => [
      isHello(message)
        ? {
            ...message,
            client: { ...clientOf(message), installationId: clientOf(message).installationId.slice(0, 36) },
          }
        : message,
    ],
  }),
];

function printersOf({ printers }: LinkMessage): readonly LinkMessage[] {
  return Array.isArray(printers) ? (printers as LinkMessage[]) : [];
}

function renamed(message: LinkMessage, name: string): readonly LinkMessage[] {
  return printersOf(message).map((printer) => ({ ...printer, name }));
}

function firstOfEach(message: LinkMessage, field = 'key'): readonly LinkMessage[] {
  return printersOf(message).filter((one, at, all) => all.findIndex((each) => each[field] === one[field]) === at);
}

function keyedByName(message: LinkMessage): readonly LinkMessage[] {
  return printersOf(message).map((printer) => ({ ...printer, key: printer['name'] }));
}

function clientOf({ client }: LinkMessage): { readonly installationId: string } {
  return client as { readonly installationId: string };
}
