/**
 * Refusals: requests that must be refused at each endpoint, what they did, and their positive twins.
 *
 *   stage ─► inventory ─► every request ─► inventory ─► twins: the same requests as they should be, which succeed
 *                                             │
 *                                    changed? └─► each of them again, on a stage of its own: whose fault was it?
 *
 * A change that no request repeats was made by another caller, and is noted.
 */

import type { Mismatch } from '../../oracle/mismatch.ts';
import type { Endpoint } from '../../specification/clause.ts';
import type { ClauseId } from '../../specification/clauses.ts';
import type { ApiClient, ApiRequest } from '../context/api-client.ts';
import type { CheckContext } from '../context/context.ts';
import type { Answer } from '../expect/answer.ts';
import { expectSame, takeInventory, type Inventory } from './inventory.ts';
import { atEndpoint, expectServed, nameOf } from './matrix-rule.ts';
import type { Party } from './party.ts';
import { scaleContent } from './sound-request.ts';

/** A request that must be refused. */
export interface Trial {
  /** For messages: `without credentials`. */
  readonly what: string;
  readonly api: ApiClient;
  readonly request: ApiRequest;
  readonly expected: readonly (readonly [ClauseId, (answer: Answer) => Mismatch | undefined])[];
}

export interface Stage {
  /** Accounts that must stay as they are, with the paths of what their lists do not show. */
  readonly watched: readonly { readonly party: Party; readonly paths: readonly string[] }[];
  readonly trials: (endpoint: Endpoint) => Promise<readonly Trial[]>;
  /** The request as it should be; undefined where there is nothing to try it on. Undoes what would harm the next. */
  readonly twin?: (endpoint: Endpoint) => Promise<Answer | undefined>;
  /** Puts back what may have been changed and is not removed with the check. */
  readonly restore?: () => Promise<unknown>;
}

export interface RefusalPlan {
  readonly open: (endpoints: readonly Endpoint[]) => Promise<Stage>;
  /** That nothing happened. */
  readonly nothing: ClauseId;
  /** A service may take some of them: the others are sent again, without those. */
  readonly mayTake?: true;
}

/** Each takes a stage of its own: where nothing is refused there is no end of them. */
const CULPRITS_MOST = 3;

/** Later ones may take away what earlier ones need. */
const ORDER = { none: 0, creates: 1, changes: 2, deletes: 3 } as const;

export function inOrder(endpoints: readonly Endpoint[]): readonly Endpoint[] {
  // What names less deletes more, and a computer takes its jobs with it; readings are there for 45 seconds.
  return endpoints
    .toReversed()
    .toSorted((left, right) => ORDER[left.effect] - ORDER[right.effect] || right.parts.length - left.parts.length);
}

export async function judgeRefusals(
  context: CheckContext,
  endpoints: readonly Endpoint[],
  { open, nothing, mayTake }: RefusalPlan,
): Promise<void> {
  const { judge, require } = context;
  // Asking makes a reading, which must not come between two looks.
  await scaleContent(context);
  const stage = await open(endpoints);
  const taken: Taken = new Set();
  let isKept = true;
  const sendAll = async (): Promise<void> => {
    for (const endpoint of inOrder(endpoints)) {
      for (const trial of await trialsOf(stage, endpoint, taken)) {
        const answer = await trial.api.send(trial.request);
        if (mayTake && answer.status < 300) taken.add(nameIn(endpoint, trial));
        for (const [clause, expect] of trial.expected) {
          const isRefused = judge(clause, atEndpoint(endpoint, trial.what, expect(answer)));
          isKept &&= isRefused;
          // What was let through has no error to be judged.
          if (!isRefused && answer.status < 300) break;
        }
      }
    }
  };
  let before = await takeInventories(stage);
  await sendAll();
  if (taken.size > 0) {
    await stage.restore?.();
    before = await takeInventories(stage);
    await sendAll();
  }
  const changed = compare(stage, before, await takeInventories(stage));
  if (changed) await stage.restore?.();
  if (changed) isKept = (await findCulprits(context, endpoints, { open, nothing }, changed, taken)) && isKept;
  else judge(nothing, undefined);
  const twins: (Mismatch | undefined)[] = [];
  // Where something was let through the things that the twins need may be gone.
  for (const endpoint of isKept ? inOrder(endpoints) : []) {
    const answer = await stage.twin?.(endpoint);
    twins.push(answer && atEndpoint(endpoint, 'the same request as it should be', expectServed(endpoint, answer)));
  }
  await stage.restore?.();
  require(undefined, ...twins);
}

/** Trials that a service took, and may: what they do is no matter. */
type Taken = Set<string>;

const nameIn = (endpoint: Endpoint, { what }: Trial): string => `${nameOf(endpoint)} ${what}`;

async function trialsOf({ trials }: Stage, endpoint: Endpoint, taken: Taken): Promise<readonly Trial[]> {
  return (await trials(endpoint)).filter((trial) => !taken.has(nameIn(endpoint, trial)));
}

async function takeInventories({ watched }: Stage): Promise<readonly Inventory[]> {
  const taken: Inventory[] = [];
  for (const { party, paths } of watched) taken.push(await takeInventory(party.api, paths));
  return taken;
}

function compare({ watched }: Stage, before: readonly Inventory[], after: readonly Inventory[]): Mismatch | undefined {
  for (const [index, { party }] of watched.entries()) {
    const mismatch = expectSame(before[index] ?? {}, after[index] ?? {}, party.title);
    if (mismatch) return mismatch;
  }
  return undefined;
}

/** Judges each endpoint by itself; true when none has changed anything this time. */
async function findCulprits(
  context: CheckContext,
  endpoints: readonly Endpoint[],
  { open, nothing }: RefusalPlan,
  changed: Mismatch,
  taken: Taken,
): Promise<boolean> {
  let culprits = 0;
  for (const endpoint of endpoints) {
    if (culprits === CULPRITS_MOST) {
      context.note(`${CULPRITS_MOST} requests changed something; the others were not looked at one by one`);
      break;
    }
    const stage = await open([endpoint]);
    const before = await takeInventories(stage);
    for (const { api, request } of await trialsOf(stage, endpoint, taken)) await api.send(request);
    const again = compare(stage, before, await takeInventories(stage));
    await stage.restore?.();
    const shown =
      again && ((await firstCulprit(endpoint, open, taken)) ?? { what: 'what the refused requests did', again });
    if (!context.judge(nothing, shown && atEndpoint(endpoint, shown.what, shown.again))) culprits++;
  }
  const areKept = culprits === 0;
  if (areKept) context.note(`${changed.at} changed once, and not when the requests were repeated one by one`);
  return areKept;
}

/** The first of its requests that changes something, on a stage of its own. */
async function firstCulprit(
  endpoint: Endpoint,
  open: RefusalPlan['open'],
  taken: Taken,
): Promise<{ readonly what: string; readonly again: Mismatch } | undefined> {
  const stage = await open([endpoint]);
  const before = await takeInventories(stage);
  let culprit: { readonly what: string; readonly again: Mismatch } | undefined;
  for (const { api, request, what } of await trialsOf(stage, endpoint, taken)) {
    const { position } = await api.send(request);
    const again = compare(stage, before, await takeInventories(stage));
    if (again) culprit = { what, again: { ...again, exchange: position } };
    if (again) break;
  }
  await stage.restore?.();
  return culprit;
}
