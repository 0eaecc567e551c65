/**
 * Control types: what the control API answers with, as plain JSON.
 *
 * Types alone, without an import: the web page and programs elsewhere take them with `import type`.
 * Times are milliseconds since 1970 on the clock of the workbench, unless a name says otherwise.
 */

/** `GET /info`. No key in it. */
export interface InfoView {
  readonly version: string;
  readonly url: string;
  /** ISO 8601, in real time. */
  readonly startedAt: string;
  readonly seed: number | string;
  readonly clock: ClockView;
  readonly limits: 'spec' | 'off';
  readonly controlTokenRequired: boolean;
  /** How many accounts there are. */
  readonly accounts: number;
}

/** `GET /key`. */
export interface KeyView {
  readonly apiKey: string;
}

/** `GET /clock`, and the answer of whatever moves it. */
export interface ClockView {
  readonly nowMs: number;
  /** The same as ISO 8601. */
  readonly now: string;
  readonly isVirtual: boolean;
  /** Whether time passes by itself. */
  readonly running: boolean;
}

/** Every error, of the form that the service uses. */
export interface ControlErrorView {
  readonly code: string;
  readonly message: string;
}

/** A line of the list of jobs. */
export interface JobSummary {
  readonly id: number;
  readonly title: string | null;
  readonly printer: { readonly id: number; readonly name: string };
  readonly computer: { readonly id: number; readonly name: string };
  readonly state: string;
  readonly createdMs: number;
  /** How long ago it was created, on the clock of the workbench. */
  readonly ageMs: number;
  readonly contentType: string;
  readonly source: string | null;
  readonly qty: number;
  /** Sheets of paper that have come out. */
  readonly sheets: number;
  /** Sides with a picture, over all printouts. */
  readonly sides: number;
  /** Whether it goes to the printer in the printer's own language. */
  readonly raw: boolean;
  readonly accountId: number;
}

/** `GET /jobs`, newest first. */
export interface JobList {
  readonly jobs: readonly JobSummary[];
  /** Whether there are older ones. */
  readonly more: boolean;
}

/** `GET /jobs/7`, and the answer of `GET /jobs/wait`. */
export interface JobDetail extends JobSummary {
  readonly expireAtMs: number;
  readonly options: OptionsView;
  readonly timeline: readonly TimelineEntry[];
  /** One for each of the `qty` submissions that has been printed so far, in part or in whole. */
  readonly printouts: readonly PrintoutView[];
  readonly document: DocumentView;
  /** The request that prints it again, with `$PLATEN_API_KEY` in place of the key. */
  readonly curl: string;
  /** A test in vitest that expects this job. */
  readonly snippet: string;
  /** The webhook requests that carried its events. */
  readonly deliveries: readonly DeliveryEntry[];
}

/** What became of the print options of a job. */
export interface OptionsView {
  readonly asked: Readonly<Record<string, unknown>>;
  readonly applied: Readonly<Record<string, unknown>>;
  /** Option → why it had no effect. */
  readonly ignored: Readonly<Record<string, string>>;
}

/** One thing that happened to a job. */
export interface TimelineEntry {
  readonly atMs: number;
  /** Since the job was created. */
  readonly ageMs: number;
  readonly what: 'state' | 'link' | 'paper' | 'webhook';
  /** Of a state. */
  readonly state?: string;
  readonly message: string | null;
  /** Version of the client program that reported it. */
  readonly client?: string;
}

/** What came out for one submission. */
export interface PrintoutView {
  readonly submission: number;
  readonly kind: 'sheets' | 'raw';
  readonly sides: number;
  readonly sheets: number;
  /** Name of the paper of its first sheet; null where a sheet took the size of the page, and for raw bytes. */
  readonly paper: string | null;
  readonly sheetList: readonly SheetView[];
  readonly options: OptionsView;
  readonly documentSha256: string;
  /** False while sheets of it are still to come. */
  readonly complete: boolean;
  /** Sheets that a jam spoiled. */
  readonly sheetsLost: number;
  /** Of bytes in the printer's own language. */
  readonly raw?: {
    readonly bytes: number;
    readonly language: string;
    /** What it prints, in a few words, as far as its bytes tell. */
    readonly summary: string;
    /** Why labels of it have no picture; null where all have one, and for languages that are not drawn. */
    readonly notDrawn: string | null;
  };
}

/** A sheet of paper. */
export interface SheetView {
  /** From 1, within its printout. */
  readonly number: number;
  readonly copy: number;
  /** The document pages on each side, from 1; none on a blank back. */
  readonly sides: readonly { readonly face: 'front' | 'back'; readonly pages: readonly number[] }[];
  readonly paper: string | null;
  readonly tray: string | null;
  readonly color: 'color' | 'gray';
}

/** The document that was submitted; `available` at `/jobs/7/document`. */
export interface DocumentView {
  /** False where only an address was submitted: the document never came here. */
  readonly available: boolean;
  readonly bytes: number;
  readonly contentType: string;
  /** Of a document that was submitted as an address, without user info and values of the query. */
  readonly url?: string;
}

/** `GET /jobs/7/text`. */
export interface JobText {
  /** Text of each side, over all printouts. */
  readonly sides: readonly string[];
}

/** Body of the 408 of `GET /jobs/wait`. */
export interface JobWaitExpiredView extends ControlErrorView {
  readonly closest: readonly { readonly job: JobSummary; readonly why: readonly string[] }[];
}

/** A line of `GET /printers`. */
export interface AccountPrinterView {
  readonly id: number;
  readonly name: string;
  /** Name of the computer it hangs on. */
  readonly computer: string;
  readonly state: string | null;
  readonly default: boolean;
  /** The driver's description. */
  readonly summary: string;
}

/** `GET /room`. */
export interface RoomView {
  readonly computers: readonly RoomComputerView[];
  readonly profiles: {
    readonly printers: readonly PrinterProfileView[];
    readonly scales: readonly ScaleProfileView[];
  };
}

export interface PrinterProfileView {
  readonly name: string;
  readonly title: string;
  readonly kind: string;
}

export interface ScaleProfileView {
  readonly name: string;
  readonly title: string;
}

export interface RoomComputerView {
  readonly name: string;
  /** The service's id; undefined before its first connection. */
  readonly id?: number;
  readonly connected: boolean;
  /** Why its last connection ended, or could not be made. */
  readonly lastFailure?: string;
  readonly printers: readonly RoomPrinterView[];
  readonly scales: readonly RoomScaleView[];
}

export interface RoomPrinterView {
  /** Names it within its computer, also when it is renamed. */
  readonly key: string;
  readonly name: string;
  /** The service's id; undefined before the service knows it. */
  readonly id?: number;
  readonly profile: string;
  readonly online: boolean;
  /** As its computer reports it. */
  readonly state: string | null;
  /** What is wrong with it, by the names of IPP printer-state-reasons. */
  readonly reasons: readonly string[];
  readonly trays: readonly TrayView[];
  /** Submissions that wait for paper. */
  readonly jobsHeld: number;
  /** Of the job whose sheets came out last. */
  readonly lastJobId?: number;
}

export interface TrayView {
  readonly name: string;
  /** Null for a tray that never runs empty. */
  readonly sheets: number | null;
  /** What it held at the start; null where that is not counted. */
  readonly capacity: number | null;
}

export interface RoomScaleView {
  readonly deviceName: string;
  readonly deviceNum: number;
  readonly profile: string;
  readonly on: boolean;
  /** What its display shows, such as `250 g`; empty while it is off. */
  readonly massText: string;
  /** The unit of its display. */
  readonly unit: string;
  readonly stable: boolean;
  /** What really lies on the platform. */
  readonly grams: number;
}

/** Answer of whatever changes the room. */
export interface RoomComputersView {
  readonly computers: readonly RoomComputerView[];
}

/** Body of `POST /room/computers`. */
export interface NewRoomComputer {
  readonly name: string;
  readonly printers?: readonly NewRoomPrinter[];
  readonly scales?: readonly NewRoomScale[];
}

/** Body of `POST /room/computers/{name}/printers`. */
export interface NewRoomPrinter {
  readonly profile: string;
  readonly name?: string;
}

/** Body of `POST /room/computers/{name}/scales`. */
export interface NewRoomScale {
  readonly profile: string;
  readonly name?: string;
}

/** Body of `POST /room/computers/{name}/printers/{key}`; what is left out stays as it is. */
export interface PrinterChange {
  readonly online?: boolean;
  /** Sheets that are to lie in the tray from now on. */
  readonly tray?: { readonly name: string; readonly sheets: number };
  readonly cover?: 'open' | 'closed';
  readonly jam?: boolean;
  readonly toner?: 'full' | 'low' | 'empty';
}

/** Body of `POST /room/computers/{name}/scales/{deviceNum}`. */
export interface ScaleChange {
  /** What is to lie on the platform. */
  readonly grams?: number;
  /** Plugged in and switched on, or unplugged. */
  readonly on?: boolean;
  readonly button?: 'tare' | 'zero' | 'unit' | 'power';
}

/** `GET /requests`. */
export interface TrafficList {
  /** Oldest first. */
  readonly entries: readonly TrafficEntry[];
}

/** A request that the service got, and its answer. No secret is in it. */
export interface TrafficEntry {
  /** Grows by one with each request. */
  readonly id: number;
  readonly timeMs: number;
  readonly requestId: string;
  readonly method: string;
  /** With the query; values of parameters that carry secrets are `…`. */
  readonly path: string;
  readonly status: number;
  /** Handling time in real milliseconds. */
  readonly durationMs: number;
  readonly accountId: number | null;
  /** Headers and bodies are kept of the newest requests alone; null where they are gone. */
  readonly requestHeaders: Readonly<Record<string, string>> | null;
  readonly requestBody: BodyText | null;
  readonly responseHeaders: Readonly<Record<string, string>> | null;
  readonly responseBody: BodyText | null;
  /** Sends it again, with `$PLATEN_API_KEY` in place of the key. */
  readonly curl: string | null;
}

/** A body as text, cut where it is long. */
export interface BodyText {
  readonly text: string;
  /** Of the whole body. */
  readonly bytes: number;
  readonly cut: boolean;
}

/** `GET /deliveries`. */
export interface DeliveryList {
  /** Oldest first. */
  readonly entries: readonly DeliveryEntry[];
}

/** A request that the service made to a webhook. */
export interface DeliveryEntry {
  readonly id: number;
  readonly accountId: number | null;
  readonly webhookId: number;
  /** Without user info; values of the query are `…`. */
  readonly url: string;
  /** The highest of its events: 1 for a first try, 2 for the retry; one made by hand counts as the next. */
  readonly attempt: number;
  /** When its events were due. */
  readonly dueMs: number;
  readonly sentMs: number;
  readonly endedMs: number;
  /** Null when no answer came; `error` then says why. */
  readonly status: number | null;
  readonly error: string | null;
  readonly events: readonly Readonly<Record<string, unknown>>[];
  readonly requestBody: BodyText;
  readonly responseHeaders: Readonly<Record<string, string>>;
  /** Whether the answer carried `X-Service-Webhook-Status: OK`. */
  readonly okHeader: boolean;
  /** When what failed is tried again. */
  readonly next: { readonly dueMs: number } | null;
  readonly outcome: 'delivered' | 'will-retry' | 'dropped';
  /** The delivery that this one repeats by hand. */
  readonly repeats: number | null;
}

/** A rule in force, of `GET /faults`. */
export interface FaultView {
  readonly id: string;
  readonly rule: {
    readonly at: string;
    readonly fault: string;
    readonly after?: number;
    readonly times?: number;
    readonly probability?: number;
    readonly for?: number | string;
    readonly with?: Readonly<Record<string, unknown>>;
  };
  /** How often it has happened; null for a printer, which has the fault or not. */
  readonly fired: number | null;
}

/** `GET /accounts`. */
export interface AccountView {
  readonly id: number;
  readonly name: string;
  readonly kind: 'main' | 'second' | 'child' | 'isolated';
}

/** Answer of `POST /accounts`. */
export interface NewAccountView {
  readonly id: number;
  readonly apiKey: string;
}

/** `GET /runs`, newest first, and in `run` events. */
export interface RunSummaryView {
  /** Name of its folder below the reports folder. */
  readonly id: string;
  readonly kind: string;
  readonly startedAt: string;
  /** Null while it runs. */
  readonly exitCode: number | null;
  /** What it came to, or how far it is, in a line. */
  readonly headline: string;
  /** Number of results by verdict. */
  readonly counts: Readonly<Record<string, number>>;
  readonly running: boolean;
}

/** Body of `POST /runs`. */
export interface RunRequest {
  readonly kind: 'check' | 'run';
  /** Path below the scenarios that ship. */
  readonly scenario?: string;
  /** Only checks whose id or title has this. */
  readonly grep?: string;
}

/** `GET /scenarios`. */
export interface ScenarioView {
  readonly path: string;
  readonly title: string;
  readonly why: string;
}

/** Names of the events of `GET /events`, with their data. */
export interface WorkbenchEvents {
  readonly job: { readonly job: JobSummary };
  readonly request: { readonly entry: TrafficEntry };
  readonly delivery: { readonly delivery: DeliveryEntry };
  readonly room: { readonly computers: readonly RoomComputerView[] };
  readonly clock: ClockView;
  readonly faults: { readonly rules: readonly FaultView[] };
  readonly workbench: { readonly what: 'reset' };
  readonly run: { readonly run: RunSummaryView };
  /** Something was missed: read everything anew. */
  readonly reset: Readonly<Record<string, never>>;
}
