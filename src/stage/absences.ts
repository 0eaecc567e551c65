/**
 * Absences: headers, fields and bodies that are printed and not there. Nothing is read in their place, but for the
 * account of a caller, which a body says too. So is a body that the service did not take off its connection.
 */

import { requestName } from '../common/request-name.ts';
import { headerValues } from '../common/header-pairs.ts';
import { isObject, NotJson } from '../common/json-value.ts';
import type { Header } from '../specification/clause.ts';
import type { ClauseId } from '../specification/clauses.ts';
import { AUTHENTICATION_HEADERS, LIST_HEADERS, RESPONSE_HEADERS } from '../specification/headers.ts';
import { ANSWERS, RESOURCES, type Resource } from '../specification/resources.ts';
import type { Exchange } from '../wire/http-exchange.ts';
import type { Deviation } from './deviation.ts';
import { firstRecords, isSuccess, nameOf, type AnswerView } from './answer-view.ts';
import type { Ask, Found, Manner } from './manner.ts';
import { clauseOfBody } from './shapes.ts';

export const absentHeaders: Manner = (view) => {
  if (!isSuccess(view) || !view.endpoint) return [];
  const { requestId } = RESPONSE_HEADERS;
  const { account } = AUTHENTICATION_HEADERS;
  const wanted: readonly Header[] = [
    requestId,
    ...(view.isAuthenticated && view.endpoint.authenticated ? [account] : []),
    ...(view.endpoint.paginated ? Object.values(LIST_HEADERS) : []),
  ];
  return wanted.flatMap((header) =>
    headerValues(view.headers, header.name).length > 0 ? [] : [headerFound(view, header)],
  );
};

function headerFound(view: AnswerView, { name, clause }: Header): Found {
  return {
    deviation: {
      id: `no ${name}`,
      clauses: [clause as ClauseId],
      at: `header ${name} of ${nameOf(view)}`,
      expected: 'a value',
      actual: 'no such header',
      wanted: { header: name },
      missing: name,
      isThroughout: true,
    },
    read: (seen, ask) => (name === AUTHENTICATION_HEADERS.account.name ? withAccount(seen, ask) : seen),
  };
}

async function withAccount(view: AnswerView, ask: Ask): Promise<AnswerView> {
  const { endpoint, value, headers } = view;
  const account = endpoint?.returns === 'account' ? value : await ask.account();
  const id = isObject(account) ? account['id'] : undefined;
  if (typeof id !== 'number') return view;
  return { ...view, headers: [...headers, [AUTHENTICATION_HEADERS.account.name, String(id)]] };
}

const LISTED_ID: ClauseId = 'print-jobs/created-listed';

export const absentFields: Manner = (view) =>
  firstRecords(view).flatMap(({ record, fields, isOpen }) =>
    Object.entries(fields).flatMap(([name, { clause, type }]) => {
      // How statistics nest is open, and under which name a print job has its id.
      if (isOpen || Object.hasOwn(record, name) || type === 'statistic' || clause === LISTED_ID) return [];
      return [
        {
          deviation: {
            id: `${clause}: missing`,
            clauses: [clause as ClauseId, ...allKeysOf(fields)],
            at: `${name} of ${nameOf(view)}`,
            expected: type,
            actual: 'no such field',
            missing: name,
          },
          read: (seen: AnswerView) => seen,
        },
      ];
    }),
  );

/** The clause that says so of all fields of a record. */
function allKeysOf(fields: Resource['fields']): readonly ClauseId[] {
  const resource = Object.values<Resource>(RESOURCES).find((one) => one.fields === fields);
  return resource?.allKeys === undefined ? [] : [resource.allKeys as ClauseId];
}

export const absentBodies: Manner = (view) => {
  const { endpoint, value } = view;
  if (!endpoint || !isSuccess(view) || ANSWERS[endpoint.returns].kind === 'open' || endpoint.gaps.length > 0) return [];
  if (!(value instanceof NotJson) || value.text !== '') return [];
  const clause = clauseOfBody(endpoint);
  const isRequestId = endpoint.returns === RESPONSE_HEADERS.requestId.name;
  const status = endpoint.successStatus ?? view.status;
  const said = isRequestId ? headerValues(view.headers, endpoint.returns)[0] : undefined;
  return [
    {
      deviation: {
        id: `${clause}: no body`,
        clauses: [clause],
        at: `body of ${nameOf(view)}`,
        expected: 'a body',
        actual: status === view.status ? 'nothing' : `status ${view.status} and nothing`,
        ...(!isRequestId && { missing: `body of ${endpoint.method}`, isUnknown: true }),
      },
      read: (seen) => ({ ...seen, status, value: said ?? seen.value }),
    },
  ];
};

/** A refused body that the service took for the beginning of the next request. */
export function unreadBody({ request, response }: Exchange): Deviation {
  return {
    id: 'a refused body is left unread',
    clauses: ['service/json-bodies'],
    at: `the body of ${requestName(request)}, which was answered with ${response.status}`,
    expected: 'the service to read it, or to close the connection',
    actual: 'it stays there, and begins the next request',
    isThroughout: true,
  };
}
