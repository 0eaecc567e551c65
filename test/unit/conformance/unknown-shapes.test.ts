/**
 * Reading what has no known shape: texts in any body, shapes for the record, forms for any object.
 */

import { expect, it } from 'vitest';

import { answerOf, textsIn } from '../../../src/conformance/expect/answer.ts';
import { seen, shapeOf } from '../../../src/conformance/rules/gap-check.ts';
import { formOf } from '../../../src/conformance/generate/form-body.ts';
import { NotJson } from '../../../src/common/json-value.ts';

function answer(status: number, body: string): ReturnType<typeof answerOf> {
  const request = { method: 'GET', baseUrl: 'http://a', path: '/x', headers: [] };
  const response = { status, headers: [], body: Buffer.from(body) };
  return answerOf({ request, response, sentMs: 0, receivedMs: 0 }, 0);
}

it('finds every text of a body, names included', () => {
  expect(textsIn({ a: ['b', { c: 'd' }], e: 1, f: null })).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
  expect(textsIn('alone')).toEqual(['alone']);
  expect(textsIn(new NotJson('oops'))).toEqual(['text', 'oops']);
});

it.each([
  [
    { id: 7, name: 'x', parts: [{ at: 1.5 }], none: [] },
    '{id: integer, name: string, parts: [{at: number}, …], none: []}',
  ],
  [[[[['deep']]]], '[[[…, …], …], …]'],
  [{ 4711: [], 4712: [{ a: 1 }] }, '{<id>: []}'],
  [{ 4711: 1, name: 'x' }, '{4711: integer, name: string}'],
  [{}, '{}'],
  [null, 'null'],
  [true, 'true'],
  [new NotJson(''), 'an empty body'],
  [new NotJson('<html>'), 'no JSON'],
])('shows what %j is made of', (value, shape) => {
  expect(shapeOf(value)).toBe(shape);
});

it('describes an answer by status and shape, a refusal by its code', () => {
  expect(seen('GET', answer(200, '{"id":3}'))).toBe('GET: 200 {id: integer}');
  expect(seen('GET', answer(404, '{"code":"NotFound"}'))).toBe('GET: 404 NotFound');
  expect(seen('GET', answer(502, '<html>'))).toBe('GET: 502');
});

it('writes any object as a form with the same keys', () => {
  const form = formOf({
    Account: { email: 'a@b', firstname: 'é &' },
    ApiKeys: ['x', 'y'],
    Tags: { 'a.b': '1' },
  });
  expect(decodeURIComponent(form.replaceAll('+', ' '))).toBe(
    'Account[email]=a@b&Account[firstname]=é &&ApiKeys[]=x&ApiKeys[]=y&Tags[a.b]=1',
  );
  // Not everything has to be escaped, and digits may be in either case.
  expect(form).toContain('Account%5Bemail%5d=a%40b&Account[firstname]=%C3%a9+%26');
});
