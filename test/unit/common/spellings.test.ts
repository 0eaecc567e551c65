/**
 * A secret is found in whatever spelling a service sends it, and no other text is taken for it.
 */

import { describe, expect, it } from 'vitest';

import { spellingsOf } from '../../../src/common/spellings.ts';
import { placesOfSecret } from '../../../src/conformance/context/events.ts';
import { carries } from '../../../src/oracle/account/webhook-requests.ts';

const SECRET = 'p~ss w"ör/d+1';

const AROUND: readonly (readonly [string, (spelled: string) => string])[] = [
  ['alone', (spelled) => spelled],
  ['behind a scheme', (spelled) => `Webhook-Secret ${spelled}`],
  ['behind the scheme Basic', (spelled) => `Basic ${spelled}`],
  ['behind a name', (spelled) => `secret=${spelled}`],
  ['among others, in quotes', (spelled) => `t=1, secret="${spelled}"`],
];
/** Those that no separator cuts. */
const WHOLE = spellingsOf(SECRET).filter((spelled) => !/[\s,;]/.test(spelled));

const inHeader = (value: string) => ({
  rawHeaders: [['X', value]] as const,
  query: '',
  body: bodyOf(''),
});
const bodyOf = (text: string) => ({ bytes: Buffer.from(text), state: 'complete' }) as const;
const seen = (value: string) => ({ url: 'http://hook', secret: null, values: [value] });

describe.each(AROUND)('a secret %s', (_, around) => {
  it.each(WHOLE)('is found as %s', (spelled) => {
    expect(placesOfSecret(inHeader(around(spelled)), SECRET)).toHaveLength(1);
    expect(carries(seen(around(spelled)), SECRET)).toBe(true);
  });

  it('is not another one, nor a part of it', () => {
    for (const other of ['p~ss', `${SECRET}2`, SECRET.toUpperCase()].flatMap(spellingsOf)) {
      expect([other, carries(seen(around(other)), SECRET)]).toEqual([other, false]);
    }
  });
});

it('is found in an address and in a body', () => {
  for (const spelled of spellingsOf(SECRET)) {
    const [query, body] = [`secret=${spelled}`, bodyOf(`{"secret":"${spelled}"}`)];
    expect(placesOfSecret({ ...inHeader(''), query }, SECRET)).toEqual(['the query']);
    expect(placesOfSecret({ ...inHeader(''), body }, SECRET)).toEqual(['the body']);
  }
});
