/**
 * Mutants of delivery: which jobs reach which computer, how often, in which order, and what has become of
 * them on the way.
 */

import { sleep, systemClock, type Clock } from '../../src/common/clock.ts';
import type { DeliveredJob, LinkEvents } from '../../src/link/device-link.ts';
import { SERVICE_RULES } from '../../src/service/service-rules.ts';
import type { ClauseId } from '../../src/specification/clauses.ts';
import type { Line, LinkMeddling } from './meddling-link.ts';
import { broken, inAnswers, inRules, onLink, type Mutant } from './mutant.ts';
import { json } from './mutants.ts';

const STATES = /^GET \/printjobs\/\d+\/states$/;

type States = readonly (readonly { readonly state: string }[])[];

/** Each job changed on its way. */
const changed = (clause: ClauseId, name: string, change: (job: DeliveredJob) => Partial<DeliveredJob>): Mutant =>
  onLink(clause, name, { jobs: (job) => [{ ...job, ...change(job) }] });

/** The same for jobs whose content is base64. */
const bytesOf = (change: (bytes: Buffer) => Buffer) => (job: DeliveredJob) =>
  job.contentType.endsWith('base64') ? { content: change(Buffer.from(job.content, 'base64')).toString('base64') } : {};

const upToNul = (bytes: Buffer): Buffer => {
  const end = bytes.indexOf(0);
  return end === -1 ? bytes : bytes.subarray(0, end);
};

/** Every computer gets every job. */
function toEveryone(): LinkMeddling {
  const everyone = new Set<LinkEvents>();
  return {
    opening: ({ request }) => {
      everyone.add(request.events);
      return {};
    },
    jobs: async (job) => {
      for (const events of everyone) await events.onJob(job);
      return [];
    },
  };
}

/** What a computer was sent and is not at work on, it gets again when it comes back. */
function forgettingEnds(): LinkMeddling {
  const sentBefore = new Map<string, DeliveredJob[]>();
  const isAgain = new WeakSet<Line>();
  const waitingFor = ({ request }: Line): DeliveredJob[] => {
    const { installationId } = request.client;
    const jobs = sentBefore.get(installationId) ?? [];
    sentBefore.set(installationId, jobs);
    return jobs;
  };
  return {
    jobs: (job, line) => {
      const all = waitingFor(line);
      const held = line.request.holding();
      const again = isAgain.has(line) || line.connection === 1 ? [] : all.filter(({ jobId }) => !held.includes(jobId));
      isAgain.add(line);
      all.push(job);
      return [...again, job];
    },
  };
}

/** Sends no more than ten of the jobs that wait for a computer. */
function firstTen(): LinkMeddling {
  const counts = new WeakMap<Line, number>();
  return {
    jobs: (job, line) => {
      const count = (counts.get(line) ?? 0) + 1;
      counts.set(line, count);
      return line.connection > 1 && count > 10 ? [] : [job];
    },
  };
}

const CENTURY_MS = 100 * 365 * 86_400_000;
/** Long enough for what waits to come together. */
const TOGETHER_MS = 200;

/** Sends the newest job that waits for a computer first. */
function newestFirst(): LinkMeddling {
  const waiting = new WeakMap<Line, DeliveredJob[]>();
  return {
    jobs: async (job, line) => {
      if (line.connection === 1) return [job];
      const jobs = waiting.get(line);
      if (jobs) {
        jobs.push(job);
        return [];
      }
      const all = [job];
      waiting.set(line, all);
      await sleep(systemClock, TOGETHER_MS);
      waiting.delete(line);
      return all.toReversed();
    },
  };
}

/** Jobs whose last state is this one expire when the time of the one before them all is over. */
function expiringIn(last: string): Pick<Mutant, 'rules' | 'meddle'> {
  const clocks: Clock[] = [];
  let dueMs = Number.POSITIVE_INFINITY;
  return {
    rules: {
      webhookSender: (options) => {
        clocks.push(options.clock);
        return SERVICE_RULES.webhookSender(options);
      },
      expiryMs: (createdMs, expireAfter) => {
        const expireMs = SERVICE_RULES.expiryMs(createdMs, expireAfter);
        dueMs = Math.min(dueMs, expireMs);
        return expireMs;
      },
    },
    meddle: json(STATES, (histories: States) =>
      histories.map((history) =>
        history.at(-1)?.state === last && clocks.some((clock) => clock.now() >= dueMs)
          ? [...history, { ...history.at(-1), state: 'expired' }]
          : history,
      ),
    ),
  };
}

/** Options that a service takes for none. */
const LOST_OPTIONS: Readonly<Record<string, (value: unknown) => boolean>> = {
  'options of false are dropped': (value) => value === false,
  'options of 1 are dropped': (value) => value === 1,
  'one-sided is dropped': (value) => value === 'one-sided',
  'names outside ASCII are dropped': (value) => /\P{ASCII}/u.test(String(value)),
};

export const DELIVERY_MUTANTS: readonly Mutant[] = [
  // Whether, where, how often, in which order
  changed('print-jobs/qty-passed-on', 'qty is always 1', () => ({ qty: 1 })),
  changed('print-jobs/authentication-passed-on', 'every document is fetched with credentials', () => ({
    authentication: { type: 'BasicAuth', credentials: { user: 'a', pass: 'b' } },
  })),
  onLink('print-jobs/delivered', 'jobs for a connected computer are lost', { jobs: () => [] }),
  onLink('print-jobs/delivered-to-its-computer', 'every computer gets every job', toEveryone()),
  changed('print-jobs/body-printer-id', 'all jobs of a computer go to its first printer', () => ({
    printerKey: 'printer-1',
  })),
  onLink('print-jobs/delivered-once', 'each job is sent twice', { jobs: (job) => [job, job] }),
  onLink('print-jobs/delivered-once', 'what a computer says it holds is sent again', {
    opening: () => ({ holding: () => [] }),
  }),
  onLink('print-jobs/delivered-once', 'what is done is sent again when the computer comes back', forgettingEnds()),
  onLink('print-jobs/delivered-in-order', 'of what waits for a computer the newest goes first', newestFirst()),
  onLink('print-jobs/sent-on-reconnect', 'what waits for a computer is lost when it comes back', {
    jobs: (job, { connection }) => (connection > 1 ? [] : [job]),
  }),
  onLink('print-jobs/sent-on-reconnect', 'of what waits for a computer ten are sent when it comes back', firstTen()),
  inRules('print-jobs/expired-not-delivered', 'an expired job is sent when its computer comes back', {
    expiryMs: (createdMs) => createdMs + CENTURY_MS,
  }),
  broken('print-jobs/expire-after-delivered', 'a job expires although it was delivered', expiringIn('sent_to_client')),
  broken('states/ends-once', 'a job expires although it is done', expiringIn('done')),
  inAnswers(
    'states/ends-once',
    'a job that is done is in error too',
    json(STATES, (histories: States) =>
      histories.map((history) =>
        history.flatMap((one) => (one.state === 'done' ? [one, { ...one, state: 'error' }] : [one])),
      ),
    ),
  ),

  // What has become of it
  changed('print-jobs/body-title', 'the client gets no title', () => ({ title: '' })),
  changed('print-jobs/body-title', 'titles come without blanks', ({ title }) => ({
    title: title.replaceAll(' ', '_'),
  })),
  changed('print-jobs/body-title', 'the title 0 is taken for none', ({ title }) => ({
    title: title === '0' ? '' : title,
  })),
  changed('print-jobs/body-title', 'a title is cut at 127 characters', ({ title }) => ({ title: title.slice(0, 127) })),
  changed('print-jobs/options-untouched-by-service', 'options of 0 are dropped', ({ options }) => ({
    options: Object.fromEntries(Object.entries(options).filter(([, value]) => value !== 0)),
  })),
  onLink('print-jobs/authentication-passed-on', 'authentication is forgotten until the computer is back', {
    jobs: (job, { connection }) => [connection > 1 ? { ...job, authentication: null } : job],
  }),
  changed(
    'print-jobs/authentication-passed-on',
    'blanks at the ends of passwords are cut off',
    ({ authentication }) => ({
      authentication: JSON.parse(JSON.stringify(authentication).replaceAll(/" +| +"/g, '"')),
    }),
  ),
  inRules('print-jobs/expire-after-not-early', 'a time of more than 2^31 ms is over at once', {
    expiryMs: (createdMs, expireAfter) =>
      Number(expireAfter) * 1_000 >= 2 ** 31 ? createdMs + 1 : SERVICE_RULES.expiryMs(createdMs, expireAfter),
  }),
  changed('print-jobs/body-source', 'the client gets no source', () => ({ source: null })),
  changed('print-jobs/body-content', 'base64 comes without its padding', ({ content, contentType }) =>
    contentType.endsWith('base64') ? { content: content.replace(/=+$/, '') } : {},
  ),
  changed('print-jobs/body-content', 'a URI comes without its query', ({ content, contentType }) =>
    contentType.endsWith('uri') ? { content: content.replace(/\?.*$/, '') } : {},
  ),
  changed('print-jobs/content-bytes-unharmed', 'a document ends at its first NUL byte', bytesOf(upToNul)),
  changed(
    'print-jobs/content-bytes-unharmed',
    'RAW bytes are read as UTF-8',
    bytesOf((bytes) => Buffer.from(bytes.toString('utf8'))),
  ),
  changed(
    'print-jobs/content-bytes-unharmed',
    'a document is cut at 64 kB',
    bytesOf((bytes) => bytes.subarray(0, 65_536)),
  ),
  changed('print-jobs/content-type-pdf-base64', 'a PDF is sent as RAW', () => ({
    contentType: 'raw_base64',
  })),
  changed('print-jobs/content-type-raw-base64', 'RAW bytes get a line end', (job) =>
    job.contentType === 'raw_base64' ? bytesOf((bytes) => Buffer.concat([bytes, Buffer.from('\n')]))(job) : {},
  ),
  changed('print-jobs/body-options', 'options that are not texts are lost', ({ options }) => ({
    options: Object.fromEntries(Object.entries(options).filter(([, value]) => typeof value === 'string')),
  })),
  ...Object.entries(LOST_OPTIONS).map(([name, isLost]) =>
    changed('print-jobs/body-options', name, ({ options }) => ({
      options: Object.fromEntries(Object.entries(options).filter(([, value]) => !isLost(value))),
    })),
  ),
  changed('print-jobs/qty-passed-on', 'a qty has two digits at most', ({ qty }) => ({ qty: Math.min(qty, 99) })),
  changed('print-jobs/body-title', 'titles are made ready for HTML', ({ title }) => ({
    title: title.replaceAll('&', '&amp;').replaceAll('<', '&lt;'),
  })),
  changed('service/text-unharmed', 'blanks at the ends of titles are cut off', ({ title }) => ({
    title: title.trim(),
  })),
  changed('service/text-unharmed', 'titles have one line', ({ title }) => ({ title: title.replaceAll(/[\t\n]/g, '') })),
  changed('service/text-unharmed', 'a source is cut at 64 characters', ({ source }) => ({
    source: source?.slice(0, 64) ?? null,
  })),
  changed('print-jobs/options-untouched-by-service', 'options get defaults', ({ options }) => ({
    options: { collate: true, ...options },
  })),
  changed('print-jobs/options-untouched-by-service', 'options that nobody knows are left out', ({ options }) => ({
    options: Object.fromEntries(Object.entries(options).filter(([name]) => name !== 'unheard_of')),
  })),
];
