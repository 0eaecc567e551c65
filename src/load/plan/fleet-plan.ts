/**
 * Fleet plan: what each machine of a fleet will send, before any of them joins.
 *
 *   plan ─► every arrival, by the shard of its account ─► a share for each shard ─► the sum of them
 *
 * A shard follows from the plan alone. Open streams are counted arrival by arrival; closed ones by the most requests
 * that think times and a fast service allow, as in the estimate of the plan.
 */

import { sumOf, sumsOf } from '../../common/sums.ts';
import { sourceAddresses } from './source-addresses.ts';
import { accountsOf, arrivals, loops, shardOfAccount, WHOLE, type LoadPlan } from './load-plan.ts';
import type { LoadStream, WeightedOperation } from './load-scenario.ts';
import { bytesSentBy, turnsOfLoop } from './plan-estimate.ts';

export interface ShardShare {
  /** From 1. */
  readonly shard: number;
  readonly requests: number;
  /** Submissions among them. */
  readonly submissions: number;
  readonly computers: number;
  /** Links of its computers, plus the most connections that its requests may open. */
  readonly connections: number;
  /** Bytes sent in requests. */
  readonly bytes: number;
  readonly accounts: number;
  /** Addresses that its machine must have; empty where the system chooses. */
  readonly sources: readonly string[];
}

export interface FleetPlan {
  readonly shards: readonly ShardShare[];
  readonly sum: Omit<ShardShare, 'shard'>;
}

type Sent = Record<'requests' | 'submissions' | 'bytes', number>;

/**
 * @param serviceUrl - address of the target, which says where computers connect from
 * @throws ActionableError when the scenario has too few source addresses
 */
export function planFleet(plan: LoadPlan, count: number, serviceUrl: string): FleetPlan {
  const given = plan.scenario.sources;
  const addresses = sourceAddresses(plan.room.computerCount, serviceUrl, given);
  const shards = sentByShards(plan, count).map(({ requests, submissions, bytes }, place): ShardShare => {
    const accounts = accountsOf(plan, { index: place + 1, count });
    const computers = accounts.flatMap((account) => [...plan.room.computersOf(account)]);
    const used = new Set(computers.map(({ index }) => addresses[index % addresses.length] ?? ''));
    return {
      shard: place + 1,
      requests: Math.round(requests),
      submissions: Math.round(submissions),
      computers: computers.length,
      connections: computers.length + plan.scenario.caps.connections,
      bytes: Math.round(bytes),
      accounts: accounts.length,
      // Requests use all the addresses that the scenario names.
      sources: given.length > 0 ? given : addresses.filter((address) => used.has(address)),
    };
  });
  return { shards, sum: sumOfShares(shards) };
}

/** Submissions due in each shard, from the first on. */
export function submissionsByShard(plan: LoadPlan, count: number): readonly number[] {
  return sentByShards(plan, count).map(({ submissions }) => Math.round(submissions));
}

function sentByShards(plan: LoadPlan, count: number): readonly Sent[] {
  const sent = Array.from({ length: count }, (): Sent => ({ requests: 0, submissions: 0, bytes: 0 }));
  const { streams, scenario } = plan;
  const costs = streams.map(({ operations }) =>
    operations.map((operation) => bytesSentBy(operation, scenario.documents)),
  );
  for (const { account, stream, operation } of arrivals(plan, WHOLE)) {
    const isSubmission = streams[stream]?.operations[operation]?.name === 'submit';
    add(sent[shardOfAccount(account, count) - 1], 1, Number(isSubmission), costs[stream]?.[operation] ?? 0);
  }
  for (const { account, stream } of loops(plan, WHOLE)) {
    const planned = streams[stream];
    if (!planned) continue;
    const turns = turnsOfLoop(planned);
    const cost = mean(planned, (_, place) => costs[stream]?.[place] ?? 0);
    const submissions = mean(planned, ({ name }) => Number(name === 'submit'));
    add(sent[shardOfAccount(account, count) - 1], turns, turns * submissions, turns * cost);
  }
  return sent;
}

function add(sent: Sent | undefined, requests: number, submissions: number, bytes: number): void {
  if (!sent) return;
  sent.requests += requests;
  sent.submissions += submissions;
  sent.bytes += bytes;
}

/** Over the operations of a stream, weighted. */
function mean({ operations }: LoadStream, of: (operation: WeightedOperation, place: number) => number): number {
  const all = sumOf(operations, ({ weight }) => weight);
  const shares = operations.map((operation, place) => (operation.weight / all) * of(operation, place));
  return sumOf(shares, (share) => share);
}

function sumOfShares(shards: readonly ShardShare[]): FleetPlan['sum'] {
  return {
    ...sumsOf(['requests', 'submissions', 'computers', 'connections', 'bytes', 'accounts'], shards),
    sources: [...new Set(shards.flatMap(({ sources }) => sources))],
  };
}
