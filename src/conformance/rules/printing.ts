/** Checks with a virtual computer that really prints: from the submission to the paper. */

import type { Rules } from '../check.ts';
import { withPrintingComputer, printed } from '../context/printing-computer.ts';
import { jobBody, submit } from '../context/jobs.ts';
import { expectEqual, expectThat } from '../expect/that.ts';

export const PRINTING_RULES: Rules = {
  'printing/documents': {
    title: 'A PDF and RAW bytes travel from submission to paper, and are done',
    needs: ['computer'],
    run: (context) =>
      withPrintingComputer(context, async (computer) => {
        const pdf = await submit(context, jobBody(computer.printerId));
        const sheets = await printed(context, computer, pdf);
        const first = sheets?.[0];
        const count = first?.kind === 'sheets' ? first.sheets.length : 0;
        context.judge(
          'states/done',
          expectThat(sheets !== undefined, `job ${pdf}`, 'done and on paper', 'it was not'),
        );
        context.judge(
          'print-jobs/content-type-pdf-base64',
          expectEqual(`sheets printed for job ${pdf}`, count, 1),
        );
        const bytes = Buffer.from([0x1b, 0x40, 0x00, 0xff, 0x0a]);
        const body = jobBody(computer.printerId, {
          contentType: 'raw_base64',
          content: bytes.toString('base64'),
        });
        const raw = await submit(context, body);
        const out = (await printed(context, computer, raw))?.[0];
        const got = out?.kind === 'raw' ? Buffer.from(out.bytes).toString('hex') : 'nothing RAW';
        context.judge(
          'print-jobs/content-type-raw-base64',
          expectEqual(`bytes printed for job ${raw}`, got, bytes.toString('hex')),
        );
      }),
  },
};
