/**
 * Checks of what every record must have: each account, computer, printer, state, webhook and reading that the service
 * shows during a run x, for each caller and after all that happened before.
 *
 *   exchanges of the run ─► those that return records of a kind ─► each record by the field table of its kind
 *
 * A check first has the service show one record, so that it can run alone.
 */

import { isObject, type JsonObject, parseJson } from '../../common/json-value.ts';
import { requestName } from '../../common/request-name.ts';
import type { Mismatch } from '../../oracle/mismatch.ts';
import type { Returned } from '../../specification/clause.ts';
import type { ClauseId } from '../../specification/clauses.ts';
import { ENDPOINTS } from '../../specification/endpoints.ts';
import {
  ACCOUNT_FIELDS,
  COMPUTER_FIELDS,
  PRINT_JOB_STATE_FIELDS,
  PRINTER_FIELDS,
  SCALE_FIELDS,
  WEBHOOK_FIELDS,
} from '../../specification/fields.ts';
import type { Exchange } from '../../wire/http-exchange.ts';
import type { Rule, Rules } from '../check.ts';
import { CheckEnded } from '../context/check-ended.ts';
import type { CheckContext } from '../context/context.ts';
import { jobBody, submit } from '../context/jobs.ts';
import { connectScales, plainScale, scalesPath } from '../context/scales.ts';
import { createWebhook, listWebhooks, newWebhookFields } from '../context/webhook-settings.ts';
import type { FieldTable } from '../../oracle/record-fields.ts';
import { judgeFields } from '../expect/fields.ts';

interface Kind extends Omit<Rule, 'title' | 'run'> {
  readonly name: string;
  /** As endpoints say what they return. */
  readonly returned: readonly Returned[];
  readonly fields: FieldTable;
  /** Has the service show one. */
  readonly show: (context: CheckContext) => Promise<unknown>;
}

// How statistics nest is not printed.
const { webhookId, url, secret, messages } = WEBHOOK_FIELDS;

function everyRecord({ name, returned, fields, show, ...more }: Kind): Rule {
  const isReturned = exchangesOf(returned);
  return {
    ...more,
    title: `Every ${name} in an answer has all its fields, each of the right type`,
    runsLast: true,
    async run(context) {
      await show(context);
      const found = new Map<ClauseId, Mismatch | undefined>();
      for (const [position, exchange] of context.history.read.entries()) {
        if (!isReturned(exchange)) continue;
        for (const [index, record] of recordsIn(exchange).entries()) {
          const at = `${name} ${index + 1} of ${requestName(exchange.request)}`;
          judgeFields(
            (clause, mismatch) => {
              if (!found.get(clause)) found.set(clause, mismatch && { ...mismatch, exchange: position });
            },
            fields,
            record,
            at,
          );
        }
      }
      if (found.size === 0) throw new CheckEnded('blocked', `the run saw no ${name}`);
      for (const [clause, mismatch] of found) context.judge(clause, mismatch);
    },
  };
}

/** A set has a number in it, unlike `/printers/refresh`. Ahead: a search on both sides of it squares long sets. */
const SET = String.raw`(?=[^/?]*\d)[^/?]+`;

/** Whether an exchange returns what these endpoints do. */
function exchangesOf(returned: readonly Returned[]): (exchange: Exchange) => boolean {
  const patterns = ENDPOINTS.filter(({ returns }) => returned.includes(returns)).map(({ method, path, parts }) => {
    const inPath = parts.reduce((text, { name, isSet }) => text.replace(`{${name}}`, isSet ? SET : '[^/?]+'), path);
    return { method, path: new RegExp(String.raw`^${inPath}/?(\?|$)`) };
  });
  return ({ request, response }) =>
    response.status >= 200 &&
    response.status < 300 &&
    patterns.some(({ method, path }) => method === request.method && path.test(request.path));
}

/** One record, a list of them, or lists by name. What is nothing of that has checks of its own. */
function recordsIn({ response: { body } }: Exchange): readonly JsonObject[] {
  const value = parseJson(body);
  if (!Array.isArray(value) && !isObject(value)) return [];
  const members: readonly unknown[] = Object.values(value);
  const isOne = isObject(value) && members.some((member) => !Array.isArray(member));
  return isOne ? [value] : members.flat().filter(isObject);
}

export const EVERY_RECORD_RULES: Rules = {
  'every-record/accounts': everyRecord({
    name: 'account',
    returned: ['account'],
    fields: ACCOUNT_FIELDS,
    async show({ api, secondApi, target }) {
      await api.get('/whoami');
      if (target.secondApiKey !== undefined) await secondApi.get('/whoami');
    },
  }),
  'every-record/computers': everyRecord({
    name: 'computer',
    needs: ['printer'],
    returned: ['computers'],
    fields: COMPUTER_FIELDS,
    show: async ({ api, computers }) => api.get(`/computers/${(await computers.away()).computerId}`),
  }),
  'every-record/printers': everyRecord({
    name: 'printer',
    needs: ['printer'],
    returned: ['printers'],
    fields: PRINTER_FIELDS,
    show: async ({ api, computers }) => api.get(`/printers/${(await computers.away()).printerId}`),
  }),
  'every-record/states': everyRecord({
    name: 'state',
    needs: ['printer'],
    returned: ['states'],
    fields: PRINT_JOB_STATE_FIELDS,
    async show(context) {
      const { printerId } = await context.computers.away();
      await context.api.get(`/printjobs/${await submit(context, jobBody(printerId))}/states`);
    },
  }),
  'every-record/readings': everyRecord({
    name: 'reading',
    needs: ['scale'],
    returned: ['reading', 'readings'],
    fields: SCALE_FIELDS,
    async show(context) {
      const { computer, weigh } = await connectScales(context, [plainScale('a')]);
      await weigh('a');
      await context.api.get(scalesPath(computer.computerId));
    },
  }),
  'every-record/webhooks': everyRecord({
    name: 'webhook',
    locks: ['account'],
    returned: ['webhooks'],
    fields: { webhookId, url, secret, messages },
    async show(context) {
      await createWebhook(context, newWebhookFields(context));
      await listWebhooks(context);
    },
  }),
};
