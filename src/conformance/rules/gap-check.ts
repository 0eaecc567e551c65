/**
 * Gap checks: what a target does where the specification shows nothing. They record and never judge.
 */

import { isObject, NotJson } from '../../common/json-value.ts';
import type { Need } from '../../specification/clause.ts';
import { GAPS, type GapId } from '../../specification/gaps.ts';
import type { Lock, Rule, Rules } from '../check.ts';
import type { Answer } from '../expect/answer.ts';
import { CheckEnded } from '../context/check-ended.ts';
import type { CheckContext } from '../context/context.ts';

/** A check that looks at one gap; `look` returns what it saw, without ids and times, a line each. */
export function gapCheck(
  gap: GapId,
  needs: readonly Need[],
  look: (context: CheckContext) => Promise<readonly string[]>,
  locks: readonly Lock[] = [],
): Rules {
  const rule: Rule = {
    title: `Recorded: ${QUESTIONS.get(gap)}`,
    needs,
    locks,
    async run(context) {
      const lines = await look(context);
      if (lines.length === 0) throw new CheckEnded('untestable', 'nothing came that shows it');
      for (const line of lines) context.observe(gap, line);
    },
  };
  return { [gap.replace('gap/', 'gaps/')]: rule };
}

const QUESTIONS: ReadonlyMap<GapId, string> = new Map(GAPS.map(({ id, question }) => [id, question]));

/** Status and shape of an answer: `POST: 201 {id: integer, name: string}`. */
export function seen(what: string, answer: Answer): string {
  const said = answer.status < 400 ? shapeOf(answer.value) : codeOf(answer.value);
  return `${what}: ${answer.status} ${said}`.trimEnd();
}

function codeOf(error: unknown): string {
  const code = isObject(error) ? error['code'] : undefined;
  return typeof code === 'string' ? code : '';
}

/** Members shown of an object, and levels of objects within each other. */
const MEMBERS_SHOWN = 24;
const LEVELS_SHOWN = 3;

/** What a value is made of, without what changes from run to run. */
export function shapeOf(value: unknown, level = 0): string {
  if (value instanceof NotJson) return value.text === '' ? 'an empty body' : 'no JSON';
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  if (typeof value !== 'object') return typeof value;
  if (level === LEVELS_SHOWN) return '…';
  if (Array.isArray(value)) return value.length === 0 ? '[]' : `[${shapeOf(value[0], level + 1)}, …]`;
  const entries = Object.entries(value);
  const isById = entries.length > 0 && entries.every(([name]) => /^\d+$/.test(name));
  const members = isById ? [['<id>', entries[0]?.[1]] as const] : entries.slice(0, MEMBERS_SHOWN);
  return `{${members.map(([name, member]) => `${name}: ${shapeOf(member, level + 1)}`).join(', ')}}`;
}
