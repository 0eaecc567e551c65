/** What makes a service answer at some of its endpoints as one does that has not built them. */

import { endpointFor } from '../../src/oracle/endpoint-for.ts';
import { endpointsOf } from '../../src/targets/offers.ts';
import type { PassingAnswer, PassingRequest } from '../mutants/meddling-proxy.ts';

export interface WithoutEndpoints {
  readonly rewrite: (request: PassingRequest) => { readonly path: string } | undefined;
  readonly meddle: (answer: PassingAnswer) => { readonly status: number } | undefined;
}

/**
 * @param names - as a descriptor has them: of families, groups and endpoints
 * @param status - how the service answers there
 */
export function withoutEndpoints(names: readonly string[], status: number): WithoutEndpoints {
  const off = new Set(names.flatMap(endpointsOf));
  const isOff = ({ method, path }: PassingRequest): boolean => {
    const endpoint = endpointFor(method, path);
    return endpoint !== undefined && off.has(endpoint);
  };
  return {
    rewrite: (request) => (isOff(request) ? { path: '/not-built' } : undefined),
    meddle: ({ request }) => (isOff(request) ? { status } : undefined),
  };
}
