/**
 * Routes of the family "client downloads": client keys, and which versions of the client are offered.
 */

import { keysOf } from '../../common/keys-of.ts';
import { OPERATING_SYSTEMS } from '../../specification/inputs.ts';
import { renderClientDownload, type ClientDownload, type OperatingSystem } from '../domain/client-download.ts';
import { badRequest, notFound } from '../gate/api-error.ts';
import { parseIdSet } from '../gate/id-set.ts';
import { ok, type Handler, type Reply, type RequestContext } from '../gate/request-context.ts';
import type { Route } from '../gate/router.ts';
import { bodyObject } from '../requests/fields.ts';
import type { ServiceState } from '../service-state.ts';

const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

const SYSTEMS = keysOf(OPERATING_SYSTEMS);

export function clientDownloadRoutes(state: ServiceState): Route<Handler>[] {
  const list: Handler = (context) => listReply(state, selectDownloads(state, context));
  return [
    { method: 'GET', path: '/client/key/{uuid}', handler: (context) => issueKey(state, context) },
    { method: 'GET', path: '/download/clients', handler: list },
    { method: 'GET', path: '/download/clients/{download_id_set}', handler: list },
    {
      method: 'PATCH',
      path: '/download/clients/{download_id_set}',
      handler: (context) => enable(state, context),
    },
    ...SYSTEMS.flatMap((os) => latestRoutes(state, os)),
  ];
}

/** Choice (gap/client-download-short-path): both paths answer with the record. */
function latestRoutes(state: ServiceState, os: OperatingSystem): Route<Handler>[] {
  const handler: Handler = ({ account }) => {
    const latest = state.clientDownloads.latest(account.id, os);
    if (!latest) throw notFound(`no client version for ${os} is enabled`);
    return ok(renderClientDownload(latest, state.choices.appUrl));
  };
  return ['/download/clients', '/download/client'].map((path) => ({
    method: 'GET',
    path: `${path}/${os}`,
    handler,
  }));
}

function issueKey(state: ServiceState, { account, params, query }: RequestContext): Reply {
  const uuid = params['uuid'] ?? '';
  if (!UUID_V4.test(uuid)) throw badRequest('uuid: a version 4 UUID is required');
  for (const name of ['edition', 'version']) {
    if ((query.get(name) ?? '') === '') throw badRequest(`${name}: is required`);
  }
  const { key } = state.database.write(() => state.clientKeys.issue(account.id, uuid, () => state.secrets.clientKey()));
  return ok(JSON.stringify(key));
}

function enable(state: ServiceState, context: RequestContext): Reply {
  const { enabled } = bodyObject(context.body, 'an object with enabled');
  if (typeof enabled !== 'boolean') throw badRequest('enabled: true or false is required');
  const ids = selectDownloads(state, context).map(({ release }) => release.id);
  state.database.write(() => state.clientDownloads.enable(context.account.id, ids, enabled));
  return ok(JSON.stringify(ids));
}

/** The account's downloads that the path names: all of them when it names no set. */
function selectDownloads(state: ServiceState, { account, params }: RequestContext): ClientDownload[] {
  const set = params['download_id_set'];
  const all = state.clientDownloads.of(account.id);
  if (set === undefined) return all;
  const ids = new Set(parseIdSet(set, 'download_id_set'));
  return all.filter(({ release }) => ids.has(release.id));
}

function listReply({ choices }: ServiceState, downloads: readonly ClientDownload[]): Reply {
  return ok(`[${downloads.map((download) => renderClientDownload(download, choices.appUrl)).join(',')}]`);
}
