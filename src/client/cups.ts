/**
 * CUPS as a client program needs it. Its queues and jobs are asked for by IPP, at CUPS_SERVER or the local socket;
 * documents are printed by `lp`.
 */

import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';

import { capabilitiesFrom, findIn } from '../hardware/clone/printer-clone.ts';
import { keyword, numberOf, stringOf, stringsOf, uri, type IppAttribute } from '../hardware/ipp/attribute.ts';
import { askIpp } from '../hardware/ipp/ipp-client.ts';
import { JOB_STATES, OPERATIONS, STATUSES } from '../hardware/ipp/operations.ts';
import type { DeliveredJob } from '../link/device-link.ts';
import type { PrinterReport } from '../link/messages.ts';

const CUPS_GET = { default: 0x4001, printers: 0x4002 };
const LOCAL_SOCKET = '/run/cups/cups.sock';
const LP_MS = 60_000;
const run = promisify(execFile);

/** Every queue, as it is reported to the service. @throws Error when CUPS does not answer */
export async function queues(): Promise<readonly PrinterReport[]> {
  const [usual] = await ask('printer', CUPS_GET.default);
  return (await ask('printer', CUPS_GET.printers)).map((find) => {
    const key = stringOf(find('printer-name')) ?? '';
    return {
      key,
      name: stringOf(find('printer-info')) || key,
      description: stringOf(find('printer-make-and-model')) ?? '',
      default: key === stringOf(usual?.('printer-name')),
      state: stateOf(stringsOf(find('printer-state-reasons'))),
      capabilities: { ...capabilitiesFrom(find) },
    };
  });
}

/** Hands a document to a queue; the number that CUPS gives the job. @throws Error with what `lp` says */
export async function print(job: DeliveredJob, file: string): Promise<number> {
  const { printerKey, title, contentType, options } = job;
  const chosen = contentType.startsWith('raw_') ? ['raw'] : lpOptions(options);
  const argv = ['-d', printerKey, ...(title === '' ? [] : ['-t', title]), ...chosen.flatMap((one) => ['-o', one])];
  const env = { ...process.env, LC_ALL: 'C.UTF-8' };
  const { stdout } = await run('lp', [...argv, '--', file], { env, timeout: LP_MS });
  const [, id] = /request id is .*-(\d+) \(/.exec(stdout) ?? [];
  if (id === undefined) throw new Error(`lp says: ${stdout.trim()}`);
  return Number(id);
}

/** The way to find the state of a job. @throws Error when CUPS does not answer */
export async function jobStates(): Promise<(id: number) => 'under way' | 'printed' | 'failed' | 'gone'> {
  const wanted = [keyword('which-jobs', 'all'), keyword('requested-attributes', 'job-id', 'job-state')];
  const found = await ask('job', OPERATIONS['Get-Jobs'], wanted);
  const states = new Map(found.map((find) => [numberOf(find('job-id')) ?? 0, numberOf(find('job-state'))]));
  const oldest = Math.min(...states.keys());
  return (id) => {
    const state = states.get(id);
    // It forgets the oldest of those that are over; after a crash it lacks the newest.
    if (state === undefined) return id < oldest && states.size > 0 ? 'printed' : 'gone';
    if (state === JOB_STATES.completed) return 'printed';
    return state === JOB_STATES.canceled || state === JOB_STATES.aborted ? 'failed' : 'under way';
  };
}

/** The printers or jobs of an answer, each as the way to find an attribute. @throws Error also where it refuses */
async function ask(kind: 'printer' | 'job', code: number, more: readonly IppAttribute[] = []) {
  const server = process.env['CUPS_SERVER'] ?? (existsSync(LOCAL_SOCKET) ? LOCAL_SOCKET : 'localhost:631');
  const isLocal = server.startsWith('/');
  const { groups, code: status } = await askIpp({
    url: new URL(`http://${isLocal ? 'localhost' : server}`),
    socketPath: isLocal ? server : undefined,
    code,
    attributes: [uri('printer-uri', 'ipp://localhost/'), ...more],
  });
  if (status >= STATUSES['client-error-bad-request'] && status !== STATUSES['client-error-not-found']) {
    throw new Error(`CUPS refuses operation ${code} with status ${status}`);
  }
  return groups.filter(({ type }) => type === kind).map(({ attributes }) => findIn(attributes));
}

/** The first that matches counts, so the worst stands first. IPP reasons may end in their severity. */
const STATES = [
  ['offline', /^(offline|paused|shutdown|connecting-to-device|timed-out)/],
  ['out_of_paper', /^media-(empty|needed)/],
  ['error', /-error$/],
] as const;

function stateOf(reasons: readonly string[]): string {
  return STATES.find(([, pattern]) => reasons.some((reason) => pattern.test(reason)))?.[0] ?? 'online';
}

const ORIENTATIONS: Readonly<Record<string, number>> = { 0: 3, 90: 4, 270: 5, 180: 6 };

/** Print options of the API → options of `lp`. What is not in the table has no effect on CUPS. */
const OPTIONS: Readonly<Record<string, (value: string) => string>> = {
  bin: (value) => `InputSlot=${inPpd(value)}`,
  collate: (value) => `collate=${value}`,
  color: (value) => `print-color-mode=${value === 'true' ? 'color' : 'monochrome'}`,
  copies: (value) => `copies=${value}`,
  dpi: (value) => `printer-resolution=${value}dpi`,
  duplex: (value) => `sides=${value === 'one-sided' ? value : `two-sided-${value}`}`,
  fit_to_page: (value) => `print-scaling=${value === 'true' ? 'fit' : 'none'}`,
  media: (value) => `MediaType=${inPpd(value)}`,
  nup: (value) => `number-up=${value}`,
  pages: (value) => `page-ranges=${value.replaceAll(/(^|,)-/g, '$11-')}`,
  paper: (value) => `media=${value}`,
  rotate: (value) => `orientation-requested=${ORIENTATIONS[value] ?? ''}`,
};

function lpOptions(options: DeliveredJob['options']): readonly string[] {
  return Object.entries(options).flatMap(([name, value]) => {
    const isSet = /number|boolean|string/.test(typeof value) && value !== '';
    return isSet ? (OPTIONS[name]?.(String(value)) ?? []) : [];
  });
}

/** Queues without a driver are described by a PPD, which writes `tray-2` as `Tray2`. */
function inPpd(keyword: string): string {
  return keyword.replaceAll(/(?:^|-)(\w)/g, (_whole, letter: string) => letter.toUpperCase());
}
