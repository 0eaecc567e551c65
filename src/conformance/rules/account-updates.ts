/** Checks of changing and of deleting Child Accounts. */

import { isObject, showValue, type JsonObject } from '../../common/json-value.ts';
import { leavesOf } from '../../common/places.ts';
import type { Rules } from '../check.ts';
import { accountOf, expectAccount, expectActsFor, requireActsFor } from '../context/account-view.ts';
import { newKey } from '../context/keys-and-tags.ts';
import type { ApiClient } from '../context/api-client.ts';
import { expectBody, expectRefusal, expectStatus, expectSuccess, type Answer } from '../expect/answer.ts';
import { headerByCreatorRef, headerByEmail, headerById, type Child } from '../context/children.ts';
import type { CheckContext } from '../context/context.ts';
import { newWebhookFields } from '../context/webhook-settings.ts';
import { expectThat, firstOf, sameJson } from '../expect/that.ts';

/** What can be changed and is shown, with the clause that says so. */
const SHOWN_FIELDS = [
  ['firstname', 'accounts/update-firstname'],
  ['lastname', 'accounts/update-lastname'],
  ['email', 'accounts/update-email'],
  ['creatorRef', 'accounts/update-creator-ref'],
] as const;

function newValueOf({ uniqueText }: CheckContext, field: string): string {
  // Whose address it is, its capitals say as well.
  return field === 'email' ? `${uniqueText('Some.Body')}@example.test` : uniqueText(field);
}

/** Ends the check unless DELETE /account will be about the Child. */
async function deleteChild(context: CheckContext, child: Child): Promise<Answer> {
  await requireActsFor(context, child.api, child.id);
  return child.api.delete('/account');
}

export const ACCOUNT_UPDATE_RULES: Rules = {
  'account-updates/one-field': {
    title: 'PATCH /account changes only the field it names, and answers as GET /whoami does',
    needs: ['child-account'],
    async run(context) {
      const { api, children, judge } = context;
      const child = await children.create();
      const parent = await accountOf(context, api);
      let account = await accountOf(context, child.api);
      for (const [field, clause] of SHOWN_FIELDS) {
        const value = newValueOf(context, field);
        const answer = await child.api.patch('/account', { [field]: value });
        judge('accounts/update', expectSuccess(answer));
        judge('accounts/update-answer-shows-change', expectAccount(answer.value, { [field]: value }, 'in the answer'));
        const after = await accountOf(context, child.api);
        judge(clause, expectAccount(after, { [field]: value }, `after a change of ${field} alone`));
        judge('accounts/update-answers-like-whoami', expectSameObject(answer, after));
        judge('accounts/update-leaves-the-rest', expectSameFields(after, othersThan(field, account)));
        account = after;
      }
      const password = await child.api.patch('/account', { password: 'another password' });
      judge('accounts/update-password', expectSuccess(password));
      judge('accounts/update-leaves-the-rest', expectSameFields(await accountOf(context, child.api), account));
      judge('accounts/update-leaves-the-parent', expectSameFields(await accountOf(context, api), namesOf(parent)));
      const all = Object.fromEntries(SHOWN_FIELDS.map(([field]) => [field, newValueOf(context, field)]));
      judge('accounts/update', expectSuccess(await child.api.patch('/account', { ...all, password: 'a third one' })));
      const changed = await accountOf(context, child.api);
      for (const [field, clause] of SHOWN_FIELDS) {
        judge(clause, expectAccount(changed, { [field]: all[field] }, 'after a change of all fields at once'));
      }
      // What they say is no change, and nothing that another account has already.
      for (const noChange of [{}, all]) {
        judge('accounts/update', expectSuccess(await child.api.patch('/account', noChange)));
        judge('accounts/update-leaves-the-rest', expectSameFields(await accountOf(context, child.api), changed));
      }
      const by = (email: unknown): Promise<Answer> => api.get('/noop', [headerByEmail(String(email))]);
      judge('authentication/child-by-email', expectActsFor(await by(changed['email']), child.id));
      judge('authentication/child-by-unknown-email-401', expectStatus(await by(account['email']), 401));
    },
  },
  'account-updates/creator-ref': {
    title: 'After creatorRef changes, only the new one identifies the Child, and no sibling can take it',
    needs: ['child-account'],
    async run({ api, children, judge, require, uniqueText }) {
      const child = await children.create();
      const by = (creatorRef: string): Promise<Answer> => api.get('/noop', [headerByCreatorRef(creatorRef)]);
      require(expectActsFor(await by(child.creatorRef), child.id));
      const creatorRef = uniqueText('renamed');
      require(expectSuccess(await child.api.patch('/account', { creatorRef })));
      judge(
        'accounts/update-creator-ref-identifies',
        expectActsFor(await by(creatorRef), child.id),
        expectStatus(await by(child.creatorRef), 401),
      );
      const sibling = await children.create();
      judge(
        'accounts/update-creator-ref-unique',
        expectRefusal(await sibling.api.patch('/account', { creatorRef })),
        expectActsFor(await by(creatorRef), child.id),
        expectActsFor(await by(sibling.creatorRef), sibling.id),
      );
    },
  },
  'account-updates/refused': {
    title: 'A refused PATCH /account changes none of its fields',
    needs: ['child-account'],
    async run(context) {
      const { children, judge, require } = context;
      const child = await children.create();
      require(expectSuccess(await child.api.patch('/account', { firstname: 'before', lastname: 'before' })));
      const before = await accountOf(context, child.api);
      // What is wrong comes last, when a careless service has changed the others already.
      for (const defect of [{ password: 'short' }, { email: '', password: 'short' }]) {
        require(expectRefusal(await child.api.patch('/account', { firstname: 'after', lastname: 'after', ...defect })));
        const after = await accountOf(context, child.api);
        judge('accounts/update-refused-changes-nothing', expectSameFields(after, namesOf(before)));
      }
    },
  },
  'account-updates/deleted': {
    title: 'DELETE /account deletes the Child with its keys, and no other account',
    needs: ['child-account'],
    async run(context) {
      const { api, children, judge, require } = context;
      const [child, sibling] = [await children.create({ Tags: { old: 'one' } }), await children.create()];
      require(expectActsFor(await sibling.api.get('/whoami'), sibling.id));
      // What it has goes with it.
      if (context.target.link) {
        const apiKey = await newKey(context, child.api, 'computer');
        await context.computers.away({ owner: { apiKey, api: child.api, cleaner: child.cleaner } });
      }
      const webhook = await context.ifOffered(child.api.post('/webhook', newWebhookFields(context)));
      if (webhook) require(expectSuccess(webhook));
      const ownKeys: ApiClient[] = [];
      for (const name of ['first', 'second', 'third']) {
        const ownKey = context.callAs(await newKey(context, child.api, name));
        require(expectActsFor(await ownKey.get('/noop'), child.id));
        ownKeys.push(ownKey);
      }
      judge('accounts/delete', expectSuccess(await deleteChild(context, child)));
      for (const header of [headerById(child.id), child.byEmail, child.byCreatorRef]) {
        const answer = await api.get('/noop', [header]);
        judge('authentication/child-deleted-401', expectStatus(answer, 401));
        judge('accounts/delete', expectRefusal(answer));
      }
      for (const ownKey of ownKeys) judge('accounts/delete-keys-stop', expectStatus(await ownKey.get('/noop'), 401));
      judge('accounts/delete-leaves-the-parent', expectSuccess(await api.get('/whoami')));
      const other = await sibling.api.get('/noop');
      judge('accounts/delete-leaves-other-children', expectActsFor(other, sibling.id));
      if ((await context.speak('suspension')).whoami === 'answered') {
        const suspended = await children.create();
        require(expectSuccess(await suspended.api.put('/account/state', 'suspended')));
        require(expectSuccess(await deleteChild(context, suspended)));
        const left = await accountOf(context, sibling.api);
        judge('accounts/delete-leaves-other-children', expectAccount(left, { state: 'active' }, 'of another Child'));
      }
      // Whether the reference of a deleted account can be given again is not printed.
      const creation = children.sound({ creatorRef: child.creatorRef });
      const again = await children.send(creation);
      const { Tags: tags } = again.status < 300 ? await accountOf(context, (await children.find(creation)).api) : {};
      judge('accounts/delete', expectThat(leavesOf(tags).length === 0, 'Tags of one made again', 'none', tags));
    },
  },
};

/** Expects the answer to have the fields of this account object, and no others. */
function expectSameObject(answer: Answer, account: JsonObject): ReturnType<typeof expectBody> {
  const value = isObject(answer.value) ? answer.value : {};
  const other = Object.keys({ ...account, ...value }).find(
    (key) => account[key] === undefined || value[key] === undefined,
  );
  const wanted = other === undefined || account[other] === undefined ? 'nothing' : 'the field';
  return firstOf(
    expectBody(answer, 'the account object', isObject),
    other === undefined
      ? undefined
      : {
          at: `${other} of ${answer.request}`,
          expected: `${wanted}, as in GET /whoami`,
          actual: showValue(value[other]),
          absent: 'all',
        },
    expectSameFields(value, account),
  );
}

function expectSameFields(account: JsonObject, wanted: JsonObject): ReturnType<typeof expectThat> {
  const mismatches = Object.entries(wanted).map(([name, value]) =>
    expectThat(
      sameJson(account[name], value),
      `${name} of the account`,
      `${JSON.stringify(value)}, as before`,
      account[name],
    ),
  );
  return firstOf(...mismatches);
}

/** The fields of an account but this one. Whose email creatorEmail is, is not printed: it may be that one. */
function othersThan(field: string, account: JsonObject): JsonObject {
  const isIt = (name: string): boolean => name === 'creatorEmail' && account[name] === account[field];
  return Object.fromEntries(Object.entries(account).filter(([name]) => name !== field && !isIt(name)));
}

/** Fields that only a PATCH changes while a check runs. */
function namesOf({ firstname, lastname, email, creatorRef }: JsonObject): JsonObject {
  return { firstname, lastname, email, creatorRef };
}
