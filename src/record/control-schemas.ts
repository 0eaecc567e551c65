/**
 * Control schemas: what the control API takes and answers. The OpenAPI document is made from them, and the types in
 * control-types.ts are inferred from them.
 *
 * Times are milliseconds since 1970 on the clock of the workbench, unless a name says otherwise.
 */

import { z } from 'zod';

import { progress } from './fields.ts';
import { PROFILES } from './words.ts';

/** Answers by the name that the OpenAPI document gives them. */
export const answers = z.registry<{ readonly id: string }>();

function answer<Shape extends z.ZodRawShape>(name: string, shape: Shape): z.ZodObject<Shape> {
  return z.object(shape).register(answers, { id: name });
}

const id = z.number().int();
const ms = z.number().describe('milliseconds since 1970 on the clock of the workbench');
const count = z.number().int();
const text = z.string();
const anything = z.record(z.string(), z.unknown());
const headers = z.record(z.string(), z.string());
const named = z.object({ id, name: text });

/** Every error, of the form that the service uses. */
export const controlError = answer('Error', { code: text, message: text });

export const health = answer('Health', { status: z.literal('ready') });

export const clock = answer('ClockView', {
  nowMs: ms,
  /** The same as ISO 8601. */
  now: text,
  isVirtual: z.boolean(),
  /** Whether time passes by itself. */
  running: z.boolean(),
});

export const info = answer('InfoView', {
  version: text,
  url: text,
  /** ISO 8601, in real time. */
  startedAt: text,
  seed: z.union([z.number(), text]),
  clock,
  limits: z.enum(['spec', 'off']),
  controlTokenRequired: z.boolean(),
  /** Number of accounts. */
  accounts: count,
});

export const key = answer('KeyView', { apiKey: text });

export const openApiDocument = anything.describe('an OpenAPI document').register(answers, { id: 'OpenApi' });

export const jobSummary = z.object({
  id,
  title: text.nullable(),
  printer: named,
  computer: named,
  state: text,
  createdMs: ms,
  /** Time since it was created, on the clock of the workbench. */
  ageMs: z.number(),
  contentType: text,
  source: text.nullable(),
  qty: count,
  /** Sheets of paper that have come out. */
  sheets: count,
  /** Sheets that will have come out when all of it is printed, as far as the printer has the job. */
  sheetsDue: count,
  /** Why sheets that are due do not come: `Laser has media-jam`. */
  held: text.nullable(),
  /** Why it ended in an error, as its computer says; null for a job that did not. */
  problem: text.nullable(),
  /** Sides with a picture, over all printouts. */
  sides: count,
  /** Whether it goes to the printer in the printer's own language. */
  raw: z.boolean(),
  accountId: id,
});

export const jobList = answer('JobList', {
  jobs: z.array(jobSummary),
  /** Whether there are older ones. */
  more: z.boolean(),
});

export const deletedJobs = answer('DeletedJobs', {
  /** Newest first. */
  ids: z.array(id),
});

export const options = z.object({
  asked: anything,
  applied: anything,
  /** Option → why it had no effect. */
  ignored: headers,
});

export const timelineEntry = z.object({
  atMs: ms,
  /** Since the job was created. */
  ageMs: z.number(),
  what: z.enum(['state', 'link', 'paper', 'webhook']),
  /** Of a state. */
  state: text.exactOptional(),
  message: text.nullable(),
  /** Version of the client program that reported it. */
  client: text.exactOptional(),
});

export const sheet = z.object({
  /** From 1, within its printout. */
  number: count,
  copy: count,
  /** The document pages on each side, from 1; none on a blank back. */
  sides: z.array(z.object({ face: z.enum(['front', 'back']), pages: z.array(count) })),
  paper: text.nullable(),
  tray: text.nullable(),
  color: z.enum(['color', 'gray']),
});

export const printout = z.object({
  submission: count,
  kind: z.enum(['sheets', 'raw']),
  sides: count,
  sheets: count,
  /** Sheets it will have when it is complete; 0 for raw bytes. */
  sheetsDue: count,
  /** Name of the paper of its first sheet; null where a sheet took the size of the page, and for raw bytes. */
  paper: text.nullable(),
  sheetList: z.array(sheet),
  options,
  documentSha256: text,
  /** False while sheets of it are still to come. */
  complete: z.boolean(),
  /** Sheets that a jam spoiled. */
  sheetsLost: count,
  /** Of bytes in the printer's own language. */
  raw: z
    .object({
      bytes: count,
      language: text,
      /** What it prints, in a few words, as far as its bytes tell. */
      summary: text,
      /** Why labels of it have no picture; null where all have one, and for languages that are not drawn. */
      notDrawn: text.nullable(),
    })
    .exactOptional(),
});

export const document = z.object({
  /** False where only an address was submitted: the document never came here. */
  available: z.boolean(),
  bytes: count,
  contentType: text,
  /** Of a document that was submitted as an address, without user info and values of the query. */
  url: text.exactOptional(),
});

export const body = z.object({
  text,
  /** Of the whole body. */
  bytes: count,
  cut: z.boolean(),
});

export const delivery = answer('DeliveryEntry', {
  id,
  accountId: id.nullable(),
  webhookId: id,
  /** Without user info; values of the query are `…`. */
  url: text,
  /** The highest of its events: 1 for a first try, 2 for the retry; one made by hand counts as the next. */
  attempt: count,
  /** When its events were due. */
  dueMs: ms,
  sentMs: ms,
  endedMs: ms,
  /** Null when no answer came; `error` then says why. */
  status: count.nullable(),
  error: text.nullable(),
  events: z.array(anything),
  requestBody: body,
  responseHeaders: headers,
  /** Whether the answer carried `X-Service-Webhook-Status: OK`. */
  okHeader: z.boolean(),
  /** When what failed is tried again. */
  next: z.object({ dueMs: ms }).nullable(),
  outcome: z.enum(['delivered', 'will-retry', 'dropped']),
  /** The delivery that this one repeats by hand. */
  repeats: id.nullable(),
});

/** Oldest first. */
export const deliveryList = answer('DeliveryList', { entries: z.array(delivery) });

export const jobDetail = answer('JobDetail', {
  ...jobSummary.shape,
  expireAtMs: ms,
  options,
  timeline: z.array(timelineEntry),
  /** One for each of the `qty` submissions that has been printed so far, in part or in whole. */
  printouts: z.array(printout),
  document,
  /** The request that prints it again, with `$PLATEN_API_KEY` in place of the key. */
  curl: text,
  /** A test in vitest that expects this job. */
  snippet: text,
  /** The webhook requests that carried its events. */
  deliveries: z.array(delivery),
});

/** Text of each side, over all printouts. */
export const jobText = answer('JobText', { sides: z.array(text) });

export const newJob = answer('NewJob', { id });

export const accountPrinter = z.object({
  id,
  name: text,
  /** Name of the computer it is attached to. */
  computer: text,
  state: text.nullable(),
  default: z.boolean(),
  /** The driver's description. */
  summary: text,
});

export const accountPrinters = z.array(accountPrinter).register(answers, { id: 'AccountPrinters' });

export const tray = z.object({
  name: text,
  /** Null for a tray that never runs empty. */
  sheets: count.nullable(),
  /** What it held at the start; null where that is not counted. */
  capacity: count.nullable(),
});

/** Protocol → URI under which operating systems reach a device; undefined when none does. */
const addresses = z.record(text, text);

export const roomPrinter = z.object({
  /** Names it within its computer, also when it is renamed. */
  key: text,
  name: text,
  /** The service's id; undefined before the service knows it. */
  id: id.exactOptional(),
  profile: text,
  online: z.boolean(),
  /** As its computer reports it. */
  state: text.nullable(),
  /** What is wrong with it, by the names of IPP printer-state-reasons. */
  reasons: z.array(text),
  trays: z.array(tray),
  /** Where rules of faults find it. */
  place: text,
  /** Submissions that wait for paper. */
  jobsHeld: count,
  /** Of the job whose sheets came out last. */
  lastJobId: id.exactOptional(),
  addresses: addresses.exactOptional(),
});

export const roomScale = z.object({
  deviceName: text,
  deviceNum: count,
  profile: text,
  on: z.boolean(),
  /** What its display shows, such as `250 g`; empty while it is off. */
  massText: text,
  /** The unit of its display. */
  unit: text,
  stable: z.boolean(),
  /** What really lies on the platform. */
  grams: z.number(),
  /** Where rules of faults find it. */
  place: text,
  addresses: addresses.exactOptional(),
});

export const roomComputer = z.object({
  name: text,
  /** The service's id; undefined before its first connection. */
  id: id.exactOptional(),
  connected: z.boolean(),
  /** Where rules of faults find it and its link. */
  places: z.object({ computer: text, link: text }),
  /** Why its last connection ended, or could not be made. */
  lastFailure: text.exactOptional(),
  printers: z.array(roomPrinter),
  scales: z.array(roomScale),
});

export const roomComputers = answer('RoomComputers', { computers: z.array(roomComputer) });

export const printerProfile = z.object({
  name: text,
  title: text,
  kind: text,
  /** What is unusual about it, and what it is therefore good for. */
  why: text,
});
export const scaleProfile = z.object({ name: text, title: text, why: text });

export const room = answer('RoomView', {
  computers: z.array(roomComputer),
  profiles: z.object({ printers: z.array(printerProfile), scales: z.array(scaleProfile) }),
});

/** What an operating system printed on a printer of the room, past the service. */
export const hardwarePrintout = z.object({
  id: text,
  protocol: z.enum(['ipp', 'raw', 'lpd', 'usb']),
  computer: text,
  printer: text,
  title: text,
  /** As the sender names it; empty where the protocol has no name. */
  user: text,
  kind: z.enum(['sheets', 'raw']),
  /** Sides that have a picture. */
  sides: count,
  /** False while sheets of it are still to come. */
  complete: z.boolean(),
  /** When its newest sheet came out. */
  printedAt: text,
});

export const hardwarePrintouts = z.array(hardwarePrintout).register(answers, { id: 'HardwarePrintouts' });

/** The room, as after any change, and the key of the printer that is new in it. */
export const addedPrinter = answer('NewPrinter', { key: text, ...roomComputers.shape });

export const printerCapabilities = anything.nullable().register(answers, { id: 'PrinterCapabilities' });

const deviceName = z.string().min(1).max(200);
const profile = z.string().max(100).meta({ description: 'name of a profile, as GET /room lists them' });

export const newPrinter = z.strictObject({ profile, name: deviceName.exactOptional() });
export const newScale = z.strictObject({ profile, name: deviceName.exactOptional() });

const MOST_AT_ONCE = 100;
export const newComputer = z.strictObject({
  name: deviceName,
  printers: z.array(newPrinter).max(MOST_AT_ONCE).exactOptional(),
  scales: z.array(newScale).max(MOST_AT_ONCE).exactOptional(),
});

export const printerChange = z.strictObject({
  online: z.boolean().exactOptional(),
  /** Sheets that are to lie in the tray from now on. */
  tray: z.strictObject({ name: z.string(), sheets: z.number().int().min(0).max(100_000) }).exactOptional(),
  cover: z.enum(['open', 'closed']).exactOptional(),
  jam: z.boolean().exactOptional(),
  toner: z.enum(['full', 'low', 'empty']).exactOptional(),
});

export const scaleChange = z.strictObject({
  /** What is to lie on the platform. */
  grams: z.number().min(0).exactOptional(),
  /** Plugged in and switched on, or unplugged. */
  on: z.boolean().exactOptional(),
  button: z.enum(['tare', 'zero', 'unit', 'power']).exactOptional(),
});

export const request = z.object({
  /** Grows by one with each request. */
  id,
  timeMs: ms,
  requestId: text,
  method: text,
  /** With the query; values of parameters that carry secrets are `…`. */
  path: text,
  status: count,
  /** Handling time in real milliseconds. */
  durationMs: z.number(),
  accountId: id.nullable(),
  /** Headers and bodies are kept of the newest requests alone; null where they are gone. */
  requestHeaders: headers.nullable(),
  requestBody: body.nullable(),
  responseHeaders: headers.nullable(),
  responseBody: body.nullable(),
  /** Sends it again, with `$PLATEN_API_KEY` in place of the key. */
  curl: text.nullable(),
});

/** Oldest first. */
export const requestList = answer('TrafficList', { entries: z.array(request) });

export const fault = z.object({
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
  /** How often it has happened; null for a printer, which has the fault or not. */
  fired: count.nullable(),
});

export const faults = z.array(fault).register(answers, { id: 'Faults' });
export const newFault = answer('NewFault', { id: text });

export const faultKind = z.object({
  /** What the path of such a place begins with: `printer`. */
  place: z.enum(['printer', 'computer', 'scale', 'link']),
  /** Such as `printer/Laser`. */
  example: text,
  /** What `after`, `times` and `probability` count there. */
  occasion: text,
  faults: z.array(
    z.object({
      fault: text,
      does: text,
      /** What may stand under `with`, by name. */
      settings: z.record(z.string(), text),
    }),
  ),
});
export const faultKinds = z.array(faultKind).register(answers, { id: 'FaultKinds' });

export const account = z.object({ id, name: text, kind: z.enum(['main', 'second', 'child', 'isolated']) });
export const accounts = z.array(account).register(answers, { id: 'Accounts' });
export const newAccount = answer('NewAccountView', { id, apiKey: text });

export const runSummary = answer('RunSummaryView', {
  /** Its name in its record; the name of its folder as well finds it. */
  id: text,
  /** `check`, `run`, `load` or `explore`, as records have it. */
  kind: text,
  startedAt: text,
  /** Name of the service that is tried. */
  target: text,
  /** What was chosen of all there is: profile and pattern, a scenario, a load. */
  about: text,
  /** Null while it runs. */
  exitCode: count.nullable(),
  /** Its result, or how far it is, in a line. */
  headline: text,
  /** Number of results by verdict. */
  counts: z.record(z.string(), z.number()),
  running: z.boolean(),
  /** While it runs, once its first part has ended. */
  progress: progress.exactOptional(),
});

export const runPosted = answer('PostedRun', {
  /** How often it was asked to stop: once for an end in good order, twice for one at once. */
  stops: count,
});

export const runSummaries = z.array(runSummary).register(answers, { id: 'Runs' });

export const storedRun = anything
  .describe('the run record, as docs/run-record.md describes it')
  .register(answers, { id: 'RunRecord' });

const given = z.string().max(500);

export const runRequest = z.strictObject({
  kind: z.enum(['check', 'run', 'explore']),
  /** Of the service; a service of the run's own unless given. */
  url: given.exactOptional(),
  /** API key of that service. */
  key: given.exactOptional(),
  /** How virtual computers reach that service: `websocket` if it has docs/device-link.md. */
  link: z.literal('websocket').exactOptional(),
  /** Name or path of one that ships. */
  scenario: given.exactOptional(),
  /** In place of a scenario: what exploring found, as the shortest day that shows it. */
  finding: z.strictObject({ run: given, signature: given }).exactOptional(),
  /** How many days are explored; 100 unless given. */
  days: z.int().min(1).max(100_000).exactOptional(),
  /** Only checks whose id, clauses or chapters match. */
  grep: given.exactOptional(),
  profile: z.enum(PROFILES).exactOptional(),
  seed: z.int().min(0).exactOptional(),
});

/** `group` is the folder below `scenarios`. */
export const scenario = z.object({
  name: text,
  group: text,
  path: text,
  title: text,
  why: text,
  kind: z.enum(['run', 'load']),
});
export const scenarios = z.array(scenario).register(answers, { id: 'Scenarios' });
