/**
 * Client computer: a virtual computer that a client program of the service runs. It is a print system of its own, with
 * a queue for each virtual printer, a USB bus with its scales, and the program that connects it to the service.
 *
 *   service ◄──► client program ─► CUPS ─► IPP ─► virtual printer ─► paper ─► job, as far as it is seen there
 *      ▲                                                                          │
 *      └── looked at through the API: computer, printers, states ── session ◄─────┘
 *
 * Going away is stopping the program, coming back is starting it. What it keeps on its disk and in its print system
 * stays until the computer is taken down.
 */

import { sleep, systemClock } from '../../common/clock.ts';
import { formatDuration } from '../../common/duration.ts';
import { messageOf } from '../../common/error-message.ts';
import type { Press } from '../../devices/press/press.ts';
import type { VirtualPrinter } from '../../devices/printer/printer.ts';
import type { Printout } from '../../devices/printer/printout.ts';
import {
  LinkError,
  type JobStateReport,
  type LinkFailure,
  type LinkRequest,
  type LinkSession,
  type ProgramPart,
  type ReadingReport,
} from '../../link/device-link.ts';
import type { PrinterReport, ScaleReport } from '../../link/messages.ts';
import { commandOf, type ClientDescription } from './client-command.ts';
import { GuardedChild } from '../guarded-child.ts';
import { GuardedFolder } from '../guarded-folder.ts';
import { ClientQueues, FEELER } from './client-queues.ts';
import { ClientScales } from './client-scales.ts';
import { isOut, paperItself, recognise, seenOnPaper, type ExpectedJob, type ExpectedJobs } from './paper-jobs.ts';

export interface ClientComputerOptions {
  readonly client: ClientDescription;
  /** The folder of the descriptor: the program runs there. */
  readonly cwd: string;
  readonly press: Press;
  /** Jobs that the service took, for all computers. */
  readonly expected: ExpectedJobs;
}

const LOOK_EVERY_MS = 500;
/** How long the client may take until the service shows what it has done. */
const SHOW_MS = 20_000;
/** How long a service may take to notice that it is gone. */
const AWAY_MS = 5_000;
/** A job of several submissions is there when nothing more has come for this long. */
const MORE_PAPER_MS = 5_000;
const LATE_ANSWER_MS = 2_000;
type Record_ = Readonly<Record<string, unknown>>;

export class ClientComputer implements LinkSession {
  readonly #options: ClientComputerOptions;
  readonly #request: LinkRequest;
  readonly #ask: (path: string) => Promise<unknown>;
  readonly #scales: ClientScales;
  #installed: Promise<void> | undefined;
  #folder: GuardedFolder | undefined;
  #queues: ClientQueues | undefined;
  #program: GuardedChild | undefined;
  #connecting: Promise<void> | undefined;
  #goingAway = false;
  /** The state that the API showed when it was connected, and when it was away. */
  #whenHere: string | undefined;
  #whenAway: string | undefined;
  readonly #takenDown = new AbortController();
  #recovering: Promise<void> = Promise.resolve();
  /** Paper is looked at in the order in which it came out. */
  #seen: Promise<void> = Promise.resolve();
  /** Printers the service has, by key. */
  readonly #printerIds = new Map<string, number>();
  computerId = 0;

  constructor(options: ClientComputerOptions, request: LinkRequest, ask: (path: string) => Promise<unknown>) {
    this.#options = options;
    this.#request = request;
    this.#ask = ask;
    this.#scales = new ClientScales({
      computerName: request.client.computerName,
      press: options.press,
      shown: async () => recordsIn(await ask(`/computer/${this.computerId}/scales`)),
    });
  }

  get connected(): boolean {
    return this.#program !== undefined && this.#program.end === undefined;
  }

  get name(): string {
    return this.#request.client.computerName;
  }

  get printers(): readonly PrinterReport[] {
    return (this.#queues?.all ?? []).map(({ shown, report }) => ({ ...report, name: shown }));
  }

  get scales(): readonly ScaleReport[] {
    return this.#scales.all;
  }

  /** A caller that asks the service looks at what was delivered; others print it. */
  get #isLookedAt(): boolean {
    return this.#request.ask !== undefined;
  }

  /** Starts its print system. @throws ActionableError without CUPS */
  install(): Promise<void> {
    return (this.#installed ??= this.#install());
  }

  async #install(): Promise<void> {
    const { computerName } = this.#request.client;
    this.#folder = await GuardedFolder.make('platen-client-');
    this.#queues = await ClientQueues.start({
      computerName,
      folder: this.#folder.path,
      press: this.#options.press,
      onPaper: (key, printer, printout) => {
        this.#seen = this.#seen
          .then(() => this.#cameOut(key, printer, printout))
          // What comes out while it is taken down is not looked at any more.
          .catch((error: unknown) => {
            if (!this.#takenDown.signal.aborted) throw error;
          });
      },
    });
  }

  /** Makes the print system have these printers; resolves when the service shows them. @throws LinkError */
  async reportPrinters(printers: readonly PrinterReport[]): Promise<void> {
    try {
      const queues = this.#queues;
      if (!queues) throw new LinkError(failed('the computer has no print system'));
      const { isOther, gone } = await queues.setUp(printers);
      for (const key of gone) this.#printerIds.delete(key);
      const changed = await queues.bringStates(printers);
      if (this.#program === undefined) await this.reconnect();
      else if (isOther) await this.#findPrinters();
      for (const { key, state } of changed) await this.#waitForState(key, state);
    } catch (error) {
      throw error instanceof LinkError ? error : new LinkError(failed(messageOf(error)), { cause: error });
    }
  }

  /** Kills a part of it, as a power cut does, and starts it again. */
  crash(part: ProgramPart, downMs: number): void {
    const { signal } = this.#takenDown;
    const recover = async (): Promise<void> => {
      if (part === 'spooler') return this.#queues?.crash(downMs, signal);
      this.#goingAway = true;
      this.#program?.kill('SIGKILL');
      await this.#program?.exited;
      this.#program = undefined;
      await sleep(systemClock, downMs, signal);
      await this.reconnect();
    };
    this.#recovering = this.#recovering.then(recover).catch((error: unknown) => {
      if (!signal.aborted) this.#request.events.onDrop(failed(messageOf(error)));
    });
  }

  /** Starts the program; resolves when the service shows computer and printers. @throws LinkError */
  reconnect(): Promise<void> {
    // A second program beside the first would be forgotten.
    this.#connecting ??= this.#connect().finally(() => {
      this.#connecting = undefined;
    });
    return this.#connecting;
  }

  async #connect(): Promise<void> {
    if (this.connected) return;
    const known = this.computerId === 0 ? await this.#computersOfThisName() : [];
    const [queues, folder] = [this.#queues, this.#folder?.path];
    if (!queues || folder === undefined || this.#takenDown.signal.aborted)
      throw new LinkError(failed('the computer was taken down'));
    const { credential, client, serviceUrl } = this.#request;
    const [computer, { key }] = [client.computerName, credential];
    const variables = { url: serviceUrl, key, computer, cups: queues.server, folder };
    const { command, environment } = commandOf(this.#options.client, variables);
    this.#goingAway = false;
    const program = new GuardedChild({
      command,
      environment: { ...process.env, ...queues.environment, ...environment },
      cwd: this.#options.cwd,
    });
    this.#program = program;
    program.onEnd(() => this.#ended(program));
    const old = new Set(known.map(({ id }) => id));
    await this.#untilShown(`the computer '${computer}'`, async () => {
      const shown = (await this.#computersOfThisName()).filter(({ id }) => !old.has(id));
      const found = shown.find(({ id }) => id === this.computerId) ?? shown.at(-1);
      if (!found || stateIn(found) === this.#whenAway) return false;
      this.computerId = Number(found['id']);
      return true;
    });
    await this.#findPrinters();
  }

  /** The program reports states by itself: of the last one it resolves when the service shows it. */
  async reportJobState({ jobId, state }: JobStateReport): Promise<void> {
    if (state !== 'done') return;
    const isShown = async (): Promise<boolean> =>
      JSON.stringify(await this.#ask(`/printjobs/${jobId}/states`)).includes('"done"');
    await this.#untilShown(`job ${jobId} as done`, isShown);
  }

  /** Those of a computer that prints what it gets are not put on a bus: they publish by themselves. */
  reportScales(scales: readonly ScaleReport[]): Promise<void> {
    return this.#isLookedAt ? this.#scales.setUp(scales) : Promise.resolve();
  }

  publishReading(reading: ReadingReport): Promise<void> {
    return this.#isLookedAt ? this.#scales.weigh(reading) : Promise.resolve();
  }

  pause(): void {
    this.cut();
  }

  resume(): void {
    this.reconnect().catch(() => undefined);
  }

  cut(): void {
    void this.#goAway();
  }

  /** Stops the program; resolves when the service shows that it is gone, if it shows that at all. */
  async close(): Promise<void> {
    if (this.#program === undefined) return;
    await this.#goAway();
    const isAway = await this.#lookFor(AWAY_MS, async () => {
      this.#whenAway = await this.#stateShown();
      return this.#whenAway !== this.#whenHere;
    }).catch(() => false);
    if (!isAway) this.#whenAway = undefined;
  }

  async takeDown(): Promise<void> {
    this.#takenDown.abort();
    await this.#recovering;
    await this.#goAway();
    // What is being installed can only be removed when it is there.
    await this.#installed?.catch(() => undefined);
    await this.#scales.close();
    await this.#queues?.close();
    await this.#folder?.close();
  }

  async #goAway(): Promise<void> {
    this.#goingAway = true;
    const program = this.#program;
    await program?.stop();
    if (this.#program === program) this.#program = undefined;
  }

  #ended(program: GuardedChild): void {
    if (this.#goingAway || this.#program !== program) return;
    this.#program = undefined;
    const failure = failed(`the client program is gone: ${[program.end, ...program.lines].join('\n  | ')}`);
    this.#show('computer', `(${failure.message})`);
    this.#request.events.onDrop(failure);
  }

  /** Until the service shows the state, if its client reports it at all. */
  async #waitForState(key: string, wanted: string | null): Promise<void> {
    const id = this.#printerIds.get(key);
    await this.#lookFor(SHOW_MS, async () => {
      const [shown] = recordsIn(await this.#ask(`/printers/${id}`));
      return shown?.['state'] === wanted;
    });
  }

  /** A printout is a job, one of its submissions, or one too many: then the job was delivered again. */
  async #cameOut(key: string, printer: VirtualPrinter, printout: Printout): Promise<void> {
    if (printout.title === FEELER) return;
    const found = await this.#recognised(printout, key, printer);
    if (!found) {
      this.#show('computer', `(paper that belongs to no job: '${printout.title}')`);
      return;
    }
    const wasOut = isOut(found);
    found.printouts.push(printout);
    if (isOut(found)) await this.#deliver(key, printer, wasOut ? { ...found, printouts: [printout] } : found);
    else void this.#deliverIncomplete(key, printer, found);
  }

  /** Paper may be out before the answer to its submission is in: until then it may look like that of an older job. */
  async #recognised(printout: Printout, key: string, printer: VirtualPrinter): Promise<ExpectedJob | undefined> {
    const { press, expected } = this.#options;
    const place = { printerId: this.#printerIds.get(key), printer, press };
    const untilMs = systemClock.now() + LATE_ANSWER_MS;
    for (;;) {
      const found = await recognise(printout, place, expected);
      if ((found && !isOut(found)) || systemClock.now() > untilMs) return found;
      await sleep(systemClock, LATE_ANSWER_MS / 20);
    }
  }

  /** Less came out than was asked for, and nothing more does. */
  async #deliverIncomplete(key: string, printer: VirtualPrinter, found: ExpectedJob): Promise<void> {
    const { length } = found.printouts;
    await sleep(systemClock, MORE_PAPER_MS);
    if (found.printouts.length === length) await this.#deliver(key, printer, found);
  }

  async #deliver(key: string, printer: VirtualPrinter, seen: ExpectedJob): Promise<void> {
    const read = this.#isLookedAt ? seenOnPaper : paperItself;
    const delivered = await read(seen, key, printer, this.#options.press);
    this.#show('service', JSON.stringify({ type: 'job', ...delivered }));
    await this.#request.events.onJob(delivered).catch(() => undefined);
  }

  #show(from: 'computer' | 'service', text: string): void {
    this.#request.onFrame?.({ from, text });
  }

  async #computersOfThisName(): Promise<readonly Record_[]> {
    const { computerName } = this.#request.client;
    return recordsIn(await this.#ask('/computers?limit=100&dir=desc'))
      .filter(({ name }) => name === computerName)
      .toReversed();
  }

  async #findPrinters(): Promise<void> {
    const queues = this.#queues?.all ?? [];
    const names = queues.map(({ report }) => `'${report.name}'`).join(', ');
    await this.#untilShown(`printers ${names || '(none)'} of computer ${this.computerId}`, async () => {
      const shown = recordsIn(await this.#ask(`/computers/${this.computerId}/printers`));
      for (const queue of queues) {
        const { name, report } = queue;
        const isIts = (one: Record_): boolean => one['name'] === name || one['name'] === report.name;
        const found = shown.find(isIts);
        if (typeof found?.['id'] !== 'number') return false;
        this.#printerIds.set(report.key, found['id']);
        queue.shown = String(found['name']);
      }
      return shown.length === queues.length;
    });
    this.#whenHere = await this.#stateShown();
  }

  /** Undefined where the computer is not shown. */
  async #stateShown(): Promise<string | undefined> {
    const self = (await this.#computersOfThisName()).find(({ id }) => id === this.computerId);
    return self && stateIn(self);
  }

  /** @throws LinkError with the last lines of the program */
  async #untilShown(what: string, look: () => Promise<boolean>): Promise<void> {
    const program = this.#program;
    const isShown = await this.#lookFor(SHOW_MS, async () => program?.end !== undefined || (await look()));
    if (isShown && program?.end === undefined) return;
    const why = program?.end ?? `the service does not show ${what} within ${formatDuration(SHOW_MS)}`;
    const lines = program?.lines.map((line) => `  | ${line}`) ?? [];
    throw new LinkError({ ...failed(`the client program did not connect: ${why}`), lines });
  }

  async #lookFor(limitMs: number, look: () => Promise<boolean>): Promise<boolean> {
    const untilMs = systemClock.now() + limitMs;
    while (!(await look())) {
      if (systemClock.now() > untilMs) return false;
      await sleep(systemClock, LOOK_EVERY_MS);
    }
    return true;
  }
}

function failed(message: string): LinkFailure {
  return { reason: 'unreachable', message };
}

function recordsIn(value: unknown): readonly Record_[] {
  return Array.isArray(value) ? value.filter((one): one is Record_ => typeof one === 'object' && one !== null) : [];
}

function stateIn({ state }: Record_): string {
  return JSON.stringify(state);
}
