/**
 * Fetch failure: what went wrong between a computer and a document host, in words.
 */

import { messageOf } from '../../common/error-message.ts';

const MEANING: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'the connection was reset',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
  ENOTFOUND: 'the host name is not known (DNS)',
  EAI_AGAIN: 'the host name could not be looked up (DNS)',
  ETIMEDOUT: 'timeout while connecting',
  EPROTO: 'no TLS is spoken there',
  UND_ERR_CONNECT_TIMEOUT: 'timeout while connecting',
  UND_ERR_SOCKET: 'the connection was closed before the document was complete',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'the document is shorter or longer than announced',
  CERT_HAS_EXPIRED: 'the certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'a certificate in the chain is self-signed',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'the certificate cannot be verified',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate is for another host',
  ERR_SSL_WRONG_VERSION_NUMBER: 'no TLS is spoken there',
};

/** Describes the failure of a request to `url`, ending in the address and the error code. */
export function describeFetchFailure(error: unknown, url: URL): string {
  const code = codeOf(error);
  const message = messageOf(error);
  const meaning = isParserError(error) ? 'the answer is not proper HTTP' : MEANING[code ?? ''];
  return `${meaning ?? message} (${code === undefined ? '' : `${code}, `}${addressOf(url)})`;
}

/** An address for messages: without credentials, and without a query, which may carry some. */
export function addressOf(url: URL): string {
  return url.origin + url.pathname;
}

/** Several addresses of one host fail as an AggregateError; the first says as much as all of them. */
function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if ('code' in error && typeof error.code === 'string') return error.code;
  if (error instanceof AggregateError) return codeOf(error.errors[0]);
  return codeOf(error.cause);
}

function isParserError(error: unknown): boolean {
  return error instanceof Error && error.name === 'HTTPParserError';
}
