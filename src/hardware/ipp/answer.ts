/**
 * Answers of an IPP printer: a status of RFC 8011 with what goes with it, and the message that carries it.
 */

import { strings, text, type IppAttribute, type IppGroup } from './attribute.ts';
import type { IppMessage } from './codec.ts';
import { DocumentFault } from './compression.ts';
import { STATUSES, type StatusName } from './operations.ts';

export interface Answer {
  readonly status: StatusName;
  readonly groups?: readonly IppGroup[] | undefined;
  readonly message?: string | undefined;
  readonly unsupported?: readonly IppAttribute[] | undefined;
}

export function badRequest(message: string): Answer {
  return { status: 'client-error-bad-request', message };
}

export function noJob(): Answer {
  return { status: 'client-error-not-found', message: 'no job of this id' };
}

export function notSupported(unsupported: readonly IppAttribute[]): Answer {
  return { status: 'client-error-attributes-or-values-not-supported', unsupported };
}

export function asAnswer(error: unknown): Answer & { readonly message: string } {
  const message = error instanceof Error ? error.message : String(error);
  return { status: error instanceof DocumentFault ? error.status : 'server-error-internal-error', message };
}

/** Status messages hold 255 octets. */
const LONGEST_MESSAGE = 200;

export function responseTo({ version, requestId }: IppMessage, answer: Answer): IppMessage {
  const { status, message, unsupported = [], groups = [] } = answer;
  const operation: IppAttribute[] = [
    strings('charset', 'attributes-charset', ['utf-8']),
    strings('naturalLanguage', 'attributes-natural-language', ['en']),
    ...(message ? [text('status-message', message.slice(0, LONGEST_MESSAGE))] : []),
  ];
  return {
    version: version.major === 1 ? { major: 1, minor: 1 } : { major: 2, minor: 0 },
    code: STATUSES[status],
    requestId: Math.max(0, requestId),
    groups: [
      { type: 'operation', attributes: operation },
      ...(unsupported.length > 0 ? [{ type: 'unsupported' as const, attributes: unsupported }] : []),
      ...groups,
    ],
    data: new Uint8Array(),
  };
}
