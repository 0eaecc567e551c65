/**
 * What a computer gets: every field of a submission, as JSON and as form, of each content type, with and without
 * authentication, is compared at the computer with what was sent.
 */

import type { Mismatch } from '../../oracle/mismatch.ts';
import type { ClauseId } from '../../spec/clauses.ts';
import { PRINT_JOB_INPUT } from '../../spec/inputs.ts';
import { CheckEnded } from '../context/check-ended.ts';
import { ENCODINGS, type Encoding, type Write } from '../context/children.ts';
import type { ConnectedComputer } from '../context/computers.ts';
import type { CheckContext } from '../context/context.ts';
import { contentOf, expectDelivered, jobBody } from '../context/jobs.ts';
import { expectBody, expectRefusal, expectStatus } from '../expect/answer.ts';
import { isId, isObject, type JsonObject } from '../expect/records.ts';
import { expectThat } from '../expect/that.ts';
import type { BrokenBody } from './body-trials.ts';
import { FORM_COLUMN } from './form-bodies.ts';
import { JSON_COLUMN, judgeJson } from './json-bodies.ts';
import { atEndpoint, nameOf, type MatrixRules } from './matrix-rule.ts';

const SUBMIT = 'POST /printjobs';

/** One option of each kind, all of them within the capabilities of a plain printer. */
const OPTIONS = { copies: 2, duplex: 'long-edge', pages: '1,3-', paper: 'A4', fit_to_page: true, rotate: 0 };
const AUTHENTICATION = { type: 'DigestAuth', credentials: { user: 'a user', pass: ' p&ss=1 ' } };

/** What a field that was sent, or left out, is judged by. */
const CLAUSES = {
  contentType: 'print-jobs/body-content-type',
  content: 'print-jobs/body-content',
  title: 'print-jobs/body-title',
  source: 'print-jobs/body-source',
  qty: 'print-jobs/qty-passed-on',
  authentication: 'print-jobs/authentication-passed-on',
} as const satisfies Readonly<Record<string, ClauseId>>;

/** Of all bytes: none at all, each remainder of base64, what no longer fits into two bytes, more than a megabyte. */
const SIZES = [0, 1, 2, 3, 65_535, 65_536, 1_300_000] as const;
const ALL_BYTES = Buffer.from(Array.from({ length: Math.max(...SIZES) }, (_, index) => (index * 7) % 256));

export const DELIVERED_JOB_RULES: MatrixRules = {
  'matrix/delivered-jobs': {
    columns: ['what a computer gets', FORM_COLUMN, JSON_COLUMN],
    title: 'A computer gets every field of a job as it was sent, in either encoding and of each content type',
    needs: ['computer'],
    whyNot: (endpoint) => (nameOf(endpoint) === SUBMIT ? undefined : 'sends nothing to a computer'),
    async judge(context, [endpoint]) {
      if (!endpoint) return;
      const computer = await context.computers.connect();
      const submissions = PRINT_JOB_INPUT.contentType.values.flatMap((contentType): JsonObject[] => {
        const content = { contentType, content: contentOf(contentType) };
        const whole = {
          ...content,
          options: OPTIONS,
          qty: 3,
          ...(contentType.endsWith('_uri') && { authentication: AUTHENTICATION }),
        };
        return [content, whole];
      });
      // An operating system may have no use for a document of no bytes.
      for (const size of context.target.link?.program ? SIZES.slice(-1) : SIZES) {
        submissions.push({ contentType: 'raw_base64', content: ALL_BYTES.subarray(0, size).toString('base64') });
      }
      for (const encoding of ENCODINGS) {
        for (const [index, fields] of submissions.entries()) {
          const what = `${String(fields['contentType'])} ${index} as ${encoding}`;
          const body = jobBody(computer.printerId, {
            title: `A title of ${what}`,
            source: `a & b of ${what}`,
            ...fields,
          });
          for (const [clause, mismatch] of await judgementsOf(context, computer, body, encoding)) {
            context.judge(clause, atEndpoint(endpoint, what, mismatch));
          }
        }
      }
      await judgeJson(context, endpoint, (tail, write) => trySpelt(context, computer, tail, write));
    },
  },
};

/** Submits a job whose texts end like this, written like this, and looks at them at the computer. */
async function trySpelt(
  { api, uniqueText }: CheckContext,
  computer: ConnectedComputer,
  tail: string,
  write: Write,
): Promise<BrokenBody | undefined> {
  const [title, source] = [uniqueText('title') + tail, uniqueText('source') + tail];
  const body = jobBody(computer.printerId, { title, source });
  const answer = await api.send({ method: 'POST', path: '/printjobs', ...write(body) });
  const { status } = answer;
  const refused = expectStatus(answer, 201) ?? expectBody(answer, 'the id of the job', isId);
  if (refused) return { status, isRefused: true, mismatch: refused };
  const job = await computer.waitForJob(Number(answer.value));
  if (!job) throw new CheckEnded('blocked', `job ${String(answer.value)} was not delivered`);
  const mismatch = expectDelivered(job, 'title', title) ?? expectDelivered(job, 'source', source);
  return mismatch && { status, isRefused: false, mismatch };
}

async function judgementsOf(
  { api }: CheckContext,
  computer: ConnectedComputer,
  body: JsonObject,
  encoding: Encoding,
): Promise<readonly (readonly [ClauseId, Mismatch | undefined])[]> {
  const isForm = encoding === 'form';
  const answer = await api.send({ method: 'POST', path: '/printjobs', [encoding]: body });
  const taken = isForm ? 'print-jobs/created-as-form' : 'print-jobs/created-201';
  // Whether there may be no content at all is not printed.
  if (body['content'] === '' && expectRefusal(answer) === undefined) return [];
  const refused = expectStatus(answer, 201) ?? expectBody(answer, 'the id of the job', isId);
  if (refused) return [[taken, refused]];
  const job = await computer.waitForJob(Number(answer.value));
  const arrived = expectThat(job !== undefined, `the job of ${answer.request}`, 'delivered to its computer', 'nothing');
  if (!job) return [['print-jobs/delivered', arrived]];
  const wanted: JsonObject = { qty: 1, authentication: null, ...body };
  const fields = Object.entries(CLAUSES).map(([field, clause]) => {
    const name = field as keyof typeof CLAUSES;
    return [isForm ? 'service/form-same-meaning' : clause, expectDelivered(job, name, wanted[name])] as const;
  });
  const options = expectThat(
    sameTexts(job.options, body['options'] ?? {}, isForm),
    'options of the job that the client got',
    JSON.stringify(body['options'] ?? {}),
    job.options,
  );
  return [[taken, undefined], ...fields, [isForm ? 'service/form-same-meaning' : 'print-jobs/body-options', options]];
}

/** The same members; a form has nothing but strings, and how a service reads them is not printed. */
function sameTexts(shown: unknown, wanted: unknown, isForm: boolean): boolean {
  if (!isObject(shown) || !isObject(wanted)) return false;
  const names = Object.keys({ ...shown, ...wanted });
  return names.every((name) => (isForm ? String(shown[name]) === String(wanted[name]) : shown[name] === wanted[name]));
}
