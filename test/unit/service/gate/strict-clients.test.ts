/**
 * What strict real clients demand, each with the bytes such a client sends.
 */

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { RawClient, AUTHORIZED, exchangeRaw, type RawResponse } from '../../../support/raw-client.ts';
import { runService, type RunningService } from '../../../support/running-service.ts';
import { printerReport, ScriptedComputer } from '../../../support/scripted-computer.ts';

let service: RunningService;
let computer: ScriptedComputer;
beforeEach(async () => {
  service = await runService();
  computer = await ScriptedComputer.connect(service.url);
});
afterEach(async () => {
  await computer[Symbol.asyncDispose]();
  await service[Symbol.asyncDispose]();
});

async function ask(requestLine: string, headers = '', body = ''): Promise<RawResponse> {
  await using client = await RawClient.connect(service.port);
  return await client.ask(requestLine, headers, body);
}

function post(body: string, headers = '', path = '/printjobs'): Promise<RawResponse> {
  const length = Buffer.byteLength(body);
  return ask(`POST ${path} HTTP/1.1`, `${headers}Content-Length: ${length}\r\n`, body);
}

/** Keys of the record, or of the first record, that a path answers with. */
async function keysOf(path: string): Promise<string[]> {
  const body: unknown = JSON.parse((await ask(`GET ${path} HTTP/1.1`)).text);
  return Object.keys(Array.isArray(body) ? (body[0] as object) : (body as object)).toSorted();
}

function job(fields: string): string {
  return `{"contentType":"raw_base64","content":"QUJD",${fields}}`;
}

describe('a strict client', () => {
  it('1: gets exactly application/json, whatever it asks', async () => {
    for (const line of ['GET /whoami', 'GET /nowhere', 'GET /printjobs/x', 'OPTIONS /printjobs', 'TRACE /']) {
      const response = await ask(`${line} HTTP/1.1`);
      expect(response.headers.get('content-type')).toBe('application/json');
    }
    expect((await exchangeRaw(service.port, 'nonsense\r\n\r\n')).headers.get('content-type')).toBe('application/json');
  });

  it('2 and 13: gets every documented key, also those that are null, and no other', async () => {
    await post(job('"printerId":1'));
    expect(await keysOf('/computers')).toEqual(
      'createTimestamp hostname id inet inet6 jre name state version'.split(' '),
    );
    expect(await keysOf('/printers')).toEqual(
      'capabilities computer createTimestamp default description id name state'.split(' '),
    );
    expect(await keysOf('/printjobs')).toEqual(
      'contentType createTimestamp expireAt id printer source state title'.split(' '),
    );
    expect(await keysOf('/whoami')).toHaveLength(16);
  });

  it('2: gets a string as the state of a printer, whatever its computer reports', async () => {
    await computer.report({ type: 'printers', printers: [{ ...printerReport('Laser'), state: null }] });
    expect(JSON.parse((await ask('GET /printers HTTP/1.1')).text)).toMatchObject([{ state: 'unknown' }]);
  });

  it('3: gets code and message with every error, and nothing but the three keys', async () => {
    for (const line of ['GET /nowhere', 'PATCH /printjobs', 'GET /printers/0', 'GET /%zz', 'BREW /coffee']) {
      const response = await ask(`${line} HTTP/1.1`);
      expect(response.status).toBeGreaterThanOrEqual(400);
      const error = JSON.parse(response.text) as Record<string, string>;
      expect(Object.keys(error)).toEqual(['uid', 'code', 'message']);
      expect(error['uid']).toBe(response.headers.get('request-id'));
      expect(error['code']).toMatch(/^[A-Z]\w+$/);
      expect(error['message']?.length).toBeGreaterThan(5);
    }
  });

  it.each(['/whoami/', '//whoami', '//whoami//', '/printers/', '//printers/1/'])('4: may write %s', async (path) => {
    expect((await ask(`GET ${path} HTTP/1.1`)).status).toBe(200);
  });

  it('5: may encode the commas of a set, and a blank as %20 or +', async () => {
    for (const path of ['/printers/1%2C2%2c9', '/printers/1,%202', '/printers/1,+2', '/printers/%31']) {
      expect(JSON.parse((await ask(`GET ${path} HTTP/1.1`)).text)).toMatchObject([{ id: 1 }]);
    }
    expect((await ask('GET /printers/1%2B2 HTTP/1.1')).status).toBe(400);
  });

  it('6: may send its key with a colon and without, under any spelling of Basic', async () => {
    for (const credentials of ['Basic Zmlyc3Qta2V5Og==', 'Basic Zmlyc3Qta2V5', 'basic Zmlyc3Qta2V5Og']) {
      const bytes = `GET /noop HTTP/1.1\r\nHost: service.test\r\nAuthorization: ${credentials}\r\n\r\n`;
      expect(await exchangeRaw(service.port, bytes)).toMatchObject({ status: 200 });
    }
  });

  it('7: sends an empty idempotency key twice and gets two jobs', async () => {
    const statuses = [];
    for (const header of ['X-Idempotency-Key:\r\n', 'X-Idempotency-Key: \r\n'])
      statuses.push((await post(job('"printerId":1'), header)).status);
    expect(statuses).toEqual([201, 201]);
  });

  it.each([
    ['"printer":1'],
    ['"printer":{"id":1}'],
    ['"printer":{"id":"1"}'],
    ['"printerId":"1"'],
    ['"printerId":1,"qty":"2","expireAfter":"60"'],
  ])('8: may send %s', async (fields) => {
    expect((await post(job(fields))).status).toBe(201);
  });

  it('8: may send the same as a form, with numbers as strings', async () => {
    const response = await post(
      'printer%5Bid%5D=1&contentType=raw_base64&content=QUJD&qty=2&options%5Bcopies%5D=3',
      'Content-Type: application/x-www-form-urlencoded\r\n',
    );
    expect(response.status).toBe(201);
    const heard = await computer.hear('job', ({ jobId }) => jobId === Number(response.text));
    expect(heard).toMatchObject({ qty: 2, options: { copies: 3 } });
  });

  it('8: may send an empty array for an empty map, and number the elements of a list in a form', async () => {
    expect((await post(job('"printerId":1,"options":[]'))).status).toBe(201);
    const form = 'Content-Type: application/x-www-form-urlencoded\r\n';
    const child = [
      'Account[firstname]=-&Account[lastname]=-&Account[email]=a%40b.test&Account[password]=12345678',
      'ApiKeys[0]=one&ApiKeys[1]=two',
    ].join('&');
    const made = await post(child, form, '/account');
    expect(Object.keys((JSON.parse(made.text) as { ApiKeys: object }).ApiKeys)).toEqual(['one', 'two']);
    const webhook = 'url=http%3A%2F%2Fa.test&secret=s&messages[0]=computer+state&messages[1]=print+job+state';
    const webhooks = await post(webhook, form, '/webhook');
    expect(JSON.parse(webhooks.text)).toMatchObject([{ messages: ['computer state', 'print job state'] }]);
  });

  it('8: learns what to do when a body has the wrong Content-Type', async () => {
    const form = await post(job('"printerId":1'), 'Content-Type: application/x-www-form-urlencoded\r\n');
    expect([form.status, form.text]).toEqual([400, expect.stringContaining('send Content-Type: application/json')]);
    const json = await post('printerId=1&contentType=raw_base64&content=QUJD');
    expect([json.status, json.text]).toEqual([
      400,
      expect.stringContaining('a form needs Content-Type: application/x-www-form-urlencoded'),
    ]);
  });

  it('9: may send base64 with line breaks', async () => {
    const content = 'QUJD\r\nREVG\n';
    const response = await post(`{"printerId":1,"contentType":"raw_base64","content":${JSON.stringify(content)}}`);
    expect(response.status).toBe(201);
    const heard = await computer.hear('job', ({ jobId }) => jobId === Number(response.text));
    expect(Buffer.from(String(heard['content']), 'base64').toString()).toBe('ABCDEF');
  });

  it('10: may send an empty JSON body where none is needed', async () => {
    for (const headers of [
      'Content-Type: application/json\r\nContent-Length: 0\r\n',
      'Content-Type: application/json\r\n',
    ]) {
      expect((await ask('DELETE /printjobs/999 HTTP/1.1', headers)).status).toBe(200);
    }
    const chunked = 'Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n';
    expect((await ask('DELETE /printjobs/999 HTTP/1.1', chunked, '0\r\n\r\n')).status).toBe(200);
  });

  it('11: may speak HTTP/1.0, without a host, and gets the length', async () => {
    const authorization = AUTHORIZED.split('\r\n')[1] ?? '';
    await using client = await RawClient.connect(service.port);
    client.send(`GET /whoami HTTP/1.0\r\n${authorization}\r\n\r\n`);
    const response = await client.response();
    expect(response.status).toBe(200);
    expect(response.headers.get('content-length')).toBe(String(Buffer.byteLength(response.text)));
    expect(response.headers.get('connection')).toBe('close');
    expect(response.headers.has('transfer-encoding')).toBe(false);
    await client.closed();
  });

  it('11: may keep a connection of HTTP/1.0 alive and post on it', async () => {
    const body = job('"printerId":1');
    await using client = await RawClient.connect(service.port);
    for (let count = 0; count < 2; count++) {
      const headers = `Connection: keep-alive\r\nContent-Length: ${body.length}\r\n`;
      const response = await client.ask('POST /printjobs HTTP/1.0', headers, body);
      expect(response.status).toBe(201);
      expect(response.headers.get('connection')).toBe('keep-alive');
    }
  });

  it.each(['/computers/', '/computers//', '/printers//printjobs', '/printers/1/printjobs/', '/printjobs/'])(
    '12: never takes the empty set of DELETE %s for the whole list',
    async (path) => {
      expect((await post(job('"printerId":1'))).status).toBe(201);
      const refused = await ask(`DELETE ${path} HTTP/1.1`);
      expect(refused.status).toBeGreaterThanOrEqual(400);
      for (const list of ['/computers', '/printjobs']) {
        expect(JSON.parse((await ask(`GET ${list} HTTP/1.1`)).text)).toHaveLength(1);
      }
    },
  );
});
