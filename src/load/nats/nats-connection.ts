/**
 * A connection to NATS, with the addresses and credentials that its own tools take, and errors that say what to
 * do. No message of ours contains a secret.
 */

import {
  connect,
  credsAuthenticator,
  nkeyAuthenticator,
  type Authenticator,
  type NatsConnection,
  type NodeConnectionOptions,
} from '@nats-io/transport-node';

import { ActionableError, usageError } from '../../common/actionable-error.ts';
import { readGivenFile } from '../../common/given-file.ts';
import { shownAddress } from '../../common/service-address.ts';

/** How to reach NATS. Files have the formats of its own tools. */
export interface NatsAddress {
  /** `nats://host:4222` or `tls://…`; several servers of one cluster with commas. */
  readonly url: string;
  readonly token?: string | undefined;
  /** A file with the seed of an nkey. */
  readonly nkeyFile?: string | undefined;
  /** A credentials file: a JWT and the seed of its nkey. */
  readonly credsFile?: string | undefined;
  /** Certificate authority, and certificate and key of this client, in PEM. */
  readonly caFile?: string | undefined;
  readonly certFile?: string | undefined;
  readonly keyFile?: string | undefined;
}

/** Interval of pings: a server that vanished is noticed after two. */
const PING_INTERVAL_MS = 1_000;
const CONNECT_TIMEOUT_MS = 5_000;
const RECONNECT_EVERY_MS = 250;

/**
 * Connects. A connection that drops later is renewed until it is closed.
 *
 * @param name - shown by the server's own tools
 * @throws ActionableError of kind usage when a file cannot be read; of kind unreachable when there is no server, it
 *   refuses us, or it has no JetStream
 */
export async function connectNats(address: NatsAddress, name: string): Promise<NatsConnection> {
  const shown = shownAddress(address.url);
  let connection: NatsConnection;
  try {
    connection = await connect(await connectionOptions(address, name));
  } catch (error) {
    if (error instanceof ActionableError) throw error;
    throw new ActionableError(
      'unreachable',
      `cannot connect to a NATS server at ${shown}: ${messageOf(error)}`,
      'Is it running (nats-server -js), and are address and credentials right?',
    );
  }
  if (connection.info?.jetstream === true) return connection;
  await connection.close();
  throw new ActionableError('unreachable', `${shown} has no JetStream`, 'Start it with nats-server -js.');
}

async function connectionOptions(address: NatsAddress, name: string): Promise<NodeConnectionOptions> {
  const { url, token, nkeyFile, credsFile, caFile, certFile, keyFile } = address;
  const tls = { ...(caFile && { caFile }), ...(certFile && { certFile }), ...(keyFile && { keyFile }) };
  for (const file of [caFile, certFile, keyFile]) if (file !== undefined) await readKey(file);
  return {
    servers: url.split(',').map((one) => one.trim()),
    name,
    timeout: CONNECT_TIMEOUT_MS,
    pingInterval: PING_INTERVAL_MS,
    maxPingOut: 2,
    maxReconnectAttempts: -1,
    reconnectTimeWait: RECONNECT_EVERY_MS,
    ...(token !== undefined && { token }),
    ...(nkeyFile !== undefined && { authenticator: await authenticatorFrom(nkeyFile, nkeyAuthenticator) }),
    ...(credsFile !== undefined && { authenticator: await authenticatorFrom(credsFile, credsAuthenticator) }),
    ...((Object.keys(tls).length > 0 || url.startsWith('tls:')) && { tls }),
  };
}

/** Tried at once: the connection would say no more than that it failed. @throws ActionableError naming the file */
async function authenticatorFrom(file: string, make: (key: Uint8Array) => Authenticator): Promise<Authenticator> {
  const authenticator = make(await readKey(file));
  try {
    authenticator('nonce');
  } catch (error) {
    throw usageError(`${file} is no key for NATS: ${messageOf(error)}`, 'Give a file that nsc or nk has written.');
  }
  return authenticator;
}

function readKey(file: string): Promise<Uint8Array> {
  return readGivenFile(file, 'Give the path of an existing file.');
}

function messageOf(error: unknown): string {
  return error instanceof Error ? shownAddress(error.message) : String(error);
}
