/**
 * A computer reduced to its end of the link: it says what a test tells it to and keeps what it hears.
 */

import { once } from 'node:events';

import { WebSocket } from 'ws';

import { LINK_PATH, LINK_PROTOCOLS, type PrinterReport } from '../../src/link/messages.ts';
import { basic, FIRST_KEY } from './running-service.ts';
import { soon } from './soon.ts';

export type Heard = Record<string, unknown> & { readonly type: string };

export interface ScriptedComputerOptions {
  readonly key?: string;
  readonly installationId?: string;
  readonly printers?: readonly string[];
  readonly holding?: readonly number[];
}

export class ScriptedComputer implements AsyncDisposable {
  readonly socket: WebSocket;
  readonly heard: Heard[] = [];
  #reports = 0;

  private constructor(socket: WebSocket) {
    this.socket = socket;
    socket.on('message', (data) => this.heard.push(JSON.parse((data as Buffer).toString()) as Heard));
  }

  /** Connects, says hello and reports its printers. */
  static async connect(serviceUrl: string, options: ScriptedComputerOptions = {}): Promise<ScriptedComputer> {
    const { key = FIRST_KEY, installationId = 'installation-1', printers = ['Laser'], holding = [] } = options;
    const socket = new WebSocket(serviceUrl.replace('http', 'ws') + LINK_PATH, [...LINK_PROTOCOLS], {
      headers: { authorization: basic(key) },
    });
    const computer = new ScriptedComputer(socket);
    await once(socket, 'open');
    computer.say({ type: 'hello', client: clientReport(installationId), holding });
    await computer.hear('welcome');
    await computer.report({ type: 'printers', printers: printers.map(printerReport) });
    return computer;
  }

  say(message: object): void {
    this.socket.send(JSON.stringify(message));
  }

  /** Sends a message that wants an acknowledgement, and waits for that. */
  async report(message: { readonly type: string } & Record<string, unknown>, id?: string): Promise<void> {
    const reportId = id ?? `report-${++this.#reports}`;
    this.say({ ...message, id: reportId });
    await this.hear('ack', (heard) => heard['id'] === reportId);
  }

  reportState(jobId: number, state: string, createTimestamp: string, id?: string): Promise<void> {
    return this.report({ type: 'job-state', jobId, state, message: null, data: null, createTimestamp }, id);
  }

  /** The first message of this type (that fits), waited for. */
  hear(type: string, fits: (heard: Heard) => boolean = () => true): Promise<Heard> {
    return soon(
      `a message '${type}' from the service`,
      '5s',
      () => this.heard.find((heard) => heard.type === type && fits(heard)),
      { every: 2, lastSeen: () => JSON.stringify(this.heard).slice(-500) },
    );
  }

  /** Ids of the jobs that were delivered, in order, repetitions included. */
  get jobs(): number[] {
    return this.heard.filter((heard) => heard.type === 'job').map((heard) => Number(heard['jobId']));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.socket.readyState === WebSocket.CLOSED) return;
    this.socket.terminate();
    await once(this.socket, 'close');
  }
}

export function printerReport(name: string): PrinterReport {
  return {
    key: name,
    name,
    description: `${name} (driver)`,
    default: false,
    state: 'online',
    capabilities: null,
  };
}

function clientReport(installationId: string): object {
  return {
    installationId,
    computerName: `Computer ${installationId}`,
    hostname: null,
    inet: '192.0.2.1',
    inet6: null,
    version: '1.0.0',
    edition: null,
  };
}
