/** Checks of the account object. */

import { isObject } from '../../common/json-value.ts';
import type { Rules } from '../check.ts';
import { expectEmpty, expectEqual, expectThat } from '../expect/that.ts';
import { expectSuccess } from '../expect/answer.ts';
import { accountOf, expectAccount, namesChild } from '../context/account-view.ts';
import type { Child, Creation } from '../context/children.ts';

/** More than a page or a screen shows. */
const MANY_CHILDREN = 22;

export const ACCOUNT_RULES: Rules = {
  'accounts/whoami-of-child': {
    title: 'A Child’s account object has its creatorRef as it was given; that of the Integrator shows all its Children',
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
      const account = await accountOf(context, numbered.api);
      judge('accounts/create-creator-ref', expectAccount(account, { creatorRef }, 'of a Child'));
      const made = [numbered, await make({ Account: nameless })];
      while (target.timekeeper.isVirtual && made.length < MANY_CHILDREN) made.push(await children.create());
      const { childAccounts } = await accountOf(context, context.api);
      const missing = made.filter((child) => !namesChild(childAccounts, child)).map(({ id }) => id);
      // What an element is, is a gap: where it says nothing of any of them, it cannot be told which are there.
      const untold = missing.length < made.length ? missing : [];
      judge('accounts/field-child-accounts', expectEmpty('new Children that are not among childAccounts', untold));
      const zero = { creatorRef: '0' };
      const changed = await numbered.api.patch('/account', zero);
      // Another Child may have it.
      const isShown = expectSuccess(changed) ? undefined : expectAccount(changed.value, zero, 'of a Child');
      judge('accounts/update-creator-ref', isShown);
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
