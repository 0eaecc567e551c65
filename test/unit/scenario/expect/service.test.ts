import { describe, expect, it } from 'vitest';

import { historyOf, REFERENCE_DIALECT, service } from '../../../../src/scenario/expect/service.ts';
import { cutBody, named, slow, slowBody, type Reply } from '../../../../src/sink/reply.ts';
import { WEBHOOK_REPLIES } from '../../../../src/sink/reply-plan.ts';
import type { Setup } from '../../../../src/scenario/setup/setup.ts';
import { breaksOf, linesOf, type ToldSetup } from '../../../support/breaks-of.ts';
import {
  ask,
  at,
  delivers,
  DESK,
  goes,
  inTime,
  quiet,
  reports,
  submits,
  type Told,
} from '../../../support/told-history.ts';

interface Given {
  readonly seen?: readonly Told[];
  readonly target?: object;
  readonly time?: object;
  readonly child?: object;
  readonly excuses?: readonly string[];
  readonly deliveries?: readonly object[];
  readonly jobs?: Readonly<Record<string, readonly number[]>>;
  readonly computers?: readonly { readonly name: string; readonly scales: readonly object[] }[];
}

/** A setup that has seen this; it notes what it is asked for. */
function setup(
  { seen = [], deliveries = [], jobs = {}, computers = [], ...given }: Given,
  asked: string[] = [],
): ToldSetup {
  const ids = new Map(computers.map(({ name }, index) => [name, index + 4]));
  return {
    excuses: new Set(['http', ...(given.excuses ?? [])]),
    time: given.time ?? { isVirtual: true },
    target: given.target ?? { kind: 'embedded', isDisposable: true },
    child: given.child,
    api: { lookFor: async (path: string) => asked.push(path) },
    rest: async () => asked.push('a while'),
    comeToRest: async () => asked.push('rest'),
    recorder: { history: inTime(seen), nowMs: () => 77 },
    sinks: { webhookRequests: async () => ({ url: 'http://hook', deliveries }) },
    jobs: new Map(Object.entries(jobs).map(([name, all]) => [name, all.map((id) => ({ name, id }))])),
    cast: { computerIds: () => [...ids.values()], computerId: (name: string) => ids.get(name) },
    computer: (name: string) => name,
    room: { computers },
    namesOfJob: (id: number) => [`job number ${id}`],
  };
}

const lost = [DESK, submits(1), quiet];
const LOST = 'print-jobs/delivered: job 1 at computer 1 | a delivery | none, while it is connected';
/** The service lists a computer that nobody has seen. */
const stranger = [ask('GET /computers', { value: [{ id: 99 }] })];
const STRANGER = 'computers/list-set: ids of GET /computers | what is asked for | also 99';
/** Jobs come in another order, which is a recommendation. */
const disorder = [DESK, submits(1), submits(2), delivers(2), delivers(1)];
const DISORDER = 'print-jobs/delivered-in-order: job 1 at computer 1 | before its successors | after job 2';
/** A refusal that only the reference service has no right to. */
const twice = [
  DESK,
  ask('POST /printjobs', {
    status: 400,
    value: {},
    sent: { printerId: 11, contentType: 'raw_base64', content: 'eA==', qty: 2 },
  }),
];
const TWICE = 'print-jobs/created-201: status of POST /printjobs | 201 | 400 {}';
const elsewhere = { kind: 'remote', isDisposable: true };
/** A state whose time is this long before the submission. */
const off = (ms: number): readonly Told[] => [
  DESK,
  goes(),
  quiet,
  at(100_000, submits(1)),
  at(
    100_000,
    ask('GET /printjobs/1/states', {
      value: [
        [
          {
            printJobId: 1,
            state: 'new',
            message: '',
            data: {},
            clientVersion: null,
            age: 0,
            createTimestamp: new Date(100_000 - ms).toISOString(),
          },
        ],
      ],
    }),
  ),
];
/** A report of which the service says that it came late. */
const late = [
  DESK,
  at(100_000, submits(1)),
  at(100_000, delivers(1)),
  reports(1).map((one) => at(100_000, one)),
  at(100_000, quiet),
  at(
    200_000,
    ask('GET /printjobs/1/states', {
      value: [
        [
          {
            printJobId: 1,
            state: 'new',
            message: '',
            data: {},
            clientVersion: null,
            age: 0,
            createTimestamp: new Date(100_000).toISOString(),
          },
          {
            printJobId: 1,
            state: 'sent_to_client',
            message: '',
            data: {},
            clientVersion: null,
            age: 0,
            createTimestamp: new Date(100_000).toISOString(),
          },
          {
            printJobId: 1,
            state: 'done',
            message: '',
            data: {},
            clientVersion: '4.0.0',
            age: 50_000,
            createTimestamp: new Date(150_000).toISOString(),
          },
        ],
      ],
    }),
  ),
];

async function seenIn(given: Given): Promise<readonly unknown[]> {
  return (await breaksOf(service, 'sound', setup(given))).map(({ isSeen }) => isSeen);
}

describe('the service', () => {
  it.each<[string, Given, readonly string[], string?]>([
    ['that did all it should', { seen: [DESK, submits(1), delivers(1), quiet] }, []],
    ['that lost a job', { seen: lost }, [LOST]],
    ['that lost a job on a link that loses frames', { seen: lost, excuses: ['link'] }, []],
    ['that broke a recommendation', { seen: disorder }, []],
    ['that broke a recommendation, strictly', { seen: disorder }, [DISORDER], 'strict'],
    ['that lost a job, strictly', { seen: lost }, [LOST], 'strict'],
    ['that shows what nobody made', { seen: stranger }, [STRANGER]],
    ['that shows what others may have made', { seen: stranger, target: { kind: 'embedded' } }, []],
    ['that was started for more than one scenario', { seen: stranger, target: elsewhere }, []],
    [
      'that shows what a Child has not made',
      { seen: stranger, target: { kind: 'remote' }, child: { id: 7 } },
      [STRANGER],
    ],
    [
      'that shows what another account than the Child may have made',
      { seen: stranger, target: { kind: 'remote' }, child: { id: 8 } },
      [],
    ],
    [
      'that shows what another account than the Child has not made, where there are no others',
      { seen: stranger, child: { id: 8 } },
      [STRANGER],
    ],
    ['that refuses what others refuse', { seen: twice, target: elsewhere }, []],
    ['that refuses what the reference service does not', { seen: twice }, [TWICE]],
    [
      'whose clock is off',
      { seen: off(1) },
      [
        'states/create-timestamp-of-service: createTimestamp of new of job 1 | when it was submitted | {"printJobId":1,"state":"new","message":"","data":{},"clientVersion":null,"age":0,"createTimestamp":"1970-01-01T00:01:39.999Z"}',
      ],
    ],
    ['whose clock may be off a little on real time', { seen: off(2_000), time: { isVirtual: false } }, []],
    ['whose clock may be off a little elsewhere', { seen: off(2_000), target: elsewhere }, []],
    [
      'whose clock may be off a little where a hook moves it',
      { seen: off(2_005), time: { isVirtual: true, moved: { errorMs: 5 } } },
      [],
    ],
    [
      'whose clock is off more than that',
      { seen: off(2_006), time: { isVirtual: true, moved: { errorMs: 5 } } },
      [
        'states/create-timestamp-of-service: createTimestamp of new of job 1 | when it was submitted | {"printJobId":1,"state":"new","message":"","data":{},"clientVersion":null,"age":0,"createTimestamp":"1970-01-01T00:01:37.994Z"}',
      ],
    ],
    [
      'whose clock is off on real time',
      { seen: off(2_001), time: { isVirtual: false } },
      [
        'states/create-timestamp-of-service: createTimestamp of new of job 1 | when it was submitted | {"printJobId":1,"state":"new","message":"","data":{},"clientVersion":null,"age":0,"createTimestamp":"1970-01-01T00:01:37.999Z"}',
      ],
    ],
    [
      'whose times are later while a hook moves its clock',
      { seen: late, time: { isVirtual: true, moved: { errorMs: 0 } } },
      [],
    ],
  ])('%s', async (_, given, expected, strictness = 'sound') => {
    expect(await linesOf(service, strictness, setup(given))).toEqual(expected);
  });

  it('is judged by the jobs that its scenario named', async () => {
    expect(await breaksOf(service, 'sound', setup({ seen: lost }))).toMatchObject([{ jobs: ['job number 1'] }]);
    expect(await breaksOf(service, 'sound', setup({ seen: stranger }))).toMatchObject([{ jobs: [] }]);
  });

  it('says on real time what was seen, and what may only have been missed', async () => {
    const broken = await breaksOf(service, 'strict', setup({ seen: disorder }));
    expect(broken.map(({ clause }) => clause)).toEqual(['print-jobs/delivered-in-order']);
    expect(await seenIn({ seen: [...lost, stranger], time: { isVirtual: false } })).toEqual([false, true, true]);
    expect(await seenIn({ seen: [...lost, stranger] })).toEqual([undefined, undefined, undefined]);
  });

  it('speaks as its descriptor says, or as nobody knows', async () => {
    const seen = [ask('POST /account/tag/floor', { sent: '3', status: 400, value: {} })];
    const told = (target: object): Promise<readonly string[]> =>
      linesOf(service, 'sound', setup({ seen, target: { ...elsewhere, ...target } }));
    expect(await told({})).toEqual([]);
    expect(await told({ dialect: { 'tag-body': 'json-string' } })).toEqual([
      'accounts/tag-create: POST /account/tag/floor | a success | 400 {}',
    ]);
    expect(REFERENCE_DIALECT).toEqual({
      'api-key-body': 'none',
      'job-id': 'id',
      'message-types': { 'computer state': 'computer state', 'print job state': 'print job state' },
      'tag-body': 'json-string',
      'simulated-reading': {},
    });
  });

  it('has no names, and two degrees', () => {
    expect(service.parse('sound').names).toEqual([]);
    expect(service.safeParse('lax').success).toBe(false);
  });
});

async function lookedAt(given: Given): Promise<readonly string[]> {
  const asked: string[] = [];
  await historyOf(setup(given, asked) as Setup);
  return asked;
}

const ALWAYS = ['/whoami', '/computers', '/printers', '/printjobs', '/printjobs/states', '/webhooks'];

describe('at the end it is asked for', () => {
  it.each<readonly [string, Given, readonly string[]]>([
    ['all that is always there', {}, [...ALWAYS, '/account/state', 'rest']],
    [
      'pages of jobs',
      { jobs: { letter: [3, 9], label: [5] } },
      [...ALWAYS, '/printjobs?limit=3&after=9', '/printjobs?limit=3&dir=asc', '/account/state', 'rest'],
    ],
    [
      'pages of the first job alone',
      { jobs: { letter: [1] } },
      [...ALWAYS, '/printjobs?limit=3&after=1', '/printjobs?limit=3&dir=asc', '/account/state', 'rest'],
    ],
    [
      'the printers of one computer',
      { computers: [{ name: 'DESK', scales: [] }] },
      [...ALWAYS, '/computers/4/printers', '/account/state', 'rest'],
    ],
    [
      'the printers of computers, and their scales',
      {
        computers: [
          { name: 'DESK', scales: [] },
          { name: 'TILL', scales: [{}] },
        ],
      },
      [...ALWAYS, '/computers/4,5/printers', '/account/state', '/computer/5/scales', 'rest'],
    ],
  ])('%s', async (_, given, expected) => {
    expect(await lookedAt(given)).toEqual(expected);
  });
});

it('is left alone for a while on real time, and what is still to come counts as over at the end', async () => {
  const asked: string[] = [];
  const seen = await historyOf(setup({ time: { isVirtual: false } }, asked) as Setup);
  expect(asked[0]).toBe('a while');
  expect(seen).toEqual([{ kind: 'quiet', atMs: 77 }]);
});

/** A request to a receiver that was answered by this reply. */
function delivery(chosen: Reply | null, given: object = {}, ended: string | null = 'sent'): object {
  return {
    arrivedAtMs: 5,
    path: '/hook',
    query: '',
    secret: 's',
    events: { ok: true, value: [1] },
    reply: { chosen, ended, endedAtMs: 9 },
    rawHeaders: [['X', 'y']],
    body: { bytes: Buffer.from('text') },
    ...given,
  };
}

const requestsOf = async (...deliveries: readonly object[]): Promise<readonly object[]> =>
  (await historyOf(setup({ deliveries }) as Setup)).filter(({ kind }) => kind === 'webhook');

describe('a request to a webhook', () => {
  it('is seen as it came, after all else', async () => {
    const seen = await historyOf(setup({ seen: [quiet], deliveries: [delivery(WEBHOOK_REPLIES.ok)] }) as Setup);
    expect(seen).toEqual([
      { kind: 'quiet', atMs: 0 },
      {
        kind: 'webhook',
        atMs: 5,
        url: 'http://hook/hook',
        secret: 's',
        values: ['y', 'text'],
        events: [1],
        answer: 'good',
        endedMs: 9,
      },
    ]);
  });

  it('has its query, and no events where its body is no list', async () => {
    expect(
      await requestsOf(delivery(WEBHOOK_REPLIES.ok, { query: 'a=1', events: { ok: false, error: 'x' } })),
    ).toMatchObject([{ url: 'http://hook/hook?a=1', events: undefined }]);
  });

  it('has no end where it has not ended', async () => {
    expect(
      await requestsOf(
        delivery(WEBHOOK_REPLIES.ok, { reply: { chosen: WEBHOOK_REPLIES.ok, ended: null, endedAtMs: null } }),
      ),
    ).toMatchObject([{ endedMs: Infinity }]);
  });

  const { ok, hang, reset } = WEBHOOK_REPLIES;
  it.each<readonly [string, Reply | null, string]>([
    ['ok', ok, 'good'],
    ['no content', WEBHOOK_REPLIES['no content'], 'good'],
    ['taken in chunks', WEBHOOK_REPLIES['accepted in chunks'], 'good'],
    ['ok soon', slow('4s', ok), 'good'],
    ['ok in other words', named('a hang that is slow and cut', ok), 'good'],
    ['ok late', slow('5s', ok), 'unsure'],
    ['a failure', WEBHOOK_REPLIES['status 500'], 'bad'],
    ['a failure soon', slow('2s', WEBHOOK_REPLIES['status 500']), 'bad'],
    ['no header', WEBHOOK_REPLIES['header missing'], 'bad'],
    ['another header', WEBHOOK_REPLIES['header longer'], 'bad'],
    ['a redirect', WEBHOOK_REPLIES.redirect, 'bad'],
    ['a reset', reset, 'bad'],
    ['a huge body', WEBHOOK_REPLIES['huge body'], 'unsure'],
    ['a slow body', slowBody('1s', ok), 'unsure'],
    ['a cut body', cutBody(0, ok), 'unsure'],
    ['nothing', hang, 'unsure'],
    ['what is not chosen yet', null, 'unsure'],
  ])('that was answered by %s counts as what it is', async (_, reply, expected) => {
    expect(await requestsOf(delivery(reply))).toMatchObject([{ answer: expected }]);
  });

  it('that the service gave up is a failure', async () => {
    expect(await requestsOf(delivery(WEBHOOK_REPLIES.ok, {}, 'peer-gone'))).toMatchObject([{ answer: 'bad' }]);
    expect(await requestsOf(delivery(hang, {}, 'peer-gone'))).toMatchObject([{ answer: 'unsure' }]);
  });
});
