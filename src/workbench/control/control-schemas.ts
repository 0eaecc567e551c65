/**
 * Control schemas: the types of control-types.ts as JSON Schemas, for the OpenAPI document. The compiler
 * holds each against its type. Loaded when somebody asks for the document.
 */

import { z } from 'zod';

import type {
  AccountPrinterView,
  AccountView,
  BodyText,
  ClockView,
  ControlErrorView,
  DeliveryEntry,
  DeliveryList,
  DocumentView,
  FaultView,
  InfoView,
  JobDetail,
  JobList,
  JobSummary,
  JobText,
  KeyView,
  NewAccountView,
  OptionsView,
  PrintoutView,
  RoomComputersView,
  RoomComputerView,
  RoomPrinterView,
  RoomScaleView,
  RoomView,
  RunSummaryView,
  ScenarioView,
  SheetView,
  TimelineEntry,
  TrafficEntry,
  TrafficList,
} from './control-types.ts';
import type { AnswerName } from './route-description.ts';

const id = z.number().int();
const ms = z.number().describe('milliseconds since 1970 on the clock of the workbench');
const count = z.number().int();
const text = z.string();
const anything = z.record(z.string(), z.unknown());
const headers = z.record(z.string(), z.string());
const named = z.object({ id, name: text });

const clock: z.ZodType<ClockView> = z.object({
  nowMs: ms,
  now: text,
  isVirtual: z.boolean(),
  running: z.boolean(),
});

const info: z.ZodType<InfoView> = z.object({
  version: text,
  url: text,
  startedAt: text,
  seed: z.union([z.number(), text]),
  clock,
  limits: z.enum(['spec', 'off']),
  controlTokenRequired: z.boolean(),
  accounts: count,
});

const key: z.ZodType<KeyView> = z.object({ apiKey: text });

const summaryFields = {
  id,
  title: text.nullable(),
  printer: named,
  computer: named,
  state: text,
  createdMs: ms,
  ageMs: z.number(),
  contentType: text,
  source: text.nullable(),
  qty: count,
  sheets: count,
  sides: count,
  raw: z.boolean(),
  accountId: id,
};
const summary: z.ZodType<JobSummary> = z.object(summaryFields);
const jobs: z.ZodType<JobList> = z.object({ jobs: z.array(summary), more: z.boolean() });

const options: z.ZodType<OptionsView> = z.object({ asked: anything, applied: anything, ignored: headers });

const timeline: z.ZodType<TimelineEntry> = z.object({
  atMs: ms,
  ageMs: z.number(),
  what: z.enum(['state', 'link', 'paper', 'webhook']),
  state: text.exactOptional(),
  message: text.nullable(),
  client: text.exactOptional(),
});

const sheet: z.ZodType<SheetView> = z.object({
  number: count,
  copy: count,
  sides: z.array(z.object({ face: z.enum(['front', 'back']), pages: z.array(count) })),
  paper: text.nullable(),
  tray: text.nullable(),
  color: z.enum(['color', 'gray']),
});

const printout: z.ZodType<PrintoutView> = z.object({
  submission: count,
  kind: z.enum(['sheets', 'raw']),
  sides: count,
  sheets: count,
  paper: text.nullable(),
  sheetList: z.array(sheet),
  options,
  documentSha256: text,
  complete: z.boolean(),
  sheetsLost: count,
  raw: z.object({ bytes: count, language: text, summary: text, notDrawn: text.nullable() }).exactOptional(),
});

const document: z.ZodType<DocumentView> = z.object({
  available: z.boolean(),
  bytes: count,
  contentType: text,
  url: text.exactOptional(),
});

const body: z.ZodType<BodyText> = z.object({ text, bytes: count, cut: z.boolean() });

const delivery: z.ZodType<DeliveryEntry> = z.object({
  id,
  accountId: id.nullable(),
  webhookId: id,
  url: text,
  attempt: count,
  dueMs: ms,
  sentMs: ms,
  endedMs: ms,
  status: count.nullable(),
  error: text.nullable(),
  events: z.array(anything),
  requestBody: body,
  responseHeaders: headers,
  okHeader: z.boolean(),
  next: z.object({ dueMs: ms }).nullable(),
  outcome: z.enum(['delivered', 'will-retry', 'dropped']),
  repeats: id.nullable(),
});
const deliveries: z.ZodType<DeliveryList> = z.object({ entries: z.array(delivery) });

const job: z.ZodType<JobDetail> = z.object({
  ...summaryFields,
  expireAtMs: ms,
  options,
  timeline: z.array(timeline),
  printouts: z.array(printout),
  document,
  curl: text,
  snippet: text,
  deliveries: z.array(delivery),
});

const jobText: z.ZodType<JobText> = z.object({ sides: z.array(text) });

const accountPrinter: z.ZodType<AccountPrinterView> = z.object({
  id,
  name: text,
  computer: text,
  state: text.nullable(),
  default: z.boolean(),
  summary: text,
});

const roomPrinter: z.ZodType<RoomPrinterView> = z.object({
  key: text,
  name: text,
  id: id.exactOptional(),
  profile: text,
  online: z.boolean(),
  state: text.nullable(),
  reasons: z.array(text),
  trays: z.array(z.object({ name: text, sheets: count.nullable(), capacity: count.nullable() })),
  jobsHeld: count,
  lastJobId: id.exactOptional(),
});

const roomScale: z.ZodType<RoomScaleView> = z.object({
  deviceName: text,
  deviceNum: count,
  profile: text,
  on: z.boolean(),
  massText: text,
  unit: text,
  stable: z.boolean(),
  grams: z.number(),
});

const computer: z.ZodType<RoomComputerView> = z.object({
  name: text,
  id: id.exactOptional(),
  connected: z.boolean(),
  lastFailure: text.exactOptional(),
  printers: z.array(roomPrinter),
  scales: z.array(roomScale),
});
const computers: z.ZodType<RoomComputersView> = z.object({ computers: z.array(computer) });

const room: z.ZodType<RoomView> = z.object({
  computers: z.array(computer),
  profiles: z.object({
    printers: z.array(z.object({ name: text, title: text, kind: text })),
    scales: z.array(z.object({ name: text, title: text })),
  }),
});

const request: z.ZodType<TrafficEntry> = z.object({
  id,
  timeMs: ms,
  requestId: text,
  method: text,
  path: text,
  status: count,
  durationMs: z.number(),
  accountId: id.nullable(),
  requestHeaders: headers.nullable(),
  requestBody: body.nullable(),
  responseHeaders: headers.nullable(),
  responseBody: body.nullable(),
  curl: text.nullable(),
});
const requests: z.ZodType<TrafficList> = z.object({ entries: z.array(request) });

const fault: z.ZodType<FaultView> = z.object({
  id: text,
  rule: z.object({
    at: text,
    fault: text,
    after: count.exactOptional(),
    times: count.exactOptional(),
    probability: z.number().exactOptional(),
    for: z.union([z.number(), text]).exactOptional(),
    with: anything.exactOptional(),
  }),
  fired: count.nullable(),
});

const account: z.ZodType<AccountView> = z.object({
  id,
  name: text,
  kind: z.enum(['main', 'second', 'child', 'isolated']),
});
const newAccount: z.ZodType<NewAccountView> = z.object({ id, apiKey: text });

const run: z.ZodType<RunSummaryView> = z.object({
  id: text,
  kind: text,
  startedAt: text,
  exitCode: count.nullable(),
  headline: text,
  counts: z.record(z.string(), z.number()),
  running: z.boolean(),
});

const scenario: z.ZodType<ScenarioView> = z.object({ path: text, title: text, why: text });

export const ERROR_SCHEMA: z.ZodType<ControlErrorView> = z.object({ code: text, message: text });

export const ANSWER_SCHEMAS: Readonly<Record<AnswerName, z.ZodType>> = {
  Health: z.object({ status: z.literal('ready') }),
  InfoView: info,
  KeyView: key,
  ClockView: clock,
  JobList: jobs,
  JobDetail: job,
  JobText: jobText,
  NewJob: z.object({ id }),
  AccountPrinters: z.array(accountPrinter),
  RoomView: room,
  RoomComputers: computers,
  NewPrinter: z.object({ key: text }),
  PrinterCapabilities: anything.nullable(),
  TrafficList: requests,
  DeliveryList: deliveries,
  DeliveryEntry: delivery,
  Faults: z.array(fault),
  NewFault: z.object({ id: text }),
  Accounts: z.array(account),
  NewAccountView: newAccount,
  Runs: z.array(run),
  RunSummaryView: run,
  RunRecord: anything.describe('the run record, as docs/run-record.md describes it'),
  Scenarios: z.array(scenario),
  OpenApi: anything.describe('an OpenAPI document'),
};
