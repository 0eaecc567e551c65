/**
 * Pipeline world: all that a day of a pipeline is played with, made for the day and gone after it.
 *
 *   caller ─► pieces (programs) ─► connections in which platen stands ─► printers of a room ─► paper
 */

import { systemClock } from '../common/clock.ts';
import { createRandom, type Random } from '../common/random.ts';
import type { Press } from '../devices/press/press.ts';
import { GuardedFolder } from '../targets/guarded-folder.ts';
import { Caller } from './caller.ts';
import { CupsPiece } from './cups-piece.ts';
import { KeptPiece } from './kept-piece.ts';
import { CUPS, type Pipeline } from './pipeline-file.ts';
import { PipelineRoom } from './pipeline-room.ts';
import type { Ports } from './ports.ts';
import { standBetween, type Connection } from './standing-between.ts';
import { addressValues, filled, namesIn, type Values } from './values.ts';

export interface Surroundings {
  readonly press: Press;
  readonly ports: Ports;
}

export class PipelineWorld {
  readonly room: PipelineRoom;
  readonly connections: ReadonlyMap<string, Connection>;
  readonly pieces: ReadonlyMap<string, RunningPiece>;
  readonly caller: Caller;
  readonly folder: string;
  /** For marks and keys, which no other world may have. */
  readonly random: Random;
  readonly #parts: Parts;

  private constructor(parts: Parts, pieces: ReadonlyMap<string, RunningPiece>, caller: Caller) {
    this.room = parts.room;
    this.connections = parts.connections;
    this.pieces = pieces;
    this.caller = caller;
    this.#parts = parts;
    this.folder = parts.folder.path;
    this.random = createRandom(`${parts.folder.path} at ${systemClock.now()}`);
  }

  /** @throws ActionableError when a part of it does not come up; nothing is left then */
  static async open(pipeline: Pipeline, { press, ports }: Surroundings): Promise<PipelineWorld> {
    const parts: Parts = {
      folder: await GuardedFolder.make('platen-day-'),
      room: await PipelineRoom.open(pipeline.printers, press),
      connections: new Map(),
    };
    const values = await connect(pipeline, parts, ports);
    const pieces = new Map<string, RunningPiece>(parts.cups ? [[CUPS, parts.cups]] : []);
    for (const [name, piece] of Object.entries(pipeline.start)) {
      const mark = `${parts.folder.path}/${name}`;
      pieces.set(name, new KeptPiece(name, filled(piece, values), pipeline.folder, mark));
    }
    const world = new PipelineWorld(parts, pieces, new Caller(pipeline, values));
    try {
      for (const piece of pieces.values()) await piece.start();
      return world;
    } catch (error) {
      await world.close();
      throw error;
    }
  }

  /** All faults end, and what was killed runs again. */
  async heal(): Promise<void> {
    this.room.fixAll();
    for (const { faults } of this.connections.values()) faults.clear();
    for (const piece of this.pieces.values()) await piece.start();
  }

  async close(): Promise<void> {
    await Promise.all([...this.pieces.values()].map((piece) => piece.kill()));
    await this.caller.close();
    await closeParts(this.#parts);
  }
}

/** A program, or the print system. */
type RunningPiece = Pick<KeptPiece, 'start' | 'kill' | 'lines'>;

interface Parts {
  readonly folder: GuardedFolder;
  readonly room: PipelineRoom;
  readonly connections: Map<string, Connection>;
  cups?: CupsPiece;
}

/** Opens the connections, and answers what all names stand for. */
async function connect(pipeline: Pipeline, parts: Parts, ports: Ports): Promise<Values> {
  const values: Record<string, string> = { folder: parts.folder.path };
  for (const [name, address] of Object.entries(parts.room.addresses))
    Object.assign(values, addressValues(`printer.${name}`, address));
  const { start, between, queues, submit, state } = pipeline;
  for (const name of namesIn([start, between, queues, submit, state ?? {}]))
    if (name.startsWith('port.')) values[name] = String(await ports.free());
  try {
    for (const [name, connection] of Object.entries(between)) {
      const opened = await standBetween(name, filled(connection.to, values), connection);
      parts.connections.set(name, opened);
      Object.assign(values, addressValues(`between.${name}`, opened.address));
    }
    if (Object.keys(queues).length === 0) return values;
    parts.cups = await CupsPiece.open(filled(queues, values));
    return { ...values, [CUPS]: parts.cups.address };
  } catch (error) {
    await closeParts(parts);
    throw error;
  }
}

async function closeParts({ folder, room, connections, cups }: Parts): Promise<void> {
  await cups?.close();
  await Promise.all([...connections.values()].map((connection) => connection.close()));
  await room.close();
  await folder.close();
}
