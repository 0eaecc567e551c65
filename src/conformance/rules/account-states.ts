/** Checks of suspending and reactivating Child Accounts. */

import type { Mismatch } from '../../oracle/mismatch.ts';
import type { Rules } from '../check.ts';
import { expectAccount } from '../context/account-view.ts';
import type { ApiClient } from '../context/api-client.ts';
import type { CheckContext } from '../context/context.ts';
import { createWebhook, listWebhooks, newWebhookFields } from '../context/webhook-settings.ts';
import { apiKeyPath, tagPath } from '../context/account-paths.ts';
import { newKey, postTag } from '../context/keys-and-tags.ts';
import { expectEqual } from '../expect/that.ts';
import { expectBody, expectFound, expectRefusal, expectSuccess } from '../expect/answer.ts';

const PATH = '/account/state';

async function expectState(api: ApiClient, state: string): Promise<Mismatch | undefined> {
  const answer = await api.get(PATH);
  return expectFound(answer, JSON.stringify(state), (value) => value === state);
}

/** What is refused in each state; a careless service would take some of it for the other one. */
const OTHER_STATES = [
  ['active', ['Suspended', 'deleted', { state: 'suspended' }]],
  ['suspended', ['ACTIVE', '', null, { state: 'active' }]],
] as const;

/** A tag, an API key and the webhooks of an account, as it shows them. */
async function belongingsOf(context: CheckContext, api: ApiClient): Promise<readonly unknown[]> {
  const { ifOffered } = context;
  const tag = await ifOffered(api.get(tagPath('floor')));
  const key = await ifOffered(api.get(apiKeyPath('till')));
  const other = await ifOffered(api.get(apiKeyPath('desk')));
  return [tag?.value, key?.value, other?.value, await ifOffered(listWebhooks(context, api))];
}

export const ACCOUNT_STATE_RULES: Rules = {
  'account-states/suspended': {
    title: 'PUT /account/state suspends and reactivates a Child, and leaves the Integrator active',
    needs: ['child-account'],
    async run(context) {
      const { api, children, judge } = context;
      const child = await children.create();
      const first = await child.api.get(PATH);
      judge('accounts/state-read', expectSuccess(first));
      judge(
        'accounts/state-json-string',
        expectBody(first, 'a JSON string', (value) => typeof value === 'string'),
      );
      judge('accounts/state-active', await expectState(child.api, 'active'));
      const webhook = newWebhookFields(context);
      await context.ifOffered(createWebhook(context, webhook, child.api));
      const tag = await context.ifOffered(postTag(context, 'floor', '3', child.api));
      if (tag) context.require(expectSuccess(tag));
      for (const name of ['till', 'desk']) await context.ifOffered(newKey(context, child.api, name));
      const before = await belongingsOf(context, child.api);
      const steps = [
        ['suspended', 'accounts/state-suspend', 'accounts/state-suspended'],
        ['active', 'accounts/state-activate', 'accounts/state-active'],
      ] as const;
      for (const [state, clause, value] of steps) {
        const answer = await child.api.put(PATH, state);
        const shown = await expectState(child.api, state);
        judge(clause, expectSuccess(answer), shown);
        judge(value, shown);
        // What a second PUT is answered with is not shown.
        await child.api.put(PATH, state);
        judge('accounts/state-same-again', await expectState(child.api, state));
        // A suspended Child may not be changed; if it may, the change does not reactivate it.
        await child.api.patch('/account', { password: context.uniqueText('password') });
        judge(value, await expectState(child.api, state));
        const account = await child.api.get('/whoami');
        // What can be read of a suspended account is not shown.
        if (state === 'active' || expectRefusal(account) !== undefined) {
          context.require(expectSuccess(account));
          judge('accounts/state-in-account-object', expectAccount(account.value, { state }, 'of the Child'));
        }
        const parent = await api.get('/whoami');
        judge(
          'accounts/state-leaves-the-parent',
          expectSuccess(parent),
          expectAccount(parent.value, { state: 'active' }, 'of the Integrator'),
        );
      }
      const after = await belongingsOf(context, child.api);
      judge('accounts/state-activate', expectEqual('tag, key and webhooks after a suspension', after, before));
    },
  },
  'account-states/other': {
    title: 'PUT /account/state with anything else is refused and changes nothing',
    needs: ['child-account'],
    async run({ children, judge, require }) {
      const child = await children.create();
      for (const [state, others] of OTHER_STATES) {
        // A new one is active; whether it can be activated is not printed.
        if (state === 'suspended') require(expectSuccess(await child.api.put(PATH, state)));
        for (const other of others) {
          judge('accounts/state-other-refused', expectRefusal(await child.api.put(PATH, other)));
        }
        const { value } = await child.api.get(PATH);
        const refused = others.map((other) => JSON.stringify(other)).join(', ');
        judge('accounts/state-other-refused', expectEqual(`state after a refused ${refused}`, value, state));
      }
    },
  },
};
