/** Checks of `/ping` and `/noop`. */

import { basicAuthorization } from '../../common/basic-authorization.ts';
import { showValue } from '../../common/json-value.ts';
import type { Mismatch } from '../../oracle/mismatch.ts';
import { ERRORS } from '../../specification/errors.ts';
import { RESPONSE_HEADERS } from '../../specification/headers.ts';
import type { Rules } from '../check.ts';
import { headerByCreatorRef, headerByEmail, headerById } from '../context/children.ts';
import { answerToDefect } from '../context/rejection.ts';
import { UNKNOWN_ID } from '../context/unknown-ids.ts';
import { expectBody, expectError, expectHeader, expectStatus, type Answer } from '../expect/answer.ts';

const NOOP = { method: 'GET', path: '/noop' } as const;

function expectRequestId(answer: Answer): Mismatch | undefined {
  if (typeof answer.value !== 'string')
    return expectBody(answer, 'the Request-Id of the response as a JSON string', () => false);
  const { name } = RESPONSE_HEADERS.requestId;
  const requestId = answer.header(name);
  const expected = `the Request-Id of the response, ${showValue(requestId)}`;
  return expectHeader(answer, name) ?? expectBody(answer, expected, (value) => value === requestId);
}

export const MISC_RULES: Rules = {
  'misc/ping': {
    title: 'GET /ping answers 200 with valid, wrong and missing credentials',
    async run({ api, judge, random }) {
      judge('misc/ping', expectStatus(await api.get('/ping'), 200));
      const anonymous = await api.send({ method: 'GET', path: '/ping', authorization: null });
      judge('misc/ping-without-credentials', expectStatus(anonymous, 200));
      const authorization = basicAuthorization(random.hex(40));
      const unknown = await api.send({ method: 'GET', path: '/ping', authorization });
      judge('misc/ping-with-bad-credentials', expectStatus(unknown, 200));
    },
  },
  'misc/ping-for-child': {
    title: 'GET /ping answers 200 whatever Child a header names',
    async run({ api, judge, uniqueText }) {
      const unheard = uniqueText('unknown');
      for (const header of [
        headerById(UNKNOWN_ID),
        headerByEmail(`${unheard}@example.test`),
        headerByCreatorRef(unheard),
      ]) {
        const answer = await api.send({ method: 'GET', path: '/ping', headers: [header], authorization: null });
        judge('misc/ping-without-credentials', expectStatus(answer, 200));
      }
    },
  },
  'misc/noop': {
    title: 'GET /noop answers 200 with the Request-Id as a JSON string',
    async run({ api, judge }) {
      const answer = await api.get('/noop');
      judge('misc/noop', expectStatus(answer, 200));
      judge('misc/noop-body-is-request-id', expectRequestId(answer));
    },
  },
  'misc/noop-for-child': {
    title: 'GET /noop answers a Child with the Request-Id',
    needs: ['child-account'],
    async run({ children, judge }) {
      const { api } = await children.create();
      judge('misc/noop-body-is-request-id', expectRequestId(await api.get('/noop')));
    },
  },
  'misc/noop-refusals': {
    title: 'GET /noop answers 401 to missing and invalid credentials',
    async run(context) {
      const { judge } = context;
      const missing = await answerToDefect(context, NOOP, (sound) => ({ ...sound, authorization: null }));
      judge('misc/noop-missing-401', expectError(missing, ERRORS.InvalidCredentials));
      const wrongKey = basicAuthorization(context.random.hex(40));
      const invalid = await answerToDefect(context, NOOP, (sound) => ({ ...sound, authorization: wrongKey }));
      judge('misc/noop-invalid-401', expectError(invalid, ERRORS.InvalidCredentials));
    },
  },
};
