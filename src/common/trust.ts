/**
 * Trust: certificates that TLS clients of this process accept beside those that come with Node.
 *
 * Verification is never turned off: a server whose certificate is not added here is refused.
 */

import { X509Certificate } from 'node:crypto';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';

const PEM = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** @param pem - one certificate or several. @throws Error when it has no certificate, or one that cannot be read */
export function trustCertificates(pem: string): void {
  const certificates = pem.match(PEM) ?? [];
  if (certificates.length === 0) throw new Error('it has no certificate in PEM');
  for (const certificate of certificates) new X509Certificate(certificate).toString();
  setDefaultCACertificates([...getCACertificates('default'), ...certificates]);
}
