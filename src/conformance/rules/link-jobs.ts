/**
 * Checks of docs/device-link.md: reports and their acknowledgements, deliveries and their repetition, and who a
 * computer is. They bind a service that says that it speaks this link.
 */

import { LINK_CLOSE_CODES } from '../../link/messages.ts';
import type { Rules } from '../check.ts';
import { plainPrinter } from '../context/computers.ts';
import type { CheckContext } from '../context/context.ts';
import { contentOf, jobBody, stateNames, submit, submitMany } from '../context/jobs.ts';
import {
  deliveredTo,
  deliveryOf,
  join,
  namesakesReport,
  printersReport,
  report,
  stateReport,
  take,
  withPrinter,
  type JoinedLink,
} from '../context/link-computer.ts';
import { asRecords, isId, isObject, type JsonObject } from '../expect/records.ts';
import { lateMs, TOLERANCES } from '../expect/tolerances.ts';
import { expectEqual, expectIncludes, expectThat } from '../expect/that.ts';

const UNACKNOWLEDGED_MOST = 8;
const SCALE = { deviceName: 'Scale', vendor: null, product: null, vendorId: 1, productId: 2, port: null };

/** The longest there may be. */
const INSTALLATION_ID_MOST = 100;
const LONG_KEYS = ['1', '2'].map((end) => end.padStart(200, 'k'));

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

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

function isTime(value: unknown): boolean {
  return typeof value === 'string' && /(Z|[+-]\d\d:\d\d)$/.test(value) && !Number.isNaN(Date.parse(value));
}

export const LINK_JOB_RULES: Rules = {
  'link/reports': {
    title: 'Reports are applied in their order, and each is acknowledged once',
    needs: ['device-link'],
    async run(context) {
      const link = await join(context);
      const printerId = await withPrinter(context, link);
      const jobId = await submit(context, jobBody(printerId));
      await take(link, jobId);
      const reports: readonly JsonObject[] = [
        printersReport('r1', 'First name'),
        printersReport('r2', 'Second name'),
        { type: 'scales', id: 'r3', scales: [{ key: 's', ...SCALE }] },
        {
          type: 'reading',
          id: 'r4',
          scaleKey: 's',
          mass: [1_000_000, null],
          measurement: { g: 1_000_000_000 },
          clientReportedCreateTimestamp: new Date(context.target.timekeeper.now()).toISOString(),
        },
        stateReport(jobId, 'received', context.random.uuid()),
      ];
      for (const one of reports) link.say(one);
      await link.hear(({ type, id }) => type === 'ack' && id === reports.at(-1)?.['id']);
      await link.settle();
      const ids = reports.map(({ id }) => id);
      const acks = link.messages.flatMap(({ type, id }) => (type === 'ack' && ids.includes(id) ? [String(id)] : []));
      context.judge(
        'link/reports-acknowledged',
        expectEqual('acknowledgements', acks.toSorted(), ids.map(String).toSorted()),
      );
      const records = asRecords((await context.api.get(`/computers/${link.computerId}/printers`)).value) ?? [];
      context.judge(
        'link/applied-in-order',
        expectEqual('name of the printer', records.at(0)?.['name'], 'Second name'),
      );
      context.judge(
        'link/one-printer-a-key',
        expectEqual(
          'id of the printer',
          records.map(({ id }) => id),
          [printerId],
        ),
      );
      const namesakes = LONG_KEYS.map((key, at) =>
        plainPrinter({ key, name: 'One name', description: `number ${at}` }),
      );
      await report(link, { type: 'printers', id: 'r5', printers: namesakes });
      const kept = asRecords((await context.api.get(`/computers/${link.computerId}/printers`)).value);
      context.judge(
        'link/one-printer-a-key',
        expectEqual('number of printers of one name and two keys', new Set(kept?.map(({ id }) => id)).size, 2),
      );
      const last = kept?.find(({ description }) => description === 'number 1')?.['id'];
      const key = isId(last) ? await keyOfDelivery(context, link, last) : LONG_KEYS[1];
      context.judge('link/printer-key', expectEqual('printerKey of a delivery', key, LONG_KEYS[1]));
      await report(link, namesakesReport('r6', ['First of two', 'Last of two']));
      const names = asRecords((await context.api.get(`/computers/${link.computerId}/printers`)).value);
      context.judge(
        'link/last-of-equal-keys',
        expectEqual(
          'names of the printers',
          names?.map(({ name }) => name),
          ['Last of two'],
        ),
      );
      await report(link, { type: 'printers', id: 'r7', printers: [] });
      const none = asRecords((await context.api.get(`/computers/${link.computerId}/printers`)).value) ?? [];
      context.judge('link/lists-are-complete', expectEqual('printers of a computer that reported none', none, []));
    },
  },
  'link/job-states': {
    title: 'States are taken under any name and recorded once, and those of other jobs are ignored',
    needs: ['device-link'],
    async run(context) {
      let link = await join(context);
      const printerId = await withPrinter(context, link);
      const jobId = await submit(context, jobBody(printerId));
      await take(link, jobId);
      const id = context.random.uuid();
      for (const again of [false, true]) {
        if (again) link = await onNewConnection(context, link, [jobId]);
        const isTaken = await report(link, stateReport(jobId, 'somewhere', id));
        // A repetition need not follow at once.
        await report(link, stateReport(jobId, 'further', context.random.uuid()));
        context.judge('link/any-state-taken', expectThat(isTaken, 'a state of an unusual name', 'an ack', 'none'));
      }
      const recorded = (await stateNames(context, jobId)).filter((name) => name === 'somewhere');
      context.judge(
        'link/any-state-taken',
        expectThat(recorded.length > 0, `states of job ${jobId}`, 'somewhere', recorded),
      );
      context.judge(
        'link/state-recorded-once',
        expectThat(recorded.length < 2, `states of job ${jobId}`, 'somewhere once', recorded),
      );
      link.say(stateReport(jobId, 'somewhere', id));
      await report(link, stateReport(jobId, 'further', context.random.uuid()));
      await link.settle();
      const acks = link.messages.filter((message) => message['type'] === 'ack' && message['id'] === id);
      context.judge('link/state-recorded-once', expectEqual('acks of a state sent twice', acks.length, 2));
      const before = await stateNames(context, jobId);
      for (const name of ['new', 'sent_to_client', 'expired']) {
        const isTaken = await report(link, stateReport(jobId, name, context.random.uuid()));
        const after = await stateNames(context, jobId);
        const isIgnored = isTaken && after.length === before.length;
        const at = `states of job ${jobId} after its computer reported ${name}`;
        context.judge(
          'link/states-of-service-ignored',
          expectThat(isIgnored, at, `an ack, and ${before.join(', ')}`, isTaken ? after : 'no ack'),
        );
      }
      const other = await join(context);
      const isKnown = await report(other, stateReport(jobId, 'elsewhere', context.random.uuid()));
      const names = await stateNames(context, jobId);
      context.judge(
        'link/foreign-job-ignored',
        expectThat(
          isKnown && !names.includes('elsewhere'),
          `states of job ${jobId} after a report of another computer`,
          'an ack, and no record of it',
          names,
        ),
      );
      const isUnknown = await report(other, stateReport(UNKNOWN_JOB, 'done', context.random.uuid()));
      context.judge(
        'link/unknown-job-acknowledged',
        expectThat(isUnknown, 'a report about an unknown job', 'an ack', 'none'),
      );
    },
  },
  'link/redelivery': {
    title: 'After welcome come the jobs that are not finished and not held, in order, as they were',
    needs: ['device-link'],
    async run(context) {
      const link = await join(context);
      const printerId = await withPrinter(context, link);
      const jobs = await submitMany(context, printerId, 3);
      const [finished = 0, disappeared = 0, held = 0] = jobs;
      const [lost, unacknowledged] = [await submit(context, whole(printerId)), await submit(context, whole(printerId))];
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
      await deliveryOf(again, queued);
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
      const [cancelled, expired, marker] = [
        await waitingOne(),
        await waitingOne({ expireAfter: 1 }),
        await waitingOne(),
      ];
      const unwanted = [cancelled, expired].filter((jobId) => !deliveredTo(link).includes(jobId));
      await context.api.delete(`/printjobs/${cancelled}`);
      await context.elapse(`${1 + lateMs(TOLERANCES.expiryLate, context.target) / 1_000}s`);
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
  'link/identity': {
    title: 'An installation is one computer of its account, until that is deleted',
    needs: ['device-link'],
    async run(context) {
      const { judge } = context;
      const longId = context.random.uuid().padEnd(INSTALLATION_ID_MOST - 1, '-');
      const first = await join(context, { installationId: `${longId}1` });
      const { installationId, computerId } = first;
      const alike = await join(context, { installationId: `${longId}2` });
      judge(
        'link/other-installation-other-computer',
        expectThat(
          alike.computerId !== computerId,
          'computerId of another installation',
          `not ${computerId}`,
          computerId,
        ),
      );
      await first.cut();
      const again = await join(context, { installationId });
      judge('link/same-computer', expectEqual('computerId of the second connection', again.computerId, computerId));
      context.require((await context.api.delete(`/computers/${computerId}`)).status < 300 ? undefined : DELETE_REFUSED);
      judge(
        'link/deleted-computer-4404',
        expectEqual('close code of a deleted computer', await again.endCode(), LINK_CLOSE_CODES.computerDeleted),
      );
      const renewed = await join(context, { installationId });
      judge(
        'link/deleted-computer-is-new',
        expectThat(
          renewed.computerId !== computerId,
          'computerId after it was deleted',
          `not ${computerId}`,
          renewed.computerId,
        ),
      );
    },
  },
  'link/other-account': {
    title: 'The same installation in another account is a different computer',
    needs: ['device-link', 'second-account'],
    async run(context) {
      const { installationId, computerId } = await join(context);
      const other = await join(context, { installationId, owner: 'second-account' });
      context.judge(
        'link/other-account-other-computer',
        expectThat(
          other.computerId !== computerId,
          'computerId in another account',
          `not ${computerId}`,
          other.computerId,
        ),
      );
    },
  },
  'link/two-connections': {
    title: 'Of two connections of a computer the newest gets deliveries, and the other one after it',
    needs: ['device-link'],
    async run(context) {
      const older = await join(context);
      const printerId = await withPrinter(context, older);
      const newer = await join(context, { installationId: older.installationId });
      const first = await submit(context, jobBody(printerId));
      await deliveryOf(newer, first);
      await older.settle();
      const got = { newest: deliveredTo(newer), older: deliveredTo(older) };
      context.judge('link/newest-gets-deliveries', expectEqual('deliveries', got, { newest: [first], older: [] }));
      await newer.cut();
      const isTakenOver = (await deliveryOf(older, first)) !== undefined;
      context.judge(
        'link/older-takes-over',
        expectThat(isTakenOver, 'deliveries of the older one', `job ${first}`, deliveredTo(older)),
      );
    },
  },
};

/** No service has come so far. */
const UNKNOWN_JOB = 2_000_000_000;
const DELETE_REFUSED = { at: 'DELETE of the computer', expected: 'a 2xx status', actual: 'a refusal' };

async function onNewConnection(
  context: CheckContext,
  link: { readonly installationId: string; cut(): Promise<void> },
  holding: readonly number[],
): ReturnType<typeof join> {
  await link.cut();
  return join(context, { installationId: link.installationId, holding });
}

async function keyOfDelivery(context: CheckContext, link: JoinedLink, printerId: number): Promise<unknown> {
  const delivery = await deliveryOf(link, await submit(context, jobBody(printerId)));
  return delivery?.['printerKey'];
}
