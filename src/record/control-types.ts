/**
 * Control types: what the control API takes and answers, as plain JSON. Types alone: the web page and programs
 * elsewhere take them with `import type`.
 */

import type * as jobs from './control-jobs.ts';
import type * as room from './control-room.ts';
import type * as runs from './control-runs.ts';
import type * as traffic from './control-traffic.ts';
import type * as workbench from './control-workbench.ts';
import type { Stored } from './fields.ts';

/** `GET /info`. It contains no key. */
export interface InfoView extends Stored<typeof workbench.info> {}
/** `GET /key`. */
export interface KeyView extends Stored<typeof workbench.key> {}
/** `GET /clock`, and the answer of every route that moves it. */
export interface ClockView extends Stored<typeof workbench.clock> {}
/** Every error, of the form that the service uses. */
export interface ControlErrorView extends Stored<typeof workbench.controlError> {}

/** A line of the list of jobs. */
export interface JobSummary extends Stored<typeof jobs.jobSummary> {}
/** `GET /jobs`, newest first. */
export interface JobList extends Stored<typeof jobs.jobList> {}
/** `GET /jobs/7`, and the answer of `GET /jobs/wait`. */
export interface JobDetail extends Stored<typeof jobs.jobDetail> {}
/** Answer of `DELETE /jobs` and `DELETE /jobs/7`. */
export interface DeletedJobs extends Stored<typeof jobs.deletedJobs> {}
/** What became of the print options of a job. */
export interface OptionsView extends Stored<typeof jobs.options> {}
/** One thing that happened to a job. */
export interface TimelineEntry extends Stored<typeof jobs.timelineEntry> {}
/** What came out for one submission. */
export interface PrintoutView extends Stored<typeof jobs.printout> {}
export interface SheetView extends Stored<typeof jobs.sheet> {}
/** The document that was submitted; when `available`, it is at `/jobs/7/document`. */
export interface DocumentView extends Stored<typeof jobs.document> {}
/** `GET /jobs/7/text`. */
export interface JobText extends Stored<typeof jobs.jobText> {}
/** Body of the 408 of `GET /jobs/wait`. */
export interface JobWaitExpiredView extends ControlErrorView {
  readonly closest: readonly { readonly job: JobSummary; readonly why: readonly string[] }[];
}

/** A line of `GET /printers`. */
export interface AccountPrinterView extends Stored<typeof room.accountPrinter> {}
/** `GET /room`. */
export interface RoomView extends Stored<typeof room.room> {}
export interface PrinterProfileView extends Stored<typeof room.printerProfile> {}
export interface ScaleProfileView extends Stored<typeof room.scaleProfile> {}
export interface RoomComputerView extends Stored<typeof room.roomComputer> {}
export interface RoomPrinterView extends Stored<typeof room.roomPrinter> {}
export interface TrayView extends Stored<typeof room.tray> {}
export interface RoomScaleView extends Stored<typeof room.roomScale> {}
/** The answer of every route that changes the room. */
export interface RoomComputersView extends Stored<typeof room.roomComputers> {}
/** Body of `POST /room/computers`. */
export interface NewRoomComputer extends Stored<typeof room.newComputer> {}
/** Body of `POST /room/computers/{name}/printers`. */
export interface NewRoomPrinter extends Stored<typeof room.newPrinter> {}
/** Body of `POST /room/computers/{name}/scales`. */
export interface NewRoomScale extends Stored<typeof room.newScale> {}
/** Body of `POST /room/computers/{name}/printers/{key}`; what is left out stays as it is. */
export interface PrinterChange extends Stored<typeof room.printerChange> {}
/** Body of `POST /room/computers/{name}/scales/{deviceNum}`. */
export interface ScaleChange extends Stored<typeof room.scaleChange> {}

/** `GET /requests`. */
export interface TrafficList extends Stored<typeof traffic.requestList> {}
/** A request that the service got, and its answer. It contains no secret. */
export interface TrafficEntry extends Stored<typeof traffic.request> {}
/** A body as text, cut where it is long. */
export interface BodyText extends Stored<typeof traffic.body> {}
/** `GET /deliveries`. */
export interface DeliveryList extends Stored<typeof traffic.deliveryList> {}
/** A request that the service made to a webhook. */
export interface DeliveryEntry extends Stored<typeof traffic.delivery> {}

/** A rule in force, of `GET /faults`. */
export interface FaultView extends Stored<typeof room.fault> {}
/** A kind of place, of `GET /fault-kinds`. */
export interface FaultKindView extends Stored<typeof room.faultKind> {}
/** `GET /accounts`. */
export interface AccountView extends Stored<typeof workbench.account> {}
/** Answer of `POST /accounts`. */
export interface NewAccountView extends Stored<typeof workbench.newAccount> {}

/** `GET /runs`, newest first, and in `run` events. */
export interface RunSummaryView extends Stored<typeof runs.runSummary> {}
/** Body of `POST /runs`. */
export interface RunRequest extends Stored<typeof runs.runRequest> {}
/** Answer of `PUT /runs/{id}`. */
export interface PostedRun extends Stored<typeof runs.runPosted> {}
/** `GET /scenarios`. */
export interface ScenarioView extends Stored<typeof runs.scenario> {}

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
export interface HardwarePrintoutView extends Stored<typeof jobs.hardwarePrintout> {}
