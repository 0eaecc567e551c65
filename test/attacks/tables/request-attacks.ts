/**
 * What a caller of the printing API may send, and what a reader of the lists may ask for: bodies, texts, patterns and
 * pages that are far too large.
 */

import { request as httpRequest } from 'node:http';

import { tried, type Attack, type AttackTable } from '../attack.ts';
import type { Asked, AskOptions, AttackedBench } from '../attacked-bench.ts';
import { printerReport, ScriptedComputer } from '../../support/scripted-computer.ts';

const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';
const MEGABYTE = 1024 * 1024;

/** Endpoints that take a body, with where they are asked. */
const BODY_ENDPOINTS = [
  ['POST', '/printjobs'],
  ['POST', '/account'],
  ['PATCH', '/account'],
  ['PUT', '/account/state'],
  ['POST', '/account/tag/site'],
  ['POST', '/account/apikey/office'],
  ['PUT', '/scale'],
  ['POST', '/webhook'],
  ['PATCH', '/webhook/1'],
  ['PATCH', '/download/clients/1'],
] as const;

interface Bomb {
  readonly what: string;
  readonly type: string;
  /** Makes a body of about this many bytes. */
  readonly body: (bytes: number) => string;
  /** It has few values: all of it has to be read. */
  readonly isReadToItsEnd?: boolean;
}

/** Bodies that are cheap to send. None is what an endpoint takes. */
const BOMBS: readonly Bomb[] = [
  { what: 'brackets inside brackets', type: JSON_TYPE, body: (bytes) => '['.repeat(bytes) },
  { what: 'numbers', type: JSON_TYPE, body: (bytes) => `[${'0,'.repeat(bytes / 2)}0]` },
  { what: 'objects', type: JSON_TYPE, body: (bytes) => `[${'{},'.repeat(bytes / 3)}{}]` },
  { what: 'names', type: JSON_TYPE, body: (bytes) => `{${numbered(bytes / 11, (n) => `"${n}":0`)}}` },
  { what: 'the same name', type: JSON_TYPE, body: (bytes) => `{${'"a":0,'.repeat(bytes / 6)}"a":0}` },
  {
    what: 'escaped quotes',
    type: JSON_TYPE,
    body: (bytes) => `{"title":"${'\\"'.repeat(bytes / 2)}"`,
    isReadToItsEnd: true,
  },
  { what: 'blanks', type: JSON_TYPE, body: (bytes) => `{"title":${' '.repeat(bytes)}`, isReadToItsEnd: true },
  { what: 'form keys', type: FORM_TYPE, body: (bytes) => numbered(bytes / 8, (n) => `${n}=`, '&') },
  { what: 'form keys in brackets', type: FORM_TYPE, body: (bytes) => `a${'[b]'.repeat(bytes / 3)}=1` },
  { what: 'ampersands', type: FORM_TYPE, body: (bytes) => `${'&'.repeat(bytes)}a[=`, isReadToItsEnd: true },
  { what: 'percent signs', type: FORM_TYPE, body: (bytes) => `title=${'%'.repeat(bytes)}` },
  {
    what: 'percent-encoded bytes',
    type: FORM_TYPE,
    body: (bytes) => `title=${'%C3%A9'.repeat(bytes / 6)}&a[=`,
    isReadToItsEnd: true,
  },
];

/** Sent to every endpoint at this size, and to the busiest at the largest that a body may have. */
const SMALL_BOMB_BYTES = 2 * MEGABYTE;
const LARGEST_BOMB_BYTES = 49 * MEGABYTE;

const bombAttack = (method: string, path: string, bytes: number, { what, type, body }: Bomb) =>
  tried(`${method} ${path} with ${bytes / MEGABYTE} MB of ${what}`, '400', async (bench) => {
    const sent = { body: body(bytes), headers: { 'content-type': type }, key: bench.key };
    return String((await bench.ask(method, path, sent)).status);
  });

const BODY_ATTACKS = [
  ...BODY_ENDPOINTS.flatMap(([method, path]) => BOMBS.map((bomb) => bombAttack(method, path, SMALL_BOMB_BYTES, bomb))),
  ...BOMBS.filter(({ isReadToItsEnd }) => isReadToItsEnd).map((bomb) =>
    bombAttack('POST', '/printjobs', LARGEST_BOMB_BYTES, bomb),
  ),
];

function numbered(count: number, element: (n: number) => string, between = ','): string {
  return Array.from({ length: Math.floor(count) }, (_, n) => element(n)).join(between);
}

const LARGEST_DOCUMENT_BYTES = 48 * MEGABYTE;

/** Documents as large as a body may be: they are taken, or refused with a reason. */
const DOCUMENT_ATTACKS: readonly Attack[] = [
  documentAttack('48 MB of base64', '201', JSON_TYPE, (bytes) => JSON.stringify(printJob({ content: base64(bytes) }))),
  documentAttack('48 MB of quotes in JSON', '201', JSON_TYPE, (bytes) =>
    JSON.stringify(printJob({ content: '"'.repeat(bytes / 2) })),
  ),
  documentAttack('48 MB of base64 in a form, each plus sign encoded', '201', FORM_TYPE, (bytes) =>
    form('ab%2B'.repeat(bytes / 5)),
  ),
  documentAttack('48 MB of control characters in a form', '400', FORM_TYPE, (bytes) => form('%01'.repeat(bytes / 3))),
];

function documentAttack(what: string, expected: string, type: string, body: (bytes: number) => string): Attack {
  return {
    attack: `POST /printjobs with ${what}`,
    expected,
    play: async (bench) => {
      const sent = { body: body(LARGEST_DOCUMENT_BYTES), headers: { 'content-type': type }, key: bench.key };
      const { status } = await bench.ask('POST', '/printjobs', sent);
      // What is taken goes on to the printer.
      if (status === 201) await bench.ask('GET', '/_platen/jobs/wait?state=done,error&printouts=1&timeout=20s');
      return String(status);
    },
  };
}

function base64(length: number): string {
  return 'QUJD'.repeat(length / 4);
}

function form(content: string): string {
  return `printerId=1&contentType=raw_base64&content=${content}`;
}

function printJob(fields: object): object {
  return { printerId: 1, contentType: 'raw_base64', content: 'QQ==', ...fields };
}

interface TextField {
  readonly field: string;
  readonly most: number;
  /** A request with the text in the field. */
  readonly request: (text: string) => readonly [method: string, path: string, body?: unknown];
}

const account = (fields: object): object => ({
  Account: { firstname: 'a', lastname: 'b', email: 'c', password: '12345678', ...fields },
});
const webhook = (fields: object): object => ({ url: 'http://127.0.0.1:9/', secret: '', messages: ['*'], ...fields });
const jobWith = (field: string, most: number, fields: (text: string) => object): TextField => ({
  field: `POST /printjobs: ${field}`,
  most,
  request: (text) => ['POST', '/printjobs', printJob(fields(text))],
});

/** Every text of every body, and what it may be at most. */
const TEXT_FIELDS: readonly TextField[] = [
  jobWith('title', 1_000, (title) => ({ title })),
  jobWith('source', 1_000, (source) => ({ source })),
  jobWith('address', 10_000, (text) => ({
    contentType: 'raw_uri',
    content: text.replace(/^.{19}/, 'http://127.0.0.1:9/'),
  })),
  ...['bin', 'dpi', 'media', 'pages', 'paper', 'duplex', 'another'].map((name) =>
    jobWith(`options.${name}`, 10_000 - `{"${name}":""}`.length, (text) => ({ options: { [name]: text } })),
  ),
  ...['user', 'pass'].map((name) =>
    jobWith(`authentication.credentials.${name}`, 1_000, (text) => ({
      authentication: { type: 'BasicAuth', credentials: { user: 'a', pass: 'b', [name]: text } },
    })),
  ),
  ...['firstname', 'lastname', 'email', 'password', 'creatorRef'].flatMap((name): TextField[] => [
    {
      field: `POST /account: ${name}`,
      most: 1_000,
      request: (text) => ['POST', '/account', account({ [name]: text })],
    },
    { field: `PATCH /account: ${name}`, most: 1_000, request: (text) => ['PATCH', '/account', { [name]: text }] },
  ]),
  {
    field: 'POST /webhook: url',
    most: 10_000,
    request: (text) => ['POST', '/webhook', webhook({ url: text.replace(/^.{19}/, 'http://127.0.0.1:9/') })],
  },
  { field: 'POST /webhook: secret', most: 1_000, request: (text) => ['POST', '/webhook', webhook({ secret: text })] },
  ...['vendor', 'product', 'port'].map((name) => ({
    field: `PUT /scale: ${name}`,
    most: 1_000,
    request: (text: string) => ['PUT', '/scale', { [name]: text }] as const,
  })),
  { field: 'POST /account/tag/site', most: 1_024, request: (text) => ['POST', '/account/tag/site', text] },
  { field: 'POST /account/tag/{name}', most: 64, request: (text) => ['POST', `/account/tag/${text}`, 'value'] },
  { field: 'POST /account/apikey/{description}', most: 1_000, request: (text) => ['POST', `/account/apikey/${text}`] },
];

const TEXT_ATTACKS = TEXT_FIELDS.map(({ field, most, request }) =>
  tried(`${field} of ${most} characters, and one more`, '2xx, then 400', async (bench) => {
    const within = await bench.call(...request('x'.repeat(most)));
    await forgetWebhooks(bench);
    const beyond = await bench.call(...request('x'.repeat(most + 1)));
    return `${Math.floor(within.status / 100)}xx, then ${beyond.status}`;
  }),
);

async function forgetWebhooks(bench: AttackedBench): Promise<void> {
  const webhooks = JSON.parse((await bench.call('GET', '/webhooks')).text) as { webhookId: number }[];
  for (const { webhookId } of webhooks) await bench.call('DELETE', `/webhook/${webhookId}`);
}

/** What a header, a log or a terminal takes for more than a part of an address. */
const CONTROLS = {
  tab: '\t',
  LF: '\n',
  'CR LF': '\r\n',
  NUL: '\0',
  escape: '\u001b',
  delete: '\u007f',
  'next line': '\u0085',
};
const ADDRESSES: Readonly<Record<string, (address: string) => readonly [method: string, path: string, body: unknown]>> =
  {
    'POST /printjobs: pdf_uri': (content) => ['POST', '/printjobs', printJob({ contentType: 'pdf_uri', content })],
    'POST /printjobs: raw_uri': (content) => ['POST', '/printjobs', printJob({ contentType: 'raw_uri', content })],
    'POST /webhook: url': (url) => ['POST', '/webhook', webhook({ url })],
  };

const CONTROL_ATTACKS = Object.entries(ADDRESSES).flatMap(([field, request]) =>
  Object.entries(CONTROLS).flatMap(([name, control]) =>
    [`http://127.0.0.1:9/a${control}b`, `${control}http://127.0.0.1:9/`, `http://127.0.0.1:9/${control}`].map(
      (address) =>
        tried(`${field} with a ${name} in ${JSON.stringify(address)}`, '400', async (bench) =>
          String((await bench.call(...request(address))).status),
        ),
    ),
  ),
);

/** Patterns that a backtracking engine never ends with, or that no linear one has. */
const PATTERNS: readonly (readonly [pattern: string, expected: string, flags?: string])[] = [
  ['^(.|.)*~~$', '408'],
  ['^(a+)+~$', '408'],
  ['^([a-zA-Z]+)*~$', '408'],
  ['(x+x+)+y', '408'],
  ['^(([a-z])+.)+[A-Z]([a-z])+$', '408'],
  ['(.*a){20}~', '408'],
  ['^(.|.)*~~$', '408', 'ims'],
  ['(a?){150}a{150}~', '408'],
  ['x{1000}{1000}', '400'],
  ['((x{1000}){1000}){1000}', '400'],
  ['((a{30}){30}){2}', '400'],
  ['a(?=b)', '400'],
  ['(?<!a)b', '400'],
  [String.raw`(a)\1`, '400'],
  ['a'.repeat(1_001), '400'],
  ['('.repeat(500), '400'],
  ['a', '400', 'q'],
];

const PATTERN_ATTACKS = PATTERNS.map(([pattern, expected, flags = '']) =>
  tried(`GET /_platen/jobs/wait?pattern=${pattern.slice(0, 30)}&flags=${flags}`, expected, async (bench) => {
    await bench.call('POST', '/printjobs', printJob({ title: 'a'.repeat(999) }));
    const query = new URLSearchParams({ pattern, flags, timeout: '50ms' });
    return String((await bench.ask('GET', `/_platen/jobs/wait?${query}`)).status);
  }),
);

/** Lists with all that a list can have. */
const LISTS = [
  '/printjobs?limit=1000',
  '/printjobs/states?limit=1000',
  '/printers?limit=1000',
  '/computers?limit=1000',
  '/account/controllable',
  '/webhooks',
  '/whoami',
  '/_platen/jobs?limit=1000',
  '/_platen/jobs?q=nothing',
  '/_platen/jobs/wait?title=nothing&timeout=50ms',
  '/_platen/jobs/wait?pattern=(x%2Bx%2B)%2By&timeout=50ms',
  '/_platen/requests?limit=1000',
  '/_platen/deliveries',
  '/_platen/room',
];

const LIST_ATTACKS: readonly Attack[] = [
  tried('1000 jobs with the longest titles for a printer of 400 papers', '201', async (bench) => {
    await using computer = await ScriptedComputer.connect(bench.url, { key: bench.key });
    await computer.report({ type: 'printers', printers: [printer(400)] });
    const printerId = idOf(await bench.call('GET', '/printers'), PRINTER_NAME);
    const statuses = new Set<number>();
    for (let wave = 0; wave < 20; wave++) {
      const jobs = Array.from({ length: 50 }, () =>
        bench.call(
          'POST',
          '/printjobs',
          printJob({ printerId, title: '\u{1}'.repeat(1_000), source: 'é'.repeat(1_000) }),
        ),
      );
      for (const { status } of await Promise.all(jobs)) statuses.add(status);
    }
    return [...statuses].join(' ');
  }),
  ...LISTS.map((target) =>
    tried(`GET ${target} with all of these`, target.includes('/wait?') ? '408 whole' : '200 whole', async (bench) =>
      whole(await bench.ask('GET', target, { key: bench.key })),
    ),
  ),
  tried('GET /printjobs?limit=1000 with all of these, X-Pretty', '200 whole', async (bench) =>
    whole(await bench.ask('GET', '/printjobs?limit=1000', { key: bench.key, headers: { 'x-pretty': '1' } })),
  ),
  tried('GET /printjobs?limit=1000 with all of these by a reader who leaves', '200', (bench) =>
    leaveEarly(bench, '/printjobs?limit=1000'),
  ),
];

function whole({ status, text }: Asked): string {
  JSON.parse(text);
  return `${status} whole`;
}

const PRINTER_NAME = 'Of an attack';

function printer(papers: number): object {
  const named = Array.from({ length: papers }, (_, n) => [`Paper of the size number ${n}`, [2_100 + n, 2_970]]);
  return { ...printerReport(PRINTER_NAME), capabilities: { papers: Object.fromEntries(named) } };
}

function idOf({ text }: Asked, name: string): number | undefined {
  const printers = JSON.parse(text) as { readonly id: number; readonly name: string }[];
  return printers.find((one) => one.name === name)?.id;
}

/** Takes the head of an answer, and breaks the connection. @returns its status */
function leaveEarly(bench: AttackedBench, path: string): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const sent = httpRequest(bench.url + path, { auth: `${bench.key}:`, agent: false }, (response) => {
    resolve(String(response.statusCode));
    response.destroy();
  });
  sent.on('error', reject);
  sent.end();
  return promise;
}

const ids = (count: number): string => numbered(count, (n) => String(n + 1));

/** Targets and headers as long as they may be: the status, and that the answer does not repeat them. */
const LONG_REQUESTS: readonly (readonly [what: string, target: string, expected: string, options?: AskOptions])[] = [
  ['a path of 200 kB', `/${'x'.repeat(200_000)}`, '404'],
  ['a path of 200 kB of the control API', `/_platen/${'x'.repeat(200_000)}`, '404'],
  ['a broken path of 200 kB of the control API', `/_platen/jobs/${'%zz'.repeat(60_000)}`, '400'],
  ['a query of 200 kB of the control API', `/_platen/jobs?${'x'.repeat(200_000)}=1`, '400'],
  ['an id of 200 kB of the control API', `/_platen/jobs/${'1'.repeat(200_000)}`, '404'],
  ['a search of 10,000 words', `/_platen/jobs?q=${'-a%20'.repeat(10_000)}`, '400'],
  ['a set of 40,000 ids', `/printjobs/${ids(40_000)}`, '200'],
  ['two sets of 20,000 ids', `/printers/${ids(20_000)}/printjobs/${ids(20_000)}`, '200'],
  ['states of 40,000 ids', `/printjobs/${ids(40_000)}/states`, '200'],
  ['an id of 200 kB', `/printjobs/${'1'.repeat(200_000)}`, '400'],
  ['300 kB of ids', `/printjobs/${ids(60_000)}`, '431'],
  ['a limit of 200 kB', `/printjobs?limit=${'1'.repeat(200_000)}`, '400'],
  ['100,000 parameters', `/printjobs?${'a=1&'.repeat(50_000)}`, '200'],
  ['a wait for 100,000 states', `/_platen/jobs/wait?timeout=0ms&state=${'a,'.repeat(100_000)}`, '400'],
  ...['x-child-account-by-email', 'accept-version', 'x-request-id', 'x-pretty'].map(
    (name) =>
      [
        `${name} of 200 kB`,
        '/noop',
        name.startsWith('x-child') ? '401' : '200',
        { headers: { [name]: 'x'.repeat(200_000) } },
      ] as const,
  ),
];

const MOST_ANSWER_BYTES = 2_000;

const LONG_ATTACKS = LONG_REQUESTS.map(([what, target, expected, options = {}]) =>
  tried(`GET with ${what}`, expected, async (bench) => {
    const { status, text } = await bench.ask('GET', target, { key: bench.key, ...options });
    const isLong = status >= 400 && text.length > MOST_ANSWER_BYTES;
    return isLong ? `${status} in ${text.length} bytes` : String(status);
  }),
);

const MOST_READERS = 100;

const READER_ATTACKS: readonly Attack[] = [
  tried(`${MOST_READERS + 1} readers of GET /_platen/events`, '100 × 200, 1 × 503, then 200', async (bench) => {
    const readers = await Promise.all(Array.from({ length: MOST_READERS + 1 }, () => readEvents(bench)));
    const taken = readers.filter(({ status }) => status === 200).length;
    const refused = readers.filter(({ status }) => status === 503).length;
    for (const { leave } of readers) leave();
    const next = await eventuallyTaken(bench);
    return `${taken} × 200, ${refused} × 503, then ${next}`;
  }),
];

interface Reader {
  readonly status: number;
  readonly leave: () => void;
}

/** Takes the head of the live feed and reads nothing of it. */
function readEvents(bench: AttackedBench): Promise<Reader> {
  const { promise, resolve, reject } = Promise.withResolvers<Reader>();
  const sent = httpRequest(`${bench.url}/_platen/events`, { agent: false }, (response) => {
    response.on('error', () => undefined);
    resolve({ status: response.statusCode ?? 0, leave: () => sent.destroy() });
  });
  sent.on('error', reject);
  sent.end();
  return promise;
}

/** The places of readers that left are free again, once their connections have ended. */
async function eventuallyTaken(bench: AttackedBench): Promise<number> {
  for (let attempt = 0; attempt < 50; attempt++) {
    const { status, leave } = await readEvents(bench);
    leave();
    if (status === 200) return status;
  }
  return 503;
}

export const REQUEST_ATTACKS: AttackTable = {
  kind: 'a caller of the printing API',
  against: 'bench',
  attacks: [
    ...BODY_ATTACKS,
    ...DOCUMENT_ATTACKS,
    ...TEXT_ATTACKS,
    ...CONTROL_ATTACKS,
    ...PATTERN_ATTACKS,
    ...LONG_ATTACKS,
    ...READER_ATTACKS,
    ...LIST_ATTACKS,
  ],
};
