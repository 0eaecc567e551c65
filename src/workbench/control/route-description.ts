/**
 * Route description: what a line of the control API takes and answers, for people and for documents.
 */

import type { z } from 'zod';

/** Names of what is answered: those of control-types.ts, described in control-schemas.ts. */
export type AnswerName =
  | 'Health'
  | 'InfoView'
  | 'KeyView'
  | 'ClockView'
  | 'JobList'
  | 'JobDetail'
  | 'JobText'
  | 'NewJob'
  | 'AccountPrinters'
  | 'RoomView'
  | 'RoomComputers'
  | 'NewPrinter'
  | 'PrinterCapabilities'
  | 'TrafficList'
  | 'DeliveryList'
  | 'DeliveryEntry'
  | 'Faults'
  | 'NewFault'
  | 'Accounts'
  | 'NewAccountView'
  | 'Runs'
  | 'RunSummaryView'
  | 'RunRecord'
  | 'Scenarios'
  | 'OpenApi';

export type HttpMethod = 'GET' | 'POST' | 'DELETE';

export interface RouteDescription {
  readonly method: HttpMethod;
  /** Below /_platen; placeholders as `{id}`. */
  readonly path: string;
  /** One line for people. */
  readonly summary: string;
  /** A name, or a media type for what is not JSON. */
  readonly answer: AnswerName | `${string}/${string}`;
  readonly status: number;
  readonly query: z.ZodObject | undefined;
  readonly body: z.ZodType | undefined;
}
