/** Checks of submitting print jobs: what is accepted, what is refused, and which lists show it. */

import type { JsonObject } from '../../common/json-value.ts';
import type { HeaderPair } from '../../common/header-pairs.ts';
import type { Mismatch } from '../../oracle/mismatch.ts';
import type { ClauseId } from '../../specification/clauses.ts';
import { MEDIA_TYPES } from '../../specification/headers.ts';
import { PRINT_JOB_INPUT } from '../../specification/inputs.ts';
import { LIMITS } from '../../specification/limits.ts';
import type { Rule, Rules } from '../check.ts';
import { expectBody, expectIds, expectRefusal, expectStatus, type Answer, idsIn } from '../expect/answer.ts';
import { CheckEnded } from '../context/check-ended.ts';
import { ENCODINGS } from '../context/children.ts';
import type { CheckContext } from '../context/context.ts';
import { expectPromptAnswer } from '../context/took.ts';
import { contentOf, expectDelivered, jobBody, submit, submitMany } from '../context/jobs.ts';
import type { ConnectedComputer } from '../context/computers.ts';
import { expectEmpty, expectEqual, expectThat } from '../expect/that.ts';
import { asRecords, isId } from '../expect/records.ts';
import { expectKnownIds } from '../context/unknown-ids.ts';

function expectAccepted(answer: Answer): Mismatch | undefined {
  return expectStatus(answer, 201) ?? expectBody(answer, 'the id of the job, an integer', isId);
}

/** Expects that a job with these options is accepted, and reaches the client without any. */
async function expectNoOptions(
  context: CheckContext,
  computer: ConnectedComputer,
  options: object | null,
): Promise<Mismatch | undefined> {
  const title = context.uniqueText('job');
  const answer = await context.api.post('/printjobs', jobBody(computer.printerId, { title, options }));
  const refused = expectAccepted(answer);
  if (refused) return refused;
  const job = await computer.waitForJob(Number(answer.value));
  if (!job) throw new CheckEnded('blocked', `job ${String(answer.value)} was not delivered`);
  return expectDelivered(job, 'options', {});
}

/** A defect of a body, and the clause that has it refused. */
type Defect = readonly [clause: ClauseId, change: (body: JsonObject) => JsonObject];

function without(field: string): (body: JsonObject) => JsonObject {
  return (body) => Object.fromEntries(Object.entries(body).filter(([key]) => key !== field));
}

function refusals(title: string, defects: readonly Defect[]): Rule {
  return {
    title,
    needs: ['printer'],
    async run(context) {
      const { printerId } = await context.computers.away();
      const body = jobBody(printerId);
      for (const encoding of ENCODINGS) {
        const send = (what: JsonObject): Promise<Answer> =>
          context.api.send({ method: 'POST', path: '/printjobs', [encoding]: what });
        // A service that refuses everything would pass.
        context.require(expectAccepted(await send(body)));
        for (const [clause, change] of defects) context.judge(clause, expectRefusal(await send(change(body))));
      }
    },
  };
}

export const PRINT_JOB_RULES: Rules = {
  'print-jobs/created': {
    title: 'POST /printjobs answers 201 with the id at once, even if the computer is away, and the job is listed',
    needs: ['printer'],
    async run(context) {
      const { judge } = context;
      const { printerId } = await context.computers.away();
      const first = await context.api.post('/printjobs', jobBody(printerId));
      judge('print-jobs/created-201', expectStatus(first, 201));
      judge('print-jobs/accepted-while-disconnected', expectStatus(first, 201));
      // The computer is away: an answer cannot have waited for it.
      const prompt = await expectPromptAnswer(context, first.exchange);
      judge('print-jobs/answers-at-once', expectStatus(first, 201), prompt);
      context.demand('print-jobs/created-id-integer', expectBody(first, 'a positive integer', isId));
      const id = Number(first.value);
      judge('print-jobs/created-listed', expectIds(await context.api.get(`/printjobs/${id}`), [id]));
      const [second = 0, third = 0] = await submitMany(context, printerId, 2);
      const grows = id < second && second < third;
      const wanted = 'each greater than the one before';
      judge('print-jobs/created-id-grows', expectThat(grows, 'ids of three jobs', wanted, [second, third]));
    },
  },
  'print-jobs/optional-fields': {
    title: 'A job with only the required fields is accepted; options null and {} mean none',
    needs: ['computer'],
    async run(context) {
      const { judge } = context;
      const computer = await context.computers.connect();
      const { printerId, contentType, content } = jobBody(computer.printerId);
      const bare = await context.api.post('/printjobs', { printerId, contentType, content });
      judge('print-jobs/only-required-fields', expectAccepted(bare));
      judge('print-jobs/options-null', await expectNoOptions(context, computer, null));
      judge('print-jobs/options-empty', await expectNoOptions(context, computer, {}));
    },
  },
  'print-jobs/content-types': {
    title: 'Each of the four content types is accepted and reaches the client',
    needs: ['computer'],
    async run({ computers, api, judge, judgeIfSeen, demand, uniqueText }) {
      const computer = await computers.connect();
      for (const contentType of PRINT_JOB_INPUT.contentType.values) {
        const more = { contentType, content: contentOf(contentType) };
        const answer = await api.post('/printjobs', jobBody(computer.printerId, { ...more, title: uniqueText('job') }));
        const mismatch = expectAccepted(answer);
        const clause = contentType.endsWith('_uri')
          ? 'print-jobs/uri-unreachable-accepted'
          : 'print-jobs/body-content-type';
        judge('print-jobs/body-content-type', mismatch);
        demand(clause, mismatch);
        const at = `contentType of job ${String(answer.value)} at the client`;
        await judgeIfSeen(clause, async () => {
          const job = await computer.waitForJob(Number(answer.value));
          return expectEqual(at, job?.contentType, contentType);
        });
      }
    },
  },
  'print-jobs/missing-fields': refusals('A job without printer, content type or content is refused', [
    ['print-jobs/printer-id-missing-refused', without('printerId')],
    ['print-jobs/content-type-missing-refused', without('contentType')],
    ['print-jobs/content-missing-refused', without('content')],
  ]),
  'print-jobs/bad-fields': refusals(
    'An unknown printer, an unknown content type and a qty that is not positive are refused',
    [
      ['print-jobs/printer-id-unknown-refused', (body) => ({ ...body, printerId: 999_999_999 })],
      ['print-jobs/content-type-other-refused', (body) => ({ ...body, contentType: 'word_base64' })],
      ['print-jobs/qty-zero-refused', (body) => ({ ...body, qty: 0 })],
      ['print-jobs/qty-negative-refused', (body) => ({ ...body, qty: -1 })],
    ],
  ),
  'print-jobs/refused-leaves-nothing': {
    title: 'A refused submission leaves no job behind, neither in a list nor at the client',
    needs: ['computer'],
    async run(context) {
      const { judge } = context;
      const computer = await context.computers.connect();
      const { printerId } = computer;
      const refused = await context.api.post('/printjobs', jobBody(printerId, { qty: 0 }));
      context.require(expectRefusal(refused));
      const id = await submit(context, jobBody(printerId));
      const list = await context.api.get(`/printers/${printerId}/printjobs`);
      judge('print-jobs/refused-leaves-nothing', expectIds(list, [id]));
      // The next job: once that is there, the refused one was sent or never will be.
      await computer.waitForJob(id);
      const delivered = computer.deliveries.map(({ jobId }) => jobId);
      const at = `jobs delivered to computer ${computer.computerId}`;
      judge('print-jobs/refused-leaves-nothing', expectThat(delivered.join() === String(id), at, `[${id}]`, delivered));
    },
  },
  'print-jobs/lists': {
    title: 'Every print job path lists the jobs of its sets and no others',
    needs: ['computer'],
    locks: ['account'],
    async run(context) {
      const { judge } = context;
      const [here, there] = [await context.computers.away(), await context.computers.away()];
      const [first = 0, second = 0] = await submitMany(context, here.printerId, 2);
      const elsewhere = await submit(context, jobBody(there.printerId));
      const list = async (path: string): Promise<Answer> => {
        const answer = await context.api.get(path);
        context.require(expectStatus(answer, 200));
        return answer;
      };
      const newest = await list('/printjobs?limit=3');
      judge('print-jobs/list', expectIds(newest, [elsewhere, second, first]));
      const some = await list(`/printjobs/${first},${elsewhere}`);
      judge('print-jobs/list-set', expectIds(some, [elsewhere, first]));
      const ofPrinter = await list(`/printers/${here.printerId}/printjobs`);
      judge('print-jobs/list-of-printers', expectIds(ofPrinter, [second, first]));
      const others = (idsIn(ofPrinter) ?? []).filter((id) => id === elsewhere);
      judge(
        'print-jobs/list-of-printers-only',
        expectEmpty(`body of ${ofPrinter.request}`, others, 'no job of another printer'),
      );
      const own = await list(`/printers/${here.printerId}/printjobs/${first}`);
      judge('print-jobs/list-set-of-printers', expectIds(own, [first]));
      const both = await context.api.get(`/printers/${here.printerId}/printjobs/${first},${elsewhere}`);
      judge('print-jobs/list-set-of-printers', expectKnownIds(both, [first]));
    },
  },
  'print-jobs/json': {
    title: 'The service reads a body as JSON with the JSON Content-Type and without any',
    needs: ['printer'],
    async run({ computers, api, judge }) {
      const { printerId } = await computers.away();
      const body = JSON.stringify(jobBody(printerId));
      const post = (headers: readonly HeaderPair[]): Promise<Answer> =>
        api.send({ method: 'POST', path: '/printjobs', headers, body });
      judge('service/json-bodies', expectAccepted(await post([['Content-Type', MEDIA_TYPES.json.value]])));
      judge('service/json-assumed', expectAccepted(await post([])));
    },
  },
  'print-jobs/form': {
    title: 'A form with the same keys creates the same job as JSON',
    needs: ['printer'],
    async run(context) {
      const { judge } = context;
      const { printerId } = await context.computers.away();
      const body = jobBody(printerId, { title: 'Ünïcode & signs = +%20' });
      const jsonJob = await submit(context, body);
      const postForm = (form: JsonObject): Promise<Answer> =>
        context.api.send({ method: 'POST', path: '/printjobs', form });
      const answer = await postForm(body);
      judge('service/form-bodies', expectAccepted(answer));
      context.demand('print-jobs/created-as-form', expectAccepted(answer));
      const options = { copies: 2, duplex: 'long-edge', fit_to_page: true };
      const whole = await postForm({ ...body, qty: 2, expireAfter: LIMITS.expireAfterDefaultSeconds.value, options });
      judge('print-jobs/created-as-form', expectAccepted(whole));
      const formJob = Number(answer.value);
      const pair = await context.api.get(`/printjobs/${jsonJob},${formJob}`);
      const [asForm = {}, asJson = {}] = asRecords(pair.value) ?? [];
      // What the service adds of its own may differ from job to job; what was sent may not.
      const same = Object.keys(body).filter((field) => Object.hasOwn(asJson, field));
      judge(
        'service/form-same-meaning',
        expectIds(pair, [formJob, jsonJob]),
        ...same.map((field) =>
          expectEqual(`${field} of the form job in ${pair.request}`, asForm[field], asJson[field]),
        ),
      );
    },
  },
};
