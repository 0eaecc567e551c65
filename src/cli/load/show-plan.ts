/**
 * platen run --plan: what a load would send, and what each of several machines would send of it.
 */

import { formatDuration } from '../../common/duration.ts';
import { formatBytes } from '../../common/format-bytes.ts';
import type { FleetPlan } from '../../load/plan/fleet-plan.ts';
import type { LoadPlan } from '../../load/plan/load-plan.ts';
import type { ProcessCount } from '../../load/plan/process-count.ts';
import type { Line } from '../../report/terminal/line.ts';
import { table } from '../../report/terminal/table.ts';
import { out, outJson } from '../screen/terminal.ts';

/** Where the reference service of a run listens, whatever its port. */
const OWN_SERVICE_URL = 'http://127.0.0.1';

export interface ShowPlanOptions {
  readonly url: string | undefined;
  /** Machines; undefined to show the whole only. */
  readonly shards: number | undefined;
  /** The processes of this machine, if it plays the whole load. */
  readonly processes: ProcessCount | undefined;
  readonly json: boolean;
}

export async function showPlan(plan: LoadPlan, { url, shards, processes, json }: ShowPlanOptions): Promise<void> {
  const fleet = shards === undefined ? undefined : await fleetPlanOf(plan, shards, url);
  const { estimate, hash, seed, scenario } = plan;
  if (json) outJson({ ...estimate, hash, seed, sources: scenario.sources, processes, ...fleet });
  else out([...renderPlan(plan, processes), ...(fleet ? renderFleet(fleet) : [])]);
}

async function fleetPlanOf(plan: LoadPlan, shards: number, url = OWN_SERVICE_URL): Promise<FleetPlan> {
  const { planFleet } = await import('../../load/plan/fleet-plan.ts');
  return planFleet(plan, shards, url);
}

function renderPlan({ scenario, hash, estimate }: LoadPlan, processes: ProcessCount | undefined): readonly Line[] {
  const { title, sources, accounts, caps, streams } = scenario;
  const { requests, jobs, connections, bytes, peakRate, durationMs, warnings } = estimate;
  const rows = [
    ['plan', hash],
    ['streams', streams.map(({ name }) => name).join(', ')],
    ['requests', `about ${requests}, ${jobs} of them submissions`],
    ['peak rate', `${Math.round(peakRate)} requests a second`],
    ['connections', `${connections} of computers, up to ${caps.connections} for requests`],
    ['bytes', `about ${formatBytes(bytes)} in requests`],
    ['accounts', String(accounts)],
    ['from', sources.length > 0 ? sources.join(', ') : 'the address that the system chooses'],
    ...(processes ? [['processes', `${processes.count}: ${processes.because}`]] : []),
    ['takes', `up to ${formatDuration(durationMs)}`],
  ];
  return [title, ...table(rows, '  '), ...warnings.map((warning) => `  ! ${warning}`)];
}

function renderFleet({ shards, sum }: FleetPlan): readonly Line[] {
  const head = ['shard', 'requests', 'submissions', 'computers', 'connections', 'bytes', 'accounts', 'from'];
  const rows = shards.map((share) => shareRow(`${share.shard}/${shards.length}`, share));
  return ['', ...table([head, ...rows, shareRow('sum', sum)], '  ')];
}

function shareRow(name: string, share: FleetPlan['sum']): readonly string[] {
  return [
    name,
    String(share.requests),
    String(share.submissions),
    String(share.computers),
    `up to ${share.connections}`,
    formatBytes(share.bytes),
    String(share.accounts),
    share.sources.join(', ') || 'chosen by the system',
  ];
}
