/**
 * Requests to an IPP printer: what their form must be, whatever they ask (RFC 8011, 4.1), and their parts.
 */

import { badRequest, type Answer } from './answer.ts';
import { stringOf, type IppAttribute } from './attribute.ts';
import type { IppMessage } from './codec.ts';

/** A request whose form was found right. */
export interface IppRequest {
  readonly message: IppMessage;
  readonly operation: readonly IppAttribute[];
  readonly asked: readonly IppAttribute[];
  readonly user: string;
}

/** What is wrong with the form of a message; undefined when nothing is. */
export function formFault({ version, requestId, groups }: IppMessage): Answer | undefined {
  if (version.major !== 1 && version.major !== 2) return { status: 'server-error-version-not-supported' };
  if (requestId <= 0) return badRequest('the request-id must be 1 or more');
  const [operation] = groups;
  if (operation?.type !== 'operation') return badRequest('the operation attributes must come first');
  if (groups.filter(({ type }) => type === 'operation').length > 1) {
    return badRequest('there are two groups of operation attributes');
  }
  const [charset, language] = operation.attributes;
  if (charset?.name !== 'attributes-charset' || language?.name !== 'attributes-natural-language') {
    return badRequest('attributes-charset and attributes-natural-language must come first, in this order');
  }
  const names = operation.attributes.map(({ name }) => name);
  if (new Set(names).size < names.length) return badRequest('an operation attribute is repeated');
  if (!/^(utf-8|us-ascii)$/i.test(stringOf(charset) ?? '')) {
    return { status: 'client-error-charset-not-supported' };
  }
  return undefined;
}

export function requestIn(message: IppMessage): IppRequest {
  const operation = message.groups[0]?.attributes ?? [];
  const user = stringOf(attributeOf(operation, 'requesting-user-name')) ?? 'anonymous';
  const asked = message.groups.find(({ type }) => type === 'job')?.attributes ?? [];
  return { message, operation, asked, user };
}

/**
 * Whether a request names this printer, as the third of its operation attributes (RFC 8011, 4.1.5).
 *
 * @param paths - those of the printer's addresses
 */
export function targetFault([, , target]: readonly IppAttribute[], paths: ReadonlySet<string>): Answer | undefined {
  if (target?.name !== 'printer-uri' && target?.name !== 'job-uri') {
    return badRequest('the third operation attribute must be printer-uri or job-uri');
  }
  const path = pathOf(stringOf(target));
  if (path === undefined) return badRequest(`${target.name} is not a URI`);
  const printer = target.name === 'printer-uri' ? path : path.replace(/\/\d+$/, '');
  return paths.has(printer) ? undefined : { status: 'client-error-not-found', message: 'no printer at this address' };
}

/** The path of an address, decoded; undefined when it is not one. */
export function pathOf(address: string | undefined): string | undefined {
  const http = address?.replace(/^ipps?:/i, 'http:');
  return http !== undefined && URL.canParse(http) ? new URL(http).pathname : undefined;
}

export function attributeOf(attributes: readonly IppAttribute[], name: string): IppAttribute | undefined {
  return attributes.find((attribute) => attribute.name === name);
}
