/**
 * The notation of this layer: what a clause and a gap look like.
 *
 * A clause is one statement of the specification that a service, its client or a caller can keep or
 * break. Facts (limits, fields, states, paths, codes) stand in tables beside the clauses and name them.
 * Nothing in src/spec decides anything: it is data.
 */

/**
 * must      the specification states it
 * should    the specification recommends it, or it follows for any careful implementation
 * observed  the specification shows it as observed behaviour
 * gap       the specification says "not shown": recorded, never failed
 */
export type Level = 'must' | 'should' | 'observed' | 'gap';

/** Who can keep or break it. */
export type Party = 'service' | 'client' | 'caller';

/** What a check of the clause must have at hand. */
export type Need =
  | 'computer'
  | 'second-account'
  | 'integrator'
  | 'child-account'
  | 'webhook-receiver'
  | 'document-host'
  | 'scale'
  | 'virtual-clock'
  | 'many-jobs'
  | 'large-body'
  | 'raw-socket'
  | 'websocket';

/** How long it takes to see on a real clock. `days` includes the 24-hour rules. */
export type Span = 'instant' | 'seconds' | 'days';

/** The headings of the specification that clauses are filed under. */
export type Chapter =
  | 'service'
  | 'accounts'
  | 'computers'
  | 'printers'
  | 'print-jobs'
  | 'scales'
  | 'webhooks'
  | 'client-downloads'
  | 'misc'
  | 'states'
  | 'authentication'
  | 'events'
  | 'errors'
  | 'limits'
  | 'versioning';

export interface Clause {
  /** Stable slug, `chapter/what-it-says`. Never renamed once published. */
  readonly id: string;
  readonly chapter: Chapter;
  readonly level: Level;
  readonly party: Party;
  /** The statement, in our own words, one testable thing. */
  readonly statement: string;
  readonly needs: readonly Need[];
  readonly span: Span;
}

/** A "not shown" of the specification. */
export interface Gap {
  /** Stable slug, `gap/what-is-not-shown`. */
  readonly id: string;
  readonly chapter: Chapter;
  /** What the specification leaves open, in our own words. */
  readonly question: string;
}

/** A number the specification prints, with its unit as printed. */
export interface Limit {
  readonly value: number;
  readonly unit: string;
  /** Id of the clause that states it. */
  readonly clause: string;
}
