/**
 * Paper path: from the operating system's print queue to the output tray, sheet by sheet.
 *
 *   spooler ─(done: the queue took it)─► queue ─► feed a sheet ─► print it ─► output tray
 *                                                   │ tray empty     │ fault
 *                                                   └── stop, until paper is loaded or the fault cleared
 *
 * The lower of two layers: what happens here no longer changes the state of a job. A printer that prints
 * has one timer, an idle or stopped one has none; where sheets take no time they come out at once.
 *
 * Choices: a jam loses the sheet in the path, which is printed again on a new sheet once the jam is cleared, as
 * printers with jam recovery do. Any other fault keeps it in the path; the rest of a receipt follows, on another piece
 * of paper where the roll had ended. After a stop, the first sheet takes as long as the first of a job.
 */

import type { Clock, Timer } from '../../common/clock.ts';
import type { Press } from '../press/press.ts';
import type { Sheet } from '../press/sheet-plan.ts';
import { MM_PER_POINT } from '../press/print-settings.ts';
import { OutputTray, PaperTrays } from './paper-trays.ts';
import { rawPieceMs, sheetMs } from './print-time.ts';
import { faultsAtStart, isPaperGone, stateWith, stopsSheets, type PrinterFault } from './printer-fault.ts';
import type { PrinterProfile } from './printer-profile.ts';
import { printoutOf, type Impression, type Printout, type PrintoutFacts } from './printout.ts';
import { ReceiptProgress } from './receipt-progress.ts';
import type { RoomObserver } from './room-observer.ts';

export interface PaperPathOptions {
  readonly clock: Clock;
  readonly press: Press;
  /** How long printing takes, as a part of what the machine would need: 1 is real speed, 0 no time. */
  readonly timeScale: number;
  readonly trayCapacity: number;
  readonly observer?: RoomObserver | undefined;
}

export interface StateListener {
  /** The state that a client would report has changed. */
  refresh(): void;
  faultsChanged?(): void;
}

/** A submission as those that made it can follow it. */
export interface SubmittedPrintout {
  sheetsOut(): number;
  isOut(): boolean;
  /** Takes it out of the queue; what is out already stays in the tray. */
  cancel(): void;
}

const FORGETS: PrinterFault = 'forgets-jobs';
const FORGOTTEN: SubmittedPrintout = { sheetsOut: () => 0, isOut: () => true, cancel: () => undefined };

/** One submission in the queue, and how far it is. */
interface Submission {
  readonly onOut: (() => void) | undefined;
  readonly facts: PrintoutFacts;
  readonly impression: Impression;
  /** Undefined where no receipts are printed. */
  readonly receipt: ReceiptProgress | undefined;
  sheetsOut: number;
  sheetsLost: number;
  lastOutMs: number;
}

interface ComingFault {
  readonly fault: PrinterFault;
  readonly onRaised: (() => void) | undefined;
  sheetsLeft: number;
  /** How much paper comes after these sheets. */
  mmLeft: number;
}

/** When a fault comes that is to come: after sheets, and then after millimetres of paper. */
export interface FaultDelay {
  readonly afterSheets?: number | undefined;
  readonly afterMm?: number | undefined;
  readonly onRaised?: (() => void) | undefined;
}

/** What the timer waits for. */
interface Printing {
  readonly timer: Timer;
  readonly sinceMs: number;
  readonly durationMs: number;
}

/** A submission whose sheets are not all out. */
export interface PaperToCome {
  readonly jobId: number | null;
  /** None where it is in the printer's own language, which has no sheets. */
  readonly sheets: number;
  /** Faults that stop the sheets. */
  readonly heldBy: readonly PrinterFault[];
}

export class PaperPath {
  readonly tray: OutputTray;
  readonly #options: PaperPathOptions;
  readonly #profile: PrinterProfile;
  readonly #listener: StateListener;
  #queue: Submission[] = [];
  #faults: PrinterFault[];
  /** What would be out without the fault, as long as it is there; it never comes. */
  #forgotten: PaperToCome[] = [];
  #coming: ComingFault[] = [];
  #trays: PaperTrays | undefined;
  #printing: Printing | undefined;
  #sheetInPath = false;
  #closed = false;
  /** Printing already: the next sheet follows without the wait for the first. */
  #running = false;

  constructor(options: PaperPathOptions, profile: PrinterProfile, listener: StateListener) {
    this.tray = new OutputTray(options.trayCapacity);
    this.#options = options;
    this.#profile = profile;
    this.#faults = [...faultsAtStart(profile)];
    this.#listener = listener;
  }

  get faults(): readonly PrinterFault[] {
    return this.#faults;
  }

  /** The state that its faults give the printer; undefined when they give none. */
  get state(): string | undefined {
    return stateWith(this.#faults);
  }

  /** Takes one submission from the queue; `onOut` is called when its last sheet is out, perhaps at once. */
  submit(facts: PrintoutFacts, impression: Impression, onOut?: () => void): SubmittedPrintout {
    if (this.#faults.includes(FORGETS)) {
      this.#forgotten.push({ jobId: facts.jobId, sheets: sheetsIn(impression), heldBy: [FORGETS] });
      onOut?.();
      return FORGOTTEN;
    }
    const content = impression.kind === 'raw' ? impression.content.receipt : undefined;
    const receipt = content && new ReceiptProgress(content);
    const submission: Submission = { facts, impression, receipt, onOut, sheetsOut: 0, sheetsLost: 0, lastOutMs: 0 };
    this.#queue.push(submission);
    this.#goOn();
    // Functions: V8 would keep an object with getters, and all that these refer to, until its next whole collection.
    return {
      sheetsOut: () => submission.sheetsOut,
      isOut: () => !this.#queue.includes(submission),
      cancel: () => this.#cancel(submission),
    };
  }

  #cancel(submission: Submission): void {
    if (!this.#queue.includes(submission)) return;
    if (submission === this.#queue[0]) {
      this.#interrupt();
      this.#sheetInPath = false;
      this.#running = false;
    }
    this.#queue = this.#queue.filter((one) => one !== submission);
    if (isAnyOut(submission)) this.tray.take(this.#printout(submission));
    this.#goOn();
  }

  /** Submissions that are not out of the printer yet. */
  get waiting(): number {
    return this.#queue.length;
  }

  /** Sheets left in the trays whose sheets are counted. */
  get paperLeft(): ReadonlyMap<string, number> {
    return this.#trayCounts().left;
  }

  /** What has come out of the submission that is being printed; undefined before its first sheet. */
  unfinished(): Printout | undefined {
    const [current] = this.#queue;
    return current && isAnyOut(current) ? this.#printout(current) : undefined;
  }

  /** Raises a fault, at once or after more paper. */
  fail(fault: PrinterFault, { afterSheets = 0, afterMm = 0, onRaised }: FaultDelay): void {
    if (afterSheets > 0 || afterMm > 0) {
      this.#coming.push({ fault, onRaised, sheetsLeft: afterSheets, mmLeft: afterMm });
      return;
    }
    this.#raise(fault);
    onRaised?.();
  }

  /** Clears a fault, also one that is still to come; all of them where none is named. */
  clear(fault?: PrinterFault): void {
    const stays = (one: PrinterFault): boolean => fault !== undefined && one !== fault;
    this.#coming = this.#coming.filter((coming) => stays(coming.fault));
    this.#change(this.#faults.filter(stays));
    if (!this.#faults.includes(FORGETS)) this.#forgotten = [];
    this.#goOn();
  }

  loadPaper(tray: string, sheets: number): void {
    this.#trayCounts().load(tray, sheets);
    this.clear('media-empty');
  }

  /** Makes a tray hold just these sheets. */
  setPaper(tray: string, sheets: number): void {
    this.#trayCounts().set(tray, sheets);
    if (sheets > 0) this.clear('media-empty');
  }

  /** What is not out: of the queue, in its order, and what was forgotten. */
  get toCome(): readonly PaperToCome[] {
    const heldBy = this.#faults.filter(stopsSheets);
    const waiting = this.#queue.map(({ facts: { jobId }, impression, sheetsOut }) => ({
      jobId,
      sheets: sheetsIn(impression) - sheetsOut,
      heldBy,
    }));
    return [...waiting, ...this.#forgotten];
  }

  /** Stops for good, leaving no timer; what is in the queue stays there. */
  close(): void {
    this.#printing?.timer.cancel();
    this.#printing = undefined;
    this.#closed = true;
  }

  #goOn(): void {
    while (!this.#printing && !this.#closed && !this.#faults.some(stopsSheets)) {
      const [current] = this.#queue;
      if (!current) {
        this.#running = false;
        return;
      }
      if (sheetsOf(current) === 0) {
        this.#printed(current);
        continue;
      }
      const sheet = sheetAt(current);
      if (!this.#feed(sheet)) return;
      this.#print(current, sheet);
    }
  }

  /** Brings a sheet into the path; false when something stopped it. */
  #feed(sheet: Sheet | undefined): boolean {
    if (this.#sheetInPath) return true;
    if (!this.#trayCounts().take(sheet?.tray ?? null)) {
      this.#raise('media-empty');
      return false;
    }
    this.#sheetInPath = true;
    this.#raiseDue();
    return !this.#faults.some(stopsSheets);
  }

  #print(current: Submission, sheet: Sheet | undefined): void {
    const { speed } = this.#profile;
    const stopMm = current.receipt && this.#stopWithin(current.receipt.restMm ?? 0);
    const paperMs = timeOf(current, sheet, this.#profile, stopMm);
    const durationMs = ((this.#running ? 0 : speed.firstPageOutMs) + paperMs) * this.#options.timeScale;
    const end = (): void => (stopMm === undefined ? this.#sheetOut(current, sheet) : this.#come(current, stopMm));
    this.#running = true;
    if (durationMs <= 0) return end();
    const { clock } = this.#options;
    const timer = clock.schedule(durationMs, () => {
      this.#printing = undefined;
      end();
      this.#goOn();
    });
    this.#printing = { timer, sinceMs: clock.now(), durationMs };
  }

  /** After how much of the paper that is to come a fault is due. */
  #stopWithin(mm: number): number | undefined {
    const due = this.#coming.flatMap(({ sheetsLeft, mmLeft }) => (sheetsLeft <= 0 && mmLeft < mm ? [mmLeft] : []));
    return due.length > 0 ? Math.max(0, Math.min(...due)) : undefined;
  }

  /** A part of a receipt comes out. */
  #come(current: Submission, mm: number): void {
    if (mm > 0 && current.receipt?.advance(mm)) return this.#sheetOut(current, undefined);
    current.lastOutMs = this.#options.clock.now();
    this.#paperCame(mm);
    this.#raiseDue();
  }

  #paperCame(mm: number): void {
    for (const coming of this.#coming) if (coming.sheetsLeft <= 0) coming.mmLeft -= mm;
  }

  #sheetOut(current: Submission, sheet: Sheet | undefined): void {
    this.#sheetInPath = false;
    this.#paperCame(lengthMm(current, sheet));
    current.sheetsOut++;
    current.receipt?.next();
    current.lastOutMs = this.#options.clock.now();
    for (const coming of this.#coming) coming.sheetsLeft--;
    if (current.sheetsOut >= sheetsOf(current)) this.#printed(current);
    if (current.facts.jobId !== null) this.#options.observer?.sheetOut?.(current.facts.jobId);
    this.#raiseDue();
  }

  /** Ends what is being printed. @returns how much of its time had passed, 0 to 1 */
  #interrupt(): number {
    const printing = this.#printing;
    if (!printing) return 0;
    printing.timer.cancel();
    this.#printing = undefined;
    return (this.#options.clock.now() - printing.sinceMs) / printing.durationMs;
  }

  #printed(current: Submission): void {
    current.lastOutMs = this.#options.clock.now();
    this.#queue.shift();
    this.tray.take(this.#printout(current));
    current.onOut?.();
  }

  /** A jam comes with the next sheet in the path, which it loses; other faults come between two sheets. */
  #raiseDue(): void {
    const isDue = ({ fault, sheetsLeft, mmLeft }: ComingFault): boolean =>
      sheetsLeft <= 0 && mmLeft <= 0 && (fault !== 'media-jam' || this.#sheetInPath);
    const due = this.#coming.filter(isDue);
    this.#coming = this.#coming.filter((coming) => !isDue(coming));
    for (const { fault, onRaised } of due) {
      this.#raise(fault);
      onRaised?.();
    }
  }

  #raise(fault: PrinterFault): void {
    const [current] = this.#queue;
    if (stopsSheets(fault)) {
      const passed = this.#interrupt();
      this.#running = false;
      if (current?.receipt && passed > 0) this.#come(current, passed * (current.receipt.restMm ?? 0));
      // The rest goes on another roll.
      if (isPaperGone(fault)) current?.receipt?.tear();
    }
    if (fault === 'media-jam' && this.#sheetInPath && current) {
      this.#sheetInPath = false;
      current.receipt?.spoil();
      current.sheetsLost++;
    }
    if (!this.#faults.includes(fault)) this.#change([...this.#faults, fault]);
  }

  #change(faults: PrinterFault[]): void {
    const before = this.state;
    this.#faults = faults;
    if (this.state !== before) this.#listener.refresh();
    this.#listener.faultsChanged?.();
  }

  #trayCounts(): PaperTrays {
    this.#trays ??= new PaperTrays(this.#profile.trays);
    return this.#trays;
  }

  #printout(current: Submission): Printout {
    const { facts, impression, receipt, sheetsOut, sheetsLost, lastOutMs } = current;
    const complete = sheetsOut >= sheetsOf(current);
    const progress = { complete, sheetsOut, tears: receipt?.tears ?? [], sheetsLost, printedAtMs: lastOutMs };
    return printoutOf(facts, impression, this.#options.press, progress);
  }
}

/** RAW bytes may ask for any number of labels; no more than these come out. */
const MOST_RAW_PIECES = 1_000;

/** None where it is in the printer's own language. */
function sheetsIn(impression: Impression): number {
  return impression.kind === 'raw' ? 0 : impression.sheets.length;
}

/** For RAW bytes what their text says: none where they only set the printer up, one where it does not say. */
function sheetsOf({ impression }: Submission): number {
  if (impression.kind === 'sheets') return impression.sheets.length;
  return Math.min(impression.content.count ?? 1, MOST_RAW_PIECES);
}

function sheetAt({ impression, sheetsOut }: Submission): Sheet | undefined {
  return impression.kind === 'raw' ? undefined : impression.sheets[sheetsOut];
}

function isAnyOut({ sheetsOut, receipt }: Submission): boolean {
  return sheetsOut > 0 || (receipt?.tears.length ?? 0) > 0;
}

/** @param partMm - of a receipt; all that is still to come of it unless given */
function timeOf(current: Submission, sheet: Sheet | undefined, profile: PrinterProfile, partMm?: number): number {
  const { impression, receipt } = current;
  if (impression.kind === 'raw') return rawPieceMs(profile, impression.content, partMm ?? receipt?.restMm);
  return sheet ? sheetMs(profile, sheet) : 0;
}

/** 0 where it is not known. */
function lengthMm({ receipt }: Submission, sheet: Sheet | undefined): number {
  return receipt?.restMm ?? (sheet ? sheet.paper.heightPt * MM_PER_POINT : 0);
}
