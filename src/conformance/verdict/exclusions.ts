/**
 * Exclusions: clauses that no check of a service will judge, each with the reason.
 */

import type { Clause, Party } from '../../spec/clause.ts';

/** Clauses that another party than the service keeps or breaks. */
const BY_PARTY: Readonly<Partial<Record<Party, string>>> = {
  client: 'kept or broken by the client program on the computer, which the tests of src/devices judge',
  caller: 'kept or broken by the caller of the service',
};

const BY_CLAUSE: Readonly<Record<string, string>> = {
  'service/https':
    'a property of how a service is deployed; a service under test is often reached without TLS',
  'client-downloads/generic-address':
    'lies at another address than the API, and nothing in the API names that address',
  'webhooks/update-not-atomic': 'a permission: any answer keeps it',
  'webhooks/delete-not-atomic': 'a permission: any answer keeps it',
};

/** Why no check judges this clause, or undefined when one should. */
export function exclusionOf(clause: Clause): string | undefined {
  return BY_CLAUSE[clause.id] ?? BY_PARTY[clause.party];
}

/** The ids named here, for proving that none is stale. */
export const EXCLUDED_CLAUSES: readonly string[] = Object.keys(BY_CLAUSE);
