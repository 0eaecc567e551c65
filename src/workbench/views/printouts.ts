/**
 * Printouts: what operating systems and programs printed on the printers of a room, past the service; to look at and
 * to wait for.
 */

import { sleep, systemClock } from '../../common/clock.ts';
import { durationMs, type Duration } from '../../common/duration.ts';
import type { Timekeeper } from '../../common/timekeeper.ts';
import { eventually } from '../../common/waiter.ts';
import type { HardwareOrigin, Printout } from '../../devices/printer/printout.ts';
import type { Room } from '../../devices/room.ts';
import type { HardwarePrintoutView } from '../../record/control-types.ts';
import { notFound } from '../../service/gate/api-error.ts';
import { printoutId } from '../room/printout-id.ts';
import { fitsTitle } from './job-query.ts';
import { heldBy, rawView } from './job-views.ts';
import { sidesOf } from './printed-document.ts';
import type { TitlePattern } from './title-pattern.ts';

export interface FoundPrintout {
  readonly printout: Printout;
  readonly view: HardwarePrintoutView;
}

/** Oldest first for each printer. */
export function printoutsIn(room: Room): FoundPrintout[] {
  return room.computers.flatMap((computer, index) =>
    computer.printers.flatMap((printer) =>
      printer.printouts().flatMap((printout) => {
        const { origin } = printout;
        if (origin === null) return [];
        const id = printoutId(origin, index, printer);
        return [{ printout, view: viewOf(id, computer.name, printout, origin) }];
      }),
    ),
  );
}

/** @throws ApiError when no printout has this id */
export function printoutNamed(id: string, room: Room): FoundPrintout {
  const found = printoutsIn(room).find(({ view }) => view.id === id);
  if (found) return found;
  throw notFound(`there is no printout '${id}'; GET /_platen/printouts lists them`);
}

function viewOf(id: string, computer: string, printout: Printout, origin: HardwareOrigin): HardwarePrintoutView {
  const { printerName: printer, title, complete, printedAtMs } = printout;
  const { protocol, user } = origin;
  const sides = sidesOf(printout);
  return {
    id,
    protocol,
    computer,
    printer,
    title,
    user,
    kind: printout.kind,
    sides,
    complete,
    printedAt: new Date(printedAtMs).toISOString(),
    ...(printout.kind === 'raw' && { raw: rawViewOf(printout, sides) }),
  };
}

/** What it is says why it has no picture, where nothing else does. */
function rawViewOf(printout: Extract<Printout, { kind: 'raw' }>, sides: number): RawView {
  const view = rawView(printout);
  const what = sides > 0 ? null : [view.language, view.summary].filter((part) => part !== '').join(', ');
  return { ...view, notDrawn: view.notDrawn ?? what };
}

type RawView = NonNullable<HardwarePrintoutView['raw']>;

export interface PrintoutQuery {
  readonly printer?: string | undefined;
  readonly computer?: string | undefined;
  readonly protocol?: string | undefined;
  /** A part of the title in any case, or a pattern. */
  readonly title?: string | TitlePattern | undefined;
  /** Only printouts of its printer that came after it, by its id. */
  readonly after?: string | undefined;
}

export interface PrintoutWaitOptions {
  readonly timekeeper: Timekeeper;
  /** 5 s unless given. */
  readonly timeout?: Duration | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * The newest printout that fits the query and is out as a whole, as soon as there is one.
 *
 * @param room - a reset makes another
 * @throws WaitExpired at the limit, with the one that came closest and why it is not the one
 * @throws ApiError when no printout has the id that it is to come after
 */
export async function waitForPrintout(
  query: PrintoutQuery,
  room: () => Room,
  { timekeeper, timeout = '5s', signal }: PrintoutWaitOptions,
): Promise<HardwarePrintoutView> {
  if (query.after !== undefined) printoutNamed(query.after, room());
  return eventually({
    description: 'a printout',
    limit: timeout,
    every: '20ms',
    timekeeper: alsoInRealTime(timekeeper),
    probe: () => {
      signal?.throwIfAborted();
      return candidatesIn(room(), query).find(({ why }) => why.length === 0)?.view;
    },
    lastSeen: () => [closestOf(candidatesIn(room(), query)), heldIn(room())].filter(Boolean).join('; '),
  });
}

/** What prints is another program, to which a virtual clock means nothing: it has to be given time. */
function alsoInRealTime(timekeeper: Timekeeper): Timekeeper {
  if (!timekeeper.isVirtual) return timekeeper;
  return {
    isVirtual: true,
    now: () => timekeeper.now(),
    elapse: async (duration) => {
      await sleep(systemClock, durationMs(duration));
      await timekeeper.elapse(duration);
    },
  };
}

interface Candidate extends FoundPrintout {
  /** Why it is not what the query asks for; empty when it is. */
  readonly why: readonly string[];
}

/** Newest first. */
function candidatesIn(room: Room, query: PrintoutQuery): Candidate[] {
  const all = printoutsIn(room);
  const later = new Set(query.after === undefined ? all : laterThan(query.after, all));
  return all
    .map((found) => ({ ...found, why: mismatches(found, query, later.has(found)) }))
    .toReversed()
    .toSorted((a, b) => b.printout.printedAtMs - a.printout.printedAtMs);
}

/** Those that its printer printed after it. */
function laterThan(id: string, all: readonly FoundPrintout[]): readonly FoundPrintout[] {
  const at = all.findIndex(({ view }) => view.id === id);
  const before = all[at];
  const isOfSame = ({ view, printout }: FoundPrintout): boolean =>
    view.computer === before?.view.computer && printout.printerKey === before.printout.printerKey;
  return all.slice(at + 1).filter(isOfSame);
}

function mismatches({ printout, view }: FoundPrintout, query: PrintoutQuery, isLater: boolean): string[] {
  const { printer, computer, protocol, title, after } = query;
  const complaints: [boolean, string][] = [
    [isLater, `it did not come after ${after}`],
    [printer === undefined || view.printer === printer, `it came out of ${view.printer}, not ${printer}`],
    [computer === undefined || view.computer === computer, `it is of ${view.computer}, not ${computer}`],
    [protocol === undefined || view.protocol === protocol, `it came by ${view.protocol}, not ${protocol}`],
    [fitsTitle(view.title, title), `its title is ${JSON.stringify(view.title)}, not ${String(title)}`],
    [printout.complete, 'only a part of it is out'],
  ];
  return complaints.filter(([fine]) => !fine).map(([, complaint]) => complaint);
}

function closestOf(candidates: readonly Candidate[]): string {
  const [closest] = candidates.toSorted((a, b) => a.why.length - b.why.length);
  return closest ? `${closest.view.id}, but ${closest.why.join(', ')}` : 'nothing came out';
}

/** What keeps printers from printing. */
function heldIn({ printers }: Room): string | null {
  return heldBy(printers.flatMap(({ name, toCome }) => toCome.map((paper) => ({ ...paper, printerName: name }))));
}
