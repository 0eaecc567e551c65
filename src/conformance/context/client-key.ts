/**
 * Requests for client keys. An edition is a name that was chosen for a branded client, so a service may know its own
 * editions alone.
 */

import { asRecords } from '../expect/records.ts';
import type { ApiClient } from './api-client.ts';
import type { CheckContext } from './context.ts';

/** What most services know. */
const STANDARD = 'standard';

export function clientKeyPath(uuid: string, edition: string, version = '1.2.3'): string {
  return `/client/key/${uuid}?edition=${encodeURIComponent(edition)}&version=${encodeURIComponent(version)}`;
}

/** An edition that the service gives keys for: the standard one, or else that of a client download. */
export async function knownEdition(
  { naming }: Pick<CheckContext, 'naming'>,
  api: Pick<ApiClient, 'get'>,
): Promise<string> {
  if ((await api.get(clientKeyPath(naming.uuid(), STANDARD))).status < 400) return STANDARD;
  return (await listedEditions(api))[0] ?? STANDARD;
}

/** Editions that the service surely knows: it has client downloads of them. */
export async function listedEditions(api: Pick<ApiClient, 'get'>): Promise<readonly string[]> {
  const downloads = asRecords((await api.get('/download/clients')).value) ?? [];
  return [...new Set(downloads.map(({ edition }) => edition))].filter((edition) => typeof edition === 'string');
}
