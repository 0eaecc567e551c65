/** Checks of delivery: where a job goes, when, how often, and that it arrives as it was sent. */

import * as fc from 'fast-check';

import { showValue } from '../../common/json-value.ts';
import type { Mismatch } from '../../oracle/mismatch.ts';
import type { Rules } from '../check.ts';
import { contentOf, deliver, expectDelivered, jobBody, submitMany } from '../context/jobs.ts';
import { plainPrinter } from '../context/computers.ts';
import { stateOnceAway } from '../context/once-away.ts';
import { isId } from '../expect/records.ts';
import { expectEmpty, expectThat } from '../expect/that.ts';
import { distinct } from '../generate/id-sets.ts';

/** More than most services have under way at a time, so that some of them wait for others. */
const BACKLOG = 12;
/** More than a page of anything, where time costs nothing. */
const MANY = 210;
/** More bytes than fit into a frame with a length of two bytes, or into the texts of many a database. */
const LONG_BYTES = 200_000;
/** Longer than the columns that services have, the longest first. */
const LONG_TITLES = [3_000, 1_000, 250];

const ALL_BYTES = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));

export const DELIVERY_RULES: Rules = {
  'print-jobs/delivered-whole': {
    title: 'The client gets title, source, content and options as they were sent',
    needs: ['computer'],
    async run(context) {
      const { judge } = context;
      const computer = await context.computers.connect();
      const job = await deliver(context, computer, { title: 'A title', source: 'A source' });
      judge('print-jobs/body-title', expectDelivered(job, 'title', 'A title'));
      judge('print-jobs/body-source', expectDelivered(job, 'source', 'A source'));
      judge('print-jobs/body-content', expectDelivered(job, 'content', jobBody(1)['content']));
      const options = {
        copies: 2,
        duplex: 'long-edge',
        pages: '1,3-',
        paper: 'A4',
        fit_to_page: true,
        bin: '',
      };
      const optioned = await deliver(context, computer, { options });
      judge('print-jobs/body-options', expectDelivered(optioned, 'options', options));
      // Those that a service may look at and refuse tell more, where it takes them.
      const isTaken = (await context.speak('options-outside-capabilities')) === 'taken';
      const odd = isTaken
        ? { ...options, copies: 9_999, rotate: 0, paper: 'No such paper', unheard_of: { nested: [1, null, 0, ''] } }
        : { ...options, copies: 99, rotate: 0, nup: 4, media: '', color: false };
      const oddly = await deliver(context, computer, { options: odd });
      judge('print-jobs/options-untouched-by-service', expectDelivered(oddly, 'options', odd));
      for (const contentType of ['pdf_uri', 'raw_uri']) {
        const uri = await deliver(context, computer, { contentType, content: contentOf(contentType) });
        judge('print-jobs/body-content', expectDelivered(uri, 'content', contentOf(contentType)));
      }
      for (const bytes of [ALL_BYTES, Buffer.alloc(LONG_BYTES, ALL_BYTES)]) {
        const content = bytes.toString('base64');
        const raw = await deliver(context, computer, { contentType: 'raw_base64', content });
        judge('print-jobs/content-bytes-unharmed', expectDelivered(raw, 'content', content));
      }
      // How long a title may be is not printed: it may be refused, but not cut.
      for (const length of LONG_TITLES) {
        const title = 'A long title '.padEnd(length, '-');
        const { value } = await context.api.post('/printjobs', jobBody(computer.printerId, { title }));
        if (!isId(value)) continue;
        const got = await computer.waitForJob(value);
        if (got) judge('print-jobs/body-title', expectDelivered(got, 'title', title));
        break;
      }
      const mismatch = await context.property({
        inputs: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }).filter((text) => text.trim() === text),
        judge: async (title) => expectDelivered(await deliver(context, computer, { title }), 'title', title),
      });
      judge('service/text-unharmed', mismatch);
    },
  },
  'print-jobs/delivery': {
    title: 'Jobs go to the computer of their printer, in order, and wait for it while it is away',
    needs: ['computer'],
    async run(context) {
      const { judge } = context;
      const printers = [1, 2].map((which) => plainPrinter({ key: `printer-${which}`, name: `Printer ${which}` }));
      const computer = await context.computers.connect({ printers });
      const other = await context.computers.connect();
      const [, printerId = 0] = computer.printerIds;
      const at = `jobs delivered to computer ${computer.computerId}`;
      const deliveredIds = (): number[] => computer.deliveries.map(({ jobId }) => jobId);
      /** In the order in which they came, each as often as it came. */
      const expectInOrder = (ids: readonly number[]): Mismatch | undefined => {
        const got = deliveredIds().filter((id) => ids.includes(id));
        return expectThat(showValue(distinct(got)) === showValue(ids), at, showValue(ids), got);
      };

      const ids = await submitMany(context, printerId, 3);
      const last = await computer.waitForJob(ids.at(-1) ?? 0);
      context.demand('print-jobs/delivered', expectThat(last !== undefined, at, showValue(ids), deliveredIds()));
      judge('print-jobs/delivered-in-order', expectInOrder(ids));
      const astray = other.deliveries.length;
      const elsewhere = `jobs delivered to computer ${other.computerId}`;
      judge('print-jobs/delivered-to-its-computer', expectThat(astray === 0, elsewhere, 'none', astray));
      const keys = distinct(computer.deliveries.map((job) => job.printerKey));
      judge(
        'print-jobs/body-printer-id',
        expectThat(keys.join() === 'printer-2', 'printers of the delivered jobs', 'printer-2', keys),
      );

      // One of them is done, and said to be so twice: a computer that comes back says nothing of it any more.
      await computer.report(ids[0] ?? 0, 'done');
      if (!context.target.link?.program) await computer.report(ids[0] ?? 0, 'done');
      await computer.disconnect();
      await stateOnceAway(context, computer.computerId);
      const waiting = await submitMany(context, printerId, context.target.timekeeper.isVirtual ? MANY : BACKLOG);
      await context.elapse('1s');
      const early = deliveredIds().filter((id) => waiting.includes(id));
      await computer.connect();
      for (const id of waiting) await computer.waitForJob(id);
      const got = deliveredIds();
      const areBack = waiting.every((id) => got.includes(id));
      judge(
        'print-jobs/sent-on-reconnect',
        expectEmpty(at, early, 'none of those for later while it is away'),
        expectThat(areBack, at, `${showValue(waiting)} after the reconnect`, got),
      );
      judge('print-jobs/delivered-in-order', expectInOrder(waiting));
      judge('print-jobs/delivered-once', expectThat(distinct(got).length === got.length, at, 'each once', got));
    },
  },
};
