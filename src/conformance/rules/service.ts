/**
 * Checks of the service as a whole: request headers, unknown paths and methods, and that accounts never meet.
 */

import { showValue } from '../../common/json-value.ts';
import { REQUEST_HEADERS, RESPONSE_HEADERS } from '../../specification/headers.ts';
import type { Rules } from '../check.ts';
import { jobBody } from '../context/jobs.ts';
import { expectBody, expectErrorObject, expectIds, expectStatus, expectSuccess } from '../expect/answer.ts';
import { expectThat, sameJson } from '../expect/that.ts';
import { isId, recordIds } from '../expect/records.ts';

/** As many computers as it takes where ids begin with 1: this check is the first that makes some. */
const A_DIGIT_MORE = 11;

export const SERVICE_RULES: Rules = {
  'service/unknown': {
    title: 'A path or method that does not exist gets a 4xx with the error object',
    async run({ api, judge, require }) {
      require(expectSuccess(await api.get('/whoami')));
      judge('service/unknown-path-is-error', expectErrorObject(await api.get('/whoami-not')));
      judge('service/unknown-method-is-error', expectErrorObject(await api.patch('/whoami', {})));
    },
  },
  'service/request-headers': {
    title: 'X-Pretty, X-Dont-Log and Accept-Version do not change the answer',

    // The account counts what other checks make.
    locks: ['account'],
    async run({ api, judge, require }) {
      const plain = await api.get('/whoami');
      require(expectSuccess(plain));
      const pretty = await api.get('/whoami', [[REQUEST_HEADERS.pretty.name, '1']]);
      judge('service/x-pretty-accepted', expectStatus(pretty, plain.status));
      const isSame = (value: unknown): boolean => sameJson(value, plain.value);
      judge('service/x-pretty-same-value', expectBody(pretty, showValue(plain.value), isSame));
      const unlogged = await api.get('/whoami', [[REQUEST_HEADERS.dontLog.name, '1']]);
      judge('service/x-dont-log-accepted', expectStatus(unlogged, plain.status));
      const version = plain.header(RESPONSE_HEADERS.apiVersion.name) ?? '1.0.0';
      const versioned = await api.get('/whoami', [[REQUEST_HEADERS.acceptVersion.name, version]]);
      judge('versioning/accept-version-accepted', expectStatus(versioned, plain.status));
    },
  },
  'service/ids-as-numbers': {
    title: 'Lists sort ids numerically (9 before 10)',
    needs: ['computer'],
    locks: ['account'],
    async run({ api, computers, judge, target }) {
      const made = [await computers.away()];
      const most = target.timekeeper.isVirtual ? A_DIGIT_MORE : 2;
      while (made.length < most) made.push(await computers.away());
      for (const [list, ids] of [
        ['computers', made.map(({ computerId }) => computerId)],
        ['printers', made.map(({ printerId }) => printerId)],
      ] as const) {
        const ascending = ids.toSorted((left, right) => left - right);
        const [newest, oldest] = [ascending.toReversed(), ascending.slice(0, 1)];
        judge('service/page-dir-desc', expectIds(await api.get(`/${list}?limit=${ids.length}`), newest));
        const page = await api.get(`/${list}?dir=asc&limit=${ids.length}&after=${oldest.join()}`);
        judge('service/page-dir-asc', expectIds(page, ascending.slice(1)));
      }
    },
  },
  'service/ids-never-reused': {
    title: 'A new computer does not get the id of a deleted one',
    needs: ['computer'],
    async run({ api, judge, computers }) {
      const gone = await computers.away();
      await api.delete(`/computers/${gone.computerId}`);
      const next = await computers.connect();
      const at = 'id of a computer that came after a deleted one';
      const isNew = next.computerId !== gone.computerId;
      judge('service/id-never-reused', expectThat(isNew, at, `not ${gone.computerId}`, next.computerId));
      const list = await api.get('/printers');
      const ids = recordIds(list.value);
      const body = `body of ${list.request}`;
      judge('service/id-positive-integer', expectThat(ids !== undefined, body, 'positive integers as ids', list.value));
      const job = await api.post('/printjobs', jobBody(next.printerId));
      judge('service/id-positive-integer', expectBody(job, 'a positive integer as id', isId));
      judge('service/id-unique-in-list', expectThat(new Set(ids).size === ids?.length, body, 'each id once', ids));
    },
  },
};
