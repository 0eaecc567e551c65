/**
 * Load progress: what a load is doing, on stderr. On a terminal one line that changes; elsewhere a line every few
 * seconds, for logs.
 */

import { mergeSeries } from '../../load/merge.ts';
import type { ShardProgress } from '../../load/shard/shard-monitor.ts';
import type { SecondRecord } from '../../record/load-record.ts';
import { usesColor } from '../../report/terminal/run-terminal.ts';
import { renderSecond } from '../../report/terminal/load-terminal.ts';

const PHASES: readonly ShardProgress['phase'][] = ['calibrating', 'connecting', 'running', 'draining', 'clearing up'];
const LINE_EVERY_SECONDS = 5;
const CLEAR_LINE = '\r\u001B[2K';

export class LoadProgress {
  readonly #stream: NodeJS.WriteStream;
  /** Of each shard, its latest. */
  readonly #latest = new Map<number, ShardProgress>();
  /** The farthest that any shard is in. */
  #phase = -1;
  #shown = -1;

  constructor(stream: NodeJS.WriteStream) {
    this.#stream = stream;
  }

  take(progress: ShardProgress): void {
    this.#latest.set(progress.shard, progress);
    if (PHASES.indexOf(progress.phase) > this.#phase) this.#tellPhase(progress);
    if (progress.second && progress.second.second > this.#shown) this.#tellSecond(progress.second.second);
  }

  #tellPhase({ phase }: ShardProgress): void {
    this.#phase = PHASES.indexOf(phase);
    this.#stream.write(`${this.#stream.isTTY ? CLEAR_LINE : ''}${phase}\n`);
  }

  #tellSecond(second: number): void {
    const parts = [...this.#latest.values()].flatMap((one): readonly SecondRecord[] =>
      one.second ? [one.second] : [],
    );
    // A shard that is a moment behind belongs to the same line.
    if (parts.length < this.#latest.size) return;
    this.#shown = second;
    const [whole] = mergeSeries(parts.map((part) => ({ ...part, second })));
    if (whole === undefined) return;
    const line = renderSecond(whole, { color: usesColor(this.#stream) });
    if (this.#stream.isTTY) this.#stream.write(CLEAR_LINE + line);
    else if (second % LINE_EVERY_SECONDS === 0) this.#stream.write(`${line}\n`);
  }
}
