/**
 * Tries faults of cells: the check of the cell runs at its endpoint alone, on one service whose fault is switched.
 *
 *   check of the cell ──► proxy, with the fault of the moment ──► service
 */

import { request } from 'undici';

import { createRandom } from '../../../src/common/random.ts';
import type { Check } from '../../../src/conformance/check.ts';
import { MATRIX_RULES } from '../../../src/conformance/matrix/matrix.ts';
import { nameOf } from '../../../src/conformance/matrix/matrix-rule.ts';
import { runChecks } from '../../../src/conformance/run/runner.ts';
import { levelOf } from '../../../src/conformance/verdict/levels.ts';
import type { Endpoint } from '../../../src/specification/clause.ts';
import type { Target } from '../../../src/targets/target.ts';
import { startEmbeddedTarget } from '../../support/embedded-target.ts';
import { FIRST_KEY, SECOND_KEY } from '../../support/running-service.ts';
import { startMeddlingProxy, type PassingAnswer, type PassingRequest } from '../meddling-proxy.ts';
import { basicOf } from '../mutants.ts';
import { Callers, type CellFault } from './cell-fault.ts';

export interface CellMutant extends CellFault {
  readonly endpoint: Endpoint;
  /** The check that judges the cell. */
  readonly check: string;
}

export interface CellTrial extends AsyncDisposable {
  /** What the check said of the endpoint; empty when it saw nothing. */
  try(mutant: CellMutant): Promise<readonly string[]>;
}

/** Limits are on where they are what breaks: elsewhere each request would have to wait for its turn. */
export async function startCellTrial(limits: 'off' | 'spec'): Promise<CellTrial> {
  const embedded = await startEmbeddedTarget({ limits });
  let fault: CellFault | undefined;
  let callers = new Callers();
  const ask = (asked: PassingRequest): Promise<PassingAnswer> => send(embedded.baseUrl, asked);
  const proxy = await startMeddlingProxy(embedded.baseUrl, {
    rewrite: (asked) => fault?.rewrite?.(asked, callers),
    async meddle(answer) {
      const changed = await fault?.meddle?.(answer, ask, callers);
      if (changed === undefined) callers.note(answer);
      return changed;
    },
  });
  const target: Target = { ...embedded, baseUrl: proxy.url };
  return {
    async try(mutant) {
      fault = mutant;
      callers = new Callers();
      const found = await judge(target, mutant);
      fault = undefined;
      for (const key of [FIRST_KEY, SECOND_KEY]) await removeWebhooks(embedded.baseUrl, key);
      return found;
    },
    async [Symbol.asyncDispose]() {
      await proxy.close();
      await embedded.close();
    },
  };
}

let tried = 0;

async function judge(target: Target, { check, endpoint }: CellMutant): Promise<readonly string[]> {
  const rule = MATRIX_RULES[check];
  if (!rule) throw new Error(`there is no rule ${check}`);
  const { title, needs = [], locks = [] } = rule;
  const ofCell: Check = {
    id: check,
    title,
    needs,
    locks,
    clauses: [],
    run: (context) => rule.judge(context, [endpoint]),
  };
  const { outcomes } = await runChecks({
    target,
    checks: [ofCell],
    random: createRandom(1),
    runTag: `cell-${++tried}`,
    levelOf,
  });
  const judgements = outcomes.flatMap((outcome) => outcome.judgements);
  const said = judgements.flatMap(({ clause, mismatch }) =>
    mismatch?.at.startsWith(nameOf(endpoint)) && ['must', 'should'].includes(levelOf(clause))
      ? [`${clause}: ${mismatch.at}: ${mismatch.actual}`]
      : [],
  );
  // What the service does throughout is told once, beside what checks judge.
  const learnt = outcomes.flatMap(({ met }) =>
    met.flatMap(({ deviation: { at, clauses, actual } }) =>
      at.endsWith(` of ${nameOf(endpoint)}`) ? [`${clauses[0]}: ${at}: ${actual}`] : [],
    ),
  );
  return [...said, ...learnt];
}

/** An account may have only five webhooks, and a fault leaves what it made. */
async function removeWebhooks(baseUrl: string, key: string): Promise<void> {
  const asked = { headers: ['Authorization', basicOf(key)], body: Buffer.alloc(0) };
  const { body } = await send(baseUrl, { ...asked, method: 'GET', path: '/webhooks' });
  for (const { webhookId } of JSON.parse(body) as readonly { readonly webhookId: number }[]) {
    await send(baseUrl, { ...asked, method: 'DELETE', path: `/webhook/${webhookId}` });
  }
}

async function send(baseUrl: string, asked: PassingRequest): Promise<PassingAnswer> {
  const { method, path, headers, body } = asked;
  const response = await request(baseUrl + path, {
    method: method as 'GET',
    headers: headers.filter(
      (_, index) => !/^(host|content-length|connection|transfer-encoding)$/i.test(headers[index - (index % 2)] ?? ''),
    ),
    ...(body.length > 0 && { body }),
  });
  const text = await response.body.text();
  return { method, path, request: asked, asked, status: response.statusCode, headers: [], body: text };
}
