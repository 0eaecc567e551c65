/**
 * Mutants of who a caller is: keys, and Integrators that act as their Children.
 */

import type { Account } from '../../src/service/domain/account.ts';
import { ApiError } from '../../src/service/gate/api-error.ts';
import { SERVICE_RULES, type ServiceRules } from '../../src/service/service-rules.ts';
import { FIRST_KEY } from '../support/running-service.ts';
import { forTheParent, headerOf } from './mutant-tools.ts';
import { basicOf, errors, withoutHeader, type Mutant } from './mutants.ts';

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

/** Whoever is meant by a header that leads nowhere. */
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
  otherwise((authenticated, header, accounts) =>
    may(authenticated) ? accounts.byId(Number(header(ID))) : undefined,
  );

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

export const CALLER_MUTANTS: readonly Mutant[] = [
  {
    name: 'keys without regard to case',
    clause: 'authentication/key-exact',
    rules: {
      authenticate: (authorization, findByKey) =>
        SERVICE_RULES.authenticate(authorization, (key) => findByKey(key) ?? findByKey(key.toLowerCase())),
    },
  },
  {
    name: 'blanks around a key do not count',
    clause: 'authentication/key-exact',
    rules: {
      authenticate: (authorization, findByKey) =>
        SERVICE_RULES.authenticate(authorization, (key) => findByKey(key.trim())),
    },
  },
  {
    name: 'only the first key leads to the account',
    clause: 'authentication/any-key',
    meddle: ({ path, request, headers }) =>
      path === '/noop' && headerOf(request, 'authorization') !== basicOf(FIRST_KEY)
        ? { headers: headers.map((value, index) => (headers[index - 1] === 'X-Account' ? '4711' : value)) }
        : undefined,
  },

  // Acting as a Child
  { name: 'By-Id is overlooked', clause: 'authentication/child-by-id', rules: overlooking(ID) },
  { name: 'By-Email is overlooked', clause: 'authentication/child-by-email', rules: overlooking(EMAIL) },
  {
    name: 'By-CreatorRef is overlooked',
    clause: 'authentication/child-by-creator-ref',
    rules: overlooking(CREATOR_REF),
  },
  {
    name: 'no By-Id in the response',
    clause: 'authentication/child-strategy-by-id',
    rules: withoutHeader('X-Child-Account-By-Id'),
  },
  {
    name: 'no By-Email in the response',
    clause: 'authentication/child-strategy-by-email',
    rules: withoutHeader('X-Child-Account-By-Email'),
  },
  {
    name: 'no By-CreatorRef in the response',
    clause: 'authentication/child-strategy-by-creator-ref',
    rules: withoutHeader('X-Child-Account-By-CreatorRef'),
  },
  {
    name: 'no X-Authorized-As',
    clause: 'authentication/child-x-authorized-as',
    rules: withoutHeader('X-Authorized-As'),
  },
  {
    name: 'X-Account is the Integrator',
    clause: 'authentication/child-x-account',
    meddle: ({ headers }) => ({
      headers: headers.map((value, index) => (headers[index - 1] === 'X-Account' ? '1' : value)),
    }),
  },
  {
    name: 'lists of a Child are those of its Integrator',
    clause: 'authentication/child-lists',
    rewrite: forTheParent(/^GET \/(computers|printers)$/),
  },
  {
    name: 'jobs of a Child are those of its Integrator',
    clause: 'authentication/child-creates',
    rewrite: forTheParent(/^POST \/printjobs$/),
  },
  {
    name: 'an unknown id is overlooked',
    clause: 'authentication/child-by-unknown-id-401',
    rules: parentInstead(ID),
  },
  {
    name: 'an unknown email is overlooked',
    clause: 'authentication/child-by-unknown-email-401',
    rules: parentInstead(EMAIL),
  },
  {
    name: 'an unknown creatorRef is overlooked',
    clause: 'authentication/child-by-unknown-creator-ref-401',
    rules: parentInstead(CREATOR_REF),
  },
  {
    name: 'a wrong header acts on the Integrator',
    clause: 'authentication/child-bad-header-never-parent',
    rules: parentInstead(CREATOR_REF),
  },
  {
    name: 'another code for a wrong header',
    clause: 'errors/invalid-credentials-child',
    rules: errors((error) =>
      String(error['message']).includes('X-Child') ? { ...error, code: 'NoSuchChild' } : error,
    ),
  },
  {
    name: 'an Integrator acts as anybody',
    clause: 'authentication/child-of-another-401',
    rules: byAnyId(({ isIntegrator }) => isIntegrator),
  },
  {
    name: 'a Single Account acts as anybody',
    clause: 'authentication/child-header-of-single-401',
    rules: byAnyId(({ isIntegrator }) => !isIntegrator),
  },
  {
    name: 'a deleted Child can be acted as',
    clause: 'authentication/child-deleted-401',
    rules: rememberingChildren(),
  },
];
