import { expect, it } from 'vitest';

import { createRandom } from '../../../../src/common/random.ts';
import type { Check } from '../../../../src/conformance/check.ts';
import { idsIn } from '../../../../src/conformance/expect/answer.ts';
import { QUESTIONS } from '../../../../src/conformance/dialect/questions.ts';
import { runChecks, type RunOutcome } from '../../../../src/conformance/run/runner.ts';
import { DIALECT_ANSWERS, type QuestionId } from '../../../../src/targets/dialect.ts';
import type { Target } from '../../../../src/targets/target.ts';
import { startEmbeddedTarget } from '../../../support/embedded-target.ts';
import { targetOf } from '../../../support/odd-servers.ts';

const IDS = Object.keys(DIALECT_ANSWERS) as QuestionId[];

/** A check that wants to know this, and nothing else. */
function wanting(...questions: QuestionId[]): Check {
  return {
    id: `some/${questions.join('-')}`,
    title: 'The target speaks',
    clauses: ['gap/ping-body'],
    needs: [],
    async run({ speak, observe }) {
      for (const question of questions) observe('gap/ping-body', JSON.stringify(await speak(question)));
    },
  };
}

/** A check that tells the ids of the print jobs. */
const readingJobs: Check = {
  id: 'some/jobs',
  title: 'The target has print jobs',
  clauses: ['gap/ping-body'],
  needs: [],
  async run({ api, observe }) {
    observe('gap/ping-body', JSON.stringify(idsIn(await api.get('/printjobs'))));
  },
};

function run(target: Target, checks: readonly Check[], order?: 'overlapping'): Promise<RunOutcome> {
  return runChecks({
    target,
    checks,
    random: createRandom(1),
    runTag: 'tag',
    levelOf: () => 'gap',
    ...(order && { order }),
  });
}

it('finds out everything about the reference service', async () => {
  const target = await startEmbeddedTarget();
  const { outcomes, dialect, leftBehind } = await run(target, [wanting(...IDS)]);
  await target.close();
  expect(outcomes.map(({ verdict }) => verdict)).toEqual(['observed']);
  expect(leftBehind).toEqual([]);
  expect(Object.fromEntries(dialect.map(({ question, answer }) => [question, answer]))).toEqual({
    'greatest-limit': { most: 1_000, above: 'cut' },
    'after-unlisted': 'taken',
    'new-account-keys': 'ApiKeys.{name}',
    'new-key': '.',
    'api-key-body': 'none',
    'tag-body': 'json-string',
    'tag-value': '.',
    suspension: { ownKey: 'refused', whoami: 'answered', reads: 'answered' },
    'job-id': 'id',
    'download-id': 'id',
    'cancelled-job': { listed: true, state: 'deleted' },
    'least-expire-after': 1,
    'options-outside-capabilities': 'taken',
    'states-shape': 'array-of-arrays',
    'states-paging': { limit: true, after: true, dir: true },
    'statistics-nesting': '{statistic}.{measure}',
    'message-types': { 'computer state': 'computer state', 'print job state': 'print job state' },
    'simulated-reading': {},
  });
});

it.each(['jobNumber', 'job.number'])(
  'reads the ids of print jobs at %s where the descriptor says so',
  async (place) => {
    const bare = await targetOf((_, response) => response.end('[{"id":7,"jobNumber":12,"job":{"number":12}}]'));
    const { outcomes } = await run({ ...bare, dialect: { 'job-id': place } }, [readingJobs]);
    await bare.close();
    expect(outcomes.map(({ judgements }) => judgements.map(({ observation }) => observation))).toEqual([['[12]']]);
  },
);

it('finds the id of a client download inside an object of its record', async () => {
  const records = [7, 9].map((number) => ({ size: 1_024, release: { number } }));
  const bare = await targetOf(({ url = '' }, response) => {
    const wanted = /\d+$/.exec(url)?.[0];
    response.end(
      JSON.stringify(records.filter(({ release }) => wanted === undefined || String(release.number) === wanted)),
    );
  });
  const { dialect } = await run(bare, [wanting('download-id')]);
  await bare.close();
  expect(dialect.map(({ answer }) => answer)).toEqual(['release.number']);
});

it('asks a question once, also for checks that overlap', async () => {
  const target = await startEmbeddedTarget();
  const checks = [wanting('tag-body'), wanting('tag-body', 'tag-value'), wanting('tag-value', 'tag-body')];
  const { history } = await run(target, checks, 'overlapping');
  await target.close();
  expect(history.exchanges.filter(({ request }) => request.method === 'POST')).toHaveLength(2);
});

it('does not ask for what the descriptor gives', async () => {
  const asked: string[] = [];
  const bare = await targetOf(({ url = '' }, response) => {
    asked.push(url);
    response.end('[]');
  });
  const target = { ...bare, dialect: { 'tag-body': 'text', suspension: SUSPENDED } } as const;
  const { dialect } = await run(target, [wanting('tag-body', 'suspension')]);
  await target.close();
  expect(asked).toEqual([]);
  expect(dialect).toEqual([
    expect.objectContaining({ question: 'suspension', source: 'given', answer: SUSPENDED }),
    {
      question: 'tag-body',
      gap: 'gap/tag-request',
      source: 'given',
      answer: 'text',
      words: QUESTIONS['tag-body'].words('text'),
    },
  ]);
});

const SUSPENDED = { ownKey: 'refused', whoami: 'refused', reads: 'refused' } as const;

it('ends a check as untestable, with the reason, where there is no telling', async () => {
  const target = await targetOf((_, response) => response.writeHead(400).end('{}'));
  const { outcomes, dialect } = await run(target, [wanting('greatest-limit'), wanting('new-account-keys')]);
  await target.close();
  const lost = 'which this builds on, could not be found out';
  const settles = 'a target descriptor can declare it';
  expect(outcomes.map(({ verdict, message }) => [verdict, message])).toEqual([
    ['untestable', `gap/limit-upper-bound, ${lost}: every limit was refused; ${settles}: dialect.greatest-limit`],
    [
      'untestable',
      `gap/create-account-response, ${lost}: it takes the key of an Integrator Account; ${settles}: dialect.new-account-keys`,
    ],
  ]);
  expect(dialect).toEqual([
    {
      question: 'greatest-limit',
      gap: 'gap/limit-upper-bound',
      source: 'not-found-out',
      words: `every limit was refused; ${settles}: dialect.greatest-limit`,
    },
  ]);
});
