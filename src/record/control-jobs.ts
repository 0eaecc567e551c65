/**
 * The control API of print jobs and of what came out of printers.
 */

import { z } from 'zod';

import { answer, answers, anything, count, headers, id, ms, named, text } from './control-answers.ts';
import { delivery } from './control-traffic.ts';

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
  /** Set if `what` is `state`. */
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

const raw = z.object({
  bytes: count,
  language: text,
  /** What it prints, in a few words, as far as its bytes tell. */
  summary: text,
  /** What its printer does beside printing, in the order of its bytes. */
  events: z.array(
    z.object({
      what: z.enum(['drawer', 'buzzer']),
      /** Which drawer, from 1; 0 for a buzzer. */
      number: count,
      /** Where it stands among the bytes. */
      offset: count,
    }),
  ),
  /** Why labels or receipts have no picture, or what is not on it; null for languages that are not drawn. */
  notDrawn: text.nullable(),
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
  /** Set for bytes in the printer's own language. */
  raw: raw.exactOptional(),
});

export const document = z.object({
  /** False where only an address was submitted: the document never came here. */
  available: z.boolean(),
  bytes: count,
  contentType: text,
  /** The address that a document was submitted as, without user info and values of the query. */
  url: text.exactOptional(),
});

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

export const hardwareProtocol = z.enum(['ipp', 'raw', 'lpd', 'usb']);

/** What an operating system printed on a printer of the room, past the service. */
export const hardwarePrintout = answer('HardwarePrintout', {
  id: text,
  protocol: hardwareProtocol,
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
  /** Set for bytes in the printer's own language. */
  raw: raw.exactOptional(),
});

export const hardwarePrintouts = z.array(hardwarePrintout).register(answers, { id: 'HardwarePrintouts' });
