import { expect, it } from 'vitest';

import { readHttpArchive, type ArchivedExchange } from '../../../src/record/http-archive.ts';

const ENTRY = {
  startedDateTime: '2026-01-31T08:00:00.250Z',
  time: 12.5,
  request: { method: 'GET', url: 'https://print.example/ping', headers: [{ name: 'Accept', value: '*/*' }] },
  response: {
    status: 200,
    headers: [{ name: 'Content-Type', value: 'application/json' }],
    content: { size: 4, mimeType: 'application/json', text: '"OK"' },
  },
};

function read(...entries: readonly object[]): readonly ArchivedExchange[] {
  const archive = readHttpArchive(JSON.stringify({ log: { version: '1.2', entries } }));
  if (!archive.ok) throw new Error(archive.error);
  return archive.value;
}

const answer = (response: object): ArchivedExchange['response'] =>
  read({ ...ENTRY, response: { ...ENTRY.response, ...response } })[0]?.response;

const body = (request: object): string | undefined =>
  read({ ...ENTRY, request: { ...ENTRY.request, ...request } })[0]?.request.body?.toString();

it('reads an exchange with its times, headers and body', () => {
  expect(read(ENTRY)).toEqual([
    {
      sentMs: Date.UTC(2026, 0, 31, 8, 0, 0, 250),
      receivedMs: Date.UTC(2026, 0, 31, 8, 0, 0, 250) + 12.5,
      connection: undefined,
      request: { method: 'GET', url: 'https://print.example/ping', headers: [['Accept', '*/*']], body: undefined },
      response: { status: 200, headers: [['Content-Type', 'application/json']], body: Buffer.from('"OK"') },
    },
  ]);
});

it('puts exchanges in the order in which they were sent', () => {
  const earlier = { ...ENTRY, startedDateTime: '2026-01-31T08:00:00.100Z', connection: '7' };
  expect(read(ENTRY, earlier).map(({ connection }) => connection)).toEqual(['7', undefined]);
});

it.each([
  ['came from a cache', { _fromCache: 'disk' }],
  ...['data:text/html,/printjobs', 'blob:http://127.0.0.1/printjobs', 'javascript:1'].map(
    (url) => [`was asked of nobody: ${url}`, { request: { ...ENTRY.request, url } }] as const,
  ),
] as const)('leaves out what %s', (_, changes) => {
  expect(read({ ...ENTRY, ...changes })).toEqual([]);
});

it('leaves out the pseudo headers of HTTP/2', () => {
  const headers = [
    { name: ':authority', value: 'print.example' },
    { name: 'accept', value: '*/*' },
  ];
  expect(read({ ...ENTRY, request: { ...ENTRY.request, headers } })[0]?.request.headers).toEqual([['accept', '*/*']]);
});

it('reads bodies of requests as text and as parameters of a form', () => {
  expect(body({ postData: { mimeType: 'application/json', text: '{"qty":1}' } })).toBe('{"qty":1}');
  expect(body({ postData: { params: [{ name: 'qty', value: '1' }, { name: 'title' }] } })).toBe('qty=1&title=');
  expect(body({ postData: {} })).toBeUndefined();
});

it('tells an empty body from one that was not kept', () => {
  expect(answer({ content: { size: 0 } })?.body).toEqual(Buffer.alloc(0));
  expect(answer({ status: 204, content: {} })?.body).toEqual(Buffer.alloc(0));
  expect(answer({ content: { size: 90 } })?.body).toBeUndefined();
  expect(answer({ content: { size: 3, text: 'a\uFFFD' } })?.body).toBeUndefined();
});

it('decodes a body in base64', () => {
  expect(answer({ content: { size: 2, encoding: 'base64', text: '/w8=' } })?.body).toEqual(Buffer.from([255, 15]));
});

it('knows a request that got no answer', () => {
  expect(answer({ status: 0, content: {} })).toBeUndefined();
});

it('reads what begins with a byte order mark', () => {
  expect(readHttpArchive(`\uFEFF${JSON.stringify({ log: { entries: [] } })}`)).toEqual({ ok: true, value: [] });
});

it.each([
  ['{', /JSON/],
  ['{"log":{}}', /entries/],
  [JSON.stringify({ log: { entries: [{ ...ENTRY, startedDateTime: 'noon' }] } }), /entries\[0\].*a time/],
])('says what is wrong with %s', (text, problem) => {
  expect(readHttpArchive(text)).toEqual({ ok: false, error: expect.stringMatching(problem) as string });
});
