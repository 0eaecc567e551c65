/**
 * Offers: what a service may not have built, by the name that a descriptor calls it. Each family of the API is one; so
 * is each group of endpoints within a family that makes sense alone; so is every endpoint by itself.
 *
 *   webhooks            all endpoints of the family
 *   print-job-states    a group of another family
 *   DELETE /computers   one endpoint
 */

import type { Endpoint, Family, Method, Need } from '../specification/clause.ts';
import { ENDPOINTS } from '../specification/endpoints.ts';

const FAMILIES = [
  'accounts',
  'computers',
  'printers',
  'print-jobs',
  'scales',
  'webhooks',
  'client-downloads',
  'misc',
] as const satisfies readonly Family[];

/** What belongs to a group, by the path alone or with its method. */
const GROUPS = {
  'child-accounts': /^(POST|DELETE) \/account$|^\w+ \/account\/(state|controllable)$/,
  tags: /^\w+ \/account\/tag\//,
  'api-keys': /^\w+ \/account\/apikey\//,
  'computer-deletion': /^DELETE \/computers\b/,
  'print-job-cancelling': /^DELETE .*\/printjobs\b/,
  'print-job-states': /\/states$/,
  'scale-simulation': /^PUT \/scale$/,
  'client-keys': /^GET \/client\/key\//,
  downloads: /^\w+ \/download\//,
} as const;

export type OfferGroup = (typeof FAMILIES)[number] | keyof typeof GROUPS;

/** Families and groups, a family before what is a part of it. */
export const OFFER_GROUPS = [...FAMILIES, ...(Object.keys(GROUPS) as (keyof typeof GROUPS)[])] as const;

/** `DELETE /computers`, with the placeholders of the path as printed. */
export type EndpointName = `${Method} /${string}`;

export const ENDPOINT_NAMES: readonly EndpointName[] = ENDPOINTS.map(endpointName);

export function endpointName({ method, path }: Pick<Endpoint, 'method' | 'path'>): EndpointName {
  return `${method} ${path as `/${string}`}`;
}

/** The endpoint without which a need of checks cannot be met. */
const TAKES: Readonly<Partial<Record<Need, EndpointName>>> = {
  integrator: 'POST /account',
  'child-account': 'POST /account',
  scale: 'GET /computer/{computer_id}/scales/{device_name}',
  websocket: 'GET /computer/{computer_id}/scales/{device_name}',
  'webhook-receiver': 'POST /webhook',
  'client-downloads': 'GET /download/clients',
};

export function endpointOfNeed(need: Need): Endpoint | undefined {
  return ENDPOINTS.find((endpoint) => endpointName(endpoint) === TAKES[need]);
}

/** The endpoints that a name stands for. */
export function endpointsOf(name: string): readonly Endpoint[] {
  return ENDPOINTS.filter((endpoint) => {
    const group = GROUPS[name as keyof typeof GROUPS] as RegExp | undefined;
    return endpoint.family === name || endpointName(endpoint) === name || group?.test(endpointName(endpoint)) === true;
  });
}

/** These endpoints in as few names as there can be: families, then groups, then endpoints by themselves. */
export function namesOf(endpoints: ReadonlySet<Endpoint>): readonly string[] {
  const left = new Set(endpoints);
  const groups = OFFER_GROUPS.filter((name) => {
    const members = endpointsOf(name);
    const isWhole = members.every((endpoint) => left.has(endpoint));
    if (isWhole) for (const endpoint of members) left.delete(endpoint);
    return isWhole;
  });
  return [...groups, ...[...left].map(endpointName)];
}
