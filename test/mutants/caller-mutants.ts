/**
 * Mutants of who a caller is: keys, and Integrators that act as their Children.
 */

import type { Account } from '../../src/service/domain/account.ts';
import { ApiError } from '../../src/service/gate/api-error.ts';
import { SERVICE_RULES, type ServiceRules } from '../../src/service/service-rules.ts';
import { FIRST_KEY } from '../support/running-service.ts';
import { forTheParent, headerOf, instead, isForChild } from './mutant-tools.ts';
import { type Mutant, inAnswers, inRequests, inRules } from './mutant.ts';
import { basicOf, errors, withoutHeader } from './mutants.ts';

const ID = 'x-child-account-by-id';
const EMAIL = 'x-child-account-by-email';
const CREATOR_REF = 'x-child-account-by-creatorref';

/** A header that is overlooked: the request is the Integrator's own. */
function overlooking(unseen: string): Partial<ServiceRules> {
  return {
    actAs: (authenticated, header, accounts) =>
      SERVICE_RULES.actAs(authenticated, (name) => (name === unseen ? undefined : header(name)), accounts),
  };
}

/** A header that leads nowhere is overlooked beside one that names a Child. */
function overlookingBeside(unseen: string): Partial<ServiceRules> {
  return {
    actAs: (authenticated, header, accounts) => {
      try {
        return SERVICE_RULES.actAs(authenticated, header, accounts);
      } catch (error) {
        const without = (name: string): string | undefined => (name === unseen ? undefined : header(name));
        const caller = SERVICE_RULES.actAs(authenticated, without, accounts);
        if (caller.integrator) return caller;
        throw error;
      }
    },
  };
}

/** A header is decoded before anything is looked for. */
function decoding(decoded: string, decode: (value: string) => string): Partial<ServiceRules> {
  return {
    actAs: (authenticated, header, accounts) =>
      SERVICE_RULES.actAs(
        authenticated,
        (name) => (name === decoded ? decode(header(name) ?? '') || undefined : header(name)),
        accounts,
      ),
  };
}

/** The account that a header which names none is taken for. */
function otherwise(
  findAccount: (
    authenticated: Account,
    header: Parameters<ServiceRules['actAs']>[1],
    accounts: Parameters<ServiceRules['actAs']>[2],
  ) => Account | undefined,
): Partial<ServiceRules> {
  return {
    actAs: (authenticated, header, accounts) => {
      try {
        return SERVICE_RULES.actAs(authenticated, header, accounts);
      } catch (error) {
        const account = findAccount(authenticated, header, accounts);
        if (error instanceof ApiError && account) return { account, integrator: undefined, headers: [] };
        throw error;
      }
    },
  };
}

/** A header that leads nowhere is as good as none. */
const parentInstead = (name: string): Partial<ServiceRules> =>
  otherwise((authenticated, header) => (header(name) === undefined ? undefined : authenticated));

const byAnyId = (may: (authenticated: Account) => boolean): Partial<ServiceRules> =>
  otherwise((authenticated, header, accounts) => (may(authenticated) ? accounts.byId(Number(header(ID))) : undefined));

/** Headers that led to a Child once lead there for ever. */
function rememberingChildren(): Partial<ServiceRules> {
  const known = new Map<string, ReturnType<ServiceRules['actAs']>>();
  return {
    actAs: (authenticated, header, accounts) => {
      const name = [ID, EMAIL, CREATOR_REF].map(header).join();
      try {
        const caller = SERVICE_RULES.actAs(authenticated, header, accounts);
        known.set(name, caller);
        return caller;
      } catch (error) {
        const caller = known.get(name);
        if (caller) return caller;
        throw error;
      }
    },
  };
}

/** A Child is known by the email that it had when it was first acted for. */
function firstEmailAlone(): Partial<ServiceRules> {
  const emails = new Map<number, string | null>();
  return {
    actAs: (authenticated, header, accounts) => {
      const caller = SERVICE_RULES.actAs(authenticated, header, accounts);
      const { id, email } = caller.account;
      const first = emails.get(id) ?? email;
      emails.set(id, first);
      if (header(EMAIL) === undefined || header(EMAIL) === first) return caller;
      return SERVICE_RULES.actAs(authenticated, (name) => (name === EMAIL ? 'no@such.test' : header(name)), accounts);
    },
  };
}

export const CALLER_MUTANTS: readonly Mutant[] = [
  inRules('authentication/key-exact', 'keys without regard to case', {
    authenticate: (authorization, findByKey) =>
      SERVICE_RULES.authenticate(authorization, (key) => findByKey(key) ?? findByKey(key.toLowerCase())),
  }),
  inRules('authentication/key-exact', 'blanks around a key do not count', {
    authenticate: (authorization, findByKey) =>
      SERVICE_RULES.authenticate(authorization, (key) => findByKey(key.trim())),
  }),
  inAnswers('authentication/any-key', 'only the first key leads to the account', ({ path, request, headers }) =>
    path === '/noop' && headerOf(request, 'authorization') !== basicOf(FIRST_KEY)
      ? { headers: headers.map((value, index) => (headers[index - 1] === 'X-Account' ? '4711' : value)) }
      : undefined,
  ),

  // Acting as a Child
  inRules('authentication/child-by-id', 'By-Id is overlooked', overlooking(ID)),
  inRules('authentication/child-by-email', 'By-Email is overlooked', overlooking(EMAIL)),
  inRules('authentication/child-by-creator-ref', 'By-CreatorRef is overlooked', overlooking(CREATOR_REF)),
  inRules('authentication/child-by-email', 'By-Email knows the first email alone', firstEmailAlone()),
  inRules(
    'authentication/child-by-email',
    'a plus in By-Email is a blank',
    decoding(EMAIL, (value) => value.replaceAll('+', ' ')),
  ),
  inRules(
    'authentication/child-by-creator-ref',
    'By-CreatorRef is percent-decoded',
    decoding(CREATOR_REF, decodeURIComponent),
  ),
  inRules('authentication/child-strategy-by-id', 'no By-Id in the response', withoutHeader('X-Child-Account-By-Id')),
  inRules(
    'authentication/child-strategy-by-email',
    'no By-Email in the response',
    withoutHeader('X-Child-Account-By-Email'),
  ),
  inRules(
    'authentication/child-strategy-by-creator-ref',
    'no By-CreatorRef in the response',
    withoutHeader('X-Child-Account-By-CreatorRef'),
  ),
  inRules('authentication/child-x-authorized-as', 'no X-Authorized-As', withoutHeader('X-Authorized-As')),
  inAnswers('authentication/child-x-account', 'X-Account is the Integrator', ({ headers }) => ({
    headers: headers.map((value, index) => (headers[index - 1] === 'X-Account' ? '1' : value)),
  })),
  inRequests(
    'authentication/child-lists',
    'lists of a Child are those of its Integrator',
    forTheParent(/^GET \/(computers|printers)$/),
  ),
  inRequests(
    'authentication/child-creates',
    'jobs of a Child are those of its Integrator',
    forTheParent(/^POST \/printjobs$/),
  ),
  inRequests(
    'service/page-after',
    'after of a Child is overlooked',
    instead(/^GET \/printjobs\?/, (request) =>
      isForChild(request) ? { path: request.path.replace(/after=\d+/, '') } : undefined,
    ),
  ),
  inRules('authentication/child-by-unknown-id-401', 'an unknown id is overlooked', parentInstead(ID)),
  inRules('authentication/child-by-unknown-email-401', 'an unknown email is overlooked', parentInstead(EMAIL)),
  inRules(
    'authentication/child-by-unknown-creator-ref-401',
    'an unknown creatorRef is overlooked',
    parentInstead(CREATOR_REF),
  ),
  inRules(
    'authentication/child-by-unknown-id-401',
    'an unknown id is overlooked beside a Child',
    overlookingBeside(ID),
  ),
  inRules(
    'authentication/child-by-unknown-email-401',
    'an unknown email is overlooked beside a Child',
    overlookingBeside(EMAIL),
  ),
  inRules(
    'authentication/child-by-unknown-creator-ref-401',
    'an unknown creatorRef is overlooked beside a Child',
    overlookingBeside(CREATOR_REF),
  ),
  inRules(
    'authentication/child-bad-header-never-parent',
    'a wrong header acts on the Integrator',
    parentInstead(CREATOR_REF),
  ),
  inRules(
    'errors/invalid-credentials-child',
    'another code for a wrong header',
    errors((error) => (String(error['message']).includes('X-Child') ? { ...error, code: 'NoSuchChild' } : error)),
  ),
  inRules(
    'authentication/child-of-another-401',
    'an Integrator acts as anybody',
    byAnyId(({ isIntegrator }) => isIntegrator),
  ),
  inRules(
    'authentication/child-header-of-single-401',
    'a Single Account acts as anybody',
    byAnyId(({ isIntegrator }) => !isIntegrator),
  ),
  inRules(
    'authentication/child-header-of-child-401',
    'a Child acts as anybody',
    byAnyId(({ parentId }) => parentId !== null),
  ),
  inRules('authentication/child-deleted-401', 'a deleted Child can be acted as', rememberingChildren()),
];
