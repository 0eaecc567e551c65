/** Checks of the account object. */

import { isObject, type JsonObject } from '../../common/json-value.ts';
import { ACCOUNT_FIELDS } from '../../specification/fields.ts';
import type { Rules } from '../check.ts';
import { judgeFields, expectAllKeys } from '../expect/fields.ts';
import { expectEmpty, expectEqual, expectThat } from '../expect/that.ts';
import { expectFound, expectSuccess } from '../expect/answer.ts';
import { accountOf, expectAccount, namesChild } from '../context/account-view.ts';
import type { ApiClient } from '../context/api-client.ts';
import type { Child, Creation } from '../context/children.ts';
import type { CheckContext } from '../context/context.ts';

/** More than a page or a screen shows. */
const MANY_CHILDREN = 22;

async function judgeAccount({ judge, demand }: CheckContext, api: ApiClient): Promise<JsonObject> {
  const answer = await api.get('/whoami');
  demand('accounts/whoami', expectFound(answer, 'an object', isObject));
  const account = isObject(answer.value) ? answer.value : {};
  judgeFields(judge, ACCOUNT_FIELDS, account, 'body');
  judge('accounts/fields-always-present', expectAllKeys(ACCOUNT_FIELDS, account, 'body'));
  return account;
}

export const ACCOUNT_RULES: Rules = {
  'accounts/whoami': {
    title: 'GET /whoami answers with the account object: sixteen fields, each of the right type',
    async run(context) {
      await judgeAccount(context, context.api);
    },
  },
  'accounts/whoami-of-child': {
    title: 'A Child’s account object has every field, with or without creatorRef; the Integrator’s is unchanged',
    needs: ['child-account'],
    async run(context) {
      const { children, judge, target } = context;
      const { creatorRef: _, ...nameless } = children.sound().Account;
      // A string of digits is no number.
      const creatorRef = `00${context.naming.integer(1e9, 9e9)}`;
      const make = async (creation: Creation): Promise<Child> => {
        context.require(expectSuccess(await children.send(creation)));
        return children.find(creation);
      };
      const numbered = await make(children.sound({ creatorRef }));
      const account = await judgeAccount(context, numbered.api);
      judge('accounts/create-creator-ref', expectAccount(account, { creatorRef }, 'of a Child'));
      const made = [numbered, await make({ Account: nameless })];
      for (const { api } of made.slice(1)) await judgeAccount(context, api);
      while (target.timekeeper.isVirtual && made.length < MANY_CHILDREN) made.push(await children.create());
      const { childAccounts } = await judgeAccount(context, context.api);
      const missing = made.filter((child) => !namesChild(childAccounts, child)).map(({ id }) => id);
      // What an element is, is a gap: where it says nothing of any of them, it cannot be told which are there.
      if (missing.length < made.length) {
        const at = 'new Children that are not among childAccounts';
        judge('accounts/field-child-accounts', expectEmpty(at, missing));
      }
      const zero = { creatorRef: '0' };
      const changed = await numbered.api.patch('/account', zero);
      // Another Child may have it.
      const isShown = expectSuccess(changed) ? undefined : expectAccount(changed.value, zero, 'of a Child');
      judge('accounts/update-creator-ref', isShown);
    },
  },
  'accounts/whoami-of-another': {
    title: 'The account object of a second account has the same sixteen fields',
    needs: ['second-account'],
    async run(context) {
      await judgeAccount(context, context.secondApi);
    },
  },
  'accounts/secrets': {
    title: 'The account object contains neither the caller’s key nor a password',
    async run({ api, judge, require, target }) {
      const answer = await api.get('/whoami');
      require(expectSuccess(answer));
      const text = answer.exchange.response.body.toString('utf8');
      const hasKey = text.includes(target.apiKey);
      const keys = Object.keys(isObject(answer.value) ? answer.value : {});
      const hasPassword = keys.some((key) => /passw/i.test(key));
      judge(
        'accounts/secrets-not-shown',
        expectThat(!hasKey, 'body of GET /whoami', 'no API key', 'the key of the caller'),
        expectThat(!hasPassword, 'keys of the body of GET /whoami', 'no password', keys),
      );
    },
  },
  'accounts/computers': {
    title: 'numComputers counts the computers of the account, connected or not',
    needs: ['computer'],
    locks: ['account'],
    async run(context) {
      const { api, judge, computers } = context;
      const numComputers = async (): Promise<number> => {
        const { numComputers: count } = await accountOf(context, api);
        context.require(expectThat(Number.isInteger(count), 'numComputers of the account', 'an integer', count));
        return Number(count);
      };
      const before = await numComputers();
      await computers.connect();
      const isCounted = expectEqual('numComputers after one more computer', await numComputers(), before + 1);
      judge('accounts/num-computers-counts', isCounted);
      await computers.away();
      const isKept = expectEqual('numComputers after another that has gone away', await numComputers(), before + 2);
      judge('accounts/num-computers-counts', isKept);
    },
  },
};
