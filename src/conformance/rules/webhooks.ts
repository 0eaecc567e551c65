/** Checks of webhooks as settings: creating and listing them, and how many there may be. */

import type { JsonObject } from '../../common/json-value.ts';
import { STATISTICS, WEBHOOK_FIELDS, type Statistic } from '../../specification/fields.ts';
import { LIMITS } from '../../specification/limits.ts';
import type { Rules } from '../check.ts';
import { expectBody, expectFound, expectRefusal, expectSuccess } from '../expect/answer.ts';
import { CheckEnded } from '../context/check-ended.ts';
import type { CheckContext } from '../context/context.ts';
import { newKey } from '../context/keys-and-tags.ts';
import {
  createWebhook,
  EVERY_TYPE,
  expectList,
  expectUnchanged,
  expectValue,
  listWebhooks,
  measureOf,
  MEASURES,
  newWebhookFields,
  nestingIn,
  oneType,
  showsMeasure,
  SETTING_FIELDS,
  webhookAt,
  webhookIdOf,
} from '../context/webhook-settings.ts';
import { expectField } from '../../oracle/record-fields.ts';
import { asRecords, isEmptyArray, isId } from '../expect/records.ts';
import { expectEqual, expectThat } from '../expect/that.ts';

/** Longer than columns often are. */
const LONG_QUERY = 300;

/** Judges that a statistic has its measures, however they are nested. */
function judgeStatistic({ judge }: CheckContext, record: JsonObject, statistic: Statistic): void {
  const missing = MEASURES.filter((measure) => !showsMeasure(record, statistic, measure));
  const at = `${statistic} of the webhook`;
  const wanted = `the measures ${MEASURES.join(', ')}`;
  judge(WEBHOOK_FIELDS[statistic].clause, expectThat(missing.length === 0, at, wanted, record[statistic]));
}

/** Judges the values of the measures; of a new webhook `counts` is 0. */
function judgeMeasures({ judge }: CheckContext, record: JsonObject, nesting: string, isNew: boolean): void {
  for (const statistic of STATISTICS) {
    const values = MEASURES.map((measure) => measureOf(record, nesting, statistic, measure));
    const areNumbers = values.every((value) => typeof value === 'number');
    judge(
      WEBHOOK_FIELDS[statistic].clause,
      expectThat(areNumbers, `${statistic} of the webhook`, `numbers ${MEASURES.join(', ')}`, values),
    );
    const counts = measureOf(record, nesting, statistic, 'counts');
    const holds = isNew ? counts === 0 : Number.isInteger(counts);
    const at = `counts of ${statistic} of a${isNew ? ' new' : ''} webhook`;
    judge('webhooks/measure-counts', expectThat(holds, at, isNew ? '0' : 'an integer', counts));
  }
}

export const WEBHOOK_RULES: Rules = {
  'webhooks/create': {
    title: 'POST /webhook creates a webhook with the values sent, and answers with the list',
    locks: ['account'],
    async run(context) {
      const { judge } = context;
      const [first, second] = [newWebhookFields(context), newWebhookFields(context)];
      const answer = await context.api.post('/webhook', first);
      judge('webhooks/messages-star-alone', expectSuccess(answer));
      judge('webhooks/create-answers-list', await expectList(answer, context.api));
      const list = await context.api.get('/webhooks');
      const isList = asRecords(list.value) !== undefined;
      judge(
        'webhooks/list',
        expectFound(list, 'an array of objects', () => isList),
      );
      const record = webhookAt(list, first.url);
      judge(
        'webhooks/create',
        expectBody(list, `a webhook to ${first.url}`, () => record !== undefined),
      );
      judge('webhooks/create-url', expectValue(record, 'url', first.url));
      judge('webhooks/create-secret', expectValue(record, 'secret', first.secret));
      judge('webhooks/create-messages', expectValue(record, 'messages', first.messages));
      const other = await createWebhook(context, second);
      // How long a url may be is not printed.
      const long = newWebhookFields(context, { url: `${first.url}?${'x'.repeat(LONG_QUERY)}` });
      const created = await context.api.post('/webhook', long);
      const shown = asRecords(created.value)?.find(({ url }) => String(url).startsWith(`${first.url}?`));
      if (!expectSuccess(created)) judge('webhooks/create-url', expectValue(shown, 'url', long.url));
      const ids = [record?.['webhookId'], other];
      judge(
        'webhooks/id-assigned-by-service',
        expectThat(isId(ids[0]) && ids[0] !== other, 'webhookId of two webhooks', 'two ids', ids),
      );
    },
  },
  'webhooks/object': {
    title: 'A webhook has its eight fields, each of the right type, and five measures in each statistic',
    locks: ['account'],
    async run(context) {
      const fields = newWebhookFields(context);
      const created = await context.api.post('/webhook', fields);
      const records = asRecords(created.value) ?? [];
      context.require(
        expectSuccess(created),
        expectBody(created, 'webhooks', () => records.length > 0),
      );
      for (const record of records) {
        for (const name of SETTING_FIELDS) {
          const field = WEBHOOK_FIELDS[name];
          context.judge(field.clause, expectField(record, 'webhook', name, field));
        }
        for (const statistic of STATISTICS) judgeStatistic(context, record, statistic);
      }
      const nesting =
        records.map(nestingIn).find((place) => place !== undefined) ?? (await context.speak('statistics-nesting'));
      for (const record of records) judgeMeasures(context, record, nesting, record['url'] === fields.url);
    },
  },
  'webhooks/create-refusals': {
    title: 'A webhook without url, secret or messages, or with other types beside *, is refused and not created',
    locks: ['account'],
    async run(context) {
      const { judge } = context;
      // The positive twin of all of them.
      await createWebhook(context, newWebhookFields(context));
      const type = await oneType(context);
      const before = await listWebhooks(context);
      let areRefused = true;
      for (const [name, clause] of [
        ['url', 'webhooks/create-url-missing-refused'],
        ['secret', 'webhooks/create-secret-missing-refused'],
        ['messages', 'webhooks/create-messages-missing-refused'],
      ] as const) {
        const answer = await context.api.post('/webhook', {
          ...newWebhookFields(context),
          [name]: undefined,
        });
        areRefused = judge(clause, expectRefusal(answer)) && areRefused;
      }
      for (const messages of [
        [...EVERY_TYPE, ...type],
        [...type, ...EVERY_TYPE],
      ]) {
        const answer = await context.api.post('/webhook', newWebhookFields(context, { messages }));
        areRefused = judge('webhooks/messages-star-with-others-refused', expectRefusal(answer)) && areRefused;
      }
      if (!areRefused) return;
      const left = expectUnchanged(before, await listWebhooks(context), 'refused creations');
      judge('webhooks/create-refused-leaves-nothing', left);
    },
  },
  'webhooks/none-at-first': {
    title: 'A new account has no webhooks',
    needs: ['integrator'],
    locks: ['account/webhooks'],
    async run(context) {
      const { judge } = context;
      await createWebhook(context, newWebhookFields(context));
      const { api } = await context.children.create();
      const list = await api.get('/webhooks');
      judge('limits/webhooks-none-at-first', expectFound(list, 'an empty array', isEmptyArray));
      const only = await createWebhook(context, newWebhookFields(context), api);
      const before = await listWebhooks(context, api);
      const deleted = await api.delete(`/webhook/${only}`);
      judge('webhooks/delete-answers-list', await expectList(deleted, api, before));
      judge('webhooks/delete', expectFound(await api.get('/webhooks'), 'an empty array', isEmptyArray));
    },
  },
  'webhooks/limit': {
    title: 'An account has at most five webhooks: a sixth is refused until one is deleted',
    locks: ['account'],
    async run(context) {
      const { judge } = context;
      const most = LIMITS.webhooksPerAccount.value;
      const others = await listWebhooks(context);
      if (others.length >= most) {
        throw new CheckEnded('inconclusive', `the account has ${others.length} webhooks of its own: delete some`);
      }
      const changed = await createWebhook(context, newWebhookFields(context));
      const { secret } = newWebhookFields(context);
      context.require(expectSuccess(await context.api.patch(`/webhook/${changed}`, { secret })));
      for (let count = others.length + 1; count < most; count++) {
        const created = await context.api.post('/webhook', newWebhookFields(context));
        judge('limits/webhooks-per-account', expectSuccess(created));
      }
      const full = await listWebhooks(context);
      context.demand('limits/webhooks-per-account', expectEqual('webhooks of the account', full.length, most));
      const ours = full.find((record) => !others.some(({ webhookId }) => webhookId === record['webhookId']));
      // Whether a webhook may have no types is not printed; if it may, it is a webhook like any other.
      await context.api.patch(`/webhook/${webhookIdOf(ours)}`, { messages: [] });
      const before = await listWebhooks(context);
      const sixth = newWebhookFields(context);
      for (const fields of [sixth, { ...sixth, url: full.at(-1)?.['url'] }]) {
        const answer = await context.api.post('/webhook', fields);
        const unchanged = expectUnchanged(before, await listWebhooks(context), 'a sixth one');
        judge('limits/webhooks-sixth-refused', expectRefusal(answer), unchanged);
      }
      let going = webhookIdOf(ours);
      // Twice: a service that counts makes its mistakes on the way back.
      for (const next of [newWebhookFields(context), newWebhookFields(context)]) {
        context.require(expectSuccess(await context.api.delete(`/webhook/${going}`)));
        // What that gets is not printed; it makes no room for another one.
        await context.api.delete(`/webhook/${going}`);
        const freed = await context.api.post('/webhook', next);
        context.demand('limits/webhooks-freed', expectSuccess(freed));
        going = webhookIdOf(webhookAt(freed, next.url));
        const sixthAgain = await context.api.post('/webhook', newWebhookFields(context));
        judge('limits/webhooks-sixth-refused', expectRefusal(sixthAgain));
      }
    },
  },
  'webhooks/limit-of-child': {
    title: 'A Child Account has at most five webhooks, with its own key and with its Integrator’s',
    needs: ['child-account'],
    async run(context) {
      const { judge } = context;
      const child = await context.children.create();
      const own = context.callAs(await newKey(context, child.api, 'own'));
      for (let count = 0; count < LIMITS.webhooksPerAccount.value; count++) {
        judge(
          'limits/webhooks-per-account',
          expectSuccess(await child.api.post('/webhook', newWebhookFields(context))),
        );
      }
      const full = await listWebhooks(context, child.api);
      for (const [who, api] of [
        ['its Integrator', child.api],
        ['the Child', own],
      ] as const) {
        const sixth = await api.post('/webhook', newWebhookFields(context));
        const unchanged = expectUnchanged(full, await listWebhooks(context, child.api), `a sixth one by ${who}`);
        judge('limits/webhooks-sixth-refused', expectRefusal(sixth), unchanged);
      }
    },
  },
};
