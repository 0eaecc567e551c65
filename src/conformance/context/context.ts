/**
 * Context: what a check works with. One is made for each check, and cleaned up after it.
 *
 *   api, secondApi       clients of the account and of another one; callAs makes others     clients.ts
 *   judge, demand …      what it found out, clause by clause                                findings.ts
 *   computers, elapse    computers that exist for this check, and time that goes by
 *   children             Child Accounts that exist for this check
 *   listening            webhooks of this check and what they are sent
 *   speak                how the target answers what the specification leaves open          ../dialect
 *   property             many seeded inputs instead of one
 */

import type { Duration } from '../../common/duration.ts';
import { parseJson, type JsonObject } from '../../common/json-value.ts';
import { createRandom, type Random } from '../../common/random.ts';
import { monotonicMs, startStopwatch } from '../../common/stopwatch.ts';
import type { Press } from '../../devices/press/press.ts';
import type { Mismatch } from '../../oracle/mismatch.ts';
import type { Dialect, QuestionId } from '../../targets/dialect.ts';
import type { Endpoint } from '../../specification/clause.ts';
import type { Target } from '../../targets/target.ts';
import { asRecords } from '../expect/records.ts';
import type { Transport } from './api-client.ts';
import { ifOffered } from './check-ended.ts';
import { createChildren, type Children } from './children.ts';
import { openClients, type Clients } from './clients.ts';
import { createComputers, type Computers, type Owner } from './computers.ts';
import { createFindings, type Findings, type Speaking } from './findings.ts';
import type { History } from './history.ts';
import { createLeftovers } from './leftovers.ts';
import { createListening, type Listening } from './listening.ts';
import { createRawLinks, type OpenRawLink } from './raw-link.ts';
import type { ShowFrame } from './scale-feed.ts';
import { tryProperty, type PropertyPlan } from './property.ts';

/** How the target answers what the specification leaves open. Ends the check as untestable where that is unknown. */
export type Speak = <Id extends QuestionId>(question: Id) => Promise<Dialect[Id]>;

export interface CheckContext extends Clients, Speaking {
  readonly target: Target;
  readonly computers: Computers;
  /** Needs `integrator` or `child-account`. */
  readonly children: Children;
  /** Has something of the account removed after the check: by DELETE of this path, which names it alone. */
  readonly removeLater: (path: string, owner?: Owner) => void;
  /** Needs `device-link`: a computer's end of the link, frame by frame. */
  readonly openRawLink: OpenRawLink;
  /** Keeps a frame of the scale websocket as evidence. */
  readonly showFrame: ShowFrame;
  /** Needs `webhook-receiver`. */
  readonly listening: Listening;
  /** The press of the run; without one, a computer that prints has its own. */
  readonly press?: Press | undefined;
  /** Draws what is tried: the same with the same seed. */
  readonly random: Random;
  /** Draws names and ids. They differ from run to run: what a service did not remove may still be there. */
  readonly naming: Random;
  /** The whole run so far, this check included. */
  readonly history: History;
  readonly speak: Speak;
  /** The endpoints that the target has. */
  readonly offered: (endpoints: readonly Endpoint[]) => Promise<readonly Endpoint[]>;
  /** What comes of work that is left out where the target does not have what it asks for. */
  readonly ifOffered: <Value>(work: Promise<Value>) => Promise<Value | undefined>;
  /** Lets time go by for the service. */
  readonly elapse: (duration: Duration) => Promise<void>;
  /** Whether a check that draws its inputs may draw more; on a virtual clock only for a limited real time. */
  readonly hasTime: () => boolean;
  /** A string that no other check and no other run uses. */
  readonly uniqueText: (what: string) => string;
  /** Tries an expectation on many inputs. */
  readonly property: <Input>(plan: Pick<PropertyPlan<Input>, 'inputs' | 'judge'>) => Promise<Mismatch | undefined>;
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
  readonly speak: Speak;
}

export interface OpenContext {
  readonly context: CheckContext;
  readonly findings: Findings;
  /** Some of what it is about is not offered: it need not judge all of its clauses. */
  readonly isPartial: boolean;
  /**
   * Removes what the check made, and returns a line for each thing that could not be removed. Never throws.
   */
  close(): Promise<readonly string[]>;
}

/** What was answered to changes of webhooks, as it was read. */
function webhooksShownTo({ exchanges, history }: Transport): readonly JsonObject[] {
  return exchanges
    .filter(({ exchange }) => /^\/webhook\b/.test(exchange.request.path))
    .flatMap(({ position }) => asRecords(parseJson(history.read[position]?.response.body ?? Buffer.of())) ?? []);
}

/** Half of what a check may take. */
const DRAWING_MOST_MS = 15_000;

/** Makes the context of one check. */
export function openContext(options: ContextOptions): OpenContext {
  const { checkId, transport, random, runTag, propertyRuns, speak } = options;
  const { target, history, jobIds, webhookUrls, traffic } = transport;
  const { clients, owners, parentOf } = openClients(transport);
  const findings = createFindings(transport);
  const elapsedMs = startStopwatch();
  // On a real clock a check has minutes, and draws little.
  const hasTime = (): boolean => !target.timekeeper.isVirtual || elapsedMs() < DRAWING_MOST_MS;
  let texts = 0;
  let properties = 0;
  let isPartial = false;
  // It may be the name of a tag, and trials are named after endpoints.
  const plainId = checkId.replaceAll(/[^\w.-]+/g, '-');
  const uniqueText = (what: string): string => `platen-${runTag}-${plainId}-${what}-${++texts}`;
  const naming = createRandom(`${runTag}/${checkId}`);
  const computers = createComputers({
    target,
    owners,
    random: naming.stream('room'),
    name: checkId,
    jobIds,
  });
  const children = createChildren({
    parent: parentOf('account'),
    second: parentOf('second-account'),
    history,
    uniqueText,
  });
  const shownWebhooks = (): readonly JsonObject[] => webhooksShownTo(transport);
  const listening = createListening({ target, owners, uniqueText, webhookUrls, shownWebhooks, traffic });
  const leftovers = createLeftovers(owners);
  const rawLinks = createRawLinks(target, traffic);
  const context: CheckContext = {
    ...clients,
    ...findings.speaking,
    target,
    computers,
    children,
    removeLater: leftovers.add,
    openRawLink: rawLinks.open,
    showFrame: (from, text) =>
      void traffic.frames.push({ atMs: monotonicMs(), computer: 'scale websocket', from, text }),
    listening,
    press: transport.press,
    random,
    naming,
    history,
    speak,
    async offered(endpoints) {
      const there = (await transport.offers?.offered(endpoints)) ?? endpoints;
      isPartial ||= there.length < endpoints.length;
      return there;
    },
    async ifOffered(work) {
      const value = await ifOffered(work);
      isPartial ||= value === undefined;
      return value;
    },
    elapse: (duration) => target.timekeeper.elapse(duration),
    hasTime,
    uniqueText,
    property: (plan) => {
      const seed = random.stream(`property-${++properties}`).integer(0, 0x7fffffff);
      return tryProperty({ ...plan, seed, runs: propertyRuns, hasTime });
    },
  };
  return {
    context,
    findings,
    get isPartial() {
      return isPartial;
    },
    async close() {
      const problems: string[] = [];
      // Webhooks first: what happens while computers are removed is of no interest to them.
      for (const made of [listening, rawLinks, computers, children, leftovers]) problems.push(...(await made.close()));
      return problems;
    },
  };
}
