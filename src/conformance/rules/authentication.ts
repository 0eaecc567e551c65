/** Checks of HTTP Basic authentication with an API key. */

import { basicAuthorization } from '../../common/basic-authorization.ts';
import { isObject, showValue } from '../../common/json-value.ts';
import type { Mismatch } from '../../oracle/mismatch.ts';
import { ERRORS } from '../../specification/errors.ts';
import { AUTHENTICATION_HEADERS } from '../../specification/headers.ts';
import type { Rules } from '../check.ts';
import type { CheckContext } from '../context/context.ts';
import { answerToDefect, expectRejection } from '../context/rejection.ts';
import { expectErrorCode, expectHeader, expectStatus, expectSuccess } from '../expect/answer.ts';
import { expectThat, firstOf } from '../expect/that.ts';

const NOOP = { method: 'GET', path: '/noop' } as const;
const { status: UNAUTHORIZED, code: INVALID_CREDENTIALS } = ERRORS.InvalidCredentials;

async function expectUnauthorized(context: CheckContext, authorization: string): Promise<Mismatch | undefined> {
  return expectRejection(
    context,
    NOOP,
    (sound) => ({ ...sound, authorization }),
    (answer) => expectStatus(answer, UNAUTHORIZED),
  );
}

export const AUTHENTICATION_RULES: Rules = {
  'authentication/basic-key': {
    title: 'An API key as the Basic user name with an empty password is accepted, in any spelling of Basic',
    async run({ api, judge, target }) {
      const credentials = basicAuthorization(target.apiKey).slice('Basic '.length);
      const lower = await api.send({ ...NOOP, authorization: `basic ${credentials}` });
      const upper = await api.send({ ...NOOP, authorization: `BASIC ${credentials}` });
      const plain = await api.get('/noop');
      judge('authentication/basic-key', firstOf(...[plain, lower, upper].map(expectSuccess)));
    },
  },
  'authentication/missing': {
    title: 'A request without credentials gets 401 InvalidCredentials',
    async run(context) {
      const { judge } = context;
      const sound = { method: 'GET', path: '/whoami' };
      const answer = await answerToDefect(context, sound, () => ({ ...sound, authorization: null }));
      if (judge('authentication/missing-credentials-401', expectStatus(answer, UNAUTHORIZED)))
        judge('errors/invalid-credentials', expectErrorCode(answer, INVALID_CREDENTIALS));
    },
  },
  'authentication/odd-credentials': {
    title: 'An empty user name, another scheme, and a header that is not base64 get 401',
    async run(context) {
      const { judge } = context;
      judge('authentication/empty-key-401', await expectUnauthorized(context, basicAuthorization('')));
      const bearer = `Bearer ${context.random.hex(40)}`;
      const refused = await answerToDefect(context, NOOP, () => ({ ...NOOP, authorization: bearer }));
      if (judge('authentication/other-scheme-401', expectStatus(refused, UNAUTHORIZED)))
        judge('errors/invalid-credentials', expectErrorCode(refused, INVALID_CREDENTIALS));
      for (const malformed of ['!?!', 'YWJjZ']) {
        const answer = await context.api.send({ ...NOOP, authorization: `Basic ${malformed}` });
        judge('authentication/malformed-header-401', expectStatus(answer, UNAUTHORIZED));
      }
    },
  },
  'authentication/first': {
    title: 'Credentials are checked before anything else in a request',
    async run({ api, require, judge }) {
      const broken = { method: 'POST', path: '/printjobs', body: '{"printerId":', authorization: null };
      const answer = await api.send(broken);
      require(expectSuccess(await api.get('/noop')));
      judge('authentication/refusal-first', expectStatus(answer, UNAUTHORIZED));
    },
  },
  'authentication/account': {
    title: 'X-Account names the account that GET /whoami shows',
    async run({ api, judge, require }) {
      const answer = await api.get('/whoami');
      const account = answer.value;
      require(expectSuccess(answer));
      const id = isObject(account) ? account['id'] : undefined;
      const wanted = `the id of the account, ${showValue(id)}`;
      const isId = (value: string): boolean => id !== undefined && value === showValue(id);
      const mismatch = expectHeader(answer, AUTHENTICATION_HEADERS.account.name, wanted, isId);
      judge('authentication/x-account', mismatch);
    },
  },
  'authentication/keys-apart': {
    title: 'The keys of two accounts select different accounts',
    needs: ['second-account'],
    async run({ api, secondApi, judge, require }) {
      const mine = await api.get('/noop');
      const other = await secondApi.get('/noop');
      require(expectSuccess(mine), expectSuccess(other));
      const { name } = AUTHENTICATION_HEADERS.account;
      const [first, second] = [mine.header(name), other.header(name)];
      const areTwo = first !== undefined && second !== undefined && first !== second;
      const shown = `${first} and ${second}`;
      const mismatch = expectThat(areTwo, `header ${name} for two keys`, 'two different accounts', shown);
      judge('authentication/one-account', mismatch);
    },
  },
};
