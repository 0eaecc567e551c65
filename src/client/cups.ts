/**
 * CUPS as a client program needs it. Its queues and jobs are asked for by IPP, at CUPS_SERVER or the local socket;
 * documents are printed by `lp`.
 */

import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { request, type RequestOptions } from 'node:http';
import { promisify } from 'node:util';

import { ActionableError } from '../common/actionable-error.ts';
import * as ipp from '../hardware/ipp/attribute.ts';
import { decodeMessage, encodeMessage } from '../hardware/ipp/codec.ts';
import { JOB_STATES, OPERATIONS, STATUSES } from '../hardware/ipp/operations.ts';
import type { DeliveredJob } from '../link/device-link.ts';
import type { PrinterReport } from '../link/messages.ts';
import { capabilitiesOf, lpOptions, type FindAttribute } from './capabilities.ts';

const CUPS_GET_DEFAULT = 0x4001;
const CUPS_GET_PRINTERS = 0x4002;
const LOCAL_SOCKET = '/run/cups/cups.sock';
const IPP_PORT = 631;
const ANSWER_MS = 10_000;
const LP_MS = 60_000;

const run = promisify(execFile);

export class Cups {
  /** @throws ActionableError when `lp` is not installed */
  async check(): Promise<void> {
    await run('lp', ['-h']).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') return;
      const packages = 'apt-get install cups cups-client cups-filters';
      throw new ActionableError('usage', 'there is no lp on this machine, so it cannot print', packages);
    });
  }

  async isUp(): Promise<boolean> {
    return this.#ask(CUPS_GET_DEFAULT).then(
      () => true,
      () => false,
    );
  }

  /** Every queue, as it is reported to the service. @throws Error when CUPS does not answer */
  async printers(): Promise<readonly PrinterReport[]> {
    const [usual] = objectsIn('printer', await this.#ask(CUPS_GET_DEFAULT));
    const all = objectsIn('printer', await this.#ask(CUPS_GET_PRINTERS));
    return all.map((find) => {
      const key = ipp.stringOf(find('printer-name')) ?? '';
      const isDefault = key === ipp.stringOf(usual?.('printer-name'));
      const state = stateOf(ipp.stringsOf(find('printer-state-reasons')));
      const name = ipp.stringOf(find('printer-info')) || key;
      const description = ipp.stringOf(find('printer-make-and-model')) ?? '';
      return { key, name, description, default: isDefault, state, capabilities: capabilitiesOf(find) };
    });
  }

  /** Hands a document to a queue; the number that CUPS gives the job. @throws Error with what `lp` says */
  async print({ printerKey, title, contentType, options }: DeliveredJob, file: string): Promise<number> {
    const chosen = contentType.startsWith('raw_') ? ['raw'] : lpOptions(options);
    const argv = ['-d', printerKey, ...(title === '' ? [] : ['-t', title]), ...chosen.flatMap((one) => ['-o', one])];
    const env = { ...process.env, LC_ALL: 'C.UTF-8' };
    const { stdout } = await run('lp', [...argv, '--', file], { env, timeout: LP_MS });
    const [, id] = /request id is .*-(\d+) \(/.exec(stdout) ?? [];
    if (id === undefined) throw new Error(`lp says: ${stdout.trim()}`);
    return Number(id);
  }

  /** `gone`: CUPS no longer knows the job, as after a crash. @throws Error when it does not answer */
  async jobState(queue: string, id: number): Promise<'under way' | 'printed' | 'failed' | 'gone'> {
    const groups = await this.#ask(OPERATIONS['Get-Job-Attributes'], queue, [ipp.integer('job-id', id)]);
    const [find] = objectsIn('job', groups);
    const state = ipp.numberOf(find?.('job-state'));
    if (state === JOB_STATES.completed) return 'printed';
    if (state === JOB_STATES.canceled || state === JOB_STATES.aborted) return 'failed';
    return state === undefined ? 'gone' : 'under way';
  }

  /** No groups where CUPS has no such thing. @throws Error when it does not answer, or refuses */
  async #ask(code: number, queue = '', more: readonly ipp.IppAttribute[] = []): Promise<readonly ipp.IppGroup[]> {
    const attributes = [
      ipp.strings('charset', 'attributes-charset', ['utf-8']),
      ipp.strings('naturalLanguage', 'attributes-natural-language', ['en']),
      ipp.uri('printer-uri', `ipp://localhost/printers/${encodeURIComponent(queue)}`),
      ...more,
    ];
    const groups: readonly ipp.IppGroup[] = [{ type: 'operation', attributes }];
    const asked = { version: { major: 2, minor: 0 }, code, requestId: 1, groups, data: new Uint8Array() };
    const answer = decodeMessage(await post(encodeMessage(asked)));
    if (answer.code === STATUSES['client-error-not-found']) return [];
    if (answer.code < STATUSES['client-error-bad-request']) return answer.groups;
    throw new Error(`CUPS refuses operation ${code} with status ${answer.code}`);
  }
}

function post(body: Uint8Array): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const headers = { 'content-type': 'application/ipp', 'content-length': body.length };
  const sent = request({ ...place(), method: 'POST', path: '/', headers, timeout: ANSWER_MS }, (response) => {
    Array.fromAsync(response as AsyncIterable<Buffer>).then((chunks) => resolve(Buffer.concat(chunks)), reject);
  });
  sent.on('timeout', () => sent.destroy(new Error('CUPS does not answer')));
  sent.on('error', reject);
  sent.end(body);
  return promise;
}

function place(): RequestOptions {
  const server = process.env['CUPS_SERVER'] ?? (existsSync(LOCAL_SOCKET) ? LOCAL_SOCKET : 'localhost');
  if (server.startsWith('/')) return { socketPath: server };
  const { hostname, port } = new URL(`ipp://${server}`);
  return { host: hostname, port: port === '' ? IPP_PORT : Number(port) };
}

/** The printers or jobs of an answer, each as the way to find an attribute of it. */
function objectsIn(kind: 'printer' | 'job', groups: readonly ipp.IppGroup[]): FindAttribute[] {
  const found = groups.filter(({ type }) => type === kind);
  return found.map((group) => (name) => group.attributes.find((attribute) => attribute.name === name));
}

/** Of several the worst counts. The reasons of IPP may end in their severity. */
const STATES = [
  ['offline', /^(offline|paused|shutdown|connecting-to-device|timed-out)/],
  ['out_of_paper', /^media-(empty|needed)/],
  ['error', /-error$/],
] as const;

function stateOf(reasons: readonly string[]): string {
  return STATES.find(([, pattern]) => reasons.some((reason) => pattern.test(reason)))?.[0] ?? 'online';
}
