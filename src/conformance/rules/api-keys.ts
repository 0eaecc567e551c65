/** Checks of the API keys of an account. */

import type { Rules } from '../check.ts';
import { accountOf, expectActsFor } from '../context/account-view.ts';
import { apiKeyPath } from '../context/account-paths.ts';
import { keyCreatedBy, newKey, postKey, shownKey } from '../context/keys-and-tags.ts';
import type { CheckContext } from '../context/context.ts';
import { expectThat, firstOf } from '../expect/that.ts';
import { expectRefusal, expectStatus, expectSuccess } from '../expect/answer.ts';

/** The name of a key that is removed after the check. */
function ownName({ naming, removeLater }: CheckContext): string {
  const name = `check-${naming.hex(8)}`;
  removeLater(apiKeyPath(name));
  return name;
}

/** Keys whose names begin as another, or as which another begins. */
async function makeNeighbours(context: CheckContext, name: string): Promise<readonly string[]> {
  const neighbours = [`${name}0`, name.slice(0, -1)];
  for (const other of neighbours) {
    context.removeLater(apiKeyPath(other));
    context.require(expectSuccess(await postKey(context, other)));
  }
  return neighbours;
}

/** More than a creation may name, and than anyone would allow who thinks of one for each place. */
const MANY = 26;
/** Where time costs nothing. */
const MANY_VIRTUAL = 51;

export const API_KEY_RULES: Rules = {
  'api-keys/life': {
    title: 'An API key authenticates as soon as it is created, can be read, and stops working when it is deleted',
    async run(context) {
      const { api, judge, demand, require } = context;
      const account = await accountOf(context, api);
      const name = ownName(context);
      const path = apiKeyPath(name);
      require(expectRefusal(await api.get(path)));
      const created = await postKey(context, name);
      judge('accounts/api-key-create', expectSuccess(created));
      const key = await keyCreatedBy(context, created, name);
      const at = `body of ${created.request}`;
      demand('accounts/api-key-authenticates', expectThat(key !== undefined, at, 'a key', created.value));
      const owner = context.callAs(key ?? '');
      const used = await owner.get('/noop');
      judge('accounts/api-key-authenticates', expectActsFor(used, Number(account['id'])));
      judge('accounts/api-key-read', expectSuccess(await api.get(path)));
      const neighbours = await makeNeighbours(context, name);
      judge('accounts/api-key-delete', expectSuccess(await api.delete(path)));
      for (const other of neighbours) judge('accounts/api-key-delete', expectSuccess(await api.get(apiKeyPath(other))));
      judge('accounts/api-key-delete', expectRefusal(await api.get(path)));
      judge('accounts/api-key-deleted-401', expectStatus(await owner.get('/noop'), 401));
    },
  },
  'api-keys/many': {
    title: 'An account can have any number of keys, and each of them authenticates as that account',
    async run(context) {
      const { api, judge, target } = context;
      const account = await accountOf(context, api);
      const keys: string[] = [];
      while (keys.length < (target.timekeeper.isVirtual ? MANY_VIRTUAL : MANY)) {
        const name = ownName(context);
        const created = await postKey(context, name);
        const refused = expectSuccess(created);
        // The first one is for another check.
        if (keys.length === 0) context.require(refused);
        judge('accounts/api-key-many', refused && { ...refused, at: `${refused.at}, key ${keys.length + 1}` });
        if (refused) break;
        keys.push(await shownKey(context, { created, name }));
      }
      for (const [index, key] of [target.apiKey, ...keys].entries()) {
        const answer = await context.callAs(key).get('/noop');
        const mismatch = expectActsFor(answer, Number(account['id']));
        judge(
          'authentication/any-key',
          mismatch && { ...mismatch, at: `${mismatch.at}, with key ${index} of ${keys.length}` },
        );
      }
      const different = new Set(keys).size;
      judge(
        'accounts/api-key-many',
        expectThat(
          different === keys.length,
          `keys of ${keys.length} names`,
          `${keys.length} different ones`,
          different,
        ),
      );
    },
  },
  'api-keys/exact': {
    title: 'Keys are compared exactly: neither part of a key nor another spelling authenticates',
    async run(context) {
      const { callAs, judge, require } = context;
      const key = await newKey(context, context.api, ownName(context));
      require(expectSuccess(await callAs(key).get('/noop')));
      const other = key === key.toUpperCase() ? key.toLowerCase() : key.toUpperCase();
      const spellings = [key.slice(0, -1), key.slice(1), `${key} `, ` ${key}`, `${key}0`, `${key}*`, other];
      const answers = [];
      for (const spelling of spellings.filter((one) => one !== key)) {
        answers.push(await callAs(spelling).get('/noop'));
      }
      judge('authentication/key-exact', firstOf(...answers.map((answer) => expectStatus(answer, 401))));
    },
  },
};
