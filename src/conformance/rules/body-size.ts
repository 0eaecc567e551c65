/**
 * Checks of the largest body. A megabyte may be meant as 10^6 or as 2^20 bytes: what is under both must be
 * taken, what is over both must not, and what lies between is only looked at.
 */

import { realTimekeeper } from '../../common/timekeeper.ts';
import { ERRORS } from '../../specification/errors.ts';
import { MEDIA_TYPES } from '../../specification/headers.ts';
import { LIMITS } from '../../specification/limits.ts';
import type { Rules } from '../check.ts';
import { expectBody, expectIds, expectRefusal, expectStatus } from '../expect/answer.ts';
import type { ApiRequest } from '../context/api-client.ts';
import { CheckEnded } from '../context/check-ended.ts';
import { inTime } from '../context/in-time.ts';
import { jobBody, submit } from '../context/jobs.ts';
import type { ScriptedComputer } from '../context/scripted-computer.ts';
import type { DeliveredJob } from '../../link/device-link.ts';
import { expectThat, firstOf } from '../expect/that.ts';
import { isId } from '../expect/records.ts';

const MEGABYTES = LIMITS.requestBodyMegabytes.value;
const UNDER_BYTES = MEGABYTES * 1_000_000;
const CONTENT_KEY = ',"content":"';
const END_OF_STRING = 0x22;
const OVER_BYTES = MEGABYTES * 1024 * 1024 + 1;
const LENGTH_REQUIRED = 411;
const TRANSIT_LIMIT = '10s';

/**
 * A valid submission of `bytes` bytes, all but a few of them base64 of one document.
 *
 *   {"printerId":1,…,"content":"JVBERi0xLjQK…AAAA"}      the rest is filled up with NULs after %%EOF
 */
function submissionOf(printerId: number, bytes: number): ApiRequest & { readonly body: Buffer } {
  const { content, ...fields } = jobBody(printerId);
  const head = `${JSON.stringify(fields).slice(0, -1)}${CONTENT_KEY}${String(content).replace(/=+$/, '')}`;
  const tail = '"}';
  const spare = bytes - head.length - tail.length;
  // Base64 comes in fours.
  const encoded = String(content).replace(/=+$/, '').length;
  const filling = spare - ((encoded + spare) % 4);
  const body = Buffer.alloc(bytes, 'A');
  body.write(head, 0);
  body.write(tail, head.length + filling);
  body.fill(' ', head.length + filling + tail.length);
  return {
    method: 'POST',
    path: '/printjobs',
    headers: [['Content-Type', MEDIA_TYPES.json.value]],
    body,
  };
}

/** A submission of `bytes` bytes, most of them blanks after it. */
function blankOf(printerId: number, bytes: number): ApiRequest {
  const body = Buffer.alloc(bytes, ' ');
  body.write(JSON.stringify(jobBody(printerId)));
  return { method: 'POST', path: '/printjobs', headers: [['Content-Type', MEDIA_TYPES.json.value]], body };
}

/** As submissionOf, form encoded, and up to three bytes shorter. */
function formOf(printerId: number, bytes: number): ApiRequest {
  const { content, ...fields } = jobBody(printerId);
  const document = String(content).replace(/=+$/, '');
  const head = new URLSearchParams({ ...fields, content: document }).toString();
  const spare = bytes - head.length;
  const body = Buffer.alloc(bytes - ((document.length + spare) % 4), 'A');
  body.write(head, 0);
  return { method: 'POST', path: '/printjobs', headers: [['Content-Type', MEDIA_TYPES.form.value]], body };
}

function sizeOf({ content }: DeliveredJob): string {
  return `another one, of ${content.length} characters`;
}

/** The rest of a submission is ASCII. */
function isContentOf(body: Buffer, { content }: DeliveredJob): boolean {
  const start = body.indexOf(CONTENT_KEY) + CONTENT_KEY.length;
  const end = start + content.length;
  return body[end] === END_OF_STRING && body.toString('latin1', start, end) === content;
}

/** On a busy machine its bytes take longer than any other delivery, in real time on each clock. */
async function largeDelivery(computer: ScriptedComputer, jobId: number): Promise<DeliveredJob | undefined> {
  const probe = (): DeliveredJob | undefined => computer.deliveries.find((job) => job.jobId === jobId);
  const onItsWay = { description: 'a large delivery', limit: TRANSIT_LIMIT, timekeeper: realTimekeeper, probe };
  return (await computer.waitForJob(jobId)) ?? inTime(onItsWay);
}

export const BODY_SIZE_RULES: Rules = {
  'body-size/accepted': {
    title: 'A body of 50 MB is accepted, and with it a document of just under 37.5 MB as base64',
    needs: ['computer', 'large-body'],
    async run({ api, judge, observe, computers, target }) {
      const isCompared = target.link?.program === undefined;
      const computer = await (isCompared ? computers.connect() : computers.away());
      const { printerId } = computer;
      const submission = submissionOf(printerId, UNDER_BYTES);
      const answer = await api.send(submission);
      const accepted = firstOf(expectStatus(answer, 201), expectBody(answer, 'the id of the job', isId));
      judge('limits/body-at-accepted', accepted);
      const job = accepted || !isCompared ? undefined : await largeDelivery(computer, Number(answer.value));
      const isWhole = job === undefined ? !isCompared : isContentOf(submission.body, job);
      const arrived = expectThat(
        isWhole,
        `content of the job of ${answer.request}`,
        'as it was sent',
        job ? sizeOf(job) : 'it was not delivered',
      );
      judge('limits/base64-document', accepted, arrived);
      // Nothing is looked at of what becomes of it: it need not travel.
      if (isCompared) await computer.disconnect();
      const asForm = await api.send(formOf(printerId, UNDER_BYTES));
      judge('limits/body-at-accepted', expectStatus(asForm, 201), expectBody(asForm, 'the id of the job', isId));
      const between = await api.send(blankOf(printerId, UNDER_BYTES + 1));
      const isTaken = between.status === 201;
      observe('gap/megabyte', `${UNDER_BYTES + 1} bytes ${isTaken ? 'are taken' : `get ${between.status}`}`);
    },
  },
  'body-size/refused': {
    title: 'A submission of more than 50 MB creates no job, with a Content-Length or without',
    needs: ['computer', 'large-body'],
    async run(context) {
      const { api, judge, demand, computers } = context;
      const { printerId } = await computers.away();
      const submission = submissionOf(printerId, OVER_BYTES);
      const declared = await api.send(submission);
      demand('limits/body-over-refused', expectRefusal(declared));
      judge('errors/body-too-large', expectStatus(declared, ERRORS.BodyTooLarge.status));
      const chunked = await api.send({ ...submission, isChunked: true });
      const list = await api.get(`/printers/${printerId}/printjobs`);
      judge('limits/body-over-refused', expectRefusal(chunked));
      // A service may want to know the length of every body beforehand.
      if (chunked.status !== LENGTH_REQUIRED)
        judge('errors/body-too-large-whatever-it-says', expectStatus(chunked, ERRORS.BodyTooLarge.status));
      judge('limits/body-over-no-job', expectIds(list, []));
      const jobId = await submit(context, jobBody(printerId));
      judge('limits/body-over-no-job', expectIds(await api.get(`/printers/${printerId}/printjobs`), [jobId]));
      if (chunked.status === LENGTH_REQUIRED)
        throw new CheckEnded('untestable', `a body without a Content-Length gets ${LENGTH_REQUIRED}`);
    },
  },
};
