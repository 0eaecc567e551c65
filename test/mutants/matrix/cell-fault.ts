/**
 * Cell fault: how the reference service breaks one rule at one endpoint. It knows nothing of the checks: it stands on
 * the way of the requests, sees who has called with success, and lets a request through, or acts for another caller,
 * where the service did not.
 */

import type { Endpoint } from '../../../src/specification/clause.ts';
import { SECOND_KEY, FIRST_KEY } from '../../support/running-service.ts';
import type { ChangedAnswer, PassingAnswer, PassingRequest, Rewrite } from '../meddling-proxy.ts';
import { headerOf } from '../mutant-tools.ts';
import { basicOf } from '../mutants.ts';

/** Asks the service behind the proxy. */
export type Ask = (request: PassingRequest) => Promise<PassingAnswer>;

export interface CellFault {
  /** What breaks: `GET /computers needs no key`. */
  readonly name: string;
  /** Changes a request on its way; sees who has called so far. */
  readonly rewrite?: (request: PassingRequest, callers: Callers) => ReturnType<Rewrite>;
  readonly meddle?:
    | ((answer: PassingAnswer, ask: Ask, callers: Callers) => Promise<ChangedAnswer> | ChangedAnswer)
    | undefined;
}

/** Who has called with success: their Authorization headers, the last one last. */
export class Callers {
  readonly #authorizations = new Set<string>();

  note({ status, request }: PassingAnswer): void {
    const authorization = headerOf(request, 'authorization');
    if (status >= 300 || authorization === undefined || /^\/+ping/.test(request.path)) return;
    this.#authorizations.delete(authorization);
    this.#authorizations.add(authorization);
  }

  has(authorization: string): boolean {
    return this.#authorizations.has(authorization);
  }

  get all(): readonly string[] {
    return [...this.#authorizations];
  }
}

export type Kin = 'integrator' | 'other account' | 'Child';

export function kinOf(authorization: string): Kin {
  if (authorization === basicOf(FIRST_KEY)) return 'integrator';
  return authorization === basicOf(SECOND_KEY) ? 'other account' : 'Child';
}

/** Paths of an endpoint, with this in place of each placeholder. */
export function isPathOf({ path }: Endpoint, placeholder: string): RegExp {
  return new RegExp(`^/*${path.slice(1).replaceAll(/\{\w+\}/g, placeholder)}/*(\\?.*)?$`);
}

/** Whether a request is one of this endpoint; a path that is printed without a placeholder is not one of a set. */
export function isOf(endpoint: Endpoint): (request: Pick<PassingRequest, 'method' | 'path'>) => boolean {
  const pattern = isPathOf(endpoint, '(?!states\\b|refresh\\b)[^/?]+');
  return (request) => request.method === endpoint.method && pattern.test(request.path);
}

/** Headers with another value of this one, or without it. */
export function withHeader(headers: readonly string[], name: string, value: string | undefined): string[] {
  const kept = headers.flatMap((one, index) =>
    index % 2 === 0 && one.toLowerCase() !== name.toLowerCase() ? [one, headers[index + 1] ?? ''] : [],
  );
  return value === undefined ? kept : [...kept, name, value];
}

/** A list that overlooks one of the parameters of a page. */
export function overlookingPages(isHere: (request: PassingRequest) => boolean): readonly CellFault[] {
  return ['limit', 'after', 'dir'].map((name) => ({
    name: `overlooks ${name}`,
    rewrite: (request) =>
      isHere(request) ? { path: request.path.replace(new RegExp(`([?&])${name}=[^&]*&?`), '$1') } : undefined,
  }));
}

/** As the service refuses. */
export function refusal(status: number, code: string): ChangedAnswer {
  return { status, body: JSON.stringify({ uid: 'x', code, message: 'refused on the way' }) };
}
