/**
 * Load progress: what a load is doing, on stderr. On a terminal one line that changes; elsewhere a line every few
 * seconds, for logs.
 */

import { mergeSeries } from '../../load/merge.ts';
import type { ShardProgress } from '../../load/shard/shard-monitor.ts';
import type { SecondRecord } from '../../record/load-record.ts';
import { renderSecond } from '../../report/terminal/load-terminal.ts';
import { LiveLine } from './live-line.ts';
import { err } from './terminal.ts';

const PHASES: readonly ShardProgress['phase'][] = ['calibrating', 'connecting', 'running', 'draining', 'clearing up'];
const LINE_EVERY_SECONDS = 5;

export class LoadProgress {
  /** Undefined where stderr is no terminal. */
  readonly #live = process.stderr.isTTY ? LiveLine.on(process.stderr) : undefined;
  /** The latest report of each shard. */
  readonly #latest = new Map<number, ShardProgress>();
  /** The farthest that any shard is in. */
  #phase = -1;
  #shown = -1;

  take(progress: ShardProgress): void {
    this.#latest.set(progress.shard, progress);
    if (PHASES.indexOf(progress.phase) > this.#phase) this.#tellPhase(progress);
    if (progress.second && progress.second.second > this.#shown) this.#tellSecond(progress.second.second);
  }

  #tellPhase({ phase }: ShardProgress): void {
    this.#phase = PHASES.indexOf(phase);
    if (this.#live) this.#live.keep(phase);
    else err(phase);
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
    const line = renderSecond(whole);
    if (this.#live) this.#live.show(line);
    else if (second % LINE_EVERY_SECONDS === 0) err(line);
  }
}
