/**
 * Effects on the settings of an account: tags, API keys, webhooks, and what an Integrator changes of its Child.
 */

import { isObject, type JsonObject } from '../../../common/json-value.ts';
import { ERRORS } from '../../../specification/errors.ts';
import { RESPONSE_HEADERS } from '../../../specification/headers.ts';
import { LIMITS } from '../../../specification/limits.ts';
import { accountOf, expectAccount, expectActsFor, requireActsFor } from '../../context/account-view.ts';
import { CheckEnded } from '../../context/check-ended.ts';
import { headerById } from '../../context/children.ts';
import type { CheckContext } from '../../context/context.ts';
import { apiKeyPath, tagPath } from '../../context/account-paths.ts';
import { keyCreatedBy, newKey, postKey, postTag } from '../../context/keys-and-tags.ts';
import {
  createWebhook,
  EVERY_TYPE,
  expectList,
  expectValue,
  listWebhooks,
  newWebhookFields,
  oneType,
  webhookAt,
  webhookIdOf,
  type WebhookFields,
} from '../../context/webhook-settings.ts';
import {
  expectBody,
  expectFound,
  expectNoTexts,
  expectRefusal,
  expectStatus,
  expectSuccess,
  expectTags,
  expectTexts,
} from '../../expect/answer.ts';
import { expectEqual, expectThat, firstOf } from '../../expect/that.ts';
import type { Caller } from './caller.ts';
import type { Effect, OpenPart, Part } from './effect.ts';
import { lazily } from './lazily.ts';

export const SETTINGS: Part = {
  id: 'settings',
  title: 'Tags, API keys, webhooks and account read back as written',
  needs: [],
  holds: ['webhooks'],
  has: ({ family }) => family === 'accounts' || family === 'webhooks' || family === 'misc',
  open: (context, caller) => ({
    effects: {
      ...accountEffects(caller),
      ...tagEffects(context, caller),
      ...keyEffects(context, caller),
      ...webhookEffects(context, caller),
      ...childEffects(context, caller),
    },
  }),
};

type Effects = OpenPart['effects'];

function accountEffects({ api, account }: Caller): Effects {
  return {
    'GET /whoami': async (judge) => {
      const answer = await api.get('/whoami');
      judge('accounts/whoami', expectFound(answer, 'an account object', isObject));
      judge('accounts/whoami', expectAccount(answer.value, account, `in ${answer.request}`));
    },
    'GET /account/controllable': async (judge) => {
      judge('accounts/controllable', expectSuccess(await api.get('/account/controllable')));
    },
    'GET /noop': async (judge) => {
      const answer = await api.get('/noop');
      const id = answer.header(RESPONSE_HEADERS.requestId.name);
      judge('misc/noop', expectStatus(answer, 200));
      judge(
        'misc/noop-body-is-request-id',
        expectBody(answer, `the Request-Id ${id}`, (value) => value === id),
      );
      judge('authentication/x-account', expectActsFor(answer, account.id));
    },
  };
}

function tagEffects(context: CheckContext, { api, lasting }: Caller): Effects {
  const write = async (name: string, value: string) => {
    if (lasting) context.removeLater(tagPath(name), lasting);
    return postTag(context, name, value, api);
  };
  const expectTag = async (name: string, value: string) => {
    const answer = await api.get(tagPath(name));
    return firstOf(expectSuccess(answer), expectTexts(answer, [value]));
  };
  const names = (): readonly [string, string] => {
    const name = `of-${context.naming.hex(16)}`;
    return [name, `${name}x`];
  };
  return {
    'GET /account/tag/{name}': async (judge) => {
      const [name, other] = names();
      context.require(expectSuccess(await write(name, 'one')), expectSuccess(await write(other, 'another')));
      judge('accounts/tag-read', await expectTag(name, 'one'), await expectTag(other, 'another'));
    },
    'POST /account/tag/{name}': async (judge) => {
      const [name, other] = names();
      judge('accounts/tag-create', expectSuccess(await write(name, 'first')), await expectTag(name, 'first'));
      judge('accounts/tag-create', expectSuccess(await write(other, 'other')));
      judge('accounts/tag-update', expectSuccess(await write(name, 'second')), await expectTag(name, 'second'));
      judge('accounts/tag-update', await expectTag(other, 'other'));
      judge('accounts/tag-in-account-object', expectTags(await api.get('/whoami'), { [name]: 'second' }));
    },
    'DELETE /account/tag/{name}': async (judge) => {
      const [name, other] = names();
      const value = context.uniqueText('value');
      context.require(expectSuccess(await write(name, value)), await expectTag(name, value));
      context.require(expectSuccess(await write(other, 'other')));
      judge('accounts/tag-delete', expectSuccess(await api.delete(tagPath(name))));
      judge(
        'accounts/tag-delete',
        expectNoTexts(await api.get(tagPath(name)), [value]),
        await expectTag(other, 'other'),
      );
      judge('accounts/tag-delete', expectNoTexts(await api.get('/whoami'), [name, value]));
    },
  };
}

function keyEffects(context: CheckContext, { api, lasting, account }: Caller): Effects {
  const nameKey = (): string => {
    const name = `key ${context.naming.hex(6)}`;
    if (lasting) context.removeLater(apiKeyPath(name), lasting);
    return name;
  };
  const expectOwn = async (key: string) => expectActsFor(await context.callAs(key).get('/noop'), account.id);
  return {
    'GET /account/apikey/{description}': async (judge) => {
      const name = nameKey();
      context.require(expectSuccess(await postKey(context, name, api)));
      judge('accounts/api-key-read', expectSuccess(await api.get(apiKeyPath(name))));
    },
    'POST /account/apikey/{description}': async (judge) => {
      const name = nameKey();
      const created = await postKey(context, name, api);
      judge('accounts/api-key-create', expectSuccess(created));
      const key = await keyCreatedBy(context, created, name, api);
      const at = `body of ${created.request}`;
      judge(
        'accounts/api-key-authenticates',
        key === undefined ? expectThat(false, at, 'a key', created.value) : await expectOwn(key),
      );
    },
    'DELETE /account/apikey/{description}': async (judge) => {
      const [name, other] = [nameKey(), nameKey()];
      const [key, otherKey] = [await newKey(context, api, name), await newKey(context, api, other)];
      context.require(await expectOwn(key));
      judge('accounts/api-key-delete', expectSuccess(await api.delete(apiKeyPath(name))));
      judge('accounts/api-key-delete', expectRefusal(await api.get(apiKeyPath(name))), await expectOwn(otherKey));
      const { status } = ERRORS.InvalidCredentials;
      judge('accounts/api-key-deleted-401', expectStatus(await context.callAs(key).get('/noop'), status));
    },
  };
}

interface MadeWebhook {
  readonly id: number;
  readonly fields: WebhookFields;
}

/** Two that stay, and one that is made and deleted. */
const WEBHOOKS_AT_ONCE = 3;

function webhookEffects(context: CheckContext, { api }: Caller): Effects {
  const most = LIMITS.webhooksPerAccount.value;
  const ensureRoom = lazily(async () => {
    const { length } = await listWebhooks(context, api);
    if (length + WEBHOOKS_AT_ONCE > most)
      throw new CheckEnded('untestable', `the account has ${length} webhooks of its own, and may have ${most}`);
  });
  const make = async (): Promise<MadeWebhook> => {
    await ensureRoom();
    const fields = newWebhookFields(context);
    return { id: await createWebhook(context, fields, api), fields };
  };
  const [one, other] = [lazily(make), lazily(make)];
  /** Expects these, each with its settings, and without those that are gone. */
  const expectWebhooks = async (shown: readonly MadeWebhook[], gone: readonly MadeWebhook[] = []) => {
    const records = await listWebhooks(context, api);
    const left = gone.filter(({ id }) => records.some((record) => webhookIdOf(record) === id));
    const settings = shown.flatMap(({ id, fields }) => {
      const record = records.find((candidate) => webhookIdOf(candidate) === id);
      return Object.entries(fields).map(([name, value]) => expectValue(record, name, value));
    });
    return firstOf(...settings, expectThat(left.length === 0, 'body of GET /webhooks', 'no deleted webhook', records));
  };
  return {
    'GET /webhooks': async (judge) => {
      judge('webhooks/list', await expectWebhooks([await one(), await other()]));
    },
    'POST /webhook': async (judge) => {
      await ensureRoom();
      const fields = newWebhookFields(context);
      const answer = await api.post('/webhook', fields);
      judge('webhooks/create', expectSuccess(answer));
      judge('webhooks/create-answers-list', await expectList(answer, api));
      const record = (await listWebhooks(context, api)).find(({ secret }) => secret === fields.secret);
      const at = 'secrets in GET /webhooks';
      judge(
        'webhooks/create-secret',
        expectThat(record !== undefined, at, `${fields.secret} among them`, answer.value),
      );
      judge('webhooks/create-url', expectValue(record, 'url', fields.url));
      const id = webhookIdOf(record);
      judge('webhooks/create', await expectWebhooks([{ id, fields }, await other()]));
      // An account may have only five.
      if (record) context.require(expectSuccess(await api.delete(`/webhook/${id}`)));
      const messages = await oneType(context);
      const ofOne = newWebhookFields(context, { messages });
      const typed = webhookAt(await api.post('/webhook', ofOne), ofOne.url);
      judge('webhooks/create-messages', expectValue(typed, 'messages', messages));
      if (typed) context.require(expectSuccess(await api.delete(`/webhook/${webhookIdOf(typed)}`)));
    },
    'PATCH /webhook/{webhook_id}': async (judge) => {
      const { id, fields } = await one();
      const before = await listWebhooks(context, api);
      const secret = context.uniqueText('secret');
      const answer = await api.patch(`/webhook/${id}`, { secret });
      judge('webhooks/update', expectSuccess(answer));
      judge('webhooks/update-answers-list', await expectList(answer, api, before));
      judge('webhooks/update-secret', await expectWebhooks([{ id, fields: { ...fields, secret } }, await other()]));
      const { url, messages } = newWebhookFields(context, { messages: await oneType(context) });
      judge('webhooks/update', expectSuccess(await api.patch(`/webhook/${id}`, { url, messages })));
      const changed = { id, fields: { url, messages, secret } };
      judge('webhooks/update-leaves-the-rest', await expectWebhooks([changed, await other()]));
      const back = await api.patch(`/webhook/${id}`, { ...fields, messages: EVERY_TYPE });
      judge('webhooks/update', expectSuccess(back), await expectWebhooks([{ id, fields }]));
    },
    'DELETE /webhook/{webhook_id}': async (judge) => {
      const [doomed, kept] = [await one(), await other()];
      const before = await listWebhooks(context, api);
      const answer = await api.delete(`/webhook/${doomed.id}`);
      judge('webhooks/delete', expectSuccess(answer));
      judge('webhooks/delete-answers-list', await expectList(answer, api, before));
      judge('webhooks/delete', await expectWebhooks([], [doomed]));
      judge('webhooks/delete-leaves-other-webhooks', await expectWebhooks([kept]));
    },
  };
}

const STATE = '/account/state';
const namesOf = ({ firstname, lastname, email, creatorRef }: JsonObject): JsonObject => ({
  firstname,
  lastname,
  email,
  creatorRef,
});

/** What an Integrator does to a Child that a header names. */
function childEffects(context: CheckContext, { account, spare }: Caller): Effects {
  const { callAs, target, uniqueText } = context;
  const spared = lazily(async () => {
    if (!spare) throw new Error('this caller names no Child');
    return spare();
  });
  const patch: Effect = async (judge) => {
    const { child, api } = await spared();
    const [parent, before] = [await accountOf(context, context.api), await accountOf(context, child.api)];
    const names = { firstname: uniqueText('first'), lastname: uniqueText('last') };
    const renamed = await api.patch('/account', names);
    judge('accounts/update', expectSuccess(renamed));
    judge('accounts/update-answer-shows-change', expectAccount(renamed.value, names, 'in the answer'));
    const after = await accountOf(context, child.api);
    judge('accounts/update', expectAccount(after, names, 'after the change'));
    judge('accounts/update-leaves-the-rest', expectEqual('names', namesOf(after), { ...namesOf(before), ...names }));
    const address = { email: `${uniqueText('moved')}@example.test`, creatorRef: uniqueText('moved') };
    judge('accounts/update', expectSuccess(await api.patch('/account', address)));
    judge('accounts/update', expectAccount(await accountOf(context, child.api), address, 'after the change'));
    // The header that names it may be one of those.
    const back = await child.api.patch('/account', { email: child.email, creatorRef: child.creatorRef });
    context.require(expectSuccess(back));
    const parentAfter = await accountOf(context, context.api);
    judge('accounts/update-leaves-the-parent', expectEqual('names', namesOf(parentAfter), namesOf(parent)));
  };
  return {
    'PATCH /account': patch,
    'GET /account/state': async (judge) => {
      const { api } = await spared();
      judge(
        'accounts/state-read',
        expectFound(await api.get(STATE), '"active"', (value) => value === 'active'),
      );
    },
    'PUT /account/state': async (judge) => {
      const { child, api } = await spared();
      for (const [state, clause] of [
        ['suspended', 'accounts/state-suspend'],
        ['active', 'accounts/state-activate'],
      ] as const) {
        judge(clause, expectSuccess(await api.put(STATE, state)));
        for (const view of [api, child.api]) {
          judge(
            clause,
            expectFound(await view.get(STATE), `"${state}"`, (value) => value === state),
          );
        }
        const parent = await accountOf(context, context.api);
        judge('accounts/state-leaves-the-parent', expectAccount(parent, { state: 'active' }, 'of the Integrator'));
      }
    },
    'DELETE /account': async (judge) => {
      const { child, api } = await spared();
      const ownKey = callAs(await newKey(context, api, 'last'));
      await requireActsFor(context, api, child.id);
      const answer = await api.delete('/account');
      judge('accounts/delete', expectSuccess(answer));
      const { status } = ERRORS.InvalidCredentials;
      const gone = expectStatus(await child.api.get('/noop'), status);
      judge('accounts/delete', gone, expectStatus(await api.get('/noop'), status));
      if (!gone) context.children.isGone(child);
      judge('accounts/delete-keys-stop', expectStatus(await ownKey.get('/noop'), status));
      const sibling = await callAs(target.apiKey, [headerById(account.id)]).get('/noop');
      judge('accounts/delete-leaves-other-children', expectActsFor(sibling, account.id));
    },
  };
}
