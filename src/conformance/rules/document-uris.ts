/**
 * Checks of jobs whose document is fetched by the client: a document host stands where a caller keeps
 * its documents, and says who fetched them.
 */

import type { JsonObject } from '../../common/json-value.ts';
import { documentAnswer, startDocumentHost, type DocumentHost } from '../../sink/document-host.ts';
import type { ClauseId } from '../../specification/clauses.ts';
import { DOCUMENT_AUTHENTICATION_INPUT } from '../../specification/inputs.ts';
import type { Rules } from '../check.ts';
import { CheckEnded } from '../context/check-ended.ts';
import { refuseProgram } from '../context/computers.ts';
import type { CheckContext } from '../context/context.ts';
import { expectBytes, expectOneSheet, printed, withPrintingComputer } from '../context/printing-computer.ts';
import { BLANK_PDF, jobBody, submit } from '../context/jobs.ts';
import { isId } from '../expect/records.ts';
import { expectEmpty, expectEqual, expectThat } from '../expect/that.ts';
import { expectBody, expectRefusal, expectStatus } from '../expect/answer.ts';

const RAW = Buffer.from([0x1b, 0x40, 0x00, 0xff, 0x0a]);
/** More than fits into a request. */
const LARGE_BYTES = 51 * 1024 * 1024;
const CREDENTIALS = { user: 'check', pass: 'pässword: 1' };
/** A service that fetches documents itself has done it by then. */
const PATIENCE = '5s';

/** A document host for as long as `work` takes. */
async function withHost(context: CheckContext, work: (host: DocumentHost) => Promise<void>): Promise<void> {
  const { target, random } = context;
  const host = await startDocumentHost({ clock: target.clock, random: random.stream('host') });
  try {
    host.serve('/bill.pdf', documentAnswer(Buffer.from(BLANK_PDF), 'application/pdf'));
    host.serve('/label', documentAnswer(RAW, 'application/octet-stream'));
    await work(host);
  } finally {
    await host.close();
  }
}

/** Submits a job whose acceptance is what the clause is about; the id of the job. */
async function accepted(context: CheckContext, clause: ClauseId, body: JsonObject): Promise<number> {
  const title = context.uniqueText('job');
  const answer = await context.api.post('/printjobs', { ...body, title });
  context.demand(clause, expectStatus(answer, 201), expectBody(answer, 'the id of the job', isId));
  return Number(answer.value);
}

export const DOCUMENT_URI_RULES: Rules = {
  'document-uris/printed': {
    title: 'The client prints a PDF and RAW bytes from a URI',
    needs: ['computer', 'document-host'],
    run: (context) =>
      withHost(context, (host) =>
        withPrintingComputer(context, async (computer) => {
          const ofType = (contentType: string, path: string): JsonObject =>
            jobBody(computer.printerId, { contentType, content: host.url + path });
          const pdfClause = 'print-jobs/content-type-pdf-uri';
          const pdf = await accepted(context, pdfClause, ofType('pdf_uri', '/bill.pdf'));
          context.judge(pdfClause, expectOneSheet(await printed(context, computer, pdf), pdf));
          const rawClause = 'print-jobs/content-type-raw-uri';
          const raw = await accepted(context, rawClause, ofType('raw_uri', '/label'));
          context.judge(rawClause, expectBytes(await printed(context, computer, raw), raw, RAW));
        }),
      ),
  },
  'document-uris/large': {
    title: 'A document at a URI may be larger than any request',
    needs: ['computer', 'document-host', 'large-body'],
    run: (context) =>
      withHost(context, (host) =>
        withPrintingComputer(context, async (computer) => {
          host.serve('/large', documentAnswer(Buffer.alloc(LARGE_BYTES), 'application/octet-stream'));
          const body = jobBody(computer.printerId, { contentType: 'raw_uri', content: `${host.url}/large` });
          const jobId = await accepted(context, 'limits/uri-document-unlimited', body);
          const [out] = (await printed(context, computer, jobId)) ?? [];
          const length = out?.kind === 'raw' ? out.bytes.length : 'nothing RAW';
          const mismatch = expectEqual(`bytes printed for job ${jobId}`, length, LARGE_BYTES);
          context.judge('limits/uri-document-unlimited', mismatch);
        }),
      ),
  },
  'document-uris/not-by-service': {
    title: 'The service never fetches the document of a _uri job, neither at submission nor at delivery',
    // A service that cannot reach this machine would not be caught here.
    needs: ['computer', 'document-host', 'webhook-receiver'],
    run: (context) =>
      withHost(context, async (host) => {
        refuseProgram(context, 'a client program fetches the document as the service would');
        const computer = await context.computers.connect();
        const body = { contentType: 'pdf_uri', content: `${host.url}/bill.pdf` };
        const jobId = await submit(context, jobBody(computer.printerId, body));
        context.require(
          expectThat((await computer.waitForJob(jobId)) !== undefined, `job ${jobId}`, 'a delivery', 'none'),
        );
        await context.elapse(PATIENCE);
        const fetches = host.log.entries.map(({ method, path }) => `${method} ${path}`);
        context.judge(
          'print-jobs/uri-not-fetched-by-service',
          expectEmpty('the document host', fetches, 'no request but those of a client'),
        );
      }),
  },
  'document-uris/authentication': {
    title: 'The authentication of a job reaches the client as it was sent, and an invalid one is refused',
    needs: ['computer'],
    async run(context) {
      const { judge, judgeIfSeen } = context;
      const computer = await context.computers.connect();
      const content = 'https://documents.example/bill.pdf';
      const bodyWith = (authentication: unknown): JsonObject =>
        jobBody(computer.printerId, { contentType: 'pdf_uri', content, authentication });
      for (const type of DOCUMENT_AUTHENTICATION_INPUT.type.values) {
        const authentication = { type, credentials: CREDENTIALS };
        const jobId = await submit(context, bodyWith(authentication));
        await judgeIfSeen('print-jobs/body-authentication', async () => {
          const job = await computer.waitForJob(jobId);
          if (!job) throw new CheckEnded('blocked', `job ${jobId} was not delivered to its computer`);
          const got = job.authentication;
          const { user, pass } = CREDENTIALS;
          const same = got?.type === type && got.credentials.user === user && got.credentials.pass === pass;
          const at = `authentication of the delivered job ${jobId}`;
          return expectThat(same, at, JSON.stringify(authentication), got);
        });
      }
      // The jobs above are the positive twins.
      const otherType = bodyWith({ type: 'BearerAuth', credentials: CREDENTIALS });
      const refused = await context.api.post('/printjobs', otherType);
      judge('print-jobs/document-authentication-type', expectRefusal(refused));
      for (const credentials of ['check:password', { user: 'check', pass: 1 }, { user: 'check' }]) {
        const answer = await context.api.post('/printjobs', bodyWith({ type: 'BasicAuth', credentials }));
        judge('print-jobs/document-authentication-credentials', expectRefusal(answer));
      }
    },
  },
};
