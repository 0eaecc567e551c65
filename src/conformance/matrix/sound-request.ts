/**
 * Sound request: what an endpoint takes, made from the table of endpoints and the things that a path names.
 */

import type { Endpoint, PathPart } from '../../specification/clause.ts';
import type { PathPartName } from '../../specification/endpoints.ts';
import type { ApiRequest, Content } from '../context/api-client.ts';
import { isUntestable } from '../context/check-ended.ts';
import { knownEdition } from '../context/client-key.ts';
import type { CheckContext } from '../context/context.ts';
import { jobBody } from '../context/jobs.ts';
import { API_KEY_BODIES, TAG_BODIES } from '../context/keys-and-tags.ts';
import { newWebhookFields } from '../context/webhook-settings.ts';
import { nameOf } from './matrix-rule.ts';

/** What stands in a path in place of each placeholder. */
export type Values = { readonly [Name in PathPartName]?: string | undefined };

/** Ids and names that no account has. */
export const UNKNOWN = {
  computer_set: '2147483601',
  printer_set: '2147483602',
  print_job_set: '2147483603',
  download_id_set: '2147483604',
  computer_id: '2147483605',
  device_name: 'No Such Scale',
  device_number: '0',
  webhook_id: '2147483606',
  name: 'no-such-tag',
  description: 'no-such-key',
  uuid: '3f0f3f0f-3f0f-4f0f-8f0f-3f0f3f0f3f0f',
  os: 'osx',
} as const satisfies Readonly<Record<PathPartName, string>>;

/** The path of an endpoint; what is not given is unknown. */
export function pathOf({ path }: Pick<Endpoint, 'path'>, values: Values): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: PathPartName) => {
    const value = values[name] ?? UNKNOWN[name];
    // A set stands there with its commas.
    return value.split(',').map(encodeURIComponent).join(',');
  });
}

/** A request that an endpoint takes, if the caller may send it and its things are there. */
export async function soundRequest(context: CheckContext, endpoint: Endpoint, values: Values): Promise<ApiRequest> {
  const { method, query } = endpoint;
  const content = await CONTENTS[nameOf(endpoint)]?.(context, values);
  const path = pathOf(endpoint, values);
  if (!Object.keys(query).includes('edition')) return { method, path, ...content };
  const edition = encodeURIComponent(await knownEdition(context, context.api));
  return { method, path: `${path}?edition=${edition}&version=1.0.0` };
}

/** Bodies of the endpoints that take one, each as small as it can be. */
const CONTENTS: Readonly<Record<string, (context: CheckContext, values: Values) => Content | Promise<Content>>> = {
  'POST /account': ({ children }) => ({ json: children.sound() }),
  'PATCH /account': ({ uniqueText }) => ({ json: { lastname: uniqueText('changed') } }),
  'PUT /account/state': () => ({ json: 'suspended' }),
  'POST /account/tag/{name}': async ({ speak, uniqueText }) => TAG_BODIES[await speak('tag-body')](uniqueText('value')),
  'POST /account/apikey/{description}': async ({ speak }) => API_KEY_BODIES[await speak('api-key-body')],
  'POST /printjobs': (_, { printer_set = UNKNOWN.printer_set }) => ({ json: jobBody(Number(printer_set)) }),
  'PUT /scale': scaleContent,
  'POST /webhook': (context) => ({ json: newWebhookFields(context) }),
  'PATCH /webhook/{webhook_id}': ({ uniqueText }) => ({ json: { secret: uniqueText('secret') } }),
  'PATCH /download/clients/{download_id_set}': () => ({ json: { enabled: false } }),
};

/** Where it cannot be found out, none: the rule is judged at the other endpoints all the same. */
export async function scaleContent({ speak }: CheckContext): Promise<Content> {
  try {
    return { json: (await speak('simulated-reading')).body };
  } catch (error) {
    if (isUntestable(error)) return {};
    throw error;
  }
}

const OWNED: ReadonlySet<PathPart['thing']> = new Set([
  'computer',
  'printer',
  'print job',
  'scale',
  'webhook',
  'tag',
  'API key',
]);

/** The parts of a path that name something that belongs to one account. */
export function ownedParts({ parts }: Endpoint): readonly PathPart[] {
  return parts.filter(({ thing }) => OWNED.has(thing));
}

/** Whether a request would name something that is not there: something owned, a download, the printer of a job. */
export function isMissing(endpoint: Endpoint, values: Values): boolean {
  const needed = endpoint.parts.filter((part) => ownedParts(endpoint).includes(part) || part.thing === 'download');
  const names = needed.map(({ name }) => name as PathPartName);
  if (nameOf(endpoint) === 'POST /printjobs') names.push('printer_set');
  return names.some((name) => values[name] === undefined);
}
