/**
 * Plan, for people: what a run costs, what it cannot be shorter than, and the checks that make it long.
 */

import { formatDuration } from '../../common/duration.ts';
import type { Bound, Plan } from '../../conformance/run/plan.ts';

const SHOWN_MOST = 15;

export function renderPlan({ costs, requests, waitedMs, bounds }: Plan): readonly string[] {
  const waiting = costs
    .filter((cost) => cost.waitedMs > 0)
    .toSorted((left, right) => right.waitedMs - left.waitedMs)
    .slice(0, SHOWN_MOST);
  return [
    `${costs.length} checks, ${requests} requests, ${formatDuration(waitedMs)} of waiting in all`,
    ...bounds.flatMap((one) => renderBounds(one)),
    ...(waiting.length > 0 ? ['', 'The longest waits'] : []),
    ...waiting.map(({ id, waitedMs: ms }) => `  ${formatDuration(ms).padStart(8)}  ${id}`),
  ];
}

function renderBounds({
  lanes,
  bounds,
}: {
  readonly lanes: number;
  readonly bounds: readonly Bound[];
}): readonly string[] {
  const [critical, ...others] = bounds;
  const where = lanes === 1 ? 'With one account and one address' : `With ${lanes} lanes of Child Accounts`;
  if (!critical) return [];
  return [
    '',
    `${where}: ${formatDuration(critical.ms)} or more`,
    `  ${formatDuration(critical.ms).padStart(8)}  critical path: ${critical.reason}`,
    ...others.map(({ reason, ms }) => `  ${formatDuration(ms).padStart(8)}  ${reason}`),
  ];
}
