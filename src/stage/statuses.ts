/**
 * Statuses and errors: another 2xx than the printed one, refusals with another status or code, and errors in another
 * shape.
 */

import { headerValues } from '../common/header-pairs.ts';
import { isObject, NotJson } from '../common/json-value.ts';
import { leavesOf } from '../common/places.ts';
import { keysOf } from '../common/keys-of.ts';
import { ERROR_FIELDS, ERRORS } from '../specification/errors.ts';
import { AUTHENTICATION_HEADERS, RESPONSE_HEADERS } from '../specification/headers.ts';
import { isSuccess, nameOf, type AnswerView } from './answer-view.ts';
import type { Deviation } from './deviation.ts';
import type { Manner } from './manner.ts';
import { clauseOfSuccess } from './shapes.ts';

export const otherSuccess: Manner = (view) => {
  const { endpoint, status } = view;
  const printed = endpoint?.successStatus ?? null;
  if (!endpoint || !isSuccess(view) || printed === null || status === printed) return [];
  const clause = clauseOfSuccess(endpoint);
  return [
    {
      deviation: {
        id: `${clause}: status ${status}`,
        clauses: [clause],
        at: `status of ${nameOf(view)}`,
        expected: `status ${printed}`,
        actual: `status ${status}`,
        wanted: { status: String(printed) },
      },
      read: (seen) => ({ ...seen, status: printed }),
    },
  ];
};

const ERROR_KEYS = keysOf(ERROR_FIELDS);
type ErrorKey = (typeof ERROR_KEYS)[number];

const isRefusal = ({ status }: AnswerView): boolean => status >= 400 && status < 500;

export const otherErrors: Manner = (view) => {
  if (!isRefusal(view)) return [];
  const inner = isObject(view.value)
    ? Object.entries(view.value).find(([, member]) => isErrorObject(member))
    : undefined;
  const missing = ERROR_KEYS.filter((key) => !hasText(view.value, key));
  if (missing.length === 0) return [];
  const actual = inner ? `an object with it at ${inner[0]}` : `no ${missing.join(', no ')}`;
  const ofMissing = missing.length < ERROR_KEYS.length ? missing.map((key) => ERROR_FIELDS[key].clause) : [];
  const clauses: Deviation['clauses'] = isObject(view.value)
    ? ['errors/object-three-keys', ...ofMissing]
    : ['errors/object'];
  return [
    {
      deviation: {
        id: `errors: ${actual}`,
        clauses,
        at: 'body of an error',
        expected: `an object with ${ERROR_KEYS.join(', ')}`,
        actual,
        isThroughout: true,
      },
      read: (seen) => ({ ...seen, value: inner ? inner[1] : errorIn(seen) }),
    },
  ];
};

function hasText(value: unknown, key: ErrorKey): boolean {
  const text = isObject(value) ? value[key] : undefined;
  return typeof text === 'string' && text !== '';
}

function isErrorObject(value: unknown): boolean {
  return ERROR_KEYS.every((key) => hasText(value, key));
}

/** The error object, as far as an answer says it: its status tells the code. */
function errorIn({ status, headers, value }: AnswerView): Readonly<Record<ErrorKey, unknown>> {
  const said = isObject(value) ? value : {};
  const printed = Object.values(ERRORS).find((error) => error.status === status)?.code;
  const text = value instanceof NotJson ? value.text : leavesOf(value)[0]?.[1];
  const instead: Readonly<Record<ErrorKey, unknown>> = {
    uid: headerValues(headers, RESPONSE_HEADERS.requestId.name)[0] ?? 'none',
    code: printed ?? 'Refused',
    message: String(text ?? '') || 'Refused',
  };
  const own = ERROR_KEYS.filter((key) => hasText(said, key)).map((key) => [key, said[key]]);
  return { ...instead, ...(Object.fromEntries(own) as Partial<Record<ErrorKey, unknown>>) };
}

const { InvalidCredentials, InvalidContent } = ERRORS;
/** What may stand in place of a 401. */
const LIKE_401: ReadonlySet<number> = new Set([400, 403, 404, 407, 419]);

export const otherRefusals: Manner = (view) => {
  const { status, headers, value } = view;
  if (status < 400 || !isObject(value)) return [];
  const { code } = value;
  if (typeof code !== 'string') return [];
  // A caller that it knows may not do all things either.
  const isKnown = headerValues(headers, AUTHENTICATION_HEADERS.account.name).length > 0;
  const isOfCredentials = code === InvalidCredentials.code || (status === 403 && !isKnown);
  if (isOfCredentials && LIKE_401.has(status)) {
    return [
      {
        deviation: {
          id: `credentials: status ${status} with ${code}`,
          // The code of another status goes with it.
          clauses: [
            'authentication/missing-credentials-401',
            ...(code === InvalidCredentials.code ? [] : [InvalidCredentials.clause]),
          ],
          at: 'status of a request without credentials',
          expected: `status ${InvalidCredentials.status} with ${InvalidCredentials.code}`,
          actual: `status ${status} with ${code}`,
          isThroughout: true,
        },
        read: (seen) => ({
          ...seen,
          status: InvalidCredentials.status,
          value: { ...(seen.value as object), code: InvalidCredentials.code },
        }),
      },
    ];
  }
  return [];
};

export const otherCodes: Manner = (view) => {
  const { status, value } = view;
  const printed = [InvalidCredentials, InvalidContent].find((error) => error.status === status);
  const code = isObject(value) ? value['code'] : undefined;
  if (!printed || typeof code !== 'string' || code === printed.code) return [];
  return [
    {
      deviation: {
        id: `code of ${status}: ${code}`,
        clauses: [printed.clause],
        at: `code of an error with status ${status}`,
        expected: printed.code,
        actual: code,
        isThroughout: true,
      },
      read: (seen) => ({ ...seen, value: { ...(seen.value as object), code: printed.code } }),
    },
  ];
};
