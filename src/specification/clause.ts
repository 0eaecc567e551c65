/**
 * The notation of this layer.
 *
 * A clause is one statement of the specification that a service, its client or a caller can keep or
 * break. Facts (limits, fields, states, paths, codes) stand in tables beside the clauses, and each names
 * its clause. src/specification is data; it decides nothing.
 */

/**
 * must      the specification states it
 * should    the specification recommends it, or it follows for any careful implementation: broken, it warns
 * observed  the specification shows it as observed behaviour
 * gap       the specification says "not shown": recorded, never failed
 */
export const LEVELS = ['must', 'should', 'observed', 'gap'] as const;
export type Level = (typeof LEVELS)[number];

/** Who can keep or break it. */
export type Party = 'service' | 'client' | 'caller';

/**
 * What must be available to check a clause. For a `printer` one of the account will do; a `scale` comes with its
 * computer, a `child-account` with its Integrator; `virtual-clock` is for waits that are too long for a real clock;
 * `device-link` is the link of docs/device-link.md, which is no part of the specification.
 */
export type Need =
  | 'computer'
  | 'printer'
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
  | 'websocket'
  | 'device-link';

/** How long it takes to see on a real clock. `days` includes the 24-hour rules. */
export type Span = 'instant' | 'seconds' | 'days';

/** The resources of the API. */
export type Family =
  | 'accounts'
  | 'computers'
  | 'printers'
  | 'print-jobs'
  | 'scales'
  | 'webhooks'
  | 'client-downloads'
  | 'misc';

/** The headings of the specification that clauses are filed under. */
export type Chapter = 'service' | Family | 'states' | 'authentication' | 'events' | 'errors' | 'limits' | 'versioning';

export interface Clause {
  /** Stable slug, `chapter/what-it-says`. Never renamed once published. */
  readonly id: string;
  readonly chapter: Chapter;
  readonly level: Level;
  readonly party: Party;
  /** The statement, in our own words, one testable thing. */
  readonly statement: string;
  /** Where it stands in the specification: `Limits › Webhooks per account`. */
  readonly source: string;
  readonly needs: readonly Need[];
  readonly span: Span;
}

type Shared = Pick<Clause, 'level' | 'party' | 'needs' | 'span'>;

/** Clauses that share everything but their statements, which stand by id. */
export interface ClauseGroup<Id extends string = string> extends Shared {
  readonly statements: Readonly<Record<Id, string>>;
}

type GroupOf = <const Id extends string>(statements: Readonly<Record<Id, string>>) => ClauseGroup<Id>;

/**
 * A group of clauses: `given({ needs: ['computer'] }).must({ 'computers/id-unique': 'No two …' })`. Without
 * conditions they are for the service to keep, need nothing, and can be seen in an instant.
 */
export function given(
  conditions: Partial<Omit<Shared, 'level'>> = {},
): Readonly<Record<Exclude<Level, 'gap'>, GroupOf>> {
  const groupOf =
    (level: Level): GroupOf =>
    (statements) => ({ party: 'service', needs: [], span: 'instant', ...conditions, level, statements });
  return { must: groupOf('must'), should: groupOf('should'), observed: groupOf('observed') };
}

/** A "not shown" of the specification. */
export interface Gap {
  /** Stable slug, `gap/what-is-not-shown`. */
  readonly id: string;
  readonly chapter: Chapter;
  /** What the specification leaves open, in our own words. */
  readonly question: string;
  /** Where the specification says so, or should: `Errors › paragraph 2`. */
  readonly source: string;
  /** `not-shown`: the specification says so itself. `silent`: it says nothing, yet a service must decide. */
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

/** What is printed of a value beside its type, in the words of JSON Schema. */
export interface Bounds {
  readonly minimum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly pattern?: string;
  readonly format?: 'uuid';
}

/** A field of something a service sends. Its name is its key in the table. */
export interface Field extends Bounds {
  readonly type: FieldType;
  readonly nullable?: true;
  /** What is in an object whose keys are printed. */
  readonly fields?: Readonly<Record<string, Field>>;
  /** The keys of `fields` are the ones that may appear, not the ones that must. */
  readonly anyOfFields?: true;
  /** The values of an object whose keys are names. */
  readonly each?: Pick<Field, 'type'>;
  /** Values that were seen, where others may appear. */
  readonly seen?: readonly string[];
  /** What the specification leaves open of it: id of a gap. */
  readonly gap?: string;
  /** A type that it may have too, where a gap leaves room for it. */
  readonly also?: FieldType;
  /** The only values the specification prints for it, where it prints any. */
  readonly values?: readonly (string | number)[];
  /** The specification shows what was seen, and promises nothing. */
  readonly basis?: 'observed';
  readonly clause: string;
  /** Clause by which it is not null, where services of this kind are seen to answer null all the same. */
  readonly notNull?: string;
}

/** A field of something a caller sends. Its name is its key in the table, as it stands in a form body. */
export interface InputField extends Bounds {
  readonly type: FieldType;
  readonly nullable?: true;
  readonly required?: true;
  /** What is in an object whose keys are printed. */
  readonly fields?: Readonly<Record<string, InputField>>;
  /** Each element of an array, or each value of an object whose keys are names. */
  readonly each?: Bounds;
  /** The keys of an object whose keys are names. */
  readonly names?: Bounds;
  /** A limit that counts in something else than characters or items, or that a client keeps. */
  readonly limit?: Limit;
  readonly values?: readonly (string | number)[];
  readonly default?: string | number;
  readonly clause: string;
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** What a part of a path names. All but the last two belong to an account. */
export type Thing =
  | 'computer'
  | 'printer'
  | 'print job'
  | 'scale'
  | 'webhook'
  | 'tag'
  | 'API key'
  | 'download'
  | 'client'
  | 'operating system';

export interface PathPart {
  /** As printed, without its braces. */
  readonly name: string;
  readonly thing: Thing;
  /** A comma-separated list of ids. */
  readonly isSet: boolean;
  /** What stands in its place; of a set each of its ids. */
  readonly value: InputField;
}

/** The body that an endpoint takes. */
export type RequestBody =
  | { readonly kind: 'none' }
  /** The specification does not show it. */
  | { readonly kind: 'not shown' }
  /** A JSON string, one of these. */
  | { readonly kind: 'string'; readonly values: readonly string[] }
  | { readonly kind: 'fields'; readonly fields: Readonly<Record<string, InputField>>; readonly areOptional: boolean };

export type Effect = 'none' | 'creates' | 'changes' | 'deletes';

/** What is in the body of an answer. */
export type Returned =
  | 'account'
  | 'computers'
  | 'printers'
  | 'print jobs'
  | 'states'
  | 'readings'
  | 'reading'
  | 'webhooks'
  | 'downloads'
  | 'download'
  | 'client key'
  | 'ids'
  | 'id'
  | 'account state'
  | 'Request-Id'
  | 'not shown';

export interface Endpoint {
  readonly method: Method;
  /** As printed, with its placeholders: `/computers/{computer_set}`. */
  readonly path: string;
  readonly family: Family;
  readonly authenticated: boolean;
  /** The placeholders of the path, in its order. */
  readonly parts: readonly PathPart[];
  /** Takes `limit`, `after` and `dir`, and sends the Records-* headers. */
  readonly paginated: boolean;
  readonly query: Readonly<Record<string, InputField>>;
  readonly body: RequestBody;
  readonly effect: Effect;
  /** A DELETE that names nothing: it is for all that the account has, or for the account itself. */
  readonly isUnrestricted: boolean;
  /** Is for the account of the caller, or for the Child that a header selects; `integrator`: only one may call. */
  readonly account: 'caller' | 'child' | 'integrator';
  readonly returns: Returned;
  /** Null where the specification prints none. */
  readonly successStatus: number | null;
  /** What the specification leaves open of its request or its answer: ids of gaps. */
  readonly gaps: readonly string[];
  readonly clause: string;
}
