/** Checks of webhooks as settings: creating, listing, changing and deleting them, and how many there may be. */

import type { Mismatch } from '../../oracle/mismatch.ts';
import { showValue } from '../../oracle/mismatch.ts';
import { WEBHOOK_FIELDS } from '../../spec/fields.ts';
import { EVERY_MESSAGE } from '../../spec/inputs.ts';
import { LIMITS } from '../../spec/limits.ts';
import type { Answer } from '../answer.ts';
import type { ApiClient } from '../api-client.ts';
import { CheckEnded } from '../check-ended.ts';
import type { Check } from '../check.ts';
import type { CheckContext } from '../context.ts';
import { expectField } from '../expect/fields.ts';
import { asRecords, isId, type JsonObject } from '../expect/records.ts';
import { expectBody, expectRefusal, expectStatus, expectSuccess } from '../expect/response.ts';
import { expectThat, firstOf } from '../expect/that.ts';
import { measureOf, MEASURES, STATISTICS, type Statistic } from '../statistics.ts';

const EVERY: readonly string[] = [EVERY_MESSAGE.value];
/** Types as events are said to have; how `messages` spells them is a gap. */
const ONE_TYPE: readonly string[] = ['print job state'];
const STATISTIC_CLAUSES = STATISTICS.map((statistic) => WEBHOOK_FIELDS[statistic].clause);
const PLAIN_FIELDS = ['webhookId', 'url', 'secret', 'messages'] as const;

interface Fields {
  readonly url: string;
  readonly secret: string;
  readonly messages: readonly string[];
}

/** Fields of a webhook that leads nowhere. */
function newFields(context: CheckContext, more: Partial<Fields> = {}): Fields {
  const url = `https://receiver.example/${context.uniqueText('hook')}`;
  return { url, secret: context.uniqueText('secret'), messages: EVERY, ...more };
}

function find(answer: Answer, url: string): JsonObject | undefined {
  return asRecords(answer.value)?.find((record) => record['url'] === url);
}

function idOf(record: JsonObject | undefined): number {
  return Number(record?.['webhookId']);
}

/** Creates a webhook that the check builds on. */
async function create(context: CheckContext, fields: Fields, api = context.api): Promise<number> {
  const answer = await api.post('/webhook', fields);
  context.require(
    firstOf(
      expectSuccess(answer),
      expectBody(answer, 'the new webhook among others', () => isId(find(answer, fields.url)?.['webhookId'])),
    ),
  );
  return idOf(find(answer, fields.url));
}

/** As create, for messages that a target may spell otherwise. */
async function createTyped(context: CheckContext, fields: Fields): Promise<number> {
  const answer = await context.api.post('/webhook', fields);
  if (answer.status >= 400 && answer.status < 500) {
    throw new CheckEnded('inconclusive', 'the target may spell message types otherwise');
  }
  const id = find(answer, fields.url)?.['webhookId'];
  context.require(
    expectSuccess(answer) ?? expectBody(answer, 'the new webhook among others', () => isId(id)),
  );
  return Number(id);
}

/** Identity and settings of each webhook of a list, without what changes by itself. */
function settings(answer: Answer): readonly JsonObject[] | undefined {
  return asRecords(answer.value)?.map((record) =>
    Object.fromEntries(PLAIN_FIELDS.map((field) => [field, record[field]])),
  );
}

async function listed(context: CheckContext, api = context.api): Promise<readonly JsonObject[]> {
  const answer = await api.get('/webhooks');
  const found = settings(answer);
  context.require(
    firstOf(
      expectStatus(answer, 200),
      expectBody(answer, 'an array of webhooks', () => found !== undefined),
    ),
  );
  return found ?? [];
}

/** Expects that an answer shows what GET /webhooks shows right after it. */
async function expectList(answer: Answer, api: ApiClient): Promise<Mismatch | undefined> {
  const after = settings(await api.get('/webhooks'));
  const shown = settings(answer);
  const same = shown !== undefined && JSON.stringify(shown) === JSON.stringify(after);
  return (
    expectSuccess(answer) ??
    expectThat(
      same,
      `body of ${answer.request}`,
      `what GET /webhooks shows: ${showValue(after)}`,
      shown ?? answer.value,
    )
  );
}

function expectUnchanged(
  before: readonly JsonObject[],
  after: readonly JsonObject[],
  what: string,
): Mismatch | undefined {
  const same = JSON.stringify(before) === JSON.stringify(after);
  return expectThat(same, `webhooks after ${what}`, showValue(before), after);
}

function expectValue(record: JsonObject | undefined, field: string, wanted: unknown): Mismatch | undefined {
  const actual = record?.[field];
  const same = JSON.stringify(actual) === JSON.stringify(wanted);
  return expectThat(same, `${field} of the webhook`, showValue(wanted), actual);
}

/** Judges the measures of a statistic; of a new webhook it counts nothing yet. */
function judgeStatistic(
  { judge }: CheckContext,
  record: JsonObject,
  statistic: Statistic,
  isNew: boolean,
): void {
  const missing = MEASURES.filter((measure) => typeof measureOf(record, statistic, measure) !== 'number');
  judge(
    WEBHOOK_FIELDS[statistic].clause,
    expectThat(
      missing.length === 0,
      `${statistic} of the webhook`,
      `numbers ${MEASURES.join(', ')}`,
      record[statistic],
    ),
  );
  const counts = measureOf(record, statistic, 'counts');
  const holds = isNew ? counts === 0 : Number.isInteger(counts);
  const at = `counts of ${statistic} of a${isNew ? ' new' : ''} webhook`;
  judge('webhooks/measure-counts', expectThat(holds, at, isNew ? '0' : 'an integer', counts));
}

export const WEBHOOK_CHECKS: readonly Check[] = [
  {
    id: 'webhooks/create',
    title: 'POST /webhook creates a webhook with what was sent, and answers with the list',
    clauses: [
      'webhooks/list',
      'webhooks/create',
      'webhooks/create-answers-list',
      'webhooks/create-url',
      'webhooks/create-secret',
      'webhooks/create-messages',
      'webhooks/messages-star-alone',
      'webhooks/id-assigned-by-service',
    ],
    needs: [],
    async run(context) {
      const [first, second] = [newFields(context), newFields(context)];
      const answer = await context.api.post('/webhook', first);
      context.judge('webhooks/messages-star-alone', expectSuccess(answer));
      context.judge('webhooks/create-answers-list', await expectList(answer, context.api));
      const list = await context.api.get('/webhooks');
      context.judge(
        'webhooks/list',
        firstOf(
          expectStatus(list, 200),
          expectBody(list, 'an array of objects', (value) => asRecords(value) !== undefined),
        ),
      );
      const record = find(list, first.url);
      context.judge(
        'webhooks/create',
        expectBody(list, `a webhook to ${first.url}`, () => record !== undefined),
      );
      context.judge('webhooks/create-url', expectValue(record, 'url', first.url));
      context.judge('webhooks/create-secret', expectValue(record, 'secret', first.secret));
      context.judge('webhooks/create-messages', expectValue(record, 'messages', first.messages));
      const other = await create(context, second);
      const ids = [record?.['webhookId'], other];
      context.judge(
        'webhooks/id-assigned-by-service',
        expectThat(isId(ids[0]) && ids[0] !== other, 'webhookId of two webhooks', 'two ids', ids),
      );
    },
  },
  {
    id: 'webhooks/object',
    title: 'A webhook has its eight fields, each of its type, the statistics with their five measures',
    clauses: [
      ...PLAIN_FIELDS.map((field) => WEBHOOK_FIELDS[field].clause),
      ...STATISTIC_CLAUSES,
      'webhooks/measure-counts',
    ],
    needs: [],
    async run(context) {
      const fields = newFields(context);
      const created = await context.api.post('/webhook', fields);
      const records = asRecords(created.value) ?? [];
      context.require(
        firstOf(
          expectSuccess(created),
          expectBody(created, 'webhooks', () => records.length > 0),
        ),
      );
      for (const record of records) {
        for (const name of PLAIN_FIELDS) {
          const field = WEBHOOK_FIELDS[name];
          context.judge(field.clause, expectField(record, 'webhook', name, field));
        }
        for (const statistic of STATISTICS)
          judgeStatistic(context, record, statistic, record['url'] === fields.url);
      }
    },
  },
  {
    id: 'webhooks/create-refusals',
    title: 'A webhook without url, secret or messages, or with more beside *, is refused and leaves nothing',
    clauses: [
      'webhooks/create-url-missing-refused',
      'webhooks/create-secret-missing-refused',
      'webhooks/create-messages-missing-refused',
      'webhooks/messages-star-with-others-refused',
      'webhooks/create-refused-leaves-nothing',
    ],
    needs: [],
    async run(context) {
      // The positive twin of all of them.
      await create(context, newFields(context));
      const before = await listed(context);
      for (const [name, clause] of [
        ['url', 'webhooks/create-url-missing-refused'],
        ['secret', 'webhooks/create-secret-missing-refused'],
        ['messages', 'webhooks/create-messages-missing-refused'],
      ] as const) {
        const answer = await context.api.post('/webhook', { ...newFields(context), [name]: undefined });
        context.judge(clause, expectRefusal(answer));
      }
      for (const messages of [
        [...EVERY, ...ONE_TYPE],
        [...ONE_TYPE, ...EVERY],
      ]) {
        const answer = await context.api.post('/webhook', newFields(context, { messages }));
        context.judge('webhooks/messages-star-with-others-refused', expectRefusal(answer));
      }
      const left = expectUnchanged(before, await listed(context), 'refused creations');
      context.judge('webhooks/create-refused-leaves-nothing', left);
    },
  },
  {
    id: 'webhooks/update',
    title: 'PATCH changes each field alone, leaves the rest, and answers with the list',
    clauses: [
      'webhooks/update',
      'webhooks/update-answers-list',
      'webhooks/update-url',
      'webhooks/update-secret',
      'webhooks/update-leaves-the-rest',
      'webhooks/update-nothing',
    ],
    needs: [],
    async run(context) {
      const other = newFields(context);
      await create(context, other);
      let now: Fields = newFields(context);
      const id = await create(context, now);
      const changes = { url: newFields(context).url, secret: context.uniqueText('secret') };
      for (const [name, clause] of [
        ['url', 'webhooks/update-url'],
        ['secret', 'webhooks/update-secret'],
      ] as const) {
        const answer = await context.api.patch(`/webhook/${id}`, { [name]: changes[name] });
        now = { ...now, [name]: changes[name] };
        context.judge('webhooks/update', expectSuccess(answer));
        context.judge('webhooks/update-answers-list', await expectList(answer, context.api));
        const records = await listed(context);
        const record = records.find(({ webhookId }) => webhookId === id);
        context.judge(clause, expectValue(record, name, now[name]));
        const wanted = { webhookId: id, ...now };
        const neighbour = records.find(({ url }) => url === other.url);
        context.judge(
          'webhooks/update-leaves-the-rest',
          firstOf(
            ...Object.entries(wanted)
              .filter(([field]) => field !== name)
              .map(([field, value]) => expectValue(record, field, value)),
            expectValue(neighbour, 'secret', other.secret),
          ),
        );
      }
      const before = await listed(context);
      const nothing = await context.api.patch(`/webhook/${id}`, {});
      context.judge(
        'webhooks/update-nothing',
        firstOf(
          expectSuccess(nothing),
          expectUnchanged(before, await listed(context), 'PATCH with no field'),
        ),
      );
    },
  },
  {
    id: 'webhooks/update-messages',
    title: 'PATCH changes messages alone, and refuses * with others',
    clauses: ['webhooks/update-messages', 'webhooks/update-star-with-others-refused'],
    needs: [],
    async run(context) {
      const fields = newFields(context, { messages: ONE_TYPE });
      const id = await createTyped(context, fields);
      const answer = await context.api.patch(`/webhook/${id}`, { messages: EVERY });
      const record = (await listed(context)).find(({ webhookId }) => webhookId === id);
      context.judge(
        'webhooks/update-messages',
        firstOf(
          expectSuccess(answer),
          expectValue(record, 'messages', EVERY),
          expectValue(record, 'url', fields.url),
          expectValue(record, 'secret', fields.secret),
        ),
      );
      const before = await listed(context);
      const refused = await context.api.patch(`/webhook/${id}`, { messages: [...EVERY, ...ONE_TYPE] });
      context.judge(
        'webhooks/update-star-with-others-refused',
        firstOf(expectRefusal(refused), expectUnchanged(before, await listed(context), 'a refused PATCH')),
      );
    },
  },
  {
    id: 'webhooks/delete',
    title: 'DELETE removes the webhook and no other, and answers with the list',
    clauses: ['webhooks/delete', 'webhooks/delete-answers-list', 'webhooks/delete-leaves-other-webhooks'],
    needs: [],
    async run(context) {
      const [going, staying] = [newFields(context), newFields(context)];
      const id = await create(context, going);
      await create(context, staying);
      const answer = await context.api.delete(`/webhook/${id}`);
      context.judge('webhooks/delete-answers-list', await expectList(answer, context.api));
      const left = (await listed(context)).map(({ url }) => url);
      context.judge(
        'webhooks/delete',
        expectThat(!left.includes(going.url), 'webhooks after DELETE', `none to ${going.url}`, left),
      );
      context.judge(
        'webhooks/delete-leaves-other-webhooks',
        expectThat(left.includes(staying.url), 'webhooks after DELETE', `one to ${staying.url}`, left),
      );
    },
  },
  {
    id: 'webhooks/unknown',
    title: 'PATCH and DELETE of a webhook that does not exist are refused',
    clauses: ['webhooks/update-unknown-refused', 'webhooks/delete-unknown-refused'],
    needs: [],
    async run(context) {
      const id = await create(context, newFields(context));
      context.require(expectSuccess(await context.api.patch(`/webhook/${id}`, {})));
      context.require(expectSuccess(await context.api.delete(`/webhook/${id}`)));
      const patched = await context.api.patch(`/webhook/${id}`, {});
      context.judge(
        'webhooks/update-unknown-refused',
        firstOf(expectRefusal(patched), expectErrorObject(patched)),
      );
      const deleted = await context.api.delete(`/webhook/${id}`);
      context.judge(
        'webhooks/delete-unknown-refused',
        firstOf(expectRefusal(deleted), expectErrorObject(deleted)),
      );
    },
  },
  {
    id: 'webhooks/foreign',
    title: 'Webhooks of another account are neither shown, nor changed, nor deleted',
    clauses: ['webhooks/list-own-only', 'webhooks/update-foreign-refused', 'webhooks/delete-foreign-refused'],
    needs: ['second-account'],
    async run(context) {
      const fields = newFields(context);
      const id = await create(context, fields, context.stranger);
      const before = await listed(context, context.stranger);
      const shown = (await listed(context)).map(({ url }) => url);
      context.judge(
        'webhooks/list-own-only',
        expectThat(!shown.includes(fields.url), 'body of GET /webhooks', `nothing to ${fields.url}`, shown),
      );
      const patched = await context.api.patch(`/webhook/${id}`, { secret: context.uniqueText('secret') });
      const afterPatch = await listed(context, context.stranger);
      context.judge(
        'webhooks/update-foreign-refused',
        firstOf(expectRefusal(patched), expectUnchanged(before, afterPatch, 'PATCH by another account')),
      );
      const deleted = await context.api.delete(`/webhook/${id}`);
      const afterDelete = await listed(context, context.stranger);
      context.judge(
        'webhooks/delete-foreign-refused',
        firstOf(expectRefusal(deleted), expectUnchanged(before, afterDelete, 'DELETE by another account')),
      );
    },
  },
  {
    id: 'webhooks/none-at-first',
    title: 'A new account has no webhooks',
    clauses: ['limits/webhooks-none-at-first'],
    needs: ['integrator'],
    async run({ children, judge }) {
      const { api } = await children.create();
      const list = await api.get('/webhooks');
      const mismatch = firstOf(expectStatus(list, 200), expectBody(list, 'an empty array', isEmpty));
      judge('limits/webhooks-none-at-first', mismatch);
    },
  },
  {
    id: 'webhooks/limit',
    title: 'An account has five webhooks at most: a sixth is refused, until one is deleted',
    clauses: ['limits/webhooks-per-account', 'limits/webhooks-sixth-refused', 'limits/webhooks-freed'],
    needs: [],
    async run(context) {
      const most = LIMITS.webhooksPerAccount.value;
      const others = await listed(context);
      if (others.length >= most) {
        throw new CheckEnded(
          'inconclusive',
          `the account has ${others.length} webhooks of its own: delete some`,
        );
      }
      let last: Answer | undefined;
      for (let count = others.length; count < most; count++) {
        last = await context.api.post('/webhook', newFields(context));
        context.judge('limits/webhooks-per-account', expectSuccess(last));
      }
      const full = await listed(context);
      context.demand(
        'limits/webhooks-per-account',
        expectThat(full.length === most, 'webhooks of the account', `${most}`, full.length),
      );
      const sixth = await context.api.post('/webhook', newFields(context));
      context.judge(
        'limits/webhooks-sixth-refused',
        firstOf(expectRefusal(sixth), expectUnchanged(full, await listed(context), 'a sixth one')),
      );
      const ours = full.find((record) => !others.some(({ webhookId }) => webhookId === record['webhookId']));
      context.require(expectSuccess(await context.api.delete(`/webhook/${idOf(ours)}`)));
      context.judge(
        'limits/webhooks-freed',
        expectSuccess(await context.api.post('/webhook', newFields(context))),
      );
    },
  },
];

const isEmpty = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

function expectErrorObject(answer: Answer): Mismatch | undefined {
  return expectBody(answer, 'the error object', (value) => {
    const [record] = asRecords([value]) ?? [];
    return typeof record?.['code'] === 'string' && typeof record['message'] === 'string';
  });
}
