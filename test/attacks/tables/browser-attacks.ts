/**
 * What a web page may try that a developer happens to open: by itself, through a name that it leads here, and through
 * what it makes the service or a computer ask. Every route, endpoint, way in and name of this machine has its row.
 */

import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { hostname, networkInterfaces } from 'node:os';

import { portOf } from '../../../src/common/port-of.ts';
import { LINK_PATH } from '../../../src/link/messages.ts';
import type { DeliveryList } from '../../../src/record/control-types.ts';
import { ENDPOINTS } from '../../../src/specification/endpoints.ts';
import { CONTROL_ROUTES } from '../../../src/workbench/control/routes/all-routes.ts';
import { RawClient } from '../../support/raw-client.ts';
import { tried, type Attack, type AttackTable } from '../attack.ts';
import { AttackedBench, type Asked, type AskOptions } from '../attacked-bench.ts';
import { soon } from '../../support/soon.ts';

type Headers = Readonly<Record<string, string>>;
type Play = Attack['play'];

const EVIL = 'http://evil.example';

/** What a route or an endpoint has in braces is of no matter here. */
const filledIn = (path: string): string => path.replace('{file}', '1.png').replaceAll(/\{\w+\}/g, '1');

/** `let in` is every answer but a refusal; a page that is not built is let in, too. */
const outcomeOf = ({ status }: Asked): string => (status === 403 ? 'refused' : 'let in');

/** A request with the key, as a form with the key in its address sends it. */
const tries =
  (method: string, target: string, headers: Headers): Play =>
  async (bench) => {
    const options: AskOptions = { headers, ...(!target.startsWith('/_platen') && { key: bench.key }) };
    return outcomeOf(await bench.ask(method, target, options));
  };

/** Several at once: the one outcome of all, or each with its own. */
const each =
  (plays: readonly (readonly [string, Play])[]): Play =>
  async (bench) => {
    const seen: [string, string][] = [];
    for (const [name, play] of plays) seen.push([name, await play(bench)]);
    const outcomes = new Set(seen.map(([, outcome]) => outcome));
    return outcomes.size === 1 ? [...outcomes].join() : seen.map((one) => one.join(': ')).join('; ');
  };

/** What a browser adds to the requests of a stranger's page, and what a name adds that the page has led here. */
const FOREIGN: readonly (readonly [string, Headers])[] = [
  ['Sec-Fetch-Site: cross-site', { 'sec-fetch-site': 'cross-site' }],
  ['same-site', { 'sec-fetch-site': 'same-site' }],
  ['a foreign Origin', { origin: EVIL }],
  ['a foreign Host', { host: 'rebound.example' }],
];

const everywhere = [
  ...CONTROL_ROUTES.map(({ method, path }) => [method, `/_platen${path}`] as const),
  ...ENDPOINTS.map(({ method, path }) => [method, path] as const),
  ['GET', '/printers/refresh'] as const,
  ['GET', '/.well-known/platen-load'] as const,
].map(([method, path]) =>
  tried(
    `${method} ${path} with ${FOREIGN.map(([what]) => what).join(', ')}`,
    'refused',
    each(FOREIGN.map(([what, headers]) => [what, tries(method, filledIn(path), headers)])),
  ),
);

/** The headers of Chromium for what a page of another site can do. */
const WAYS: Readonly<Record<string, Headers>> = {
  'a picture': { 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' },
  'a script': { 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'script' },
  'a frame': { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe', accept: 'text/html' },
  'fetch without CORS': { 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'empty' },
  'fetch with CORS': { 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty', origin: EVIL },
  EventSource: { 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty', accept: 'text/event-stream', origin: EVIL },
};
const LINK: Headers = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document', accept: 'text/html' };
const PLACES = [
  '/',
  '/noop',
  '/ping',
  '/printers/refresh',
  '/_platen',
  '/_platen/',
  '/_platen/jobs',
  '/_platen/jobs/1',
  '/_platen/jobs/1/document',
  '/_platen/runs/1/report.html',
  '/_platen/assets/index.js',
  '/_platen/no-such-page',
];
/** A person who follows a link gets the page, in which nothing is secret and nothing has happened. */
const OPEN_TO_LINKS = ['/', '/_platen', '/_platen/', '/_platen/jobs', '/_platen/jobs/1'];

const waysIn = PLACES.flatMap((place) => {
  const at = (way: Headers): Play => tries('GET', place, { 'sec-fetch-site': 'cross-site', ...way });
  return [
    tried(
      `${Object.keys(WAYS).join(', ')} of another site at ${place}`,
      'refused',
      each(Object.entries(WAYS).map(([way, headers]) => [way, at(headers)])),
    ),
    tried(`a link of another site to ${place}`, OPEN_TO_LINKS.includes(place) ? 'let in' : 'refused', at(LINK)),
  ];
});

const form: Headers = {
  'content-type': 'application/x-www-form-urlencoded',
  'sec-fetch-mode': 'navigate',
  'sec-fetch-dest': 'document',
};
const ORIGINS: Readonly<Record<string, 'let in' | 'refused'>> = {
  [EVIL]: 'refused',
  'https://localhost.evil.example': 'refused',
  'http://127.evil.example': 'refused',
  'http://rebound.example:8631': 'refused',
  'chrome-extension://abcdefghijklmnop': 'refused',
  null: 'refused',
  'http://localhost:3000': 'let in',
  'https://127.0.0.1:5173': 'let in',
  'http://[::1]:3000': 'let in',
  'http://shop.localhost': 'let in',
  'capacitor://localhost': 'let in',
};
const forms = Object.entries(ORIGINS).map(([origin, expected]) =>
  tried(
    `a form of ${origin} with the known key in its address`,
    expected,
    tries('POST', '/printjobs', { ...form, origin, 'sec-fetch-site': 'cross-site' }),
  ),
);

const HOSTS: Readonly<Record<string, 'let in' | 'refused'>> = {
  '127.0.0.1': 'let in',
  '127.8.9.10:80': 'let in',
  localhost: 'let in',
  'LOCALHOST:8631': 'let in',
  'bench.localhost': 'let in',
  '[::1]:8631': 'let in',
  'evil.example': 'refused',
  '127.0.0.1.evil.example:8631': 'refused',
  'localhost.evil.example': 'refused',
  notlocalhost: 'refused',
  '127.999.999.999': 'refused',
  '127.1': 'refused',
  '2130706433': 'refused',
  '0x7f000001': 'refused',
  '0.0.0.0:8631': 'refused',
  'user@127.0.0.1': 'refused',
  '[::]': 'refused',
  '[::ffff:192.0.2.7]': 'refused',
  '192.0.2.7': 'refused',
};
const names = Object.entries(HOSTS).map(([host, expected]): Attack => {
  const places = ['/noop', '/_platen/info', '/_platen/health', '/_platen/'];
  return tried(
    `GET ${places.join(', ')} under the name ${host}`,
    expected,
    each(places.map((place) => [place, tries('GET', place, { host })])),
  );
});

/** What is written as it is; the first line of the answer tells. */
const raw =
  (path: string, lines: (bench: AttackedBench) => readonly string[], version = '1.1'): Play =>
  async (bench) => {
    await using client = await RawClient.connect(bench.port);
    client.send(`GET ${path} HTTP/${version}\r\n${lines(bench).join('\r\n')}\r\n\r\n`);
    return String((await client.response()).status);
  };
const UPGRADE = [
  'Connection: Upgrade',
  'Upgrade: websocket',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
];
const websockets = ['/ws/1', LINK_PATH, '/_platen/events'].flatMap((path) =>
  [
    ['under a foreign name', 'Host: rebound.example'],
    ['of another origin', `Host: 127.0.0.1\r\nOrigin: ${EVIL}`],
    ['of a frame without an origin', 'Host: 127.0.0.1\r\nOrigin: null'],
  ].map(([who = '', lines = '']) =>
    tried(
      `WebSocket ${path} ${who}`,
      '403',
      raw(path, () => [lines, ...UPGRADE]),
    ),
  ),
);
const plain: readonly Attack[] = [
  tried(
    'HTTP/1.0 without Host',
    '200',
    raw('/ping', () => ['Accept: */*'], '1.0'),
  ),
  tried(
    'HTTP/1.1 without Host',
    '400',
    raw('/ping', () => ['Accept: */*']),
  ),
  tried(
    'an absolute address',
    '200',
    raw('http://127.0.0.1/ping', () => ['Host: 127.0.0.1']),
  ),
  tried(
    'WebSocket /ws/1 of an app on this machine',
    '101',
    raw('/ws/1', () => ['Host: localhost', 'Origin: http://localhost:3000', ...UPGRADE]),
  ),
  tried('a preflight of another origin', '200', async (bench) =>
    String((await bench.ask('OPTIONS', '/printjobs', { headers: { origin: EVIL } })).status),
  ),
];

const OWN_NAMES = [
  '127.0.0.1',
  'localhost',
  'LOCALHOST.',
  'bench.localhost',
  '[::1]',
  '[::ffff:127.0.0.1]',
  '0.0.0.0',
  '[::]',
  '127.1',
  '2130706433',
  '0x7f000001',
  '0177.0.0.1',
  'leads-here.example',
  hostname(),
  ...Object.values(networkInterfaces()).flatMap((all = []) =>
    all.filter(({ family }) => family === 'IPv4').map(({ address }) => address),
  ),
];
const OWN_PATHS = [
  '/_platen',
  '/_platen/reset',
  '/_platen/jobs/1/print-again',
  '/x/../_platen/reset',
  '\\_platen\\reset?x',
];

const webhookTo =
  (method: string, place: string, url: (bench: AttackedBench) => string): Play =>
  async (bench) => {
    const { status, text } = await bench.call(method, place, { url: url(bench), secret: 's', messages: ['*'] });
    return text.includes('control API') ? `${status}, naming it` : String(status);
  };
const webhooks = [...new Set(OWN_NAMES)].map((name) =>
  tried(
    `a webhook to ${name} at ${OWN_PATHS.join(', ')}`,
    '400, naming it',
    each(OWN_PATHS.map((path) => [path, webhookTo('POST', '/webhook', ({ port }) => `http://${name}:${port}${path}`)])),
  ),
);

/** A server of the caller: answers with `answer`, and keeps the headers of what it was asked last. */
async function withReceiver<T>(
  answer: { readonly status: number; readonly headers?: Headers },
  use: (url: string, asked: () => IncomingHttpHeaders | undefined) => Promise<T>,
): Promise<T> {
  let headers: IncomingHttpHeaders | undefined;
  const server = createServer((request, response) => {
    headers = request.headers;
    response.writeHead(answer.status, answer.headers).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    return await use(`http://127.0.0.1:${portOf(server)}`, () => headers);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

function until<T>(description: string, probe: () => T | undefined | Promise<T | undefined>): Promise<T> {
  return soon(description, '10s', probe, { every: '5ms' });
}

/** Prints a document from an address. @returns the last state of the job and its message */
async function printedFrom(bench: AttackedBench, content: string): Promise<string> {
  const printers = JSON.parse((await bench.call('GET', '/printers')).text) as readonly { readonly id: number }[];
  const job = { printerId: printers[0]?.id, contentType: 'pdf_uri', content };
  const { text: id } = await bench.call('POST', '/printjobs', job);
  return until(`the end of job ${id}`, async () => {
    const [states] = JSON.parse((await bench.call('GET', `/printjobs/${id}/states`)).text) as [
      readonly { readonly state: string; readonly message: string }[],
    ];
    const last = states.at(-1);
    return last?.state === 'done' || last?.state === 'error' ? `${last.state}: ${last.message}` : undefined;
  });
}

/** A webhook for as long as `use` takes. @param use - with its path */
async function withWebhook(
  bench: AttackedBench,
  url: string,
  use: (path: string) => Promise<string>,
  secret = '',
): Promise<string> {
  const { text } = await bench.call('POST', '/webhook', { url, secret, messages: ['*'] });
  const [made] = JSON.parse(text) as readonly { readonly webhookId: number }[];
  const path = `/webhook/${made?.webhookId}`;
  try {
    return await use(path);
  } finally {
    await bench.call('DELETE', path);
  }
}

const SECRET = 'secret-of-a-webhook';
const NOT_READ = 'error: download failed: the server answered 403';

/** What the service and the computers ask because a caller said so. */
const onBehalf: readonly Attack[] = [
  tried('a webhook that is due, at the control API by a name that has only now led here', 'refused', (bench) =>
    withReceiver({ status: 200, headers: { 'x-service-webhook-status': 'OK' } }, (url, asked) =>
      withWebhook(bench, url, async () => {
        await printedFrom(bench, 'http://127.0.0.1:9/');
        const { host: _host, 'content-length': _length, ...headers } = await until('the webhook', asked);
        return outcomeOf(await bench.ask('POST', '/_platen/reset', { headers: headers as Headers }));
      }),
    ),
  ),
  tried('a receiver that answers with the secret of its webhook', 'a delivery without it', (bench) => {
    const answer = { status: 200, headers: { location: `http://u:${SECRET}@127.0.0.1/`, [`x-${SECRET}`]: '1' } };
    return withReceiver(answer, (url) =>
      withWebhook(
        bench,
        url,
        async (path) => {
          await printedFrom(bench, 'http://127.0.0.1:9/');
          return until('the delivery', async () => {
            const { text } = await bench.ask('GET', '/_platen/deliveries');
            const { entries } = JSON.parse(text) as DeliveryList;
            const isThere = entries.some(({ webhookId, status }) => path === `/webhook/${webhookId}` && status === 200);
            const seen = text.includes(SECRET) ? 'it is shown' : 'a delivery without it';
            return isThere ? seen : undefined;
          });
        },
        SECRET,
      ),
    );
  }),
  tried('a webhook that is changed to lead to the control API', '400, naming it', (bench) =>
    withWebhook(bench, 'http://127.0.0.1:9/', (path) =>
      webhookTo('PATCH', path, ({ url }) => `${url}/_platen/reset`)(bench),
    ),
  ),
  ...['169.254.169.254', '2852039166', '[::ffff:169.254.169.254]', '[fe80::1]'].map((host) =>
    tried(`a webhook to ${host}, where clouds keep their keys`, 'no webhook is sent to this address', (bench) =>
      withWebhook(bench, `http://${host}/`, async (path) => {
        await printedFrom(bench, 'http://127.0.0.1:9/');
        return until('the delivery', async () => {
          const { entries } = JSON.parse((await bench.ask('GET', '/_platen/deliveries')).text) as DeliveryList;
          return entries.find(({ webhookId }) => path === `/webhook/${webhookId}`)?.error ?? undefined;
        });
      }),
    ),
  ),
  ...['127.0.0.1', 'localhost'].map((name) =>
    tried(`a document at ${name} of the control API`, NOT_READ, (bench) =>
      printedFrom(bench, `http://${name}:${bench.port}/_platen/jobs/1/document`),
    ),
  ),
  tried('a document whose address redirects to the control API', NOT_READ, (bench) =>
    withReceiver({ status: 302, headers: { location: `${bench.url}/_platen/info` } }, (url) => printedFrom(bench, url)),
  ),
];

/** Plays against a bench of its own. */
const withFlags =
  (flags: readonly string[], play: Play): Play =>
  async () => {
    await using bench = await AttackedBench.start(flags);
    return await play(bench);
  };
const statusWith =
  (key: string, headers: Headers = {}): Play =>
  async (bench) =>
    String((await bench.ask('GET', '/noop', { key, headers })).status);

const EXPOSED = ['--host', '0.0.0.0'];
const otherBenches: readonly Attack[] = [
  tried(
    'beyond loopback, the known keys, and the one that is shown, under any name and from any page',
    '401, 401, 200',
    withFlags(EXPOSED, async (bench) =>
      [
        await statusWith('test-key')(bench),
        await statusWith('test-key-of-another-account')(bench),
        await statusWith(bench.key, { host: 'bench.example', origin: EVIL })(bench),
      ].join(', '),
    ),
  ),
  tried(
    'the known key beyond loopback, where it was asked for',
    '200',
    withFlags([...EXPOSED, '--key', 'test-key'], statusWith('test-key', { host: 'bench.example' })),
  ),
  tried(
    'with a key that is not known, an app of another site, and a foreign name',
    '200, 403',
    withFlags(['--key', 'own'], async (bench) =>
      [
        await statusWith('own', { origin: EVIL, 'sec-fetch-site': 'cross-site' })(bench),
        await statusWith('own', { host: 'rebound.example' })(bench),
      ].join(', '),
    ),
  ),
];

export const BROWSER_ATTACKS: AttackTable = {
  kind: 'a web page',
  against: 'bench',
  attacks: [
    ...onBehalf,
    ...everywhere,
    ...waysIn,
    ...forms,
    ...names,
    ...websockets,
    ...plain,
    ...webhooks,
    ...otherBenches,
  ],
};
