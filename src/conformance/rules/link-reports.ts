/**
 * Checks of docs/device-link.md: the reports of a computer, of printers and of job states, and their acknowledgements.
 * They bind a service that says that it speaks this link.
 */

import type { JsonObject } from '../../common/json-value.ts';
import type { Rules } from '../check.ts';
import { plainPrinter } from '../context/computers.ts';
import type { CheckContext } from '../context/context.ts';
import { jobBody, stateNames, submit } from '../context/jobs.ts';
import {
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
import { asRecords, isId } from '../expect/records.ts';
import { expectEmpty, expectEqual, expectThat } from '../expect/that.ts';

const SCALE = { deviceName: 'Scale', vendor: null, product: null, vendorId: 1, productId: 2, port: null };
const LONG_KEYS = ['1', '2'].map((end) => end.padStart(200, 'k'));
/** More than clients report of most jobs, and fewer than any list shows at once. */
const PAGES = Array.from({ length: 60 }, (_, index) => `page_${index + 1}`);
/** No service has come so far. */
const UNKNOWN_JOB = 2_000_000_000;

export const LINK_REPORT_RULES: Rules = {
  'link/reports': {
    title: 'The service applies reports in order and acknowledges each once',
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
    title: 'The service records a state of any name once, and ignores states of other computers’ jobs',
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
      for (const name of PAGES) link.say(stateReport(jobId, name, context.random.uuid()));
      await report(link, stateReport(jobId, 'further', context.random.uuid()));
      const shown = await stateNames(context, jobId);
      const lost = PAGES.filter((name) => !shown.includes(name));
      context.judge('link/any-state-taken', expectEmpty(`states missing from job ${jobId}`, lost));
      const recorded = shown.filter((name) => name === 'somewhere');
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
};

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
