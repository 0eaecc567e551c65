/**
 * Control types: what the control API takes and answers, as plain JSON. Types alone: the web page and programs
 * elsewhere take them with `import type`.
 */

import type * as schema from './control-schemas.ts';
import type { Stored } from './fields.ts';

/** `GET /info`. It contains no key. */
export interface InfoView extends Stored<typeof schema.info> {}
/** `GET /key`. */
export interface KeyView extends Stored<typeof schema.key> {}
/** `GET /clock`, and the answer of every route that moves it. */
export interface ClockView extends Stored<typeof schema.clock> {}
/** Every error, of the form that the service uses. */
export interface ControlErrorView extends Stored<typeof schema.controlError> {}

/** A line of the list of jobs. */
export interface JobSummary extends Stored<typeof schema.jobSummary> {}
/** `GET /jobs`, newest first. */
export interface JobList extends Stored<typeof schema.jobList> {}
/** `GET /jobs/7`, and the answer of `GET /jobs/wait`. */
export interface JobDetail extends Stored<typeof schema.jobDetail> {}
/** Answer of `DELETE /jobs` and `DELETE /jobs/7`. */
export interface DeletedJobs extends Stored<typeof schema.deletedJobs> {}
/** What became of the print options of a job. */
export interface OptionsView extends Stored<typeof schema.options> {}
/** One thing that happened to a job. */
export interface TimelineEntry extends Stored<typeof schema.timelineEntry> {}
/** What came out for one submission. */
export interface PrintoutView extends Stored<typeof schema.printout> {}
/** A sheet of paper. */
export interface SheetView extends Stored<typeof schema.sheet> {}
/** The document that was submitted; when `available`, it is at `/jobs/7/document`. */
export interface DocumentView extends Stored<typeof schema.document> {}
/** `GET /jobs/7/text`. */
export interface JobText extends Stored<typeof schema.jobText> {}
/** Body of the 408 of `GET /jobs/wait`. */
export interface JobWaitExpiredView extends ControlErrorView {
  readonly closest: readonly { readonly job: JobSummary; readonly why: readonly string[] }[];
}

/** A line of `GET /printers`. */
export interface AccountPrinterView extends Stored<typeof schema.accountPrinter> {}
/** `GET /room`. */
export interface RoomView extends Stored<typeof schema.room> {}
export interface PrinterProfileView extends Stored<typeof schema.printerProfile> {}
export interface ScaleProfileView extends Stored<typeof schema.scaleProfile> {}
export interface RoomComputerView extends Stored<typeof schema.roomComputer> {}
export interface RoomPrinterView extends Stored<typeof schema.roomPrinter> {}
export interface TrayView extends Stored<typeof schema.tray> {}
export interface RoomScaleView extends Stored<typeof schema.roomScale> {}
/** The answer of every route that changes the room. */
export interface RoomComputersView extends Stored<typeof schema.roomComputers> {}
/** Body of `POST /room/computers`. */
export interface NewRoomComputer extends Stored<typeof schema.newComputer> {}
/** Body of `POST /room/computers/{name}/printers`. */
export interface NewRoomPrinter extends Stored<typeof schema.newPrinter> {}
/** Body of `POST /room/computers/{name}/scales`. */
export interface NewRoomScale extends Stored<typeof schema.newScale> {}
/** Body of `POST /room/computers/{name}/printers/{key}`; what is left out stays as it is. */
export interface PrinterChange extends Stored<typeof schema.printerChange> {}
/** Body of `POST /room/computers/{name}/scales/{deviceNum}`. */
export interface ScaleChange extends Stored<typeof schema.scaleChange> {}

/** `GET /requests`. */
export interface TrafficList extends Stored<typeof schema.requestList> {}
/** A request that the service got, and its answer. It contains no secret. */
export interface TrafficEntry extends Stored<typeof schema.request> {}
/** A body as text, cut where it is long. */
export interface BodyText extends Stored<typeof schema.body> {}
/** `GET /deliveries`. */
export interface DeliveryList extends Stored<typeof schema.deliveryList> {}
/** A request that the service made to a webhook. */
export interface DeliveryEntry extends Stored<typeof schema.delivery> {}

/** A rule in force, of `GET /faults`. */
export interface FaultView extends Stored<typeof schema.fault> {}
/** A kind of place, of `GET /fault-kinds`. */
export interface FaultKindView extends Stored<typeof schema.faultKind> {}
/** `GET /accounts`. */
export interface AccountView extends Stored<typeof schema.account> {}
/** Answer of `POST /accounts`. */
export interface NewAccountView extends Stored<typeof schema.newAccount> {}

/** `GET /runs`, newest first, and in `run` events. */
export interface RunSummaryView extends Stored<typeof schema.runSummary> {}
/** Body of `POST /runs`. */
export interface RunRequest extends Stored<typeof schema.runRequest> {}
/** `GET /scenarios`. */
export interface ScenarioView extends Stored<typeof schema.scenario> {}

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
export interface HardwarePrintoutView extends Stored<typeof schema.hardwarePrintout> {}
