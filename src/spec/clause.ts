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

/**
 * What a check of the clause must have at hand. A `scale` comes with its computer, a `child-account` with its
 * Integrator; `virtual-clock` stands where the wait is too long for any real one.
 */
export type Need =
  | 'computer'
  | 'second-account'
  | 'integrator'
  | 'child-account'
  | 'webhook-receiver'
  | 'document-host'
  | 'authentication-endpoint'
  | 'client-downloads'
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

/**
 * A clause as the chapter files write it: the id is its key, and what is left out is the common case
 * (level must, party service, no needs, span instant).
 */
export interface ClauseRow {
  readonly statement: string;
  readonly level?: Level;
  readonly party?: Party;
  readonly needs?: readonly Need[];
  readonly span?: Span;
}

/** The clauses of one chapter, by id. */
export type ClauseRows = Readonly<Record<string, ClauseRow>>;

/** A "not shown" of the specification. */
export interface Gap {
  /** Stable slug, `gap/what-is-not-shown`. */
  readonly id: string;
  readonly chapter: Chapter;
  /** What the specification leaves open, in our own words. */
  readonly question: string;
  /** `not-shown`: the specification says so itself. `silent`: it says nothing, and a service must still decide. */
  readonly kind: 'not-shown' | 'silent';
}

/** A number the specification prints, with its unit as printed. */
export interface Limit {
  readonly value: number;
  readonly unit: string;
  /** Id of the clause that states it. */
  readonly clause: string;
}

/** An HTTP header the specification names, as printed. */
export interface Header {
  readonly name: string;
  /** The value, where the specification prints one. */
  readonly value?: string;
  readonly clause: string;
}

/** How the specification writes the type of a field. A `timestamp` is an ISO 8601 string. */
export type FieldType =
  | 'boolean'
  | 'integer'
  | 'number'
  | 'string'
  | 'timestamp'
  | 'null'
  | 'object'
  | 'array'
  | 'array of strings'
  | 'array of integers'
  | 'array of arrays of integers'
  | 'array of 2'
  | 'Computer object'
  | 'capabilities object'
  | 'statistic'
  | 'JSON string';

/** A field of something a service sends. Its name is its key in the table. */
export interface Field {
  readonly type: FieldType;
  readonly nullable: boolean;
  /** The only values the specification prints for it, where it prints any. */
  readonly values?: readonly (string | number)[];
  /** `observed`: the specification shows what was seen, and promises nothing. */
  readonly basis: 'stated' | 'observed';
  readonly clause: string;
}

/** A field of something a caller sends. Its name is its key in the table, as it stands in a form body. */
export interface InputField {
  readonly type: FieldType;
  readonly nullable: boolean;
  readonly required: boolean;
  readonly values?: readonly (string | number)[];
  readonly default?: string | number;
  readonly clause: string;
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export type Family =
  | 'accounts'
  | 'computers'
  | 'printers'
  | 'print-jobs'
  | 'scales'
  | 'webhooks'
  | 'client-downloads'
  | 'misc';

export interface Endpoint {
  readonly method: Method;
  /** As printed, with its placeholders: `/computers/{computer_set}`. */
  readonly path: string;
  readonly family: Family;
  readonly authenticated: boolean;
  /** Takes `limit`, `after` and `dir`, and sends the Records-* headers. */
  readonly paginated: boolean;
  /** Null where the specification prints none. */
  readonly successStatus: number | null;
  readonly clause: string;
}
