/**
 * Dialect of a run: each question is asked once, when the first check needs its answer, and never where the descriptor
 * gives it.
 *
 *   check ─► context.speak('greatest-limit') ─┬─► given in the descriptor ──────────────────► answer
 *                                             └─► asked, in the account of that check, once ─┬─► answer
 *                                                                                            └─► untestable
 */

import type { z } from 'zod';

import { messageOf } from '../../common/error-message.ts';
import { keysOf } from '../../common/keys-of.ts';
import { failure, success, type Outcome } from '../../common/outcome.ts';
import { createRandom } from '../../common/random.ts';
import type { GapId } from '../../specification/gaps.ts';
import { DIALECT_ANSWERS, type Dialect, type GivenDialect, type QuestionId } from '../../targets/dialect.ts';
import type { Target } from '../../targets/target.ts';
import type { Transport } from '../context/api-client.ts';
import { CheckEnded, isAbsence } from '../context/check-ended.ts';
import { openContext, type Speak } from '../context/context.ts';
import { createTraffic } from '../context/traffic.ts';
import { QUESTIONS } from './questions.ts';

/** One answer, for the record. */
export interface DialectLine {
  readonly question: QuestionId;
  readonly gap: GapId;
  readonly source: 'asked' | 'given' | 'not-found-out';
  /** The answer as a sentence, or why it could not be found out. */
  readonly words: string;
  /** Left out where it could not be found out. */
  readonly answer?: Dialect[QuestionId] | undefined;
}

export interface RunDialect {
  /**
   * How the target answers this. `transport` is that of the check that wants to know.
   *
   * @throws CheckEnded untestable, with the reason, when it could not be found out
   */
  speak<Id extends QuestionId>(id: Id, transport: Transport): Promise<Dialect[Id]>;
  /** As `speak`, but asked only where it is needed; undefined where it was neither given nor asked. */
  speakIf<Id extends QuestionId>(isNeeded: boolean, id: Id, transport: Transport): Promise<Dialect[Id] | undefined>;
  /** What the asking could not remove. */
  readonly leftBehind: readonly string[];
  /** What was asked or given so far, by the names of the questions. */
  lines(): Promise<readonly DialectLine[]>;
}

type Found<Id extends QuestionId> = Promise<Outcome<Dialect[Id], string>>;

export function createDialect(given: GivenDialect, runTag: string): RunDialect {
  const leftBehind: string[] = [];
  const found = new Map<QuestionId, Found<QuestionId>>();

  const answerTo = <Id extends QuestionId>(id: Id, transport: Transport): Found<Id> => {
    const known = given[id];
    if (known !== undefined) return Promise.resolve(success(known));
    return ask(id, transport, { runTag, leftBehind, speak: (other) => speak(other, transport) });
  };
  const speak: RunDialect['speak'] = async (id, transport) => {
    const target = QUESTIONS[id].ofIntegrator === true ? integratorOf(transport.target) : transport.target;
    // Not kept: another check may bring the key.
    if (!target && given[id] === undefined) throw unclear(id, 'it takes the key of an Integrator Account');
    const asked = found.get(id) ?? answerTo(id, { ...transport, target: target ?? transport.target });
    found.set(id, asked);
    const answer = await asked;
    if (!answer.ok) throw unclear(id, answer.error);
    // Parsed again, since a table of promises does not keep the type of each.
    return SCHEMAS[id].parse(answer.value);
  };

  const speakIf: RunDialect['speakIf'] = async (isNeeded, id, transport) => {
    const isKnown = given[id] !== undefined || (await found.get(id))?.ok === true;
    return isKnown || isNeeded ? speak(id, transport) : undefined;
  };

  return {
    leftBehind,
    speak,
    speakIf,
    async lines() {
      const lines: DialectLine[] = [];
      for (const id of QUESTION_IDS) {
        const line = await lineOf(id, found.get(id), given);
        if (line) lines.push(line);
      }
      return lines;
    },
  };
}

const SCHEMAS: { readonly [Id in QuestionId]: z.ZodType<Dialect[Id]> } = DIALECT_ANSWERS;

const QUESTION_IDS = keysOf(DIALECT_ANSWERS).toSorted();

function unclear(id: QuestionId, reason: string): CheckEnded {
  const words = `${QUESTIONS[id].gap}, which this builds on, could not be found out: ${declarable(id, reason)}`;
  return new CheckEnded('untestable', words);
}

/** A reason, and the key of the descriptor that settles it. */
function declarable(id: QuestionId, reason: string): string {
  return `${reason}; a target descriptor can declare it: dialect.${id}`;
}

function integratorOf(target: Target): Target | undefined {
  const { integratorApiKey, ...rest } = target;
  if (integratorApiKey !== undefined) return { ...rest, apiKey: integratorApiKey, isIntegrator: true };
  return target.isIntegrator === true ? target : undefined;
}

/** Asks, in a context of its own. Its exchanges are part of the run, not of a check. */
async function ask<Id extends QuestionId>(
  id: Id,
  asking: Transport,
  { runTag, leftBehind, speak }: { readonly runTag: string; readonly leftBehind: string[]; readonly speak: Speak },
): Found<Id> {
  const transport: Transport = {
    ...asking,
    postpone: undefined,
    exchanges: [],
    wireFailures: [],
    met: [],
    jobIds: [],
    // What the questions about ids are asked by.
    idNameOf: () => Promise.resolve(undefined),
    webhookUrls: new Set(),
    traffic: createTraffic(),
    signal: new AbortController().signal,
  };
  const open = openContext({
    checkId: `dialect/${id}`,
    transport,
    random: createRandom(`${runTag}/dialect/${id}`),
    runTag,
    propertyRuns: 1,
    speak,
  });
  try {
    return success(await QUESTIONS[id].ask(open.context));
  } catch (error) {
    if (error instanceof CheckEnded && !isAbsence(error)) return failure(error.message);
    throw error;
  } finally {
    leftBehind.push(...(await open.close()).map((line) => `dialect/${id}: ${line}`));
  }
}

async function lineOf<Id extends QuestionId>(
  id: Id,
  asked: Found<QuestionId> | undefined,
  given: Pick<GivenDialect, Id>,
): Promise<DialectLine | undefined> {
  const { gap, words } = QUESTIONS[id];
  const answer = given[id];
  if (answer !== undefined) return { question: id, gap, source: 'given', words: words(answer), answer };
  if (!asked) return undefined;
  try {
    const result = await asked;
    if (!result.ok) return { question: id, gap, source: 'not-found-out', words: declarable(id, result.error) };
    return { question: id, gap, source: 'asked', words: words(SCHEMAS[id].parse(result.value)), answer: result.value };
  } catch (error) {
    if (isAbsence(error)) return undefined;
    return { question: id, gap, source: 'not-found-out', words: declarable(id, messageOf(error)) };
  }
}
