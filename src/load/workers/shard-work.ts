/**
 * Shard work: what a worker does with its shard. All that the worker session knows of it: it is prepared, started
 * at an agreed time, and ends with a record.
 */

export interface WorkOrder {
  readonly shard: number;
  readonly bundle: Uint8Array;
  /** Keys, which are not stored. */
  readonly secrets: unknown;
}

export interface WorkStart {
  /** When to begin, on the clock of this machine. */
  readonly startAtMs: number;
  /** Starts nothing new. */
  readonly drain: AbortSignal;
  /** Ends at once. */
  readonly stop: AbortSignal;
  readonly onProgress: (progress: unknown) => void;
  readonly onStart: () => void;
}

export interface PreparedShard {
  /** Resolves with the record of the shard. */
  run(start: WorkStart): Promise<Uint8Array>;
  /** It will not run: undoes what was prepared. */
  abandon(): Promise<void>;
}

export interface ShardWork {
  /** Prepares for the start; sends no traffic yet. @throws Error that says what keeps it from starting */
  prepare(order: WorkOrder): Promise<PreparedShard>;
}
