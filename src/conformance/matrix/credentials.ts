/**
 * Credentials at every endpoint: none, a key that does not exist, one that was revoked. Each is refused and does
 * nothing, and the same request with the right key succeeds.
 */

import { basicAuthorization } from '../../common/basic-authorization.ts';
import type { Mismatch } from '../../oracle/mismatch.ts';
import type { Endpoint } from '../../specification/clause.ts';
import type { ClauseId } from '../../specification/clauses.ts';
import { ERRORS } from '../../specification/errors.ts';
import type { ApiRequest } from '../context/api-client.ts';
import { apiKeyPath } from '../context/account-paths.ts';
import { newKey } from '../context/keys-and-tags.ts';
import type { CheckContext } from '../context/context.ts';
import { expectErrorCode, expectStatus, expectSuccess, type Answer } from '../expect/answer.ts';
import { expectThat } from '../expect/that.ts';
import { firstReason, type MatrixRules } from './matrix-rule.ts';
import { enableDownload, furnish, ownParty, unlistedPaths, valuesFor, type Furnished, type Party } from './party.ts';
import { judgeRefusals, type Stage, type Trial } from './refusals.ts';
import { isMissing, pathOf, soundRequest, type Values } from './sound-request.ts';

/** What is wrong with the credentials, by what the matrix calls it. */
interface Defect {
  readonly what: string;
  readonly clause: ClauseId;
  /** In place of the Authorization header. */
  readonly authorization: (context: CheckContext) => Promise<string | null>;
}

const DEFECTS: Readonly<Record<string, Defect>> = {
  'no credentials': {
    what: 'without credentials',
    clause: 'authentication/required-everywhere',
    authorization: () => Promise.resolve(null),
  },
  'a key that does not exist': {
    what: 'with a key that does not exist',
    clause: 'authentication/invalid-key-401',
    authorization: ({ random }) => Promise.resolve(basicAuthorization(random.hex(40))),
  },
  'a revoked key': {
    what: 'with a key that was deleted',
    clause: 'accounts/api-key-deleted-401',
    async authorization(context) {
      const name = `revoked-${context.naming.hex(8)}`;
      const key = await newKey(context, context.api, name);
      context.require(expectSuccess(await context.api.delete(apiKeyPath(name))));
      return basicAuthorization(key);
    },
  },
};

const needsNone = ({ authenticated }: Endpoint): readonly [boolean, string] => [!authenticated, 'needs no credentials'];
const isOfChild = ({ account }: Endpoint): boolean => account !== 'caller';

export const CREDENTIAL_RULES: MatrixRules = {
  'matrix/credentials': {
    columns: Object.keys(DEFECTS),
    title:
      'Every endpoint refuses a request without credentials, with an unknown key or a deleted one, and does nothing',
    locks: ['account'],
    whyNot: (endpoint) => firstReason(needsNone(endpoint), [isOfChild(endpoint), 'is for a Child Account']),
    judge(context, endpoints) {
      const tried = endpoints.filter(({ isUnrestricted }) => !isUnrestricted || context.target.isDisposable === true);
      if (tried.length < endpoints.length) {
        context.note('nothing is sent to the DELETEs of everything: the account was not made for the run');
      }
      return judgeRefusals(context, tried, {
        open: (some) => openOwn(context, some),
        nothing: 'authentication/refused-does-nothing',
      });
    },
  },
  'matrix/credentials-for-child': {
    columns: Object.keys(DEFECTS),
    title: 'The endpoints for Child Accounts refuse a request without valid credentials, and do nothing',
    needs: ['child-account'],
    locks: ['account'],
    whyNot: (endpoint) => (isOfChild(endpoint) ? undefined : 'is not for a Child Account'),
    judge: (context, endpoints) =>
      judgeRefusals(context, endpoints, {
        open: () => openChild(context),
        nothing: 'authentication/refused-does-nothing',
      }),
  },
};

/** In the account of the check. */
async function openOwn(context: CheckContext, endpoints: readonly Endpoint[]): Promise<Stage> {
  const party = await furnish(context, ownParty(context), endpoints);
  const trialsOf = await trialsWithDefects(context);
  return {
    watched: [{ party, paths: unlistedPaths(endpoints, party) }],
    trials: (endpoint) => trialsOf(endpoint, party.api, valuesFor(endpoint, party)),
    twin: (endpoint) => twinOf(context, endpoint, party),
    restore: () => enableDownload(party),
  };
}

/** In a Child Account that the Integrator acts for; what creates one acts for the Integrator itself. */
async function openChild(context: CheckContext): Promise<Stage> {
  const { api, children } = context;
  const child = await children.create();
  const party: Party = { title: 'a Child', api: child.api, owner: child, isDisposable: true };
  const trialsOf = await trialsWithDefects(context);
  const actingFor = ({ account }: Endpoint) => (account === 'integrator' ? api : child.api);
  return {
    watched: [
      { party: ownParty(context), paths: [] },
      { party, paths: ['/account/state'] },
    ],
    trials: (endpoint) => trialsOf(endpoint, actingFor(endpoint), {}),
    async twin(endpoint) {
      if (endpoint.account === 'integrator') return children.send(children.sound());
      const answer = await child.api.send(await soundRequest(context, endpoint, {}));
      if (endpoint.method === 'PUT') await child.api.put('/account/state', 'active');
      return answer;
    },
  };
}

async function trialsWithDefects(
  context: CheckContext,
): Promise<(endpoint: Endpoint, api: Trial['api'], values: Values) => Promise<readonly Trial[]>> {
  const defects: (Omit<Trial, 'api' | 'request'> & { authorization: string | null })[] = [];
  for (const { what, clause, authorization: authorizationIn } of Object.values(DEFECTS)) {
    const authorization = await context.ifOffered(authorizationIn(context));
    if (authorization === undefined) continue;
    defects.push({
      what,
      authorization,
      expected: [
        [clause, (answer) => expectStatus(answer, ERRORS.InvalidCredentials.status)],
        ['errors/invalid-credentials', (answer) => expectErrorCode(answer, ERRORS.InvalidCredentials.code)],
      ],
    });
  }
  return async (endpoint, api, values) => {
    const sound = await soundRequest(context, endpoint, values);
    return [
      ...defects.map(({ authorization, ...trial }) => ({ ...trial, api, request: { ...sound, authorization } })),
      ...respelt(sound).map((request) => ({
        what: `without credentials, as ${request.method} ${request.path}`,
        api,
        request: { ...request, authorization: null },
        expected: [['authentication/required-everywhere', expectNotServed]] as const,
      })),
    ];
  };
}

/** The same request as a lenient router may take it: what asks for credentials may go by the exact path. */
function respelt(sound: ApiRequest): readonly ApiRequest[] {
  const path = sound.path.replace(/^\/./, (start) => start.toUpperCase());
  return [
    { ...sound, path },
    { ...sound, path: sound.path.replace(/(?=\?|$)/, '/') },
    ...(sound.method === 'GET' ? [{ ...sound, method: 'HEAD' }] : []),
  ];
}

/** Whether such a path exists at all is not printed. */
function expectNotServed({ status, request }: Answer): Mismatch | undefined {
  return expectThat(status >= 300, `status of ${request}`, 'no success without credentials', status);
}

/** The request with the key of the account; where it names something that could not be made, none. */
async function twinOf(context: CheckContext, endpoint: Endpoint, party: Furnished): Promise<Answer | undefined> {
  const values = valuesFor(endpoint, party);
  if (isMissing(endpoint, values)) return undefined;
  const deletesJob = endpoint.effect === 'deletes' && endpoint.parts.some(({ name }) => name === 'print_job_set');
  const job = deletesJob ? await party.fresh('print_job_set') : values.print_job_set;
  const answer = await party.api.send(await soundRequest(context, endpoint, { ...values, print_job_set: job }));
  if (endpoint.effect === 'creates' && endpoint.parts.length > 0) context.removeLater(pathOf(endpoint, values));
  // A reading is there for 45 seconds, which many requests may take together.
  return endpoint.returns === 'reading' && answer.status === ERRORS.ScaleNotFound.status ? undefined : answer;
}
