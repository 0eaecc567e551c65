import { assert, boolean, constantFrom, json as anyJson, property, string } from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { atOnce } from '../../../../src/common/sliced-work.ts';
import { ApiError } from '../../../../src/service/gate/api-error.ts';
import { parseFormBody } from '../../../../src/service/gate/form-body.ts';
import { parseJsonBody } from '../../../../src/service/gate/json-body.ts';
import { runService, type RunningService } from '../../../support/running-service.ts';
import { ScriptedComputer } from '../../../support/scripted-computer.ts';

const parseForm = (text: string): unknown => atOnce(parseFormBody(text));
const parseJson = (text: string): unknown => atOnce(parseJsonBody(text));

const FORM = 'application/x-www-form-urlencoded';

describe('a form body', () => {
  it.each([
    ['', {}],
    ['a=1', { a: '1' }],
    ['a', { a: '' }],
    ['a=b=c', { a: 'b=c' }],
    ['&&a=1&', { a: '1' }],
    ['a=%C3%A9+%2B', { a: 'é +' }],
    ['Account[firstname]=-&Account[email]=a%40b.test', { Account: { firstname: '-', email: 'a@b.test' } }],
    ['Account%5Bfirstname%5D=-', { Account: { firstname: '-' } }],
    ['ApiKeys[]=office&ApiKeys[]=shop', { ApiKeys: ['office', 'shop'] }],
    ['Tags[site]=7&Tags[floor]=2', { Tags: { site: '7', floor: '2' } }],
    ['options[copies]=2', { options: { copies: '2' } }],
    ['a[b][c]=1&a[b][d]=2', { a: { b: { c: '1', d: '2' } } }],
    ['a[b][]=1&a[b][]=2', { a: { b: ['1', '2'] } }],
    ['[a]=1', { '[a]': '1' }],
  ])('%j has the structure of its keys', (text, expected) => {
    expect(JSON.parse(JSON.stringify(parseForm(text)))).toEqual(expected);
  });

  it('may have a long document, of which each slice is decoded for itself', () => {
    const document = 'é%€+🖨'.repeat(60_000);
    const encoded = encodeURIComponent(document);
    for (const shift of ['', 'a', 'ab', 'abc']) {
      expect(parseForm(`content=${shift}${encoded}`)).toEqual({ content: shift + document });
    }
  });

  it('takes names of prototypes as names', () => {
    const body = parseForm('__proto__[a]=1&constructor=2&Tags[__proto__]=3&Tags[toString]=4');
    expect(JSON.stringify(body)).toBe(
      '{"__proto__":{"a":"1"},"constructor":"2","Tags":{"__proto__":"3","toString":"4"}}',
    );
    expect({}).not.toHaveProperty('a');
  });

  it.each([
    ['a name that stands twice', 'a=1&a=2'],
    ['a string that is an object too', 'a=1&a[b]=2'],
    ['an object that is a string too', 'a[b]=2&a=1'],
    ['an array that is an object too', 'a[]=1&a[b]=2'],
    ['an object that is an array too', 'a[b]=1&a[]=2'],
    ['broken percent-encoding', 'a=%E9%'],
    ['half a character', 'a=%C3'],
    ['a bracket that is not closed', 'a[b=1'],
    ['brackets inside brackets', 'a[[b]]=1'],
    ['text after the brackets', 'a[b]c=1'],
    ['too many levels', `a${'[b]'.repeat(40)}=1`],
    ['too many values', 'a[]=&'.repeat(100_001)],
    ['a key that is too long', `${'a'.repeat(10_001)}=1`],
    ['a long document of half characters', `a=${'%C3'.repeat(400_000)}`],
  ])('with %s is refused', (_what, text) => {
    expect(() => parseForm(text)).toThrow(expect.objectContaining({ code: 'InvalidContent' }));
  });

  it('fails only by refusing', () => {
    const unit = constantFrom('a', '[', ']', '=', '&', '%', '4', '1', '+', '_');
    assert(
      property(string({ unit }), (body) => {
        const code = refusalOf(() => parseForm(body));
        expect(['none', 'InvalidContent']).toContain(code);
      }),
    );
  });
});

describe('a JSON body', () => {
  it('is what JSON.parse makes of it', () => {
    assert(
      property(anyJson({ maxDepth: 5 }), boolean(), (json, isPretty) => {
        const text = isPretty ? JSON.stringify(JSON.parse(json), null, '\t') : json;
        expect(parseJson(text)).toEqual(JSON.parse(text));
      }),
    );
  });

  it.each([
    ['32 levels', '['.repeat(32) + ']'.repeat(32)],
    ['names that are values elsewhere', '{"a":"a","b":{"a":1},"c":[{"a":1},{"a":2}]}'],
    ['names that look alike', String.raw`{"a":1,"a\\":2,"a\"":3,"A":4}`],
    ['brackets and commas inside strings', `{"a":"${'[,'.repeat(200_000)}"}`],
    ['names of prototypes', '{"__proto__":{"a":1},"constructor":2}'],
    ['millions of escaped quotes', `{"a":"${String.raw`\\\"`.repeat(1_000_000)}","b":{}}`],
  ])('may have %s', (_what, text) => {
    expect(parseJson(text)).toEqual(JSON.parse(text));
  });

  it.each([
    ['33 levels', '['.repeat(33) + ']'.repeat(33)],
    ['millions of open brackets', '[{'.repeat(1_000_000)],
    ['too many values', `[${'0,'.repeat(100_001)}0]`],
    ['a name that stands twice', '{"a":1,"b":2,"a":3}'],
    ['a name that stands twice in two spellings', String.raw`{"a":1,"\u0061":3}`],
    ['a string that is not closed', '{"a":"b\\"}'],
    ['nothing but a quote', '"'],
    ['a comment', '{/* no */}'],
    ['two values', '{}{}'],
  ])('with %s is refused', (_what, text) => {
    expect(() => parseJson(text)).toThrow(expect.objectContaining({ code: 'InvalidContent' }));
  });
});

describe('bodies of requests', () => {
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

  it('mean the same as a form and as JSON', async () => {
    const form = await service.call('POST', '/printjobs', {
      headers: { 'Content-Type': `${FORM}; charset=utf-8` },
      body:
        'printerId=1&contentType=raw_uri&content=https%3A%2F%2Fdocs.test%2Fa&title=A+%26+B&qty=3&expireAfter=60' +
        '&options[copies]=2&options[duplex]=long-edge&options[color]=false&options[fit_to_page]=1&options[paper]=4' +
        '&authentication[type]=BasicAuth&authentication[credentials][user]=u&authentication[credentials][pass]=p',
    });
    const json = await service.call('POST', '/printjobs', {
      headers: { 'Content-Type': 'application/json' },
      body: {
        printerId: 1,
        contentType: 'raw_uri',
        content: 'https://docs.test/a',
        title: 'A & B',
        qty: 3,
        expireAfter: 60,
        options: { copies: 2, duplex: 'long-edge', color: false, fit_to_page: true, paper: '4' },
        authentication: { type: 'BasicAuth', credentials: { user: 'u', pass: 'p' } },
      },
    });
    expect([form.status, json.status]).toEqual([201, 201]);
    const first = await computer.hear('job', (heard) => heard['jobId'] === form.body);
    const second = await computer.hear('job', (heard) => heard['jobId'] === json.body);
    expect({ ...first, id: '', jobId: 0 }).toEqual({ ...second, id: '', jobId: 0 });
    expect(first['options']).toEqual({
      copies: 2,
      duplex: 'long-edge',
      color: false,
      fit_to_page: true,
      paper: '4',
    });
  });

  it('keep an option that is not what it should be, for the client to decide', async () => {
    const body = { ...JOB, options: { copies: 'two', color: 'maybe', rotate: '90', unheard: '1' } };
    expect((await service.call('POST', '/printjobs', { body })).status).toBe(201);
    expect((await computer.hear('job'))['options']).toEqual({
      copies: 'two',
      color: 'maybe',
      rotate: 90,
      unheard: '1',
    });
  });

  it.each([
    ['application/json', 400, 'BadRequest'],
    [FORM, 400, 'BadRequest'],
    ['text/plain', 400, 'BadRequest'],
    ['application/xml', 400, 'BadRequest'],
  ])('that are empty count as none, also with %s', async (type, status, code) => {
    const answer = await service.call('POST', '/printjobs', {
      body: '',
      headers: { 'Content-Type': type },
    });
    expect(answer).toMatchObject({ status, body: { code } });
  });

  it.each([
    ['text/plain', {}, '{"printerId":1}', 400, 'BadRequest'],
    ['text/plain;charset=UTF-8', {}, 'hello', 400, 'BadRequest'],
    ['multipart/form-data; boundary=x', {}, '--x--', 415, 'UnsupportedMediaType'],
    ['application/octet-stream', {}, 'AAAA', 415, 'UnsupportedMediaType'],
    ['nonsense', {}, 'AAAA', 415, 'UnsupportedMediaType'],
    ['application/json', { 'Content-Encoding': 'gzip' }, 'AAAA', 415, 'UnsupportedMediaType'],
    ['Application/JSON; charset=utf-8', {}, '{"printerId":', 400, 'InvalidContent'],
  ])('of type %s %j are taken or refused cleanly', async (type, headers, body, status, code) => {
    const answer = await service.call('POST', '/printjobs', {
      body,
      headers: { 'Content-Type': type, ...headers },
    });
    expect(answer).toMatchObject({ status, body: { code } });
  });

  it.each([
    [
      'POST',
      '/printjobs',
      'application/x-www-form-urlencoded',
      '{"printerId":1}',
      'send Content-Type: application/json',
    ],
    ['POST', '/printjobs', 'application/json', 'printerId=1', 'needs Content-Type: application/x-www-form-urlencoded'],
    ['POST', '/printjobs', 'text/plain', '{"printerId":1}', 'JSON sent as text: send Content-Type: application/json'],
    ['POST', '/account', 'text/plain', '{"Account":{}}', 'JSON sent as text: send Content-Type: application/json'],
    ['PATCH', '/account', 'text/plain', '{"email":"a"}', 'JSON sent as text: send Content-Type: application/json'],
    ['POST', '/webhook', 'text/plain', ' {"url":"a"}', 'JSON sent as text: send Content-Type: application/json'],
    ['PUT', '/scale', 'text/plain', '{"mass":[1,1]}', 'JSON sent as text: send Content-Type: application/json'],
    ['PATCH', '/download/clients/7', 'text/plain', '{"enabled":true}', 'JSON sent as text: send Content-Type'],
  ])('say at %s %s with Content-Type %s which one was meant', async (method, path, type, body, hint) => {
    const answer = await service.call(method, path, { body, headers: { 'Content-Type': type } });
    expect(answer).toMatchObject({ status: 400, body: { message: expect.stringContaining(hint) as string } });
  });

  it('are checked for what they name, whatever is in them', async () => {
    for (const [field, value] of [
      ['printerId', -1],
      ['printerId', 1.5],
      ['printerId', 2 ** 60],
      ['printerId', '1e0'],
      ['printerId', { __proto__: { id: 1 } }],
      ['qty', 0],
      ['qty', 1.5],
      ['expireAfter', -1],
      ['expireAfter', Number.MAX_SAFE_INTEGER],
      ['title', ['a']],
      ['options', ['a']],
      ['authentication', 'a'],
    ] as const) {
      const answer = await service.call('POST', '/printjobs', { body: { ...JOB, [field]: value } });
      expect({ field, ...answer }).toMatchObject({ status: 400, body: { code: 'BadRequest' } });
      expect(answer.text).toContain(field);
    }
  });

  it('bring strings through as they are, NUL and half a surrogate pair included', async () => {
    const title = 'a\u0000b \u{1F5A8} "\\';
    await service.call('POST', '/printjobs', { body: { ...JOB, title } });
    expect((await computer.hear('job'))['title']).toBe(title);
    expect((await service.call('GET', '/printjobs')).body).toMatchObject([{ title }]);
    expect((await service.call('POST', '/printjobs', { body: { ...JOB, title: '\uD800' } })).status).toBe(201);
    expect((await service.call('GET', '/printjobs')).status).toBe(200);
  });
});

const JOB = { printerId: 1, contentType: 'raw_base64', content: 'AAAA' };

/** The code of the refusal that `work` throws; 'none' when it throws nothing. */
function refusalOf(work: () => unknown): string {
  try {
    work();
    return 'none';
  } catch (error) {
    return error instanceof ApiError ? error.code : 'no refusal at all';
  }
}
