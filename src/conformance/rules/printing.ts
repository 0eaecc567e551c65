/** Checks with a virtual computer that really prints: from the submission to the paper. */

import type { Rules } from '../check.ts';
import { expectBytes, expectOneSheet, printed, withPrintingComputer } from '../context/printing-computer.ts';
import { jobBody, submit } from '../context/jobs.ts';
import { expectThat } from '../expect/that.ts';

export const PRINTING_RULES: Rules = {
  'printing/documents': {
    title: 'A PDF and RAW bytes go from submission to paper, and their jobs end as done',
    needs: ['computer'],
    run: (context) =>
      withPrintingComputer(context, async (computer) => {
        const pdf = await submit(context, jobBody(computer.printerId));
        const sheets = await printed(context, computer, pdf);
        const isDone = sheets !== undefined;
        context.judge('states/done', expectThat(isDone, `job ${pdf}`, 'done and on paper', 'it was not'));
        context.judge('print-jobs/content-type-pdf-base64', expectOneSheet(sheets, pdf));
        const bytes = Buffer.from([0x1b, 0x40, 0x00, 0xff, 0x0a]);
        const body = { contentType: 'raw_base64', content: bytes.toString('base64') };
        const raw = await submit(context, jobBody(computer.printerId, body));
        const out = await printed(context, computer, raw);
        context.judge('print-jobs/content-type-raw-base64', expectBytes(out, raw, bytes));
      }),
  },
};
