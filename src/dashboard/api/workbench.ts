/**
 * Workbench: the requests of the page to the control API, a function each.
 */

import type {
  ClockView,
  DeletedJobs,
  DeliveryList,
  FaultKindView,
  FaultView,
  HardwarePrintoutView,
  InfoView,
  JobDetail,
  JobList,
  KeyView,
  PrinterChange,
  RoomComputersView,
  RoomScaleView,
  RoomView,
  RunRequest,
  RunSummaryView,
  ScaleChange,
  ScenarioView,
  TrafficList,
} from '../../record/control-types.ts';
import { get, pathTo, post, remove } from './request.ts';

// Workbench
export const getInfo = (): Promise<InfoView> => get('/info');
/** The header makes a browser ask first, so that a page of another origin learns nothing. */
export const getKey = (): Promise<KeyView> => get('/key', {}, { 'x-platen-page': '1' });
export const resetWorkbench = (): Promise<unknown> => post('/reset');

/** For people; `openapi.json` beside it is for programs. */
export const PRINTING_API_PAGE = pathTo('/printing-api/openapi.html');

// Clock and faults
export const getClock = (): Promise<ClockView> => get('/clock');
export const advanceClock = (by: string): Promise<ClockView> => post('/clock/advance', { by });
export const setClockRunning = (running: boolean): Promise<ClockView> =>
  post(running ? '/clock/resume' : '/clock/freeze');
export const getFaults = (): Promise<readonly FaultView[]> => get('/faults');
export const getFaultKinds = (): Promise<readonly FaultKindView[]> => get('/fault-kinds');
export const addFault = (rule: FaultView['rule']): Promise<{ readonly id: string }> => post('/faults', rule);
export const clearFaults = (): Promise<readonly FaultView[]> => remove('/faults');
export const removeFault = (id: string): Promise<readonly FaultView[]> => remove(`/faults/${part(id)}`);

// Jobs
export interface JobsWanted {
  readonly q: string;
  readonly before?: number | undefined;
  readonly limit: number;
}
export const getJobs = ({ q, before, limit }: JobsWanted): Promise<JobList> => get('/jobs', { q, before, limit });
export const getJob = (id: number): Promise<JobDetail> => get(`/jobs/${id}`);
export const deleteJob = (id: number): Promise<DeletedJobs> => remove(`/jobs/${id}`);
export const deleteJobs = (q: string): Promise<DeletedJobs> => remove('/jobs', { q });
export const printAgain = (id: number): Promise<{ readonly id: number }> => post(`/jobs/${id}/print-again`);
export const pictureOf = (id: number, side: number, width: number): string =>
  pathTo(`/jobs/${id}/sheets/${side}.png`, { width });
export const sheetsPdfOf = (id: number): string => pathTo(`/jobs/${id}/sheets.pdf`);
export const documentOf = (id: number): string => pathTo(`/jobs/${id}/document`);

// What programs print past the service
export const getPrintouts = (): Promise<readonly HardwarePrintoutView[]> => get('/printouts');
export const printoutPictureOf = (id: string, width: number): string =>
  pathTo(`/printouts/${part(id)}/sheets/1.png`, { width });
export const printoutPdfOf = (id: string): string => pathTo(`/printouts/${part(id)}/sheets.pdf`);
export const printoutBytesOf = (id: string): string => pathTo(`/printouts/${part(id)}/raw`);

// Room
/** Scales of other models count from 0 as well. */
export type ScaleName = Pick<RoomScaleView, 'deviceName' | 'deviceNum'>;
export type ComputerCommand = 'connect' | 'disconnect' | 'crash' | 'sleep' | 'wake';
export const getRoom = (): Promise<RoomView> => get('/room');
export const addComputer = (name: string): Promise<RoomComputersView> => post('/room/computers', { name });
export const removeComputer = (name: string): Promise<RoomComputersView> => remove(`/room/computers/${part(name)}`);
export const tellComputer = (name: string, command: ComputerCommand): Promise<RoomComputersView> =>
  post(`/room/computers/${part(name)}/${command}`);
export const addPrinter = (computer: string, profile: string, name: string): Promise<RoomComputersView> =>
  post(`/room/computers/${part(computer)}/printers`, { profile, name });
export const removePrinter = (computer: string, key: string): Promise<RoomComputersView> =>
  remove(printerPath(computer, key));
export const changePrinter = (computer: string, key: string, change: PrinterChange): Promise<RoomComputersView> =>
  post(printerPath(computer, key), change);
export const getCapabilities = (computer: string, key: string): Promise<unknown> =>
  get(`${printerPath(computer, key)}/capabilities`);
export const addScale = (computer: string, profile: string): Promise<RoomComputersView> =>
  post(`/room/computers/${part(computer)}/scales`, { profile });
export const removeScale = (computer: string, scale: ScaleName): Promise<RoomComputersView> =>
  remove(scalePath(computer, scale));
export const changeScale = (computer: string, scale: ScaleName, change: ScaleChange): Promise<RoomComputersView> =>
  post(scalePath(computer, scale), change);

// Traffic
export const getRequests = (limit: number): Promise<TrafficList> => get('/requests', { limit });
export const clearRequests = (): Promise<TrafficList> => remove('/requests');
export const getDeliveries = (): Promise<DeliveryList> => get('/deliveries');
export const redeliver = (id: number): Promise<unknown> => post(`/deliveries/${id}/redeliver`);

// Runs
export const getRuns = (): Promise<readonly RunSummaryView[]> => get('/runs');
export const getRun = (id: string): Promise<unknown> => get(`/runs/${part(id)}`);
export const reportOf = (id: string, form: 'html' | 'pdf'): string => pathTo(`/runs/${part(id)}/report.${form}`);
export const getScenarios = (): Promise<readonly ScenarioView[]> => get('/scenarios');
export const stopRun = (id: string): Promise<RunSummaryView> => post(`/runs/${part(id)}/stop`);
export const startRun = (run: RunRequest): Promise<RunSummaryView> => post('/runs', run);

const part = encodeURIComponent;
const printerPath = (computer: string, key: string): string =>
  `/room/computers/${part(computer)}/printers/${part(key)}`;
const scalePath = (computer: string, { deviceName, deviceNum }: ScaleName): string =>
  `/room/computers/${part(computer)}/scales/${deviceNum}?deviceName=${part(deviceName)}`;
