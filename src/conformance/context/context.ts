/**
 * Context: what a check works with. One is made for each check and cleaned up behind it.
 *
 *   api, stranger      clients of the account and of another one; callAs makes others
 *   children           Child Accounts that exist for this check
 *   judge, demand …    what it found out, clause by clause
 *   room, elapse       computers that exist for this check, and time that goes by
 *   listening          webhooks of this check and what they are sent
 *   property           many seeded inputs instead of one
 */

import type { Duration } from '../../common/duration.ts';
import type { Random } from '../../common/random.ts';
import { describeMismatch, type Mismatch } from '../../oracle/mismatch.ts';
import type { ClauseId } from '../../spec/clauses.ts';
import type { Target } from '../../target/target.ts';
import type { HeaderPair } from '../../wire/http-exchange.ts';
import type { Step } from './judgement.ts';
import { UNLIMITED } from './pacing.ts';
import { createApiClient, type ApiClient, type Transport } from './api-client.ts';
import { CheckEnded } from './check-ended.ts';
import { createChildren, type Children, type Parent } from './children.ts';
import type { History } from './history.ts';
import type { JudgedId, Judgement } from './judgement.ts';
import { createLeftovers } from './leftovers.ts';
import { createListening, type Listening } from './listening.ts';
import { tryProperty, type PropertyPlan } from './property.ts';
import { createRoom, type OwnerAccess, type Room } from './room.ts';

export interface CheckContext {
  readonly target: Target;
  readonly api: ApiClient;
  /** A client of an account that has nothing to do with the first. Needs `second-account`. */
  readonly stranger: ApiClient;
  /** A client of another key, or of one that sends these headers with every request. */
  readonly callAs: (apiKey: string, headers?: readonly HeaderPair[]) => ApiClient;
  /** Clients that do not keep below the request rate. */
  readonly unpaced: Unpaced;
  readonly room: Room;
  /** Needs `integrator` or `child-account`. */
  readonly children: Children;
  /** Has something of the account removed behind the check: by DELETE of this path, which names it alone. */
  readonly removeLater: (path: string) => void;
  /** Needs `webhook-receiver`. */
  readonly listening: Listening;
  readonly random: Random;
  /** The whole run so far, this check included. */
  readonly history: History;
  /** Judges a clause; true when it was kept. */
  readonly judge: (clause: ClauseId, mismatch: Mismatch | undefined) => boolean;
  /** Judges a clause, and ends the check when it was broken. */
  readonly demand: (clause: ClauseId, mismatch: Mismatch | undefined) => void;
  /** Records what the service does where the specification leaves it open. */
  readonly observe: (clause: JudgedId, observation: string) => void;
  /** Ends the check when something it builds on, and does not itself judge, did not work. */
  readonly require: (mismatch: Mismatch | undefined) => void;
  /** Something a reader of the report wants to know. */
  readonly note: (text: string) => void;
  /** Lets time go by for the service. */
  readonly elapse: (duration: Duration) => Promise<void>;
  /** A text that no other check and no other run uses. */
  readonly uniqueText: (what: string) => string;
  /** The one sequence of moves that is to be played again, in place of drawn ones. */
  readonly sequence: readonly Step[] | undefined;
  /** Keeps a sequence of moves that broke a clause, for repeating it. */
  readonly keepSequence: (steps: readonly Step[]) => void;
  /** Tries an expectation on many inputs. */
  readonly property: <Input>(
    plan: Pick<PropertyPlan<Input>, 'inputs' | 'judge'>,
  ) => Promise<Mismatch | undefined>;
}

export interface Unpaced {
  readonly account: ApiClient;
  readonly stranger: ApiClient;
  /** The stranger from another source address, where this machine has one that reaches the target. */
  readonly elsewhere: ApiClient | undefined;
}

export interface ContextOptions {
  readonly checkId: string;
  readonly transport: Transport;
  readonly random: Random;
  /** Tells runs apart that share a seed. */
  readonly runTag: string;
  /** Inputs tried by each property. */
  readonly propertyRuns: number;
  /** In place of drawn ones. */
  readonly sequence?: readonly Step[] | undefined;
}

export interface OpenContext {
  readonly context: CheckContext;
  readonly judgements: readonly Judgement[];
  readonly notes: readonly string[];
  /** The sequence of moves that broke a clause. */
  readonly keptSequence: () => readonly Step[] | undefined;
  /** Removes what the check made. Never throws; what could not be removed becomes a note. */
  close(): Promise<void>;
}

function unpacedClients(transport: Transport): Unpaced {
  const { target, elsewhere } = transport;
  const unpaced = { ...transport, pace: UNLIMITED };
  const strangerKey = target.secondApiKey ?? '';
  return {
    account: createApiClient(unpaced, target.apiKey),
    stranger: createApiClient(unpaced, strangerKey),
    elsewhere: elsewhere && createApiClient({ ...unpaced, sender: elsewhere }, strangerKey),
  };
}

/** Makes the context of one check. */
export function openContext({
  checkId,
  transport,
  random,
  runTag,
  propertyRuns,
  sequence,
}: ContextOptions): OpenContext {
  const { target, history } = transport;
  const judgements: Judgement[] = [];
  const notes: string[] = [];
  // Cleaning up is no part of what the check did, and goes on after its time is over.
  const unseen = { ...transport, exchanges: [], wireFailures: [], signal: new AbortController().signal };
  const clientOf = (apiKey: string): OwnerAccess => ({
    apiKey,
    api: createApiClient(transport, apiKey),
    cleaner: createApiClient(unseen, apiKey),
  });
  const owners = { account: clientOf(target.apiKey), stranger: clientOf(target.secondApiKey ?? '') };
  const room = createRoom({
    target,
    owners,
    random: random.stream('room'),
    name: checkId,
    jobIds: transport.jobIds,
  });
  const parentOf = ({ apiKey, api, cleaner }: OwnerAccess): Parent => ({
    api,
    cleaner,
    acting: (headers) => ({
      api: createApiClient(transport, apiKey, headers),
      cleaner: createApiClient(unseen, apiKey, headers),
    }),
  });
  const uniqueText = (what: string): string =>
    `platen-${runTag}-${checkId.replace('/', '-')}-${what}-${++texts}`;
  const children = createChildren({
    parent: parentOf(owners.account),
    stranger: parentOf(owners.stranger),
    uniqueText,
  });
  const leftovers = createLeftovers(owners.account.cleaner);
  let texts = 0;
  let properties = 0;
  let keptSequence: readonly Step[] | undefined;
  const { webhookUrls } = transport;
  const listening = createListening({ target, owners, uniqueText, webhookUrls });

  const judge = (clause: ClauseId, mismatch: Mismatch | undefined): boolean => {
    transport.signal.throwIfAborted();
    const last = transport.exchanges.at(-1)?.position;
    const placed = mismatch && last !== undefined ? { exchange: last, ...mismatch } : mismatch;
    judgements.push(placed ? { clause, mismatch: placed } : { clause });
    return mismatch === undefined;
  };

  const context: CheckContext = {
    target,
    api: owners.account.api,
    stranger: owners.stranger.api,
    callAs: (apiKey, headers) => createApiClient(transport, apiKey, headers),
    unpaced: unpacedClients(transport),
    room,
    children,
    removeLater: leftovers.add,
    listening,
    random,
    history,
    judge,
    demand(clause, mismatch) {
      if (!judge(clause, mismatch) && mismatch) throw new CheckEnded('pass', describeMismatch(mismatch));
    },
    observe: (clause, observation) => {
      judgements.push({ clause, observation });
    },
    require(mismatch) {
      if (mismatch) throw new CheckEnded('blocked', describeMismatch(mismatch));
    },
    note: (text) => {
      notes.push(text);
    },
    elapse: (duration) => target.timekeeper.elapse(duration),
    uniqueText,
    sequence,
    keepSequence: (steps) => {
      keptSequence = steps;
    },
    property: ({ inputs, judge }) => {
      const seed = random.stream(`property-${++properties}`).integer(0, 0x7fffffff);
      return tryProperty({ seed, runs: propertyRuns, inputs, judge });
    },
  };
  return {
    context,
    judgements,
    notes,
    keptSequence: () => keptSequence,
    close: async () => {
      // Webhooks first: what happens while the room is cleared is of no interest to them.
      notes.push(
        ...(await listening.close()),
        ...(await room.close()),
        ...(await children.close()),
        ...(await leftovers.close()),
      );
    },
  };
}
