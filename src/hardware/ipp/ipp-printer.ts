/**
 * IPP printer: answers the operations of one printer (RFC 8011, 4; PWG 5100.14).
 *
 *   request ─► is it well-formed, and for this printer? ─► operation ─► response
 *                                                            │
 *                              Print-Job, Send-Document ─► press ─► paper path ─► sheets
 *
 * A request that is wrong gets the status that RFC 8011 has for it; nothing throws. Jobs that are over are
 * kept for those that ask what became of them, the newest alone.
 */

import { hash } from 'node:crypto';

import type { Clock, Timer } from '../../common/clock.ts';
import type { HardwarePrinter } from '../hardware-printer.ts';
import {
  mediaType,
  numberOf,
  keyword,
  stringOf,
  strings,
  stringsOf,
  text,
  type IppAttribute,
  type IppGroup,
} from './attribute.ts';
import type { IppMessage } from './codec.ts';
import { DocumentFault, uncompressed } from './compression.ts';
import { IppJob, JOB_ANSWER_ATTRIBUTES } from './ipp-job.ts';
import { readJobOptions } from './job-options.ts';
import { OPERATIONS, STATUSES, type OperationName, type StatusName } from './operations.ts';
import {
  COMPRESSIONS,
  DOCUMENT_FORMATS,
  MULTIPLE_OPERATION_TIMEOUT_S,
  WHICH_JOBS,
  profileAttributes,
  standingAttributes,
} from './printer-attributes.ts';
import { reasonsFor } from './state-reasons.ts';

export interface IppPrinterOptions {
  readonly clock: Clock;
  readonly printer: HardwarePrinter;
  /** Each address of the printer, as `ipp://127.0.0.1:8632/ipp/print/laser`. */
  readonly uris: readonly string[];
  readonly pageUrl: string;
}

/** A status with what goes with it. */
export interface Answer {
  readonly status: StatusName;
  readonly groups?: readonly IppGroup[] | undefined;
  readonly message?: string | undefined;
  readonly unsupported?: readonly IppAttribute[] | undefined;
}

/** A request whose form was found right. */
interface Request {
  readonly message: IppMessage;
  readonly operation: readonly IppAttribute[];
  readonly asked: readonly IppAttribute[];
  readonly user: string;
}

const OPERATION_OF = new Map<number, OperationName>(
  Object.entries(OPERATIONS).map(([name, code]) => [code, name as OperationName]),
);

/** Jobs that are over are forgotten from the oldest on. */
const MOST_KEPT_JOBS = 500;
const LONGEST_NAME = 255;

export class IppPrinter {
  readonly #options: IppPrinterOptions;
  readonly #startedMs: number;
  readonly #uuid: string;
  readonly #jobs = new Map<number, IppJob>();
  readonly #timers = new Map<IppJob, Timer>();
  #nextId = 1;
  #stateChangedMs: number;
  #lastReasons = '';

  constructor(options: IppPrinterOptions) {
    this.#options = options;
    this.#startedMs = options.clock.now();
    this.#stateChangedMs = this.#startedMs;
    const { computer, key, name } = options.printer;
    this.#uuid = uuidFor(`${computer}/${key}/${name}`);
  }

  /** Never rejects: what cannot be done is a status. */
  async handle(message: IppMessage): Promise<IppMessage> {
    const answer = await this.#answer(message).catch((error: unknown) => asAnswer(error));
    return responseTo(message, answer);
  }

  /** Ends the jobs that still wait for a document. */
  close(): void {
    for (const timer of this.#timers.values()) timer.cancel();
    this.#timers.clear();
  }

  async #answer(message: IppMessage): Promise<Answer> {
    const fault = faultOf(message);
    if (fault) return fault;
    const operation = message.groups[0]?.attributes ?? [];
    const target = this.#targetFault(operation);
    if (target) return target;
    const name = OPERATION_OF.get(message.code);
    if (!name) return { status: 'server-error-operation-not-supported' };
    const user = stringOf(attributeOf(operation, 'requesting-user-name')) ?? 'anonymous';
    const asked = message.groups.find(({ type }) => type === 'job')?.attributes ?? [];
    return this.#operations[name]({ message, operation, asked, user });
  }

  readonly #operations: Readonly<Record<OperationName, (request: Request) => Answer | Promise<Answer>>> = {
    'Print-Job': (request) => this.#printJob(request),
    'Validate-Job': (request) => this.#documentFault(request) ?? this.#accepted(request),
    'Create-Job': (request) => this.#createJob(request),
    'Send-Document': (request) => this.#sendDocument(request),
    'Close-Job': (request) => this.#closeJob(request),
    'Cancel-Job': (request) => this.#cancelJob(request),
    'Cancel-My-Jobs': (request) => this.#cancelMyJobs(request),
    'Get-Job-Attributes': (request) => this.#getJobAttributes(request),
    'Get-Jobs': (request) => this.#getJobs(request),
    'Get-Printer-Attributes': (request) => this.#getPrinterAttributes(request),
    'Identify-Printer': () => ({ status: 'successful-ok' }),
  };

  /** Whether the request names this printer, as the third of its operation attributes (RFC 8011, 4.1.5). */
  #targetFault(operation: readonly IppAttribute[]): Answer | undefined {
    const target = operation[2];
    if (target?.name !== 'printer-uri' && target?.name !== 'job-uri') {
      return badRequest('the third operation attribute must be printer-uri or job-uri');
    }
    const path = pathOf(stringOf(target));
    if (path === undefined) return badRequest(`${target.name} is not a URI`);
    const own = this.#paths();
    const isOwn = target.name === 'printer-uri' ? own.has(path) : own.has(path.replace(/\/\d+$/, ''));
    return isOwn ? undefined : { status: 'client-error-not-found', message: 'no printer at this address' };
  }

  #paths(): Set<string | undefined> {
    return new Set(this.#options.uris.map(pathOf));
  }

  async #printJob(request: Request): Promise<Answer> {
    const fault = this.#documentFault(request) ?? this.#queueFault();
    if (fault) return fault;
    if (request.message.data.length === 0) return badRequest('the request carries no document');
    const job = this.#makeJob(request);
    await this.#takeDocument(job, request);
    return this.#jobAnswer(job, request);
  }

  #createJob(request: Request): Answer {
    const fault = this.#documentFault(request) ?? this.#queueFault();
    if (fault) return fault;
    const job = this.#makeJob(request);
    const { clock } = this.#options;
    const timer = clock.schedule(MULTIPLE_OPERATION_TIMEOUT_S * 1_000, () => {
      this.#timers.delete(job);
      job.end('aborted', clock.now(), 'no document came in time');
    });
    this.#timers.set(job, timer);
    return this.#jobAnswer(job, request);
  }

  async #sendDocument(request: Request): Promise<Answer> {
    const job = this.#jobOf(request);
    if (!job) return noJob();
    const isLast = attributeOf(request.operation, 'last-document')?.values[0];
    if (isLast?.type !== 'boolean') return badRequest('last-document is missing');
    if (!job.isOpen) return { status: 'client-error-not-possible', message: 'the job takes no more documents' };
    const fault = this.#documentFault(request);
    if (fault) return fault;
    const { data } = request.message;
    if (data.length > 0 && job.documentBytes > 0) {
      return { status: 'server-error-multiple-document-jobs-not-supported' };
    }
    if (data.length > 0) await this.#takeDocument(job, request);
    else if (isLast.value) this.#closeOpenJob(job);
    return this.#jobAnswer(job, request);
  }

  #closeJob(request: Request): Answer {
    const job = this.#jobOf(request);
    if (!job) return noJob();
    if (job.isOpen) this.#closeOpenJob(job);
    return this.#jobAnswer(job, request);
  }

  /** Nothing is printed of a job that is closed without a document. */
  #closeOpenJob(job: IppJob): void {
    this.#stopWaiting(job);
    job.end('aborted', this.#options.clock.now(), 'the job was closed without a document');
  }

  #cancelJob(request: Request): Answer {
    const job = this.#jobOf(request);
    if (!job) return noJob();
    if (job.isEnded) return { status: 'client-error-not-possible', message: 'the job is over' };
    this.#cancel(job);
    return { status: 'successful-ok' };
  }

  #cancelMyJobs({ operation, user }: Request): Answer {
    const ids = (attributeOf(operation, 'job-ids')?.values ?? []).flatMap((value) =>
      value.type === 'integer' ? [value.value] : [],
    );
    const mine = [...this.#jobs.values()].filter((job) => !job.isEnded && job.ticket.user === user);
    const chosen = ids.length === 0 ? mine : mine.filter((job) => ids.includes(job.ticket.id));
    if (chosen.length < new Set(ids).size) return { status: 'client-error-not-possible' };
    for (const job of chosen) this.#cancel(job);
    return { status: 'successful-ok' };
  }

  #cancel(job: IppJob): void {
    this.#stopWaiting(job);
    job.end('canceled', this.#options.clock.now());
  }

  #getJobAttributes(request: Request): Answer {
    const job = this.#jobOf(request);
    if (!job) return noJob();
    const wanted = stringsOf(attributeOf(request.operation, 'requested-attributes'));
    return { status: 'successful-ok', groups: [jobGroup(this.#attributesOf(job), wanted)] };
  }

  #getJobs({ operation, user }: Request): Answer {
    const which = stringOf(attributeOf(operation, 'which-jobs')) ?? 'not-completed';
    if (!(WHICH_JOBS as readonly string[]).includes(which)) {
      return notSupported([keyword('which-jobs', which)]);
    }
    const isMine = attributeOf(operation, 'my-jobs')?.values[0];
    const onlyMine = isMine?.type === 'boolean' && isMine.value;
    const limit = numberOf(attributeOf(operation, 'limit')) ?? Infinity;
    const asked = stringsOf(attributeOf(operation, 'requested-attributes'));
    const wanted = asked.length > 0 ? asked : ['job-id', 'job-uri'];
    const jobs = [...this.#jobs.values()].filter(
      (job) => this.#isOneOf(which, job) && (!onlyMine || job.ticket.user === user),
    );
    const newestFirst = which === 'not-completed' || which === 'pending' ? jobs : jobs.toReversed();
    const groups = newestFirst.slice(0, limit).map((job) => jobGroup(this.#attributesOf(job), wanted));
    return { status: 'successful-ok', groups };
  }

  #isOneOf(which: string, job: IppJob): boolean {
    if (which === 'all') return true;
    if (which === 'not-completed') return !job.isEnded;
    if (which === 'completed') return job.isEnded;
    return job.state(this.#isStopped()) === which;
  }

  #getPrinterAttributes({ operation }: Request): Answer {
    const format = stringOf(attributeOf(operation, 'document-format'));
    if (format !== undefined && !isDocumentFormat(format)) {
      return {
        status: 'client-error-document-format-not-supported',
        unsupported: [mediaType('document-format', format)],
      };
    }
    const asked = stringsOf(attributeOf(operation, 'requested-attributes'));
    const { template, description, mediaDatabase } = profileAttributes(this.#options.printer.profile);
    const groups = { 'job-template': template, 'printer-description': [...this.#standing(), ...description] };
    const all = [...groups['printer-description'], ...template];
    const isAll = asked.length === 0 || asked.includes('all');
    const attributes = isAll
      ? all
      : all.filter(
          (attribute) =>
            asked.includes(attribute.name) ||
            Object.entries(groups).some(([group, members]) => asked.includes(group) && members.includes(attribute)),
        );
    const database = asked.includes(mediaDatabase.name) ? [mediaDatabase] : [];
    return {
      status: 'successful-ok',
      groups: [{ type: 'printer', attributes: [...attributes, ...database] }],
    };
  }

  #standing(): IppAttribute[] {
    const { printer, uris, pageUrl, clock } = this.#options;
    const reasons = reasonsFor(printer.faults);
    const active = [...this.#jobs.values()].filter((job) => !job.isEnded);
    const isPrinting = active.some((job) => !job.isOpen);
    if (reasons.join() !== this.#lastReasons) this.#stateChangedMs = clock.now();
    this.#lastReasons = reasons.join();
    return standingAttributes({
      name: printer.name,
      uuid: this.#uuid,
      uris,
      pageUrl,
      state: this.#isStopped() ? 'stopped' : isPrinting ? 'processing' : 'idle',
      reasons,
      queuedJobs: active.length,
      nowMs: clock.now(),
      startedMs: this.#startedMs,
      stateChangedMs: this.#stateChangedMs,
    });
  }

  #isStopped(): boolean {
    return this.#options.printer.isStopped;
  }

  #attributesOf(job: IppJob): IppAttribute[] {
    const { clock, uris } = this.#options;
    return job.attributes(uris[0] ?? '', this.#startedMs, clock.now(), this.#isStopped());
  }

  #makeJob({ operation, asked, user }: Request): IppJob {
    const id = this.#nextId++;
    const name = stringOf(attributeOf(operation, 'job-name')) ?? `Job ${id}`;
    const job = new IppJob({
      id,
      uuid: uuidFor(`${this.#uuid}/${this.#startedMs}/${id}`),
      name: name.slice(0, LONGEST_NAME),
      user: user.slice(0, LONGEST_NAME),
      createdMs: this.#options.clock.now(),
      attributes: asked,
    });
    this.#jobs.set(id, job);
    this.#forgetOldest();
    return job;
  }

  #forgetOldest(): void {
    if (this.#jobs.size <= MOST_KEPT_JOBS) return;
    const oldest = [...this.#jobs.values()].find((job) => job.isEnded);
    if (oldest) this.#jobs.delete(oldest.ticket.id);
  }

  /** Reads the document, then lets it print while the answer goes out. @throws DocumentFault */
  async #takeDocument(job: IppJob, { message, operation }: Request): Promise<void> {
    this.#stopWaiting(job);
    const { printer, clock } = this.#options;
    job.process(clock.now());
    try {
      const compression = stringOf(attributeOf(operation, 'compression')) ?? 'none';
      const bytes = uncompressed(message.data, compression);
      const format = stringOf(attributeOf(operation, 'document-format')) ?? job.format;
      job.documentBytes = bytes.length;
      job.format = format;
      const options = readJobOptions(job.ticket.attributes, printer.profile);
      const { id, name: title, user } = job.ticket;
      void printer
        .print({ protocol: 'ipp', id, title, user, bytes, format, options }, () => job.end('completed', clock.now()))
        .then(
          ({ impressions, paper }) => {
            job.impressions = impressions;
            job.submitted(paper);
            if (paper.isOut) job.end('completed', clock.now());
          },
          (error: unknown) => job.end('aborted', clock.now(), asAnswer(error).message),
        );
    } catch (error) {
      job.end('aborted', clock.now(), asAnswer(error).message);
      throw error;
    }
  }

  #stopWaiting(job: IppJob): void {
    this.#timers.get(job)?.cancel();
    this.#timers.delete(job);
  }

  #jobOf({ operation }: Request): IppJob | undefined {
    const byUri = /\/(\d+)$/.exec(stringOf(attributeOf(operation, 'job-uri')) ?? '')?.[1];
    const id = byUri === undefined ? numberOf(attributeOf(operation, 'job-id')) : Number(byUri);
    return this.#jobs.get(id ?? -1);
  }

  /** What is wrong with the document or the options of a request that makes a job. */
  #documentFault({ operation, asked }: Request): Answer | undefined {
    const format = attributeOf(operation, 'document-format');
    const formatName = stringOf(format);
    if (format && (formatName === undefined || !isDocumentFormat(formatName))) {
      return { status: 'client-error-document-format-not-supported', unsupported: [format] };
    }
    const compression = attributeOf(operation, 'compression');
    if (compression && !(COMPRESSIONS as readonly string[]).includes(stringOf(compression) ?? '')) {
      return { status: 'client-error-compression-not-supported', unsupported: [compression] };
    }
    const fidelity = attributeOf(operation, 'ipp-attribute-fidelity')?.values[0];
    if (fidelity?.type !== 'boolean' || !fidelity.value) return undefined;
    const { unsupported } = readJobOptions(asked, this.#options.printer.profile);
    return unsupported.length > 0 ? notSupported(unsupported) : undefined;
  }

  #queueFault(): Answer | undefined {
    if (!this.#options.printer.faults.includes('spool-area-full')) return undefined;
    return { status: 'server-error-busy', message: 'the printer has no space for another job' };
  }

  #accepted({ asked }: Request): Answer {
    const { unsupported } = readJobOptions(asked, this.#options.printer.profile);
    if (unsupported.length === 0) return { status: 'successful-ok' };
    return { status: 'successful-ok-ignored-or-substituted-attributes', unsupported };
  }

  #jobAnswer(job: IppJob, request: Request): Answer {
    return {
      ...this.#accepted(request),
      groups: [jobGroup(this.#attributesOf(job), JOB_ANSWER_ATTRIBUTES)],
    };
  }
}

/** The same for the same name, so that an operating system knows a printer again after a restart (RFC 9562, 5.8). */
function uuidFor(name: string): string {
  const digits = hash('sha256', name);
  const parts = [digits.slice(0, 8), digits.slice(8, 12), `8${digits.slice(13, 16)}`, `8${digits.slice(17, 20)}`];
  return `urn:uuid:${[...parts, digits.slice(20, 32)].join('-')}`;
}

/** Job attributes by their names, or by the groups `all`, `job-template` and `job-description`. */
function jobGroup(attributes: readonly IppAttribute[], wanted: readonly string[]): IppGroup {
  const isAll = wanted.length === 0 || wanted.includes('all');
  const chosen = attributes.filter(
    (attribute) =>
      isAll ||
      wanted.includes(attribute.name) ||
      wanted.includes(isJobDescription(attribute) ? 'job-description' : 'job-template'),
  );
  return { type: 'job', attributes: chosen };
}

function isJobDescription({ name }: IppAttribute): boolean {
  return /^(job|time|date-time|document)-/.test(name);
}

/** What is wrong with the form of a request, whatever it asks (RFC 8011, 4.1). */
function faultOf({ version, requestId, groups }: IppMessage): Answer | undefined {
  if (version.major !== 1 && version.major !== 2) return { status: 'server-error-version-not-supported' };
  if (requestId <= 0) return badRequest('the request-id must be 1 or more');
  const [operation] = groups;
  if (operation?.type !== 'operation') return badRequest('the operation attributes must come first');
  if (groups.filter(({ type }) => type === 'operation').length > 1) {
    return badRequest('there are two groups of operation attributes');
  }
  const [charset, language] = operation.attributes;
  if (charset?.name !== 'attributes-charset' || language?.name !== 'attributes-natural-language') {
    return badRequest('attributes-charset and attributes-natural-language must come first, in this order');
  }
  const names = operation.attributes.map(({ name }) => name);
  if (new Set(names).size < names.length) return badRequest('an operation attribute stands twice');
  if (!/^(utf-8|us-ascii)$/i.test(stringOf(charset) ?? '')) {
    return { status: 'client-error-charset-not-supported' };
  }
  return undefined;
}

function attributeOf(attributes: readonly IppAttribute[], name: string): IppAttribute | undefined {
  return attributes.find((attribute) => attribute.name === name);
}

/** The path of an address, decoded; undefined when it is not one. */
function pathOf(address: string | undefined): string | undefined {
  const http = address?.replace(/^ipps?:/i, 'http:');
  return http !== undefined && URL.canParse(http) ? new URL(http).pathname : undefined;
}

function isDocumentFormat(format: string): boolean {
  return (DOCUMENT_FORMATS as readonly string[]).includes(format.toLowerCase());
}

function badRequest(message: string): Answer {
  return { status: 'client-error-bad-request', message };
}

function noJob(): Answer {
  return { status: 'client-error-not-found', message: 'no job of this id' };
}

function notSupported(unsupported: readonly IppAttribute[]): Answer {
  return { status: 'client-error-attributes-or-values-not-supported', unsupported };
}

function asAnswer(error: unknown): Answer & { readonly message: string } {
  const message = error instanceof Error ? error.message : String(error);
  return { status: error instanceof DocumentFault ? error.status : 'server-error-internal-error', message };
}

/** Status messages hold 255 octets. */
const LONGEST_MESSAGE = 200;

export function responseTo({ version, requestId }: IppMessage, answer: Answer): IppMessage {
  const { status, message, unsupported = [], groups = [] } = answer;
  const operation: IppAttribute[] = [
    strings('charset', 'attributes-charset', ['utf-8']),
    strings('naturalLanguage', 'attributes-natural-language', ['en']),
    ...(message ? [text('status-message', message.slice(0, LONGEST_MESSAGE))] : []),
  ];
  return {
    version: version.major === 1 ? { major: 1, minor: 1 } : { major: 2, minor: 0 },
    code: STATUSES[status],
    requestId: Math.max(0, requestId),
    groups: [
      { type: 'operation', attributes: operation },
      ...(unsupported.length > 0 ? [{ type: 'unsupported' as const, attributes: unsupported }] : []),
      ...groups,
    ],
    data: new Uint8Array(),
  };
}
