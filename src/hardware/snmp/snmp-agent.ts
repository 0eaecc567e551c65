/**
 * SNMP agent: what operating systems ask a network printer beside its port (SNMP v1 and v2c, community
 * `public`): Host Resources MIB (RFC 2790) for its status, Printer MIB (RFC 3805) for name, supplies and alerts.
 *
 *   1.3.6.1.2.1.1.*                      the host
 *   1.3.6.1.2.1.25.3.2.1.COLUMN.PRINTER  device: type, description, status
 *   1.3.6.1.2.1.25.3.5.1.COLUMN.PRINTER  printer: idle or printing, detected errors
 *   1.3.6.1.2.1.43.5, 11, 18             printer: name, supplies, alerts
 *
 * One agent answers for all printers of a room, by their device index. Values are read when they
 * are asked for.
 */

import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';

import snmp from 'net-snmp';

import type { PrinterFault } from '../../devices/printer/printer-fault.ts';
import { hasAny, NO_PAPER, OPEN, type FaultGroup } from '../fault-groups.ts';
import type { HardwarePrinter } from '../hardware-printer.ts';
import { LOOPBACK, type PortAddress } from '../tcp-port.ts';

/** What is used of the library, whose own types leave it open. */
interface Agent {
  readonly listener: { readonly sockets: Readonly<Record<string, Socket>> };
  getMib(): Mib;
  getAuthorizer(): { addCommunity(community: string): void };
  close(done: () => void): void;
}

interface Mib {
  registerProvider(definition: object): void;
  setScalarValue(name: string, value: Cell): void;
  addTableRow(name: string, row: readonly Cell[]): void;
  deleteTableRow(name: string, index: readonly number[]): void;
}

interface MibRequest {
  readonly instanceNode: { readonly address: readonly number[]; value: Cell };
  done(): void;
}

const COMMUNITY = 'public';
const PRINTER_TYPE = '1.3.6.1.2.1.25.3.1.5';
const RUNNING = 2;
const WARNING = 3;
const DOWN = 5;
const IDLE = 3;
const PRINTING = 4;
const OTHER = 1;

/** hrPrinterDetectedErrorState: the bit of each condition, the first the highest of the first octet. */
const ERROR_BITS: readonly (readonly [bit: number, faults: FaultGroup])[] = [
  [0, ['media-low']],
  [1, NO_PAPER],
  [2, ['toner-low', 'marker-supply-low']],
  [3, ['toner-empty', 'marker-supply-empty']],
  [4, OPEN],
  [5, ['media-jam']],
  [6, ['offline', 'paused']],
  [7, ['fuser-over-temp', 'fuser-under-temp', 'other']],
  [8, ['input-tray-missing']],
  [9, ['output-tray-missing']],
  [10, ['marker-waste-full']],
  [13, ['output-area-full']],
];

type Cell = number | string | Buffer;

interface Table {
  readonly name: string;
  readonly oid: string;
  readonly columns: readonly {
    readonly number: number;
    readonly type: number;
    readonly of: (printer: HardwarePrinter) => Cell;
  }[];
}

const { ObjectType } = snmp;

const TABLES: readonly Table[] = [
  {
    name: 'hrDevice',
    oid: '1.3.6.1.2.1.25.3.2.1',
    columns: [
      { number: 2, type: ObjectType.OID, of: () => PRINTER_TYPE },
      { number: 3, type: ObjectType.OctetString, of: ({ profile }) => profile.description },
      { number: 4, type: ObjectType.OID, of: () => '0.0' },
      { number: 5, type: ObjectType.Integer, of: deviceStatus },
      { number: 6, type: ObjectType.Counter, of: () => 0 },
    ],
  },
  {
    name: 'hrPrinter',
    oid: '1.3.6.1.2.1.25.3.5.1',
    columns: [
      { number: 1, type: ObjectType.Integer, of: printerStatus },
      { number: 2, type: ObjectType.OctetString, of: ({ faults }) => detectedErrors(faults) },
    ],
  },
  {
    name: 'prtGeneral',
    oid: '1.3.6.1.2.1.43.5.1.1',
    columns: [
      { number: 1, type: ObjectType.Counter, of: () => 1 },
      { number: 16, type: ObjectType.OctetString, of: ({ name }) => name },
      { number: 17, type: ObjectType.OctetString, of: ({ key }) => key },
    ],
  },
];

/** The status of a printer in the units of hrDeviceStatus. */
function deviceStatus({ isStopped, faults }: HardwarePrinter): number {
  if (isStopped) return DOWN;
  return faults.length > 0 ? WARNING : RUNNING;
}

function printerStatus({ isStopped, waiting }: HardwarePrinter): number {
  if (isStopped) return OTHER;
  return waiting > 0 ? PRINTING : IDLE;
}

/** As many octets as its highest bit needs, at least one. */
export function detectedErrors(faults: readonly PrinterFault[]): Buffer {
  const bits = ERROR_BITS.filter(([, some]) => hasAny(faults, some)).map(([bit]) => bit);
  const octets = Buffer.alloc(Math.max(1, ...bits.map((bit) => 1 + (bit >> 3))));
  for (const bit of bits) octets[bit >> 3] = (octets[bit >> 3] ?? 0) | (0x80 >> (bit & 7));
  return octets;
}

export class SnmpAgent {
  readonly #agent: Agent;
  readonly #printers = new Map<number, HardwarePrinter>();
  #next = 1;

  private constructor(agent: Agent) {
    this.#agent = agent;
    addHost(agent.getMib());
    for (const table of TABLES) this.#addTable(table);
    agent.getAuthorizer().addCommunity(COMMUNITY);
  }

  /** Resolves when it listens. Rejects when the port is taken. */
  static async start({ host = LOOPBACK, port }: PortAddress): Promise<SnmpAgent> {
    // Requests that are not SNMP are dropped, as printers drop them.
    // The library takes port 0 for none.
    const ownPort = port === 0 ? await freePort(host) : port;
    const options = { address: host, port: ownPort, disableAuthorization: false };
    const agent: Agent = snmp.createAgent(options, () => undefined);
    const [socket] = Object.values(agent.listener.sockets);
    if (!socket) throw new Error('the SNMP library opened no socket');
    guard(socket);
    await once(socket, 'listening');
    return new SnmpAgent(agent);
  }

  get port(): number {
    return Object.values(this.#agent.listener.sockets)[0]?.address().port ?? 0;
  }

  /** The device index under which the printer answers. */
  add(printer: HardwarePrinter): number {
    const index = this.#next++;
    this.#printers.set(index, printer);
    const mib = this.#agent.getMib();
    for (const { name, columns } of TABLES) mib.addTableRow(name, [index, ...columns.map(({ of }) => of(printer))]);
    return index;
  }

  remove(index: number): void {
    this.#printers.delete(index);
    const mib = this.#agent.getMib();
    for (const { name } of TABLES) mib.deleteTableRow(name, [index]);
  }

  close(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#agent.close(() => resolve());
    return promise;
  }

  #addTable({ name, oid, columns }: Table): void {
    this.#agent.getMib().registerProvider({
      name,
      type: snmp.MibProviderType.Table,
      oid,
      maxAccess: snmp.MaxAccess['not-accessible'],
      tableColumns: [
        {
          number: 1000,
          name: `${name}Index`,
          type: ObjectType.Integer,
          maxAccess: snmp.MaxAccess['not-accessible'],
        },
        ...columns.map(({ number, type }) => ({
          number,
          name: `${name}${number}`,
          type,
          maxAccess: snmp.MaxAccess['read-only'],
        })),
      ],
      tableIndex: [{ columnName: `${name}Index` }],
      handler: (request: MibRequest) => {
        const [number, index] = request.instanceNode.address.slice(-2);
        const printer = this.#printers.get(index ?? 0);
        const column = columns.find((one) => one.number === number);
        if (printer && column) request.instanceNode.value = column.of(printer);
        request.done();
      },
    });
  }
}

function addHost(mib: Mib): void {
  const scalars = [
    {
      name: 'sysDescr',
      oid: '1.3.6.1.2.1.1.1',
      type: ObjectType.OctetString,
      value: 'platen virtual printers',
    },
    { name: 'sysObjectID', oid: '1.3.6.1.2.1.1.2', type: ObjectType.OID, value: '1.3.6.1.4.1.8072.3.2.255' },
    { name: 'sysName', oid: '1.3.6.1.2.1.1.5', type: ObjectType.OctetString, value: 'platen' },
  ];
  for (const { name, oid, type, value } of scalars) {
    mib.registerProvider({
      name,
      type: snmp.MibProviderType.Scalar,
      oid,
      scalarType: type,
      maxAccess: snmp.MaxAccess['read-only'],
    });
    mib.setScalarValue(name, value);
  }
}

/** Drops messages that the library fails on: it throws on object identifiers that are malformed. */
function guard(socket: Socket): void {
  for (const listener of socket.listeners('message')) {
    socket.removeListener('message', listener as (message: Buffer) => void);
    socket.on('message', (...message) => {
      try {
        listener.apply(socket, message);
      } catch {
        // As a printer does: no answer.
      }
    });
  }
}

async function freePort(host: string): Promise<number> {
  const socket = createSocket(host.includes(':') ? 'udp6' : 'udp4');
  socket.bind(0, host);
  await once(socket, 'listening');
  const { port } = socket.address();
  socket.close();
  await once(socket, 'close');
  return port;
}
