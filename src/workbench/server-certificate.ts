/**
 * Server certificate of a workbench that serves TLS: one that was given, or one made for this start.
 */

import { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';

import { usageError } from '../common/actionable-error.ts';
import { messageOf } from '../common/error-message.ts';
import { selfSignedCertificate, serverNames, type ServerCertificate } from '../common/self-signed.ts';
import { trustCertificates } from '../common/trust.ts';

/**
 * The certificate, which this process trusts from now on: the computers of the room are clients of the service.
 *
 * @param choice - `true` to have one made
 * @param host - what the workbench listens on
 * @throws ActionableError when the one that was given cannot serve there
 */
export async function serverCertificate(
  choice: boolean | ServerCertificate | undefined,
  host: string,
): Promise<ServerCertificate | undefined> {
  if (choice === undefined || choice === false) return undefined;
  const certificate = choice === true ? await selfSignedCertificate(serverNames(host)) : choice;
  try {
    trustCertificates(certificate.cert);
  } catch (error) {
    throw usageError(
      `the certificate cannot be used: ${messageOf(error)}`,
      'Give a certificate in PEM (--tls-cert), and the private key that belongs to it (--tls-key).',
      { cause: error },
    );
  }
  return certificate;
}

/** @throws ActionableError when clients that reach the service at `url` would refuse the certificate */
export function assertIsFor({ cert }: ServerCertificate, url: string): void {
  const certificate = new X509Certificate(cert);
  const host = new URL(url).hostname.replaceAll(/[[\]]/g, '');
  const isFor = isIP(host) === 0 ? certificate.checkHost(host) : certificate.checkIP(host);
  if (isFor !== undefined) return;
  const names = certificate.subjectAltName ?? certificate.subject;
  throw usageError(`the certificate is not for ${host}, but for ${names}`, 'Name a host that it is for with --host.');
}
