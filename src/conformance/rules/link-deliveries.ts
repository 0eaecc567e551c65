/**
 * Checks of docs/device-link.md: deliveries, how many of them wait for an acknowledgement, and which come again. They
 * bind a service that says that it speaks this link.
 */

import { isObject, type JsonObject } from '../../common/json-value.ts';
import type { Rules } from '../check.ts';
import { contentOf, jobBody, stateNames, submit, submitExpiring, submitMany } from '../context/jobs.ts';
import {
  deliveredTo,
  deliveryOf,
  join,
  report,
  stateReport,
  take,
  takeIfThere,
  withPrinter,
} from '../context/link-computer.ts';
import { isId, isText } from '../expect/records.ts';
import { lateMs, TOLERANCES } from '../expect/tolerances.ts';
import { expectEqual, expectIncludes, expectThat } from '../expect/that.ts';

const UNACKNOWLEDGED_MOST = 8;
const LONG_DOCUMENT = Buffer.alloc(30_000, 'A document that is sent again. ').toString('base64');

/** A job that says something in every field. */
function whole(printerId: number): JsonObject {
  return jobBody(printerId, {
    contentType: 'pdf_uri',
    content: contentOf('pdf_uri'),
    options: { copies: 2, color: false, paper: 'A4' },
    qty: 2,
    authentication: { type: 'BasicAuth', credentials: { user: 'a user', pass: 'a password' } },
  });
}

/** Fields of a delivery, and what each is. */
const JOB_FIELDS: Readonly<Record<string, (value: unknown) => boolean>> = {
  id: isText,
  jobId: isId,
  printerKey: isText,
  title: (value) => typeof value === 'string',
  source: (value) => value === null || typeof value === 'string',
  contentType: isText,
  content: isText,
  options: isObject,
  qty: isId,
  authentication: (value) => value === null || isObject(value),
  createTimestamp: isTime,
  expireAt: (value) => value === null || isTime(value),
};

/** What is the same at each delivery of a job: fields of the page, without the id and a time for information. */
function lastingOf(delivery: JsonObject): JsonObject {
  const names = Object.keys(JOB_FIELDS).filter((name) => name !== 'id' && name !== 'expireAt');
  return Object.fromEntries(names.map((name) => [name, delivery[name]]));
}

function isTime(value: unknown): boolean {
  return typeof value === 'string' && /(Z|[+-]\d\d:\d\d)$/.test(value) && !Number.isNaN(Date.parse(value));
}

export const LINK_DELIVERY_RULES: Rules = {
  'link/redelivery': {
    title: 'After welcome the service sends the jobs that are neither finished nor held, in order and unchanged',
    needs: ['device-link'],
    async run(context) {
      const link = await join(context);
      const printerId = await withPrinter(context, link);
      const jobs = await submitMany(context, printerId, 3);
      const [finished = 0, disappeared = 0, held = 0] = jobs;
      // One with an address, and one with its document.
      const lost = await submit(context, jobBody(printerId, { contentType: 'raw_base64', content: LONG_DOCUMENT }));
      const unacknowledged = await submit(context, whole(printerId));
      for (const jobId of [finished, disappeared, held, lost]) await take(link, jobId);
      const delivery = (await deliveryOf(link, unacknowledged)) ?? {};
      const wrong = Object.entries(JOB_FIELDS).filter(([field, fits]) => !fits(delivery[field]));
      context.judge(
        'link/job-fields',
        expectThat(
          wrong.length === 0,
          `${wrong.map(([field]) => field).join(', ')} of a delivery`,
          'as the page says',
          delivery,
        ),
      );
      const over = [finished, disappeared];
      for (const jobId of over) await report(link, stateReport(jobId, 'done', context.random.uuid()));
      await report(link, stateReport(disappeared, 'disappeared', context.random.uuid()));
      const late = await stateNames(context, disappeared);
      context.judge(
        'link/late-state-recorded',
        expectThat(late.includes('disappeared'), `states of job ${disappeared}`, 'disappeared after done', late),
      );
      await link.cut();
      await context.elapse('10ms');
      const queued = await submit(context, jobBody(printerId));
      const again = await join(context, { installationId: link.installationId, holding: [held] });
      // A service may wait for each acknowledgement before it sends the next one.
      for (const jobId of [lost, unacknowledged, queued]) await takeIfThere(again, jobId);
      for (const jobId of [lost, unacknowledged]) {
        const first = lastingOf((await deliveryOf(link, jobId)) ?? {});
        const second = await deliveryOf(again, jobId);
        const alike = second && expectEqual('a delivery that came again', lastingOf(second), first);
        context.judge('link/delivered-alike', alike);
      }
      const ids = deliveredTo(again);
      context.judge(
        'link/unacknowledged-comes-again',
        expectThat(ids.includes(unacknowledged), 'deliveries', `job ${unacknowledged}`, ids),
      );
      context.judge('link/lost-comes-again', expectThat(ids.includes(lost), 'deliveries', `job ${lost}`, ids));
      context.judge('link/held-stays-away', expectThat(!ids.includes(held), 'deliveries', `no job ${held}`, ids));
      context.judge(
        'link/finished-stays-away',
        expectThat(!over.some((jobId) => ids.includes(jobId)), 'deliveries', `no job ${over.join(', ')}`, ids),
      );
      const ordered = ids.toSorted((left, right) => Number(left) - Number(right));
      context.judge('link/in-order-of-ids', expectEqual('deliveries', ids, ordered));
    },
  },
  'link/flow': {
    title: 'At most 8 deliveries wait for an acknowledgement, and none is repeated on a connection',
    needs: ['device-link'],
    async run(context) {
      const link = await join(context);
      const printerId = await withPrinter(context, link);
      const jobIds = await submitMany(context, printerId, UNACKNOWLEDGED_MOST + 2);
      await deliveryOf(link, jobIds[UNACKNOWLEDGED_MOST - 1] ?? 0);
      await link.settle();
      const waiting = deliveredTo(link).length;
      context.judge(
        'link/eight-unacknowledged',
        expectThat(waiting <= UNACKNOWLEDGED_MOST, 'deliveries without an acknowledgement', 'at most 8', waiting),
      );
      await take(link, jobIds[0] ?? 0);
      const next = await deliveryOf(link, jobIds[waiting] ?? 0);
      context.judge(
        'link/next-after-ack',
        expectThat(next !== undefined, 'after an acknowledgement', 'the next delivery', deliveredTo(link)),
      );
      await link.settle();
      const ids = deliveredTo(link);
      context.judge('link/not-repeated', expectEqual('deliveries', ids, [...new Set(ids)]));
      const waitingOne = async (more: JsonObject = {}): Promise<number> => submit(context, jobBody(printerId, more));
      const cancelled = await waitingOne();
      const { seconds, expired } = await submitExpiring(context, 1, async (expireAfter) => ({
        seconds: expireAfter,
        expired: await waitingOne({ expireAfter }),
      }));
      const marker = await waitingOne();
      const unwanted = [cancelled, expired].filter((jobId) => !deliveredTo(link).includes(jobId));
      await context.api.delete(`/printjobs/${cancelled}`);
      await context.elapse(`${seconds + lateMs(TOLERANCES.expiryLate, context.target) / 1_000}s`);
      const names = await stateNames(context, expired);
      const at = `states of job ${expired}`;
      context.judge('states/expired', unwanted.includes(expired) ? expectIncludes(at, names, 'expired') : undefined);
      for (const jobId of jobIds.slice(1)) await take(link, jobId);
      await take(link, marker);
      const sent = deliveredTo(link).filter((jobId) => unwanted.some((one) => one === jobId));
      context.judge(
        'link/ended-not-sent',
        expectEqual('deliveries of jobs that were cancelled or have expired', sent, []),
      );
      await link.cut();
      const again = await join(context, { installationId: link.installationId });
      for (const jobId of jobIds) {
        // What comes after a job that is missing would be waited for in vain, one by one.
        if (!(await deliveryOf(again, jobId))) break;
        await take(again, jobId);
      }
      const lost = jobIds.filter((jobId) => !deliveredTo(again).includes(jobId));
      context.judge('link/lost-comes-again', expectEqual('interrupted jobs that did not come again', lost, []));
    },
  },
};
