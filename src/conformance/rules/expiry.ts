/**
 * Checks of expiry. Judged by intervals: a job was created between sending the request and receiving its
 * answer, so it must not be expired before the earliest time that allows, and must be after the latest.
 */

import type { JsonObject } from '../../common/json-value.ts';
import type { Mismatch } from '../../oracle/mismatch.ts';
import { LIMITS } from '../../specification/limits.ts';
import type { Rules } from '../check.ts';
import { CameTooLate, CheckEnded } from '../context/check-ended.ts';
import type { CheckContext } from '../context/context.ts';
import { newKey } from '../context/keys-and-tags.ts';
import {
  contentOf,
  createdMsOf,
  expectDelivered,
  historyOf,
  jobBody,
  readHistories,
  stateNames,
  submit,
  submitExpiring,
} from '../context/jobs.ts';
import { lateMs, TOLERANCES } from '../expect/tolerances.ts';
import { expectBody, expectStatus, mismatchIn } from '../expect/answer.ts';
import { isId } from '../expect/records.ts';
import { expectEmpty, expectEqual, expectExcludes, expectThat } from '../expect/that.ts';

/** Around the time at which a job expires. */
const EARLY_S = TOLERANCES.expiryEarly.ms / 1_000;
const graceSeconds = ({ target }: CheckContext): number => lateMs(TOLERANCES.expiryLate, target) / 1_000;

const DAY_S = 86_400;
/** More milliseconds than the 2^31 that timers of many languages can count. */
const MONTH_S = 30 * DAY_S;
/** More than anyone would take for the longest wait: a month, a year; no whole days. */
const LONG_S = [31 * DAY_S + 3_600, 367 * DAY_S + 5_400] as const;
/** Where there is a greatest value: what a job gets that names none is taken. */
const DEFAULT_S = LIMITS.expireAfterDefaultSeconds.value;
/** Jobs that are due in one millisecond: more than a service would take out of its store at once, in turns of a few. */
const DUE_AT_ONCE = 60;
const IN_A_TURN = 12;
/** So much later the same number can be sent again without waiting. */
const TURN_S = 2;

/** Long where time costs nothing, so that a relative error shows. */
function expireAfterSeconds({ target }: CheckContext): number {
  if (target.link?.program) return 20;
  return target.timekeeper.isVirtual ? 600 : 4;
}

/** What a service must keep for as long as the job waits. */
const WHOLE = {
  title: 'A job that waits',
  source: 'for long',
  options: { copies: 2, paper: 'A4', nup: 4 },
  contentType: 'pdf_uri',
  content: contentOf('pdf_uri'),
  authentication: { type: 'BasicAuth', credentials: { user: 'waiting', pass: 'for long' } },
};

const WAITED_FIELDS = [
  ['authentication', 'print-jobs/authentication-passed-on'],
  ['title', 'print-jobs/body-title'],
  ['source', 'print-jobs/body-source'],
  ['options', 'print-jobs/body-options'],
] as const;

/** How long before its expiry a job is sure to be delivered: a client program takes a while to start. */
function earlySeconds({ target }: CheckContext): number {
  return target.link?.program ? 12 : EARLY_S;
}

async function expectExpired(context: CheckContext, jobId: number, wanted: boolean): Promise<Mismatch | undefined> {
  const names = await stateNames(context, jobId);
  const expected = wanted ? 'expired among them' : 'no expired yet';
  return expectThat(names.includes('expired') === wanted, `states of job ${jobId}`, expected, names);
}

/** A job that expires this long after `fromMs` or later. */
interface Expiring {
  readonly fromMs: number;
  readonly seconds: number;
}

/** @throws CameTooLate where something came so late that the job may have expired */
function ensureInTime({ target }: CheckContext, { fromMs, seconds }: Expiring, what: string): void {
  const passedMs = target.timekeeper.now() - fromMs;
  if (passedMs < seconds * 1_000) return;
  throw new CameTooLate(`${what} ${passedMs} ms after the submission of a job: it may have expired`);
}

/** Expects a job not to have expired. @throws CameTooLate where it has, and the answer came too late */
async function expectNotEarly(context: CheckContext, jobId: number, job: Expiring): Promise<Mismatch | undefined> {
  const mismatch = await expectExpired(context, jobId, false);
  if (mismatch) ensureInTime(context, job, `the states of job ${jobId} came`);
  return mismatch;
}

/** Expects the age of the state expired to be the time since new, however long ago that was. */
async function expectAge(context: CheckContext, jobId: number): Promise<Mismatch | undefined> {
  const history = await historyOf(context, jobId);
  const [first, last] = ['new', 'expired'].map((name) => history.find((shown) => shown.name === name));
  if (!first || !last) return undefined;
  const [wanted, age] = [createdMsOf(last) - createdMsOf(first), last.object['age']];
  const holds = Math.abs(Number(age) - wanted) <= TOLERANCES.ageOff.ms;
  return expectThat(holds, `age of the state expired of job ${jobId}`, `${wanted}`, age);
}

export const EXPIRY_RULES: Rules = {
  'expiry/expires': {
    title: 'The service expires an undelivered job after expireAfter, not before',
    needs: ['computer'],
    async run(context) {
      const { judge } = context;
      const { printerId } = await context.computers.away();
      const { seconds, fromMs, longSeconds, later, jobId } = await submitExpiring(
        context,
        expireAfterSeconds(context),
        async (expireAfter) => {
          const startMs = context.target.timekeeper.now();
          // Due after the others, and there before them.
          const long = 2 * expireAfter + graceSeconds(context);
          return {
            seconds: expireAfter,
            fromMs: startMs,
            longSeconds: long,
            later: await submit(context, jobBody(printerId, { expireAfter: long })),
            jobId: await submit(context, jobBody(printerId, { expireAfter })),
          };
        },
      );
      const raw = { contentType: 'raw_base64', content: contentOf('raw_base64') };
      const rawId = await submit(context, jobBody(printerId, { expireAfter: seconds, ...raw }));
      const form = jobBody(printerId, { expireAfter: seconds });
      const asForm = await context.api.send({ method: 'POST', path: '/printjobs', form });
      judge('print-jobs/created-as-form', expectStatus(asForm, 201));
      // Whether it has a greatest value is not printed.
      const inAMonth = await context.api.post('/printjobs', jobBody(printerId, { expireAfter: MONTH_S }));
      // A service may take its time for each of these answers.
      const submittingMs = context.target.timekeeper.now() - fromMs;
      await context.elapse(Math.max(0, (seconds - EARLY_S) * 1_000 - submittingMs));
      judge('print-jobs/expire-after-not-early', await expectNotEarly(context, jobId, { fromMs, seconds }));
      await context.elapse((EARLY_S + graceSeconds(context)) * 1_000 + submittingMs);
      const isForm = isId(asForm.value);
      judge(
        'service/form-same-meaning',
        isForm ? await expectExpired(context, asForm.value, true) : mismatchIn(asForm, 'the id of the job'),
      );
      if (isId(inAMonth.value)) {
        judge('print-jobs/expire-after-not-early', await expectExpired(context, inAMonth.value, false));
      }
      const isKept = await expectNotEarly(context, later, { fromMs, seconds: longSeconds });
      judge('print-jobs/expire-after-not-early', isKept);
      const expired = await expectExpired(context, jobId, true);
      judge('print-jobs/body-expire-after', expired, await expectExpired(context, rawId, true));
      context.demand('states/expired', expired);
      const state = (await historyOf(context, jobId)).find(({ name }) => name === 'expired')?.object;
      const version = state?.['clientVersion'];
      judge('states/expired-by-service', expectEqual('clientVersion of the state expired', version, null));
      const age = state?.['age'];
      const least = seconds * 1_000;
      const isOld = Number(age) >= least;
      judge('states/expired-age', expectThat(isOld, 'age of the state expired', `at least ${least}`, age));
    },
  },
  'expiry/delivery': {
    title: 'A computer that connects in time gets the job, which then never expires; a late one gets nothing',
    needs: ['computer'],
    async run(context) {
      const { judge, judgeIfSeen } = context;
      const early = earlySeconds(context);
      const [timely, late] = [await context.computers.away(), await context.computers.away()];
      // On paper a job is known by its title.
      const fields = context.target.link?.program ? { title: context.uniqueText('waits') } : WHOLE;
      const { seconds, fromMs, inTime } = await submitExpiring(
        context,
        expireAfterSeconds(context),
        async (expireAfter) => ({
          seconds: expireAfter,
          fromMs: context.target.timekeeper.now(),
          inTime: await submit(context, jobBody(timely.printerId, { expireAfter, qty: 3, ...fields })),
        }),
      );
      const finished = await submit(context, jobBody(timely.printerId, { expireAfter: seconds }));
      const tooLate = await submit(context, jobBody(late.printerId, { expireAfter: seconds }));
      await context.elapse(`${seconds - early}s`);
      await timely.connect();
      ensureInTime(context, { fromMs, seconds }, 'the computer was connected');
      const delivered = await timely.waitForJob(inTime);
      const isDelivered = delivered !== undefined;
      const at = `job ${inTime}, ${early} s before its expiry`;
      judge('print-jobs/expire-after-not-early', expectThat(isDelivered, at, 'delivered', 'it did not come'));
      if (delivered) {
        judge('print-jobs/qty-passed-on', expectDelivered(delivered, 'qty', 3));
        const wanted: JsonObject = { authentication: null, options: {}, ...jobBody(timely.printerId), ...fields };
        for (const [field, clause] of WAITED_FIELDS)
          await judgeIfSeen(clause, async () => expectDelivered(delivered, field, wanted[field]));
      }
      if (!(await timely.waitForJob(finished))) throw new CheckEnded('blocked', `job ${finished} was not delivered`);
      await timely.report(finished, 'done');
      await context.elapse(`${early + graceSeconds(context)}s`);
      judge('print-jobs/expire-after-delivered', await expectExpired(context, inTime, false));
      judge('states/ends-once', await expectExpired(context, finished, false));
      await late.connect();
      // What was submitted afterwards arrives: had the expired job been sent, it would be here too.
      const marker = await submit(context, jobBody(late.printerId));
      await late.waitForJob(marker);
      const ids = late.deliveries.map((job) => job.jobId);
      judge(
        'print-jobs/expired-not-delivered',
        expectExcludes(`jobs delivered to computer ${late.computerId}`, ids, tooLate),
      );
    },
  },
  'expiry/default': {
    title: 'Without expireAfter a job expires after 14 days, not before; so does a job submitted as a form',
    needs: ['computer', 'virtual-clock'],
    async run(context) {
      const { judge } = context;
      const { printerId } = await context.computers.away();
      const jobId = await submit(context, jobBody(printerId));
      const asForm = await context.api.send({ method: 'POST', path: '/printjobs', form: jobBody(printerId) });
      context.require(expectStatus(asForm, 201) ?? expectBody(asForm, 'the id of the job', isId));
      const jobIds = [jobId, Number(asForm.value)];
      await context.elapse(`${DEFAULT_S - EARLY_S}s`);
      for (const id of jobIds) judge('limits/expire-after-default', await expectExpired(context, id, false));
      await context.elapse(`${EARLY_S + graceSeconds(context)}s`);
      for (const id of jobIds) judge('limits/expire-after-default', await expectExpired(context, id, true));
    },
  },
  'expiry/of-child': {
    title: 'A job of a Child Account expires',
    needs: ['computer', 'child-account'],
    async run(context) {
      const child = await context.children.create();
      const owner = { ...child, apiKey: await newKey(context, child.api, 'computer') };
      const { printerId } = await context.computers.away({ owner });
      const own = { ...context, api: child.api };
      const { seconds, jobId } = await submitExpiring(context, expireAfterSeconds(context), async (expireAfter) => ({
        seconds: expireAfter,
        jobId: await submit(own, jobBody(printerId, { expireAfter })),
      }));
      await context.elapse(`${seconds + graceSeconds(context)}s`);
      context.judge('print-jobs/body-expire-after', await expectExpired(own, jobId, true));
    },
  },
  'expiry/at-once': {
    title: 'All jobs that are due at one moment expire, however many they are',
    needs: ['computer', 'virtual-clock'],
    async run(context) {
      const { printerId } = await context.computers.away();
      const jobIds: number[] = [];
      for (let turn = 0; turn < DUE_AT_ONCE / IN_A_TURN; turn++) {
        await context.elapse(`${TURN_S}s`);
        const body = jobBody(printerId, { expireAfter: DAY_S - turn * TURN_S });
        for (let count = 0; count < IN_A_TURN; count++) jobIds.push(await submit(context, body));
      }
      await context.elapse(`${DAY_S + graceSeconds(context)}s`);
      const all = readHistories(await context.api.get(`/printjobs/${jobIds.join(',')}/states`));
      const left = jobIds.filter((id) => all?.get(id)?.every(({ name }) => name !== 'expired'));
      context.judge('states/expired', expectEmpty('jobs due at one moment that have not expired', left));
    },
  },
  'expiry/long': {
    title: 'A job whose expireAfter is a month or a year waits that long',
    needs: ['computer', 'virtual-clock'],
    async run(context) {
      const { printerId } = await context.computers.away();
      const accepted: { readonly jobId: number; readonly seconds: number }[] = [];
      for (const seconds of [...LONG_S, DEFAULT_S]) {
        if (seconds === DEFAULT_S && accepted.length > 0) break;
        const answer = await context.api.post('/printjobs', jobBody(printerId, { expireAfter: seconds }));
        // Whether there is a greatest value is not printed; that it is kept is.
        if (isId(answer.value)) accepted.push({ jobId: answer.value, seconds });
      }
      if (accepted.length === 0) throw new CheckEnded('untestable', 'the target takes no expireAfter of 14 days');
      let passedS = 0;
      for (const { jobId, seconds } of accepted) {
        await context.elapse(`${seconds - EARLY_S - passedS}s`);
        context.judge('print-jobs/body-expire-after', await expectExpired(context, jobId, false));
        await context.elapse(`${EARLY_S + graceSeconds(context)}s`);
        context.judge('print-jobs/body-expire-after', await expectExpired(context, jobId, true));
        context.judge('states/age-since-new', await expectAge(context, jobId));
        passedS = seconds + graceSeconds(context);
      }
    },
  },
};
