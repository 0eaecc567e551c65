/**
 * Manners: whatever a target does with the headers that name a Child Account, no check deletes or suspends
 * the account that it was given, nor anything without saying what.
 */

import type { IncomingMessage, RequestListener } from 'node:http';

import { afterEach, expect, it } from 'vitest';

import { runConformance } from '../../src/conformance/run/run-conformance.ts';
import type { Target } from '../../src/targets/target.ts';
import { targetOf } from '../support/odd-servers.ts';

const FAMILIES = String.raw`^(accounts|tags|api-keys|child-accounts|account-(limits|updates|states)|acting-as-child|client-(keys|downloads)|gaps|computers|races)/`;

let target: Target | undefined;

afterEach(() => target?.close());

interface Said {
  /** The account that the header of the answer names. */
  readonly header: string;
  /** The account that the body is about. */
  readonly body: number;
}

/** A service that takes everything, and what it did to account 1, or may have done. */
function mixedUp(said: (request: IncomingMessage) => Said): [RequestListener, readonly string[]] {
  const changes: string[] = [];
  const listener: RequestListener = (request, response) => {
    const { header, body } = said(request);
    const isOfParent = header === '1' || body === 1;
    if (isOfParent && request.method !== 'GET') changes.push(`${request.method} ${request.url}`);
    response.writeHead(200, { 'Content-Type': 'application/json', 'X-Account': header });
    request.resume().on('end', () => response.end(JSON.stringify({ id: body, childAccounts: [] })));
  };
  return [listener, changes];
}

const namesChild = ({ headers }: IncomingMessage): boolean =>
  Object.keys(headers).some((name) => name.startsWith('x-child-account-by-'));

it.each([
  ['overlooks the headers', (): Said => ({ header: '1', body: 1 })],
  [
    'overlooks the id of a Child alone',
    (request: IncomingMessage): Said => {
      const isSeen = namesChild(request) && !('x-child-account-by-id' in request.headers);
      return { header: isSeen ? '2' : '1', body: isSeen ? 2 : 1 };
    },
  ],
  [
    'names the Child and acts on its Integrator',
    (request: IncomingMessage): Said => ({ header: namesChild(request) ? '2' : '1', body: 1 }),
  ],
  [
    'shows a Child and says that it is the Integrator',
    (request: IncomingMessage): Said => ({ header: '1', body: namesChild(request) ? 2 : 1 }),
  ],
])('neither deletes nor suspends the account of a service that %s', async (_, said) => {
  const [listener, changes] = mixedUp(said);
  target = await targetOf(listener);
  const integrator = { ...target, isIntegrator: true, secondApiKey: 'other-key' };
  const result = await runConformance({ target: integrator, seed: 1, grep: FAMILIES });
  expect(result.outcomes.filter(({ verdict }) => verdict === 'harness-error')).toEqual([]);
  expect(result.outcomes.filter(({ verdict }) => verdict === 'fail').length).toBeGreaterThan(5);
  const unscoped = /^DELETE \/(account|computers|printjobs)\/?(\?|$)|^PUT \/account\/state/;
  expect(changes.filter((change) => unscoped.test(change))).toEqual([]);
});
