/**
 * Tools of mutants: requests and answers that are rewritten on their way.
 */

import { basicAuthorization } from '../../src/common/basic-authorization.ts';
import { SECOND_KEY } from '../support/running-service.ts';
import { UID_TO_COME, type Meddle, type PassingAnswer, type PassingRequest, type Rewrite } from './meddling-proxy.ts';

type Fields = Record<string, unknown>;

const CHILD_HEADER = /^x-child-account-by-/i;

const isAbout = ({ method, path }: Pick<PassingRequest, 'method' | 'path'>, pattern: RegExp): boolean =>
  pattern.test(`${method} ${path}`);

export function headerOf({ headers }: Pick<PassingRequest, 'headers'>, name: string): string | undefined {
  const index = headers.findIndex((header, at) => at % 2 === 0 && header.toLowerCase() === name.toLowerCase());
  return index === -1 ? undefined : headers[index + 1];
}

export const isForm = (request: PassingRequest): boolean => /form/.test(headerOf(request, 'Content-Type') ?? '');

export const isForChild = (request: PassingRequest): boolean =>
  request.headers.some((header, index) => index % 2 === 0 && CHILD_HEADER.test(header));

/** The JSON body; undefined without one. */
export function jsonOf({ body }: PassingRequest): unknown {
  try {
    return JSON.parse(body.toString('utf8')) as unknown;
  } catch {
    return undefined;
  }
}

/** Sends something else in place of matching requests. */
export function instead(pattern: RegExp, change: Rewrite): Rewrite {
  return (request) => (isAbout(request, pattern) ? change(request) : undefined);
}

/** Changes the JSON body of matching requests; what is no JSON passes as it is. */
export function sent(pattern: RegExp, change: (value: never) => unknown): Rewrite {
  return instead(pattern, (request) => {
    const value = jsonOf(request);
    return value === undefined ? undefined : { body: JSON.stringify(change(value as never)) };
  });
}

/** All members of an object but this one. */
export function without(name: string): (fields: Fields) => Fields {
  return (fields) => Object.fromEntries(Object.entries(fields).filter(([other]) => other !== name));
}

/** Changes what an account creation says of the account. */
export function creating(change: (account: Fields) => Fields): Rewrite {
  return sent(/^POST \/account$/, (creation: Fields) => ({
    ...creation,
    Account: change(creation['Account'] as Fields),
  }));
}

/** Without the headers that make a request one of a Child. */
export function withoutChild(headers: readonly string[]): string[] {
  return headers.flatMap((name, index) =>
    index % 2 === 0 && !CHILD_HEADER.test(name) ? [name, headers[index + 1] ?? ''] : [],
  );
}

export function forTheParent(pattern: RegExp): Rewrite {
  return instead(pattern, ({ headers }) => ({ headers: withoutChild(headers) }));
}

/** Acts for the second account, whatever account asks. */
export function asStranger(pattern: RegExp): Rewrite {
  return instead(pattern, ({ headers }) => ({
    headers: headers.map((value, index) =>
      index % 2 === 1 && headers[index - 1]?.toLowerCase() === 'authorization' ? basicAuthorization(SECOND_KEY) : value,
    ),
  }));
}

/** Turns requests that change something into ones that only look. */
export function onlyLooking(pattern: RegExp): Rewrite {
  return instead(pattern, () => ({ method: 'GET', body: '' }));
}

const REFUSAL = JSON.stringify({ uid: UID_TO_COME, code: 'BadRequest', message: 'refused on the way' });

/** Matching answers get another status, and with it another body where there is one: a refusal has an error object. */
export function status(
  pattern: RegExp,
  code: number,
  when: (answer: PassingAnswer) => boolean = () => true,
  body?: string,
): Meddle {
  return (answer) => {
    if (!isAbout(answer, pattern) || !when(answer)) return undefined;
    const other = body ?? (code >= 400 && answer.status < 400 ? REFUSAL : answer.body);
    return { status: code, body: other };
  };
}

/** Refuses matching requests although the service has done what they ask. */
export function refuse(pattern: RegExp, when: (answer: PassingAnswer) => boolean = () => true): Meddle {
  return status(pattern, 400, when, REFUSAL);
}

/** Says that matching requests have succeeded although the service has refused them. */
export function acceptRefused(pattern: RegExp, when: (answer: PassingAnswer) => boolean = () => true): Meddle {
  // Who is not known stays so: such an answer lacks the headers of an account.
  return status(pattern, 200, (answer) => answer.status >= 400 && answer.status !== 401 && when(answer), 'null');
}
