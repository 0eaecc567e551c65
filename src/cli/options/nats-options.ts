/**
 * How NATS is reached, as flags and variables.
 */

import { Option, type Command } from 'commander';

import type { NatsAddress } from '../../load/nats/nats-connection.ts';

export interface NatsFlags {
  readonly nats?: string;
  readonly natsToken?: string;
  readonly natsNkey?: string;
  readonly natsCreds?: string;
  readonly natsCa?: string;
  readonly natsCert?: string;
  readonly natsKey?: string;
}

export function addNatsOptions(command: Command): Command {
  return command
    .addOption(new Option('--nats <url>', 'NATS server that connects the machines').env('PLATEN_NATS'))
    .addOption(new Option('--nats-token <token>', 'token for the NATS server').env('PLATEN_NATS_TOKEN'))
    .option('--nats-nkey <file>', 'file with the seed of an nkey')
    .option('--nats-creds <file>', 'credentials file: a JWT and its seed')
    .option('--nats-ca <file>', 'certificate authority of the server, in PEM')
    .option('--nats-cert <file>', 'certificate of this client, in PEM')
    .option('--nats-key <file>', 'key of this client, in PEM');
}

/** @param url - of the server */
export function natsAddress(url: string, flags: NatsFlags): NatsAddress {
  return {
    url,
    token: flags.natsToken,
    nkeyFile: flags.natsNkey,
    credsFile: flags.natsCreds,
    caFile: flags.natsCa,
    certFile: flags.natsCert,
    keyFile: flags.natsKey,
  };
}
