/**
 * Clients of a check: of its account, of the second one, and of any other that it has a key for.
 */

import type { HeaderPair } from '../../common/header-pairs.ts';
import { createApiClient, type ApiClient, type Transport } from './api-client.ts';
import type { Parent } from './children.ts';
import type { Owner, OwnerAccess } from './computers.ts';
import { atOnce } from './pacing.ts';

/** The part of the context with which a check sends requests. */
export interface Clients {
  readonly api: ApiClient;
  /** A client of an account that has nothing to do with the first. Needs `second-account`. */
  readonly secondApi: ApiClient;
  /** A client of another key, or of one that sends these headers with every request. */
  readonly callAs: (apiKey: string, headers?: readonly HeaderPair[]) => ApiClient;
  /** Clients that do not keep below the request rate. */
  readonly unpaced: Unpaced;
}

export interface Unpaced {
  readonly account: ApiClient;
  readonly second: ApiClient;
  /** The second account from another source address, where this machine has one that reaches the target. */
  readonly elsewhere: ApiClient | undefined;
}

export interface OpenClients {
  readonly clients: Clients;
  readonly owners: Readonly<Record<Owner, OwnerAccess>>;
  readonly parentOf: (owner: Owner) => Parent;
}

export function openClients(transport: Transport): OpenClients {
  const { target, sender, elsewhere } = transport;
  const secondKey = target.secondApiKey ?? '';
  // Cleaning up is not part of what the check did, and goes on when its time is over.
  const unseen = { ...transport, exchanges: [], wireFailures: [], signal: new AbortController().signal };
  const unpaced: Transport = { ...transport, turns: atOnce(sender), isUnpaced: true };
  const accessWith = (apiKey: string, headers?: readonly HeaderPair[]): OwnerAccess => ({
    apiKey,
    api: createApiClient(transport, apiKey, headers),
    cleaner: createApiClient(unseen, apiKey, headers),
  });
  const owners = { account: accessWith(target.apiKey), 'second-account': accessWith(secondKey) };
  return {
    owners,
    parentOf: (owner) => ({
      ...owners[owner],
      acting: (headers) => accessWith(owners[owner].apiKey, headers),
    }),
    clients: {
      api: owners.account.api,
      secondApi: owners['second-account'].api,
      callAs: (apiKey, headers) => createApiClient(transport, apiKey, headers),
      unpaced: {
        account: createApiClient(unpaced, target.apiKey),
        second: createApiClient(unpaced, secondKey),
        elsewhere: elsewhere && createApiClient({ ...unpaced, turns: atOnce(elsewhere) }, secondKey),
      },
    },
  };
}
