/**
 * Shard work: what a worker does with the shard it was given. The rest of the fleet knows no more of it than
 * this: that it is prepared, started at a time agreed on, and ends with a record.
 */

export interface ShardOrder {
  readonly shard: number;
  readonly bundle: Uint8Array;
  /** What is not stored: keys. */
  readonly secrets: unknown;
}

export interface ShardRun {
  /** When to begin, on the clock of this machine. */
  readonly startAtMs: number;
  /** Begins nothing new. */
  readonly drain: AbortSignal;
  /** Ends at once. */
  readonly stop: AbortSignal;
  readonly onProgress: (progress: unknown) => void;
  /** To be called as it begins. */
  readonly onStart: () => void;
}

export interface PreparedShard {
  /** Resolves with the record of the shard. */
  run(run: ShardRun): Promise<Uint8Array>;
  /** It will not be run: what was prepared is undone. */
  abandon(): Promise<void>;
}

export interface ShardWork {
  /** Makes ready for the start: no traffic yet. @throws Error with what stands in the way */
  prepare(order: ShardOrder): Promise<PreparedShard>;
}
