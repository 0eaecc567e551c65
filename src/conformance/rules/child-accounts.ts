/** Checks of creating Child Accounts. What must not be longer or shorter is in account-limits.ts. */

import type { Mismatch } from '../../oracle/mismatch.ts';
import { ERRORS } from '../../specification/errors.ts';
import { LIMITS } from '../../specification/limits.ts';
import type { Rules } from '../check.ts';
import { accountOf, expectAccount, expectActsFor, namesChild, requireActsFor } from '../context/account-view.ts';
import { apiKeyPath } from '../context/account-paths.ts';
import { INHERITED_NAMES, keysIn, newKey, placeOfShownKey, postTag } from '../context/keys-and-tags.ts';
import { expectFound, expectNoTexts, expectRefusal, expectSuccess, textsIn, type Answer } from '../expect/answer.ts';
import type { ApiClient } from '../context/api-client.ts';
import { headerById, type Child, type Creation } from '../context/children.ts';
import type { CheckContext } from '../context/context.ts';
import { isObject } from '../../common/json-value.ts';
import { valueAt } from '../../common/places.ts';
import { expectThat, firstOf } from '../expect/that.ts';

/** A creation that nothing is wrong with must succeed before one with a defect says anything. */
async function requireSound({ children, require }: CheckContext): Promise<void> {
  require(expectSuccess(await children.send(children.sound())));
}

/** The key of each name: as GET shows it, or where keys are not shown again, from the answer of the creation. */
async function keysOfNames(
  context: CheckContext,
  api: ApiClient,
  created: Answer,
  names: readonly string[],
): Promise<readonly (string | undefined)[]> {
  const place = await placeOfShownKey(context, api);
  const keys: (string | undefined)[] = [];
  for (const name of names) {
    const answer = await api.get(apiKeyPath(name));
    context.judge('accounts/create-api-keys', expectSuccess(answer));
    const shown = place === undefined ? undefined : valueAt(answer.value, place.replace('{name}', name));
    keys.push(typeof shown === 'string' ? shown : undefined);
  }
  if (place !== undefined) return keys;
  // Ends the check where no answer to POST /account has a key.
  await context.speak('new-account-keys');
  const found = await keysIn(context, created, names.length);
  return names.map((_, index) => found[index]?.key);
}

/** The account object of what a creation made. */
async function createdBy(context: CheckContext, creation: Creation): Promise<Readonly<Record<string, unknown>>> {
  const child = await context.children.find(creation);
  return accountOf(context, child.api);
}

/** Changes a Child that has nothing but what is required, as any other is changed, and deletes it. */
async function judgeLifeOf({ judge, children, api, uniqueText }: CheckContext, child: Child): Promise<void> {
  const email = `${uniqueText('changed')}@example.test`;
  const changed = await child.api.patch('/account', { email });
  const shown = await child.api.get('/whoami');
  judge('accounts/update-email', expectSuccess(changed), expectAccount(shown.value, { email }, 'of the Child'));
  const listed = async (): Promise<unknown> => {
    const { value } = await api.get('/whoami');
    return isObject(value) ? value['childAccounts'] : undefined;
  };
  // What an element is, is a gap: it may say nothing of the Child.
  const wasNamed = namesChild(await listed(), { ...child, email });
  judge('accounts/state-suspend', expectSuccess(await child.api.put('/account/state', 'suspended')));
  const left = await listed();
  const isNamed = !wasNamed || namesChild(left, { ...child, email });
  judge(
    'accounts/field-child-accounts',
    expectThat(isNamed, 'childAccounts, of which one is suspended', `${child.id} among them`, left),
  );
  judge('accounts/state-activate', expectSuccess(await child.api.put('/account/state', 'active')));
  const state = await child.api.get('/account/state');
  judge(
    'accounts/state-activate',
    expectFound(state, 'active', (value) => value === 'active'),
  );
  judge('accounts/delete', expectSuccess(await child.api.delete('/account')));
  const gone = await api.get('/noop', [headerById(child.id)]);
  judge('accounts/delete', expectRefusal(gone));
  if (expectRefusal(gone) === undefined) children.isGone(child);
}

/** Names that careless services escape, or take for none. */
const ODD_NAMES = {
  json: { firstname: 'Žofie <b> & "Co"', lastname: '0' },
  form: { firstname: '0', lastname: 'O’Neill & <Søn>' },
} as const;

/** As many as a creation takes. */
const MOST_NAMES = [
  'office',
  'Lager/2 ü',
  ...Array.from({ length: LIMITS.apiKeyNames.value - 2 }, (_, index) => `till ${index}`),
];

/** More of them than one would look for by hand. */
const MANY_TAGS = Object.fromEntries(
  [...Array.from({ length: 20 }, (_, index) => `many-${index}`), ...INHERITED_NAMES].map((name) => [
    name,
    `of ${name}`,
  ]),
);

export const CHILD_ACCOUNT_RULES: Rules = {
  'child-accounts/created': {
    title: 'An Integrator creates a Child by JSON or form, with the names, email and creatorRef that it sends',
    needs: ['integrator'],
    async run(context) {
      const { children, judge, demand, api } = context;
      const parent = await accountOf(context, api);
      const digits = String(context.naming.integer(1e11, 9e11));
      judge(
        'accounts/integrator-can-create',
        expectAccount(parent, { canCreateSubAccounts: true }, 'of the Integrator'),
      );
      for (const encoding of ['json', 'form'] as const) {
        const names = ODD_NAMES[encoding];
        // The part before the @ is whose it is, capitals and all.
        const email = `${context.uniqueText('Of.Some+Body')}@example.test`;
        // Digits alone are a string as well.
        const creation = children.sound({ ...names, email, ...(encoding === 'form' && { creatorRef: digits }) });
        const success = expectSuccess(await children.send(creation, encoding));
        judge('accounts/create-password', success);
        judge('accounts/create', success);
        demand(encoding === 'json' ? 'accounts/create-as-json' : 'accounts/create-as-form', success);
        const account = await createdBy(context, creation);
        const { creatorRef } = creation.Account;
        const at = `of the account created by ${encoding}`;
        judge('accounts/create-firstname', expectAccount(account, { firstname: names.firstname }, at));
        judge('accounts/create-lastname', expectAccount(account, { lastname: names.lastname }, at));
        judge('accounts/create-email', expectAccount(account, { email }, at));
        judge('accounts/create-creator-ref', expectAccount(account, { creatorRef }, at));
        judge('accounts/state-initially-active', expectAccount(account, { state: 'active' }, at));
        judge('accounts/child-cannot-create', expectAccount(account, { canCreateSubAccounts: false }, at));
        judge('accounts/creator-email-of-child', expectAccount(account, { creatorEmail: parent['email'] }, at));
      }
    },
  },
  'child-accounts/only-required': {
    title: 'creatorRef, ApiKeys and Tags are optional at creation, and a name may be a dash',
    needs: ['integrator'],
    async run(context) {
      const { children, judge, demand } = context;
      const parent = await accountOf(context, context.api);
      for (const encoding of ['json', 'form'] as const) {
        const { creatorRef: _, ...Account } = children.sound({ password: 'aaaaaaaa' }).Account;
        const creation = { Account };
        const success = expectSuccess(await children.send(creation, encoding));
        judge('accounts/create-password-no-complexity', success);
        demand('accounts/create-only-required', success);
        const account = await createdBy(context, creation);
        const at = `of the account created by ${encoding}`;
        judge('accounts/create-firstname-dash', expectAccount(account, { firstname: '-' }, at));
        judge('accounts/create-lastname-dash', expectAccount(account, { lastname: '-' }, at));
        judge('accounts/creator-email-of-child', expectAccount(account, { creatorEmail: parent['email'] }, at));
        if (encoding === 'json') await judgeLifeOf(context, await children.find(creation));
      }
    },
  },
  'child-accounts/required': {
    title: 'A creation without a required field, or with an empty name, is refused, as JSON and as form',
    needs: ['integrator'],
    async run(context) {
      await requireSound(context);
      const { children, judge } = context;
      const refusalOf = async (change: Readonly<Record<string, unknown>>): Promise<Mismatch | undefined> => {
        const answers = [];
        for (const encoding of ['json', 'form'] as const) {
          const { Account } = children.sound(change);
          const kept = Object.entries(Account).filter(([, value]) => value !== undefined);
          answers.push(await children.send({ Account: Object.fromEntries(kept) }, encoding));
        }
        return firstOf(...answers.map(expectRefusal));
      };
      judge('accounts/create-firstname-missing-refused', await refusalOf({ firstname: undefined }));
      judge('accounts/create-firstname-empty-refused', await refusalOf({ firstname: '' }));
      judge('accounts/create-lastname-missing-refused', await refusalOf({ lastname: undefined }));
      judge('accounts/create-lastname-empty-refused', await refusalOf({ lastname: '' }));
      judge('accounts/create-email-missing-refused', await refusalOf({ email: undefined }));
      judge('accounts/create-password-missing-refused', await refusalOf({ password: undefined }));
    },
  },
  'child-accounts/refused-leaves-nothing': {
    title: 'A refused creation leaves no account behind, and its creatorRef stays free',
    needs: ['integrator'],
    async run(context) {
      const { children, api, judge, require } = context;
      const sound = children.sound();
      const defects: readonly Creation[] = [
        { ...sound, Account: { ...sound.Account, password: 'short' } },
        // What is wrong comes last, when a careless service has made the account already.
        { ...sound, ApiKeys: ['fine', 'a name of more than 16 bytes'] },
        { ...sound, Tags: { fine: 'yes', 'not/fine': 'no' } },
      ];
      for (const defect of defects) {
        require(expectRefusal(await children.send(defect)));
        const controllable = await api.get('/account/controllable');
        require(expectSuccess(controllable));
        const texts = [sound.Account['email'], sound.Account['creatorRef']].map(String);
        judge('accounts/create-refused-leaves-nothing', expectNoTexts(controllable, texts));
      }
      judge('accounts/create-refused-leaves-nothing', expectSuccess(await children.send(sound)));
    },
  },
  'child-accounts/creator-ref-unique': {
    title: 'A creation with another Child’s creatorRef is refused',
    needs: ['child-account'],
    async run(context) {
      const { creatorRef } = await context.children.create();
      for (const encoding of ['json', 'form'] as const) {
        const answer = await context.children.send(context.children.sound({ creatorRef }), encoding);
        context.judge('accounts/create-creator-ref-unique', expectRefusal(answer));
      }
    },
  },
  'child-accounts/keys-and-tags': {
    title: 'A creation makes a working API key for each name it lists and stores its tags, as JSON and as form',
    needs: ['integrator'],
    async run(context) {
      const { children, judge, require } = context;
      const few = { colour: 'blue & green', 'site.no-7_b': 'Łódź' };
      for (const encoding of ['json', 'form'] as const) {
        const names = encoding === 'json' ? MOST_NAMES : MOST_NAMES.slice(0, 2);
        const tags = encoding === 'json' ? { ...few, ...MANY_TAGS } : few;
        const creation = { ...children.sound(), ApiKeys: names, Tags: tags };
        const created = await children.send(creation, encoding);
        require(expectSuccess(created));
        const child = await children.find(creation);
        const keys = await keysOfNames(context, child.api, created, names);
        const at = `keys of the account created by ${encoding}`;
        const known = keys.filter((key) => key !== undefined);
        const isOneEach = new Set(known).size === known.length;
        judge('accounts/create-api-keys', expectThat(isOneEach, at, 'a key for each name', 'one for several'));
        for (const [index, name] of names.entries()) {
          const key = keys[index];
          const isThere = expectThat(key !== undefined, at, `a key for '${name}' that authenticates`, 'none');
          const account = isThere ?? expectActsFor(await context.callAs(key ?? '').get('/noop'), child.id);
          judge('accounts/create-api-keys-work', account);
        }
        if (known.length === names.length) {
          const deleted = expectSuccess(await child.api.delete(apiKeyPath('office')));
          const looks: Answer[] = [];
          for (const key of known) looks.push(await context.callAs(key).get('/noop'));
          // Which of them is of which name an answer need not show, nor in which order they stand.
          const { status } = ERRORS.InvalidCredentials;
          const gone = looks.filter((answer) => answer.status === status).length;
          const left = looks.filter((answer) => answer.status !== status);
          const one = `${status} for the one that was deleted`;
          judge(
            'accounts/api-key-deleted-401',
            deleted,
            expectThat(gone === 1, at, one, `${status} for ${gone} of ${known.length}`),
            ...left.map((answer) => expectActsFor(answer, child.id)),
          );
        }
        // One more must not push the others out.
        require(expectSuccess(await postTag(context, 'one-more', 'x', child.api)));
        for (const [name, value] of Object.entries(tags)) {
          const answer = await child.api.get(`/account/tag/${name}`);
          const isStored = textsIn(answer.value).includes(value);
          judge(
            'accounts/create-tags',
            expectSuccess(answer),
            expectThat(isStored, `body of ${answer.request}`, value, answer.value),
          );
        }
      }
    },
  },
  'child-accounts/by-child': {
    title: 'A Child cannot create accounts',
    needs: ['child-account'],
    async run({ children, judge }) {
      const child = await children.create();
      const answer = await child.api.post('/account', children.sound());
      judge('accounts/create-by-child-refused', expectRefusal(answer));
    },
  },
  'child-accounts/by-single': {
    title: 'An account that is not an Integrator cannot create accounts',
    needs: ['integrator', 'second-account'],
    async run(context) {
      await requireSound(context);
      const { children, callAs, judge } = context;
      const { canCreateSubAccounts } = await accountOf(context, context.secondApi);
      if (canCreateSubAccounts !== true) {
        const refusal = expectRefusal(await children.sendBySecond(children.sound()));
        judge('accounts/create-by-single-refused', refusal);
        return;
      }
      const child = await children.create();
      const own = callAs(await newKey(context, child.api, 'own'));
      await requireActsFor(context, own, child.id);
      const answer = await own.post('/account', children.sound());
      judge('accounts/create-by-single-refused', expectRefusal(answer));
    },
  },
  'child-accounts/controllable': {
    title: 'GET /account/controllable succeeds',
    needs: ['integrator'],
    async run({ api, judge }) {
      judge('accounts/controllable', expectSuccess(await api.get('/account/controllable')));
    },
  },
};
