/**
 * IPP printer: answers the operations of one printer (RFC 8011, 4; PWG 5100.14).
 *
 *   request ─► is it well-formed, and for this printer? ─► operation ─► response
 *                                                            │
 *                              Print-Job, Send-Document ─► press ─► paper path ─► sheets
 *
 * A request that is wrong gets the status that RFC 8011 has for it; nothing throws.
 */

import type { Clock } from '../../common/clock.ts';
import { DocumentError } from '../../devices/press/press-messages.ts';
import type { HardwarePrinter } from '../hardware-printer.ts';
import { asAnswer, badRequest, noJob, notSupported, responseTo, type Answer } from './answer.ts';
import { isTrue, mediaType, stringOf, stringsOf, type IppAttribute } from './attribute.ts';
import type { IppMessage } from './codec.ts';
import { DocumentFault, uncompressed } from './compression.ts';
import { JOB_ANSWER_ATTRIBUTES, type IppJob } from './ipp-job.ts';
import { JobList } from './job-list.ts';
import { contradictionIn, readJobOptions } from './job-options.ts';
import { OPERATIONS, type OperationName } from './operations.ts';
import { profileAttributes, standingAttributes } from './printer-attributes.ts';
import { attributeOf, formFault, pathOf, requestIn, targetFault, type IppRequest } from './request.ts';
import { reasonsFor } from './state-reasons.ts';
import { printerUuid } from './uuid.ts';

export interface IppPrinterOptions {
  readonly clock: Clock;
  readonly printer: HardwarePrinter;
  /** Each address of the printer, as `ipp://127.0.0.1:8632/ipp/print/laser`. */
  readonly uris: readonly string[];
  readonly pageUrl: string;
}

const OPERATION_OF = new Map<number, OperationName>(
  Object.entries(OPERATIONS).map(([name, code]) => [code, name as OperationName]),
);

const CLOSED_EMPTY = 'the job was closed without a document';

export class IppPrinter {
  readonly #options: IppPrinterOptions;
  readonly #startedMs: number;
  readonly #uuid: string;
  readonly #paths: ReadonlySet<string>;
  readonly #jobs: JobList;
  #stateChangedMs: number;
  #lastReasons = '';

  constructor(options: IppPrinterOptions) {
    this.#options = options;
    this.#startedMs = options.clock.now();
    this.#stateChangedMs = this.#startedMs;
    const { clock, printer, uris } = options;
    this.#uuid = printerUuid(printer);
    this.#paths = new Set(uris.flatMap((uri) => pathOf(uri) ?? []));
    this.#jobs = new JobList({
      clock,
      printerUuid: this.#uuid,
      printerUri: uris[0] ?? '',
      isPrinterStopped: () => printer.isStopped,
    });
  }

  /** Never rejects: what cannot be done is a status. */
  async handle(message: IppMessage): Promise<IppMessage> {
    const answer = await this.#answer(message).catch((error: unknown) => asAnswer(error));
    return responseTo(message, answer);
  }

  /** Ends the jobs that still wait for a document. */
  close(): void {
    this.#jobs.close();
  }

  async #answer(message: IppMessage): Promise<Answer> {
    const fault = formFault(message);
    if (fault) return fault;
    const request = requestIn(message);
    const target = targetFault(request.operation, this.#paths);
    if (target) return target;
    const name = OPERATION_OF.get(message.code);
    return name ? this.#operations[name](request) : { status: 'server-error-operation-not-supported' };
  }

  readonly #operations: Readonly<Record<OperationName, (request: IppRequest) => Answer | Promise<Answer>>> = {
    'Print-Job': (request) => this.#printJob(request),
    'Validate-Job': (request) => this.#documentFault(request) ?? this.#accepted(request),
    'Create-Job': (request) => this.#createJob(request),
    'Send-Document': (request) => this.#sendDocument(request),
    'Close-Job': (request) => this.#closeJob(request),
    'Cancel-Job': (request) => this.#cancelJob(request),
    'Cancel-My-Jobs': (request) => this.#cancelMyJobs(request),
    'Get-Job-Attributes': (request) => this.#getJobAttributes(request),
    'Get-Jobs': (request) => this.#jobs.list(request),
    'Get-Printer-Attributes': (request) => this.#getPrinterAttributes(request),
    'Identify-Printer': () => ({ status: 'successful-ok' }),
  };

  async #printJob(request: IppRequest): Promise<Answer> {
    const fault = this.#documentFault(request) ?? this.#queueFault();
    if (fault) return fault;
    if (request.message.data.length === 0) return badRequest('the request carries no document');
    const job = this.#jobs.make(request);
    await this.#takeDocument(job, request);
    return this.#jobAnswer(job, request);
  }

  #createJob(request: IppRequest): Answer {
    const fault = this.#documentFault(request) ?? this.#queueFault();
    if (fault) return fault;
    const job = this.#jobs.make(request);
    this.#jobs.awaitDocument(job);
    return this.#jobAnswer(job, request);
  }

  async #sendDocument(request: IppRequest): Promise<Answer> {
    const job = this.#jobs.named(request);
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
    else if (isLast.value) this.#jobs.abort(job, CLOSED_EMPTY);
    return this.#jobAnswer(job, request);
  }

  #closeJob(request: IppRequest): Answer {
    const job = this.#jobs.named(request);
    if (!job) return noJob();
    if (job.isOpen) this.#jobs.abort(job, CLOSED_EMPTY);
    return this.#jobAnswer(job, request);
  }

  #cancelJob(request: IppRequest): Answer {
    const job = this.#jobs.named(request);
    if (!job) return noJob();
    if (job.isEnded) return { status: 'client-error-not-possible', message: 'the job is over' };
    this.#jobs.cancel(job);
    return { status: 'successful-ok' };
  }

  #cancelMyJobs(request: IppRequest): Answer {
    const jobs = this.#jobs.ownOf(request);
    if (!jobs) return { status: 'client-error-not-possible' };
    for (const job of jobs) this.#jobs.cancel(job);
    return { status: 'successful-ok' };
  }

  #getJobAttributes(request: IppRequest): Answer {
    const job = this.#jobs.named(request);
    if (!job) return noJob();
    const wanted = stringsOf(attributeOf(request.operation, 'requested-attributes'));
    return { status: 'successful-ok', groups: [this.#jobs.describe(job, wanted)] };
  }

  #getPrinterAttributes({ operation }: IppRequest): Answer {
    const format = stringOf(attributeOf(operation, 'document-format'));
    if (format !== undefined && !this.#supports('document-format', format.toLowerCase())) {
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
    const { active } = this.#jobs;
    const isPrinting = active.some((job) => !job.isOpen);
    if (reasons.join() !== this.#lastReasons) this.#stateChangedMs = clock.now();
    this.#lastReasons = reasons.join();
    return standingAttributes({
      name: printer.name,
      uuid: this.#uuid,
      uris,
      pageUrl,
      state: printer.isStopped ? 'stopped' : isPrinting ? 'processing' : 'idle',
      reasons,
      queuedJobs: active.length,
      nowMs: clock.now(),
      startedMs: this.#startedMs,
      stateChangedMs: this.#stateChangedMs,
    });
  }

  /** Reads the document, then lets it print while the answer goes out. @throws DocumentFault */
  async #takeDocument(job: IppJob, { message, operation }: IppRequest): Promise<void> {
    this.#jobs.stopWaiting(job);
    const { printer, clock } = this.#options;
    job.process(clock.now());
    try {
      const compression = stringOf(attributeOf(operation, 'compression')) ?? 'none';
      const bytes = await uncompressed(message.data, compression);
      const format = stringOf(attributeOf(operation, 'document-format')) ?? job.format;
      if (printer.connections.kept(bytes).length < bytes.length) {
        throw new DocumentFault('client-error-request-entity-too-large', 'the document does not fit into the printer');
      }
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
            if (paper.isOut()) job.end('completed', clock.now());
          },
          (error: unknown) => job.abort(clock.now(), asAnswer(error).message, error instanceof DocumentError),
        );
    } catch (error) {
      job.abort(clock.now(), asAnswer(error).message);
      throw error;
    }
  }

  /** What is wrong with the document or the options of a request that makes a job. */
  #documentFault({ operation, asked }: IppRequest): Answer | undefined {
    const format = attributeOf(operation, 'document-format');
    const formatName = stringOf(format);
    if (format && (formatName === undefined || !this.#supports('document-format', formatName.toLowerCase()))) {
      return { status: 'client-error-document-format-not-supported', unsupported: [format] };
    }
    const compression = attributeOf(operation, 'compression');
    if (compression && !this.#supports('compression', stringOf(compression) ?? '')) {
      return { status: 'client-error-compression-not-supported', unsupported: [compression] };
    }
    const contradiction = contradictionIn(asked);
    if (contradiction) return badRequest(contradiction);
    if (!isTrue(attributeOf(operation, 'ipp-attribute-fidelity'))) return undefined;
    const { unsupported } = readJobOptions(asked, this.#options.printer.profile);
    return unsupported.length > 0 ? notSupported(unsupported) : undefined;
  }

  #supports(what: 'document-format' | 'compression', value: string): boolean {
    const { description } = profileAttributes(this.#options.printer.profile);
    return stringsOf(attributeOf(description, `${what}-supported`)).includes(value);
  }

  #queueFault(): Answer | undefined {
    if (!this.#options.printer.faults.includes('spool-area-full')) return undefined;
    return { status: 'server-error-busy', message: 'the printer has no space for another job' };
  }

  #accepted({ asked }: IppRequest): Answer {
    const { unsupported } = readJobOptions(asked, this.#options.printer.profile);
    if (unsupported.length === 0) return { status: 'successful-ok' };
    return { status: 'successful-ok-ignored-or-substituted-attributes', unsupported };
  }

  #jobAnswer(job: IppJob, request: IppRequest): Answer {
    return {
      ...this.#accepted(request),
      groups: [this.#jobs.describe(job, JOB_ANSWER_ATTRIBUTES)],
    };
  }
}
