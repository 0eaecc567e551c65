/**
 * Reads the traffic of a scenario into a LoadScenario: files, defaults, and what a schema cannot check: unknown names,
 * keys that exclude each other, thresholds.
 */

import { createHash } from 'node:crypto';

import { formatDuration } from '../../common/duration.ts';
import type { FileReach } from '../../common/file-reach.ts';
import { meantHint, nearestName } from '../../common/nearest-name.ts';
import { failure, success, type Outcome } from '../../common/outcome.ts';
import type { Path } from '../../common/problem.ts';
import { LONGEST_BACKOFF_MS } from '../../devices/computer/connection-keeper.ts';
import { RESERVED_SCOPES } from '../../load/measure/metric.ts';
import { PACERS, type PacerSettings } from '../../load/pacers/pacers.ts';
import {
  DEFAULT_CAPS,
  WORKER_LOST,
  type ClosedArrivals,
  type LoadDocument,
  type LoadScenario,
  type LoadStream,
  type OpenArrivals,
  type WeightedOperation,
} from '../../load/plan/load-scenario.ts';
import { parseThreshold } from '../../load/verdict/thresholds.ts';
import { isPdfName, placeOfDocument, placeOfFile } from '../vocabulary/documents.ts';
import type { OwnFiles } from '../vocabulary/own-files.ts';
import type { Scenario } from './scenario.ts';
import type { Traffic, TrafficDocument, TrafficPacer, TrafficStream } from './traffic-schema.ts';

const DEFAULT_TIMEOUT_MS = 10_000;
const DEFAULT_DRAIN_MS = 30_000;
const DEFAULT_CONNECT_RATE = 500;
const DEFAULT_MADE_BYTES = 1_000;
/** The ledger keeps the index of a job's document in a byte. */
const MOST_DOCUMENTS = 255;

export interface TrafficProblem {
  readonly path: Path;
  readonly message: string;
}

type Complain = (path: Path, message: string) => void;

/** Where the files are that traffic names. */
export interface TrafficFiles extends Pick<OwnFiles, 'profiles'> {
  /** The folder of the scenario file: paths in it start there. */
  readonly folder: string;
  readonly reach: FileReach;
}

export function readTraffic(
  scenario: Scenario,
  traffic: Traffic,
  files: TrafficFiles,
): Outcome<LoadScenario, readonly TrafficProblem[]> {
  const problems: TrafficProblem[] = [];
  const complain: Complain = (path, message) => problems.push({ path, message });
  checkRest(scenario, complain);
  checkTimes(traffic, complain);
  checkStreams(traffic, complain);
  checkRoom(scenario, traffic, complain);
  checkThresholds(scenario, traffic, complain);
  if (Object.keys(traffic.documents).length > MOST_DOCUMENTS)
    complain(['traffic', 'documents'], `has more than ${MOST_DOCUMENTS} documents`);
  const documents = Object.entries(traffic.documents).map(([name, given]) => documentOf(name, given, files, complain));
  const streams = traffic.streams.map((stream, index) =>
    streamOf(stream, traffic, files, (path, message) => complain(['traffic', 'streams', index, ...path], message)),
  );
  if (problems.length > 0) return failure(problems);
  const { title, why, seed, room, chaos = [], expect } = scenario;
  return success({
    title,
    why,
    seed,
    computers: room.templates,
    profiles: Object.fromEntries(files.profiles),
    connectRate: room.connectRate ?? DEFAULT_CONNECT_RATE,
    longestBackoffMs: room.longestBackoffMs ?? LONGEST_BACKOFF_MS,
    timeScale: room.timeScale,
    accounts: traffic.accounts,
    sources: traffic.sources ?? [],
    documents,
    streams,
    webhooks: traffic.webhooks ?? null,
    timeoutMs: traffic.timeout ?? DEFAULT_TIMEOUT_MS,
    warmUpMs: traffic.warmUp,
    drainMs: traffic.drain ?? DEFAULT_DRAIN_MS,
    caps: traffic.caps ?? DEFAULT_CAPS,
    chaos: chaos.filter((event) => event.what !== WORKER_LOST),
    workerLosses: chaos
      .filter((event) => event.what === WORKER_LOST)
      .map(({ atMs, withinMs, workers }) => ({ atMs, withinMs, workers })),
    thresholds: expect.thresholds,
    abort: expect.abort,
  });
}

/** What a load cannot have beside its traffic. */
function checkRest({ steps, faults, account, expect }: Scenario, complain: Complain): void {
  if (steps.length > 0) complain(['steps'], 'cannot be combined with traffic: write a separate scenario for the steps');
  if (faults.length > 0)
    complain(['faults'], 'cannot be combined with traffic: behaviours and chaos events say what goes wrong in a load');
  if (account === 'child')
    complain(['account'], 'has no meaning with traffic: traffic.accounts says which accounts send it');
  for (const kind of expect.kinds) {
    complain(['expect', kind], 'cannot be expected of a load: write thresholds, such as ledger.lost == 0');
  }
}

/** When its last arrival may be due. */
function endOf({ streams }: Traffic): number {
  return Math.max(...streams.map(({ start = 0, for: forMs }) => start + forMs));
}

function checkTimes(traffic: Traffic, complain: Complain): void {
  const { streams, timeout, warmUp = 0 } = traffic;
  const endMs = endOf(traffic);
  for (const [index, { for: forMs }] of streams.entries())
    if (forMs === 0) complain(['traffic', 'streams', index, 'for'], NO_TIME);
  if (timeout === 0) complain(['traffic', 'timeout'], NO_TIME);
  if (endMs > 0 && warmUp >= endMs)
    complain(['traffic', 'warmUp'], `must be shorter than the traffic, which lasts ${formatDuration(endMs)}`);
}

const NO_TIME = 'must be longer than 0s';

function checkRoom({ room, chaos = [] }: Scenario, traffic: Traffic, complain: Complain): void {
  const computers = room.templates.reduce((sum, { count }) => sum + count, 0);
  const submits = traffic.streams.some((stream) => operationsIn(stream).includes('submit'));
  if (submits && computers < traffic.accounts) {
    complain(
      ['traffic', 'accounts'],
      `each account needs a computer to print on: there are ${computers} for ${traffic.accounts} accounts`,
    );
  }
  if (submits && room.templates.some(({ template }) => template.printers.length === 0)) {
    complain(['room'], 'each computer of a load that submits jobs needs a printer');
  }
  const endMs = endOf(traffic);
  for (const [index, { atMs }] of chaos.entries()) {
    if (atMs >= endMs) complain(['chaos', index, 'at'], 'comes after the last arrival, so it would affect nothing');
  }
}

function checkStreams({ streams }: Traffic, complain: Complain): void {
  const seen = new Set<string>();
  for (const [index, { name }] of streams.entries()) {
    const at = ['traffic', 'streams', index, 'name'];
    if (seen.has(name)) complain(at, `there is already a stream '${name}'`);
    if (RESERVED_SCOPES.some((word) => word === name))
      complain(at, `'${name}' means something else in thresholds: choose another name`);
    seen.add(name);
  }
}

/** Metrics that only the webhooks of a load have. */
const OF_WEBHOOKS = /^\s*(webhooks|job\.webhook)\./;

function checkThresholds({ expect }: Scenario, { streams, webhooks }: Traffic, complain: Complain): void {
  const names = streams.map(({ name }) => name);
  for (const key of ['thresholds', 'abort'] as const) {
    for (const [index, text] of expect[key].entries()) {
      const parsed = parseThreshold(text, names);
      if (!parsed.ok)
        complain(['expect', key, index], `'${text}', at character ${parsed.error.offset + 1}: ${parsed.error.message}`);
      else if (webhooks === undefined && OF_WEBHOOKS.test(text))
        complain(['expect', key, index], `'${text}' needs webhooks, which traffic.webhooks adds to the load`);
    }
  }
}

function operationsIn({ do: single, mix = [] }: TrafficStream): readonly string[] {
  return [...(single === undefined ? [] : [single]), ...mix.map((one) => one.do)];
}

function documentOf(
  name: string,
  given: TrafficDocument,
  { folder, reach }: TrafficFiles,
  complain: Complain,
): LoadDocument {
  const at = ['traffic', 'documents', name];
  const { file, pages, size, via } = given;
  const language = given.language ?? (file === undefined || isPdfName(file) ? 'pdf' : 'raw');
  if (file === undefined) {
    if (pages === undefined && size === undefined)
      complain(at, "needs a 'file', or 'pages' or a 'size' to be generated");
    const bytes = size ?? (pages ?? 1) * DEFAULT_MADE_BYTES;
    return { name, language, via, source: { kind: 'made', pages: pages ?? 1, bytes: size ?? 0 }, bytes };
  }
  if (pages !== undefined || size !== undefined)
    complain(at, "is a file: 'pages' and 'size' are for generated documents");
  const place = placeOfDocument(file, folder);
  const read = reach.read(place);
  if (!read.ok) complain([...at, 'file'], read.error);
  const content = read.ok ? read.value : Buffer.alloc(0);
  const sha256 = createHash('sha256').update(content).digest('hex');
  return { name, language, via, source: { kind: 'file', path: place, sha256 }, bytes: content.byteLength };
}

function streamOf(given: TrafficStream, traffic: Traffic, files: TrafficFiles, complain: Complain): LoadStream {
  const { name, start = 0, for: forMs, accounts = [1, traffic.accounts] } = given;
  const [first, last] = accounts;
  if (last > traffic.accounts || first > last)
    complain(['accounts'], `must go from 1 to at most ${traffic.accounts}, the number of accounts`);
  return {
    name,
    operations: mixOf(given, traffic, complain),
    arrivals: arrivalsOf(given, files, complain),
    startMs: start,
    forMs,
    accounts: { first: first - 1, last: last - 1 },
  };
}

type Submission = Pick<TrafficStream, 'document' | 'copies' | 'qty' | 'expireAfter'>;

function mixOf(given: TrafficStream, traffic: Traffic, complain: Complain): readonly WeightedOperation[] {
  const { do: single, mix, ...rest } = given;
  if ((single === undefined) === (mix === undefined)) {
    complain([], "needs 'do' or 'mix', and not both");
    return [];
  }
  if (single !== undefined) return [operationOf(single, 1, rest, [], traffic, complain)];
  return (mix ?? []).map((one, index) => operationOf(one.do, one.weight, one, ['mix', index], traffic, complain));
}

function operationOf(
  name: WeightedOperation['name'],
  weight: number,
  { document, copies = [1, 1], qty = [1, 1], expireAfter }: Submission,
  at: Path,
  traffic: Traffic,
  complain: Complain,
): WeightedOperation {
  const known = Object.keys(traffic.documents);
  const place = known.indexOf(document ?? '');
  if (name === 'submit' && document === undefined) complain(at, "needs a 'document' to submit");
  if (document !== undefined && place < 0) complain([...at, 'document'], unknownDocument(document, known));
  return { name, weight, document: Math.max(0, place), copies, qty, expireAfterSeconds: expireAfter ?? null };
}

function unknownDocument(name: string, known: readonly string[]): string {
  const meant = nearestName(name, known);
  if (meant !== undefined) return `there is no document '${name}'${meantHint(meant)}`;
  return `there is no document '${name}' under traffic.documents; ${known.length > 0 ? `there are ${known.join(', ')}` : 'none is listed'}`;
}

function arrivalsOf(given: TrafficStream, files: TrafficFiles, complain: Complain): OpenArrivals | ClosedArrivals {
  const { pacer, loops, think } = given;
  if ((pacer === undefined) === (loops === undefined)) complain([], "needs a 'pacer' or 'loops', and not both");
  if (loops !== undefined) return { kind: 'closed', loops, thinkMs: think ?? 0 };
  if (think !== undefined) complain(['think'], "goes with 'loops': a pacer does not wait for answers");
  return { kind: 'open', pacer: pacerOf(pacer ?? {}, files, complain) };
}

function pacerOf(given: TrafficPacer, files: TrafficFiles, complain: Complain): PacerSettings {
  const [only, ...others] = Object.entries(given);
  if (only === undefined || others.length > 0) {
    complain(['pacer'], `names one of ${Object.keys(PACERS).join(', ')}`);
    return { kind: 'constant', rate: 0 };
  }
  const [kind, settings] = only;
  if ('file' in settings) {
    return { kind: 'trace', timesMs: traceOf(settings.file, files, complain) };
  }
  return { kind, ...settings } as PacerSettings;
}

/** Two million arrivals. */
const MOST_TRACE_BYTES = 16 * 1024 * 1024;

function traceOf(named: string, { folder, reach }: TrafficFiles, complain: Complain): readonly number[] {
  const file = placeOfFile(named, folder);
  const read = reach.read(file, MOST_TRACE_BYTES);
  if (!read.ok) {
    complain(['pacer', 'trace', 'file'], read.error);
    return [];
  }
  const lines = read.value
    .toString('utf8')
    .split('\n')
    .map((line) => line.trim());
  const wrong = lines.findIndex((line) => line !== '' && !/^\d+(\.\d+)?$/.test(line));
  if (wrong >= 0) complain(['pacer', 'trace', 'file'], `line ${wrong + 1} of ${file} is not a number of milliseconds`);
  return lines.filter((line) => line !== '').map(Number);
}
