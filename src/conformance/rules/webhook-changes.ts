/** Checks of changing and deleting webhooks, one's own and others. */

import type { Mismatch } from '../../oracle/mismatch.ts';
import type { Rules } from '../check.ts';
import { expectRefusal, expectSuccess } from '../expect/answer.ts';
import {
  createWebhook,
  EVERY_TYPE,
  expectList,
  expectUnchanged,
  expectValue,
  listWebhooks,
  newWebhookFields,
  oneType,
  type WebhookFields,
} from '../context/webhook-settings.ts';
import { expectThat, firstOf } from '../expect/that.ts';

export const WEBHOOK_CHANGE_RULES: Rules = {
  'webhooks/update': {
    title: 'PATCH changes only the field it names, and answers with the list',
    locks: ['account'],
    async run(context) {
      const { judge } = context;
      const other = newWebhookFields(context);
      await createWebhook(context, other);
      let now: WebhookFields = newWebhookFields(context, { messages: await oneType(context) });
      const id = await createWebhook(context, now);
      const changes = { url: newWebhookFields(context).url, secret: context.uniqueText('secret') };
      const shown: (Mismatch | undefined)[] = [];
      for (const [name, clause] of [
        ['url', 'webhooks/update-url'],
        ['secret', 'webhooks/update-secret'],
      ] as const) {
        const earlier = await listWebhooks(context);
        const answer = await context.api.patch(`/webhook/${id}`, { [name]: changes[name] });
        now = { ...now, [name]: changes[name] };
        judge('webhooks/update', expectSuccess(answer));
        const noList = await expectList(answer, context.api, earlier);
        judge('webhooks/update-answers-list', noList);
        // What is no list shows no change either: that is one thing.
        if (!noList) shown.push(await expectList(answer, context.api));
        const records = await listWebhooks(context);
        const record = records.find(({ webhookId }) => webhookId === id);
        judge(clause, expectValue(record, name, now[name]));
        const { [name]: _, ...rest } = { webhookId: id, ...now };
        const same = Object.entries(rest).map(([field, value]) => expectValue(record, field, value));
        const neighbour = records.find(({ url }) => url === other.url);
        const sameSecret = expectValue(neighbour, 'secret', other.secret);
        judge('webhooks/update-leaves-the-rest', firstOf(...same, sameSecret));
      }
      if (shown.length > 0) judge('webhooks/update-answer-shows-change', firstOf(...shown));
      const all = newWebhookFields(context, { messages: EVERY_TYPE });
      judge('webhooks/update', expectSuccess(await context.api.patch(`/webhook/${id}`, all)));
      const changed = (await listWebhooks(context)).find(({ webhookId }) => webhookId === id);
      for (const [name, value] of Object.entries(all)) {
        const mismatch = expectValue(changed, name, value);
        judge('webhooks/update', mismatch && { ...mismatch, at: `${mismatch.at} after PATCH of all fields` });
      }
      const before = await listWebhooks(context);
      const nothing = await context.api.patch(`/webhook/${id}`, {});
      judge(
        'webhooks/update-nothing',
        expectSuccess(nothing),
        expectUnchanged(before, await listWebhooks(context), 'PATCH with no field'),
      );
      const same = await context.api.patch(`/webhook/${id}`, all);
      const isSame = expectUnchanged(before, await listWebhooks(context), 'PATCH with what it has');
      judge('webhooks/update', expectSuccess(same), isSame);
    },
  },
  'webhooks/update-messages': {
    title: 'PATCH changes messages, and refuses * together with other types',
    locks: ['account'],
    async run(context) {
      const { judge } = context;
      const type = await oneType(context);
      const fields = newWebhookFields(context, { messages: type });
      const id = await createWebhook(context, fields);
      const answer = await context.api.patch(`/webhook/${id}`, { messages: EVERY_TYPE });
      const record = (await listWebhooks(context)).find(({ webhookId }) => webhookId === id);
      judge(
        'webhooks/update-messages',
        expectSuccess(answer),
        expectValue(record, 'messages', EVERY_TYPE),
        expectValue(record, 'url', fields.url),
        expectValue(record, 'secret', fields.secret),
      );
      const before = await listWebhooks(context);
      const refused = await context.api.patch(`/webhook/${id}`, { messages: [...EVERY_TYPE, ...type] });
      judge(
        'webhooks/update-star-with-others-refused',
        expectRefusal(refused),
        expectUnchanged(before, await listWebhooks(context), 'a refused PATCH'),
      );
    },
  },
  'webhooks/delete': {
    title: 'DELETE removes that webhook only, and answers with the list',
    locks: ['account'],
    async run(context) {
      const { judge } = context;
      const [going, staying] = [newWebhookFields(context), newWebhookFields(context)];
      const id = await createWebhook(context, going);
      await createWebhook(context, staying);
      // Whether two may have one url is not printed.
      await context.api.post('/webhook', { ...going, secret: context.uniqueText('secret') });
      const earlier = await listWebhooks(context);
      const answer = await context.api.delete(`/webhook/${id}`);
      const noList = await expectList(answer, context.api, earlier);
      judge('webhooks/delete-answers-list', noList);
      if (!noList) judge('webhooks/delete-answer-shows-change', await expectList(answer, context.api));
      const left = (await listWebhooks(context)).map(({ webhookId }) => webhookId);
      const at = 'webhookIds after DELETE';
      judge('webhooks/delete', expectThat(!left.includes(id), at, `no ${id}`, left));
      const others = earlier.map(({ webhookId }) => webhookId).filter((other) => other !== id);
      const areLeft = others.every((other) => left.includes(other));
      judge('webhooks/delete-leaves-other-webhooks', expectThat(areLeft, at, `all of ${others.join(', ')}`, left));
    },
  },
  'webhooks/ids-never-reused': {
    title: 'A new webhook does not get the id of a deleted one',
    locks: ['account'],
    async run(context) {
      const gone = await createWebhook(context, newWebhookFields(context));
      context.require(expectSuccess(await context.api.delete(`/webhook/${gone}`)));
      const next = await createWebhook(context, newWebhookFields(context));
      const at = 'id of a webhook that came after a deleted one';
      context.judge('service/id-never-reused', expectThat(next !== gone, at, `not ${gone}`, next));
    },
  },
  'webhooks/foreign': {
    title: 'Webhooks of another account are neither shown, changed nor deleted',
    needs: ['second-account'],
    locks: ['account', 'second-account/webhooks'],
    async run(context) {
      const { judge } = context;
      const fields = newWebhookFields(context);
      const id = await createWebhook(context, fields, context.secondApi);
      const before = await listWebhooks(context, context.secondApi);
      const shown = (await listWebhooks(context)).map(({ url }) => url);
      judge(
        'webhooks/list-own-only',
        expectThat(!shown.includes(fields.url), 'body of GET /webhooks', `nothing to ${fields.url}`, shown),
      );
      await context.api.patch(`/webhook/${id}`, { secret: context.uniqueText('secret') });
      const afterPatch = await listWebhooks(context, context.secondApi);
      judge('webhooks/update-foreign-refused', expectUnchanged(before, afterPatch, 'PATCH by another account'));
      await context.api.delete(`/webhook/${id}`);
      const afterDelete = await listWebhooks(context, context.secondApi);
      judge('webhooks/delete-foreign-refused', expectUnchanged(before, afterDelete, 'DELETE by another account'));
    },
  },
};
