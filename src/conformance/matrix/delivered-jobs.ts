/**
 * What a computer gets: every field of a submission, as JSON and as form, of each content type, with and without
 * authentication, is compared at the computer with what was sent.
 */

import { isObject, type JsonObject } from '../../common/json-value.ts';
import type { Mismatch } from '../../oracle/mismatch.ts';
import type { ClauseId } from '../../specification/clauses.ts';
import { PRINT_JOB_INPUT } from '../../specification/inputs.ts';
import { LIMITS } from '../../specification/limits.ts';
import { CheckEnded } from '../context/check-ended.ts';
import { ENCODINGS, type Encoding, type Write } from '../context/children.ts';
import { plainPrinter, type ConnectedComputer } from '../context/computers.ts';
import type { CheckContext } from '../context/context.ts';
import { contentOf, expectDelivered, jobBody } from '../context/jobs.ts';
import { expectBody, expectRefusal, expectStatus } from '../expect/answer.ts';
import { isId } from '../expect/records.ts';
import { expectThat } from '../expect/that.ts';
import type { BrokenBody } from './body-trials.ts';
import { FORM_COLUMN } from './form-bodies.ts';
import { JSON_COLUMN, judgeJson } from './json-bodies.ts';
import { atEndpoint, nameOf, type MatrixRules } from './matrix-rule.ts';

const SUBMIT = 'POST /printjobs';

/** Names as drivers give them. */
const [BIN, MEDIA, PAPER] = [
  'Fach – größer',
  'Étiquette',
  '写真 L, glossy, borderless, from the rear tray, with its edges left to the driver',
];
const CAPABILITIES = { bins: [BIN], medias: [MEDIA], papers: { A4: [2100, 2970], [PAPER]: [890, 1270] } };

/** Values of every kind, all of them within the capabilities of the printer; the first within those of any. */
const OPTIONS: readonly JsonObject[] = [
  { copies: 2, duplex: 'long-edge', pages: '1,3-', paper: 'A4', fit_to_page: true, rotate: 0 },
  { copies: 1, nup: 1, duplex: 'one-sided', pages: '-', collate: false, color: false, fit_to_page: false, rotate: 180 },
  { bin: BIN, media: MEDIA, paper: PAPER, dpi: '600x600', collate: true, color: true, copies: 99, rotate: 270 },
  { bin: '', dpi: '', media: '', paper: '', duplex: 'short-edge', nup: 4, pages: '-5', rotate: 90 },
];
/** The greatest is the most that a client has to print. */
const QUANTITIES = [3, 1, LIMITS.qtyMaximum.value, 100] as const;
const AUTHENTICATIONS: readonly JsonObject[] = [
  { type: 'DigestAuth', credentials: { user: 'a user: 1', pass: ' p&ss=1 ' } },
  { type: 'BasicAuth', credentials: { user: 'Üser <1>', pass: '' } },
];
const WITHOUT_PASS = { type: 'DigestAuth', credentials: { user: 'user', pass: '' } };

interface Fields {
  readonly fields: JsonObject;
  /** Whether a service has to take it is not printed: it may be refused, but not changed. */
  readonly isOdd?: boolean;
}

const DOCUMENTS = 'documents.example/a%20b';
const LONG_ADDRESS = 2_000;

/** With what careless services drop, decode, cut or write in another way. */
const ADDRESSES: readonly Fields[] = [
  { content: `https://${DOCUMENTS}/%c3%A9+c;v=1?q=a+b%2bc&empty=&q=2#page=2&zoom=%31`, authentication: WITHOUT_PASS },
  { content: `http://${DOCUMENTS.replace('/', ':8080//')}/?https://other.example/?x=1` },
  { content: `https://a%3Auser:p%40ss%3aw@${DOCUMENTS}`, isOdd: true },
  { content: `https://${DOCUMENTS}?signature=`.padEnd(LONG_ADDRESS, 'x'), isOdd: true },
  { content: 'https://Documents.EXAMPLE:443/./a/../b', isOdd: true },
].map(({ isOdd = false, ...fields }) => ({ fields: { contentType: 'raw_uri', ...fields }, isOdd }));

/** Titles and sources of one kind. */
interface Texts {
  readonly before: string;
  readonly after: string;
  /** In place of all that. */
  readonly whole?: string;
  /** How long a text may be, and what of it may be left out, is not printed: it may be refused, but not changed. */
  readonly isOdd?: boolean;
}

export const PLAIN_TEXTS: Texts = { before: 'A text of ', after: '' };

/** What titles and sources begin and end with. */
const TEXTS: readonly Texts[] = [
  PLAIN_TEXTS,
  { before: 'a & b of ', after: ' +%41 <b>"é"</b> &lt; \u{1F5A8}' },
  { before: '  ', after: '  ', isOdd: true },
  { before: 'tab\tand\n', after: '\tline', isOdd: true },
  { before: 'long '.repeat(60), after: '', isOdd: true },
  // Some languages take it for none.
  { ...PLAIN_TEXTS, whole: '0' },
];

/** What a field that was sent, or left out, is judged by. */
const CLAUSES = {
  contentType: 'print-jobs/body-content-type',
  content: 'print-jobs/body-content',
  title: 'print-jobs/body-title',
  source: 'print-jobs/body-source',
  qty: 'print-jobs/qty-passed-on',
  authentication: 'print-jobs/authentication-passed-on',
} as const satisfies Readonly<Record<string, ClauseId>>;

/** Lengths that cover no bytes, each remainder of base64, more than two bytes can count, and more than a megabyte. */
const SIZES = [0, 1, 2, 3, 65_535, 65_536, 1_300_000] as const;
const ALL_BYTES = Buffer.alloc(
  Math.max(...SIZES),
  Buffer.from(Array.from({ length: 256 }, (_, index) => (index * 7) % 256)),
);

export const DELIVERED_JOB_RULES: MatrixRules = {
  'matrix/delivered-jobs': {
    columns: ['what a computer gets', FORM_COLUMN, JSON_COLUMN],
    title: 'A computer gets every field of a job as it was sent, in either encoding and with each content type',
    needs: ['computer'],
    whyNot: (endpoint) => (nameOf(endpoint) === SUBMIT ? undefined : 'sends nothing to a computer'),
    async judge(context, [endpoint]) {
      if (!endpoint) return;
      // What an operating system makes of a title, of 999 copies and of a document of no bytes is its own affair.
      const isProgram = context.target.link?.program !== undefined;
      const capabilities = { ...plainPrinter().capabilities, ...CAPABILITIES };
      const computer = await context.computers.connect(isProgram ? {} : { printers: [plainPrinter({ capabilities })] });
      const oneOf = <T>(values: readonly T[], index: number): T | undefined =>
        values[isProgram ? 0 : index % values.length];
      const submissions = PRINT_JOB_INPUT.contentType.values.flatMap((contentType, index): Fields[] => {
        const content = { contentType, content: contentOf(contentType) };
        const whole = {
          ...content,
          options: oneOf(OPTIONS, index),
          qty: oneOf(QUANTITIES, index),
          ...(contentType.endsWith('_uri') && { authentication: oneOf(AUTHENTICATIONS, index >> 1) }),
        };
        return [{ fields: content }, { fields: whole }];
      });
      for (const size of isProgram ? SIZES.slice(-1) : SIZES) {
        const content = ALL_BYTES.subarray(0, size).toString('base64');
        // Whether there may be no content at all is not printed.
        submissions.push({ fields: { contentType: 'raw_base64', content }, isOdd: content === '' });
      }
      // What they lead to is nothing that a client program could print.
      if (!isProgram) submissions.push(...ADDRESSES);
      for (const encoding of ENCODINGS) {
        for (const [index, { fields, isOdd = false }] of submissions.entries()) {
          const what = `${String(fields['contentType'])} ${index} as ${encoding}`;
          const body = jobBody(computer.printerId, fields);
          const texts = oneOf(TEXTS, index >> 1) ?? PLAIN_TEXTS;
          for (const [clause, mismatch] of await judgementsOf(context, computer, {
            what,
            body,
            isOdd,
            texts,
            encoding,
          })) {
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

interface Submission {
  readonly what: string;
  readonly body: JsonObject;
  readonly isOdd: boolean;
  readonly texts: Texts;
  readonly encoding: Encoding;
}

/** Submits a job to this computer, and judges each of its fields there. */
export async function judgementsOf(
  context: CheckContext,
  computer: ConnectedComputer,
  submission: Submission,
): Promise<readonly (readonly [ClauseId, Mismatch | undefined])[]> {
  const { what, isOdd, texts, encoding } = submission;
  const isForm = encoding === 'form';
  const fields = isForm ? asInForm(submission.body) : submission.body;
  const body: JsonObject = {
    ...fields,
    title: texts.whole ?? `${texts.before}title of ${what}${texts.after}`,
    source: texts.whole ?? `${texts.before}source of ${what}${texts.after}`,
  };
  const answer = await context.api.send({ method: 'POST', path: '/printjobs', [encoding]: body });
  if (texts.isOdd && expectRefusal(answer) === undefined) {
    return judgementsOf(context, computer, { ...submission, texts: PLAIN_TEXTS });
  }
  const taken = isForm ? 'print-jobs/created-as-form' : 'print-jobs/created-201';
  if (isOdd && expectRefusal(answer) === undefined) return [];
  const refused = expectStatus(answer, 201) ?? expectBody(answer, 'the id of the job', isId);
  if (refused) return [[taken, refused]];
  const job = await computer.waitForJob(Number(answer.value));
  const arrived = expectThat(job !== undefined, `the job of ${answer.request}`, 'delivered to its computer', 'nothing');
  if (!job) return [['print-jobs/delivered', arrived]];
  const wanted: JsonObject = { qty: 1, authentication: null, ...body };
  const judged = Object.entries(CLAUSES).flatMap(([field, clause]) => {
    const name = field as keyof typeof CLAUSES;
    const mismatch = expectDelivered(job, name, wanted[name]);
    const isText = name === 'title' || name === 'source';
    const ofField = [isForm ? 'service/form-same-meaning' : clause, mismatch] as const;
    const ofText = ['service/text-unharmed', mismatch] as const;
    return [...(isText ? [ofText] : []), ...(isText && texts.isOdd ? [] : [ofField])];
  });
  // They have no effect on RAW printing, so a service may leave them out there.
  const isLeftOut = job.contentType.startsWith('raw_') && Object.keys(job.options).length === 0;
  const options = expectThat(
    isLeftOut || sameTexts(job.options, body['options'] ?? {}, isForm),
    'options of the job that the client got',
    JSON.stringify(body['options'] ?? {}),
    job.options,
  );
  return [[taken, undefined], ...judged, [isForm ? 'service/form-same-meaning' : 'print-jobs/body-options', options]];
}

const isSaid = ([, value]: readonly [string, unknown]): boolean => value !== false && value !== '';

/** How a form says no, and what an empty text of it means, is not printed. */
function asInForm(body: JsonObject): JsonObject {
  const { options, authentication } = body;
  return {
    ...body,
    ...(isObject(options) && { options: Object.fromEntries(Object.entries(options).filter(isSaid)) }),
    ...(authentication !== undefined && { authentication: AUTHENTICATIONS[0] }),
  };
}

/** The same members; a form has nothing but strings, and how a service reads them is not printed. */
function sameTexts(shown: unknown, wanted: unknown, isForm: boolean): boolean {
  if (!isObject(shown) || !isObject(wanted)) return false;
  const names = Object.keys({ ...shown, ...wanted });
  return names.every((name) => (isForm ? String(shown[name]) === String(wanted[name]) : shown[name] === wanted[name]));
}
