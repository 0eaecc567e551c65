/**
 * Lacks: what keeps parts of a service from being judged, a line each: parts of the API that are not there, and what
 * the target does not bring.
 */

import { countOf } from '../../common/count-of.ts';
import type { CheckRunRecord, NotOfferedRecord } from '../../record/check-record.ts';
import type { Ending } from '../../record/words.ts';
import type { RunView } from './run-view.ts';

export function lacksOf(record: CheckRunRecord): RunView['lacks'] {
  const { target, checks } = record;
  const untestable = checks.filter(({ verdict }) => verdict === 'untestable');
  const reasons = [...Map.groupBy(untestable, ({ message }) => message)]
    .filter(([, { length }]) => length >= MANY_NOT_JUDGED)
    .toSorted(([, one], [, other]) => other.length - one.length)
    .map(([message, { length }]) => `${countOf(length, 'check')} (${message})`);
  return [
    ...(target.notOffered ?? []).map((part) => ({ label: 'Not offered', text: offerLine(part, record) }) as const),
    ...(reasons.length > 0 ? [{ label: 'Not judged', text: reasons.join(', ') } as const] : []),
  ];
}

/** A reason that fewer checks have stands with the other reasons alone. */
const MANY_NOT_JUDGED = 5;

/** One line for a part of the API that is not there, and what to do about it. */
function offerLine({ name, isDeclared }: NotOfferedRecord, { checks }: CheckRunRecord): string {
  const asking = checks.filter(({ endedBy }) => endedBy && OF_ABSENCE.has(endedBy.kind) && endedBy.name === name);
  const count = asking.length === 0 ? '' : `, needed by ${countOf(asking.length, 'check')}`;
  if (isDeclared) return `${name}, as declared${count}`;
  return `${name}${count}; \`capabilities: { ${declaring(name)} }\` in the target descriptor says so`;
}

const OF_ABSENCE: ReadonlySet<Ending['kind']> = new Set(['not-offered', 'declared-absent']);

/** A line of YAML. */
function declaring(name: string): string {
  return name.includes('{') ? `'${name}': false` : `${name}: false`;
}
