/** What a target does with requests of any kind where the specification shows nothing. */

import { showValue } from '../../common/json-value.ts';
import {
  ACCESS_CONTROL_HEADERS,
  LIST_HEADERS,
  MEDIA_TYPES,
  REQUEST_HEADERS,
  RESPONSE_HEADERS,
} from '../../specification/headers.ts';
import type { Rules } from '../check.ts';
import { accountOf } from '../context/account-view.ts';
import type { ApiRequest } from '../context/api-client.ts';
import { UNKNOWN_ID } from '../context/unknown-ids.ts';
import { gapCheck, seen, shapeOf } from './gap-check.ts';

const DEEP = 1_000;
const MANY = 200_000;

function submission(body: string, type: string = MEDIA_TYPES.json.value): ApiRequest {
  return { method: 'POST', path: '/printjobs', headers: [['Content-Type', type]], body };
}

export const SERVICE_GAP_RULES: Rules = {
  ...gapCheck('gap/ping-body', [], async ({ api }) => {
    const { value } = await api.get('/ping');
    // Only a word is the same each time: what has digits may be a time.
    return [typeof value === 'string' && !/\d/.test(value) ? showValue(value) : shapeOf(value)];
  }),
  ...gapCheck('gap/x-pretty-effect', [], async ({ api }) => {
    const plain = await api.get('/whoami');
    const lines: string[] = [];
    for (const value of ['1', '0']) {
      const pretty = await api.get('/whoami', [[REQUEST_HEADERS.pretty.name, value]]);
      const [before, after] = [plain, pretty].map(({ exchange }) => exchange.response.body.toString('utf8'));
      const hasLines = after?.includes('\n') === true;
      lines.push(`${value}: ${before === after ? 'nothing' : hasLines ? 'white space and lines' : 'another body'}`);
    }
    return lines;
  }),
  ...gapCheck('gap/x-dont-log-effect', [], async ({ api }) => [
    seen('nothing that a caller sees', await api.get('/noop', [[REQUEST_HEADERS.dontLog.name, '1']])),
  ]),
  ...gapCheck('gap/unknown-id-in-set', [], async ({ api }) => [
    seen('GET /printers/{unknown}', await api.get(`/printers/${UNKNOWN_ID}`)),
    seen('GET /computers/{unknown}', await api.get(`/computers/${UNKNOWN_ID}`)),
    seen('DELETE /printjobs/{unknown}', await api.delete(`/printjobs/${UNKNOWN_ID}`)),
  ]),
  ...gapCheck('gap/set-ranges', [], async ({ api }) => [
    seen('5-9', await api.get('/printers/5-9')),
    seen('-400', await api.get('/printers/-400')),
    seen('100-', await api.get('/printers/100-')),
  ]),
  ...gapCheck('gap/after-without-record', [], async ({ api }) => [
    seen('GET /printers?after={unknown}', await api.get(`/printers?after=${UNKNOWN_ID}`)),
  ]),
  ...gapCheck('gap/unknown-query-parameters', [], async ({ api }) => [
    seen('GET /noop?no_such=1', await api.get('/noop?no_such=1')),
    seen('GET /printers?limit=1&no_such=1', await api.get('/printers?limit=1&no_such=1')),
  ]),
  ...gapCheck('gap/other-media-types', [], async (context) => {
    const lines: string[] = [];
    for (const type of ['text/plain', 'application/xml', 'application/json; charset=utf-8']) {
      const path = `/account/tag/gap-${context.naming.hex(12)}`;
      context.removeLater(path);
      const headers = [['Content-Type', type]] as const;
      lines.push(seen(type, await context.api.send({ method: 'POST', path, headers, body: '"a value"' })));
    }
    // Refused either way, as a submission or as a media type.
    const form = MEDIA_TYPES.form.value;
    for (const type of [form, `${form}; charset=utf-8`]) {
      lines.push(seen(`${type} without a printer`, await context.api.send(submission('title=alone', type))));
    }
    return lines;
  }),
  ...gapCheck('gap/body-structure', [], async ({ api }) => {
    const deep = `{"options":${'['.repeat(DEEP)}${']'.repeat(DEEP)}}`;
    const rich = `{"options":[${Array.from({ length: MANY }, () => 0).join()}]}`;
    return [
      seen(`${DEEP} levels`, await api.send(submission(deep))),
      seen(`${MANY} values`, await api.send(submission(rich))),
    ];
  }),
  ...gapCheck('gap/repeated-names', ['child-account'], async (context) => {
    const { api } = await context.children.create();
    const body = '{"lastname":"first","lastname":"second"}';
    const headers = [['Content-Type', MEDIA_TYPES.json.value]] as const;
    const answer = await api.send({ method: 'PATCH', path: '/account', headers, body });
    if (answer.status >= 300) return [seen('PATCH /account', answer)];
    return [`the ${String((await accountOf(context, api))['lastname'])} counts`];
  }),
  ...gapCheck('gap/preflight', [], async ({ api }) => {
    const answer = await api.send({
      method: 'OPTIONS',
      path: '/printjobs',
      authorization: null,
      headers: [
        ['Origin', 'https://shop.example'],
        ['Access-Control-Request-Method', 'POST'],
        ['Access-Control-Request-Headers', 'authorization,content-type'],
      ],
    });
    const missing = Object.values(ACCESS_CONTROL_HEADERS).filter(({ name }) => answer.header(name) === undefined);
    const headers =
      missing.length === 0 ? 'all access-control headers' : `no ${missing.map(({ name }) => name).join()}`;
    return [`OPTIONS /printjobs: ${answer.status}, ${headers}`];
  }),
  ...gapCheck('gap/error-codes', [], async ({ api, naming }) => [
    seen('POST /printjobs without fields', await api.post('/printjobs', {})),
    seen('GET of a path that does not exist', await api.get('/no-such-path')),
    seen('PATCH of a path without one', await api.patch('/whoami', {})),
    seen('GET with a malformed set', await api.get('/printers/x')),
    seen('GET of a tag that does not exist', await api.get(`/account/tag/gap-${naming.hex(12)}`)),
    seen('GET with a malformed limit', await api.get('/printers?limit=x')),
  ]),
  ...gapCheck('gap/unknown-path-code', [], async ({ api }) => [seen('GET', await api.get('/no-such-path'))]),
  ...gapCheck('gap/limit-upper-bound', [], async ({ api }) => {
    const answer = await api.get('/printers?limit=1000000');
    if (answer.status >= 400) return [seen('limit=1000000', answer)];
    const limit = answer.header(LIST_HEADERS.limit.name);
    return [`limit=1000000: ${answer.status}, ${LIST_HEADERS.limit.name} ${limit ?? 'missing'}`];
  }),
  ...gapCheck('gap/version-selection', [], async ({ api }) => {
    const shown = (await api.get('/noop')).header(RESPONSE_HEADERS.apiVersion.name) ?? '';
    const lines: string[] = [];
    for (const wanted of [`^${shown}`, '99.0.0', 'nonsense']) {
      lines.push(seen(wanted, await api.get('/noop', [[REQUEST_HEADERS.acceptVersion.name, wanted]])));
    }
    return lines;
  }),
};
