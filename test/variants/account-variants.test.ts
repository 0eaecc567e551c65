/**
 * Variants: the reference service with a gap answered differently passes every check of accounts, callers,
 * downloads and limits, and no check ends without a verdict.
 */

import { afterEach, expect, it } from 'vitest';

import { runConformance } from '../../src/conformance/run/run-conformance.ts';
import type { ServiceOptions } from '../../src/service/server.ts';
import { startMeddlingProxy, type Meddling } from '../mutants/meddling-proxy.ts';
import { startEmbeddedTarget } from '../support/embedded-target.ts';
import { testAccounts } from '../support/running-service.ts';

interface Variant extends Meddling {
  readonly name: string;
  readonly service?: Partial<ServiceOptions>;
  /** Only checks that match: what the variant is about. */
  readonly grep?: string;
}

const FAMILIES = String.raw`^(accounts|tags|api-keys|child-accounts|account-(limits|updates|states)|acting-as-child|client-(keys|downloads)|authentication|rate-limit|gaps)/`;

const isSuccess = (status: number): boolean => status >= 200 && status < 300;

/** Changes the body of answers that succeed. */
function answering(pattern: RegExp, change: (value: never) => unknown): Variant['meddle'] {
  return ({ method, path, status, body }) =>
    isSuccess(status) && pattern.test(`${method} ${path}`)
      ? { body: JSON.stringify(change(JSON.parse(body) as never)) }
      : undefined;
}

const VARIANTS: readonly Variant[] = [
  {
    name: 'requests are counted by address',
    service: { choices: { rateLimitScope: 'address' } },
    grep: '^rate-limit/',
  },
  {
    name: 'requests are counted by address and by account',
    service: { choices: { rateLimitScope: 'both' } },
    grep: '^rate-limit/',
  },
  {
    name: 'the second account is an Integrator too',
    service: { accounts: testAccounts().map((account) => ({ ...account, isIntegrator: true })) },
    grep: '^acting-as-child/of-others$',
  },
  {
    name: 'DELETE answers 204 without a body',
    meddle: ({ method, path, status }) =>
      method === 'DELETE' && path.startsWith('/account') && isSuccess(status) ? { status: 204, body: '' } : undefined,
  },
  {
    name: 'a creation answers 200 with its id alone',
    meddle: ({ method, path, status, body }) =>
      method === 'POST' && path === '/account' && isSuccess(status)
        ? { status: 200, body: String((JSON.parse(body) as { Account: { id: number } }).Account.id) }
        : undefined,
  },
  {
    name: 'keys come in objects',
    meddle: answering(/^(GET|POST) \/account\/apikey\//, (key) => ({ name: 'a name', key, enabled: true })),
  },
  {
    name: 'client keys come in objects',
    meddle: answering(/^GET \/client\/key\//, (key) => ({ clientKey: key, edition: 'standard' })),
  },
  {
    name: 'tags come with their names',
    meddle: ({ method, path, status, body }) => {
      const name = /^\/account\/tag\/(.+)$/.exec(path)?.[1];
      if (name === undefined || method !== 'GET' || !isSuccess(status)) return undefined;
      return { body: `{"${decodeURIComponent(name)}":${body}}` };
    },
  },
  {
    name: 'Tags is an array of names and values',
    meddle: answering(/^(GET \/whoami|PATCH \/account)$/, (account: { Tags: object }) => ({
      ...account,
      Tags: Object.entries(account.Tags).map(([name, value]) => ({ name, value: value as unknown })),
    })),
  },
  {
    name: 'childAccounts is an array of objects, and objects have more keys',
    meddle: answering(/^(GET \/whoami|PATCH \/account)$/, (account: { childAccounts: readonly number[] }) => ({
      ...account,
      childAccounts: account.childAccounts.map((id) => ({ id })),
      plan: 'free',
    })),
  },
  {
    name: 'the short path of a download redirects',
    grep: '^(client-downloads|gaps/client)',
    meddle: ({ path, headers }) =>
      /^\/download\/client\/(osx|windows)$/.test(path)
        ? { status: 302, headers: [...headers, 'Location', 'https://app.example/client.exe'], body: '' }
        : undefined,
  },
];

const closing: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

async function meddled(serviceUrl: string, meddling: Meddling): Promise<string> {
  const proxy = await startMeddlingProxy(serviceUrl, meddling);
  closing.push(() => proxy.close());
  return proxy.url;
}

it.each(VARIANTS)('lets pass: $name', async ({ service, grep = FAMILIES, ...meddling }) => {
  const target = await startEmbeddedTarget(service);
  closing.push(() => target.close());
  const baseUrl = meddling.meddle ? await meddled(target.baseUrl, meddling) : target.baseUrl;
  const result = await runConformance({ target: { ...target, baseUrl }, seed: 1, grep });
  const others = result.outcomes.filter(({ verdict }) => verdict !== 'pass' && verdict !== 'observed');
  expect(others.map(({ check, verdict, message }) => `${verdict} ${check.id}: ${message}`)).toEqual([]);
  const problems = result.outcomes.flatMap(({ notes }) => notes).filter((note) => note.startsWith('not cleaned'));
  expect(problems).toEqual([]);
});
