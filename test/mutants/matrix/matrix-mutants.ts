/**
 * Mutants by product: for each cell of the matrix a service that breaks the rule of its column at the endpoint of its
 * row, and nowhere else. Made from the table of endpoints, as the checks are; broken by other means.
 */

import { endpointsOf, MATRIX_RULES } from '../../../src/conformance/matrix/matrix.ts';
import { nameOf } from '../../../src/conformance/matrix/matrix-rule.ts';
import type { Endpoint } from '../../../src/spec/clause.ts';
import type { PassingAnswer } from '../meddling-proxy.ts';
import { headerOf } from '../mutant-tools.ts';
import { isOf, kinOf, refusal, withHeader, type CellFault, type Kin } from './cell-fault.ts';
import type { CellMutant } from './try-cell.ts';

type FaultsOf = (endpoint: Endpoint) => readonly CellFault[];

const REFUSED = refusal(401, 'InvalidCredentials');

/** Which refused requests are let in, by column: `hasCalled` says that the key was good once. */
const BAD_CREDENTIALS: Readonly<Record<string, (authorization: string | undefined, hasCalled: boolean) => boolean>> = {
  'no credentials': (authorization) => authorization === undefined,
  'a key that does not exist': (authorization, hasCalled) => authorization !== undefined && !hasCalled,
  'a revoked key': (_, hasCalled) => hasCalled,
};

/** A request with bad credentials is let in as the one that called last; or it acts, and is refused all the same. */
const letIn =
  (column: string): FaultsOf =>
  (endpoint) => {
    const isHere = isOf(endpoint);
    const act =
      (isRefused: boolean): CellFault['meddle'] =>
      async ({ request, status }, ask, callers) => {
        const authorization = headerOf(request, 'authorization');
        const hasCalled = authorization !== undefined && callers.has(authorization);
        const other = callers.all.findLast((one) => one !== authorization);
        if (status !== 401 || !isHere(request) || !BAD_CREDENTIALS[column]?.(authorization, hasCalled))
          return undefined;
        const answer = await ask({ ...request, headers: withHeader(request.headers, 'Authorization', other) });
        return isRefused ? REFUSED : { status: answer.status, body: answer.body };
      };
    return [
      { name: `takes ${column}`, meddle: act(false) },
      ...(endpoint.effect === 'none' ? [] : [{ name: `acts on ${column}, and refuses`, meddle: act(true) }]),
    ];
  };

const isHit = ({ status, body }: PassingAnswer): boolean => status < 300 && body !== '[]';

/** Callers of this kind reach what callers of that kind have. */
const reaching =
  (caller: Kin, owner: Kin): FaultsOf =>
  (endpoint) => {
    const isHere = isOf(endpoint);
    const leak =
      (isSilent: boolean): CellFault['meddle'] =>
      async (answer, ask, callers) => {
        const authorization = headerOf(answer.request, 'authorization');
        if (!isHere(answer) || authorization === undefined || kinOf(authorization) !== caller) return undefined;
        if (isHit(answer) && endpoint.parts.length > 0 && endpoint.effect !== 'creates') return undefined;
        for (const other of callers.all.toReversed().filter((one) => one !== authorization && kinOf(one) === owner)) {
          for (const path of [answer.request.path, ...withoutOneSet(answer.request.path)]) {
            const headers = withHeader(answer.request.headers, 'Authorization', other);
            const { status, body } = await ask({ ...answer.request, path, headers });
            if (status < 300 && body !== '[]') return isSilent ? undefined : { status, body };
          }
        }
        return undefined;
      };
    // The key that is there already is all that POST makes: nothing happens, and the answer shows it.
    const isKey = nameOf(endpoint) === 'POST /account/apikey/{description}';
    const isShown = endpoint.effect === 'none' || isKey || endpoint.returns === 'id' || endpoint.returns === 'ids';
    const isSilent = endpoint.effect !== 'none' && !isKey;
    return [
      ...(isShown ? [{ name: `reaches the things of ${owner}`, meddle: leak(false) }] : []),
      ...(isSilent ? [{ name: `acts on the things of ${owner} in silence`, meddle: leak(true) }] : []),
    ];
  };

/** A service that looks at the owner of one of two sets alone. */
function withoutOneSet(path: string): readonly string[] {
  const [, outer, set, inner, second] = /^\/(\w+)\/([\d,]+)\/(\w+)\/([\d,]+)$/.exec(path) ?? [];
  return outer === undefined ? [] : [`/${inner}/${second}`, `/${outer}/${set}/${inner}`];
}

/** Faults by column. */
const FAULTS: Readonly<Record<string, FaultsOf>> = {
  ...Object.fromEntries(Object.keys(BAD_CREDENTIALS).map((column) => [column, letIn(column)])),
  'things of another account': reaching('other account', 'integrator'),
  "a sibling's things": reaching('Child', 'Child'),
  "its parent's things": reaching('Child', 'integrator'),
  "its Child's things": reaching('integrator', 'Child'),
  "another Integrator's Child's things": reaching('other account', 'Child'),
};

export const MATRIX_MUTANTS: readonly CellMutant[] = Object.entries(MATRIX_RULES).flatMap(([check, rule]) =>
  endpointsOf(rule).flatMap((endpoint) =>
    rule.columns.flatMap((column) =>
      (FAULTS[column]?.(endpoint) ?? []).map((fault) => ({
        ...fault,
        name: `${nameOf(endpoint)} ${fault.name}`,
        endpoint,
        check,
      })),
    ),
  ),
);
