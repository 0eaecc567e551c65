/**
 * --tls, --tls-cert, --tls-key of the commands that start a service; --ca of those that reach one.
 */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { Option, type Command } from 'commander';

import { usageError } from '../../common/actionable-error.ts';
import { messageOf } from '../../common/error-message.ts';
import type { ServerCertificate } from '../../common/self-signed.ts';
import { trustCertificates } from '../../common/trust.ts';
import { readTextFile } from '../../common/given-file.ts';

export interface TlsFlags {
  readonly tls?: true;
  readonly tlsCert?: string;
  readonly tlsKey?: string;
}

export function addTlsOptions(command: Command): Command {
  return command
    .option('--tls', 'serve HTTPS, with a certificate that is made at the start')
    .option('--tls-cert <file>', 'serve HTTPS with this certificate, in PEM; needs --tls-key')
    .option('--tls-key <file>', 'its private key, in PEM');
}

/** What `start` takes. @throws ActionableError when a file is missing */
export async function tlsChoice({ tls, tlsCert, tlsKey }: TlsFlags): Promise<boolean | ServerCertificate> {
  if (tlsCert === undefined && tlsKey === undefined) return tls ?? false;
  if (tlsCert === undefined || tlsKey === undefined) {
    throw usageError('--tls-cert and --tls-key go together', 'Give both, or --tls alone to have a certificate made.');
  }
  const nextStep = 'Name a file in PEM that can be read.';
  return { cert: await readTextFile(tlsCert, nextStep), key: await readTextFile(tlsKey, nextStep) };
}

/** A file that clients can trust, for as long as the service runs. */
export interface CaFile extends Disposable {
  /** Undefined without TLS. */
  readonly file: string | undefined;
}

/** @param certificate - of the service; undefined without TLS */
export function caFileOf(certificate: string | undefined, { tlsCert }: TlsFlags): CaFile {
  if (certificate === undefined || tlsCert !== undefined) {
    return { file: tlsCert && path.resolve(tlsCert), [Symbol.dispose]: () => undefined };
  }
  const folder = mkdtempSync(path.join(tmpdir(), 'platen-tls-'));
  const file = path.join(folder, 'ca.pem');
  writeFileSync(file, certificate);
  return { file, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Adds --ca to a command that reaches a service. */
export function addCaOption(command: Command): void {
  const description = 'trust the certificates in this PEM file, such as the one that platen start --tls names';
  command.addOption(new Option('--ca <file>', description).env('PLATEN_CA'));
}

/** Trusts what --ca names, in this process and in those that it starts. @throws ActionableError */
export async function trustCa(file: string): Promise<void> {
  try {
    trustCertificates(await readTextFile(file, 'Name a file in PEM that can be read.'));
  } catch (error) {
    if (error instanceof Error && 'nextStep' in error) throw error;
    throw usageError(`${file} cannot be trusted: ${messageOf(error)}`, 'Name a file in PEM.', { cause: error });
  }
  process.env['NODE_EXTRA_CA_CERTS'] ??= path.resolve(file);
}
