/**
 * IPP operations and statuses, by the numbers that stand in a message (RFC 8011, 5.4.15 and 4.1.6.1; PWG 5100.14).
 */

export const OPERATIONS = {
  'Print-Job': 0x0002,
  'Validate-Job': 0x0004,
  'Create-Job': 0x0005,
  'Send-Document': 0x0006,
  'Cancel-Job': 0x0008,
  'Get-Job-Attributes': 0x0009,
  'Get-Jobs': 0x000a,
  'Get-Printer-Attributes': 0x000b,
  'Cancel-My-Jobs': 0x0039,
  'Close-Job': 0x003b,
  'Identify-Printer': 0x003c,
} as const;

export type OperationName = keyof typeof OPERATIONS;

export const STATUSES = {
  'successful-ok': 0x0000,
  'successful-ok-ignored-or-substituted-attributes': 0x0001,
  'client-error-bad-request': 0x0400,
  'client-error-not-possible': 0x0404,
  'client-error-not-found': 0x0406,
  'client-error-request-entity-too-large': 0x0408,
  'client-error-request-value-too-long': 0x0409,
  'client-error-document-format-not-supported': 0x040a,
  'client-error-attributes-or-values-not-supported': 0x040b,
  'client-error-charset-not-supported': 0x040d,
  'client-error-conflicting-attributes': 0x040e,
  'client-error-compression-not-supported': 0x040f,
  'client-error-compression-error': 0x0410,
  'client-error-document-format-error': 0x0411,
  'server-error-internal-error': 0x0500,
  'server-error-operation-not-supported': 0x0501,
  'server-error-version-not-supported': 0x0503,
  'server-error-not-accepting-jobs': 0x0506,
  'server-error-busy': 0x0507,
  'server-error-multiple-document-jobs-not-supported': 0x0509,
} as const;

export type StatusName = keyof typeof STATUSES;

/** RFC 8011, 5.3.7. */
export const JOB_STATES = {
  pending: 3,
  held: 4,
  processing: 5,
  stopped: 6,
  canceled: 7,
  aborted: 8,
  completed: 9,
} as const;

export type JobState = keyof typeof JOB_STATES;

/** RFC 8011, 5.4.11. */
export const PRINTER_STATES = { idle: 3, processing: 4, stopped: 5 } as const;

export type PrinterState = keyof typeof PRINTER_STATES;
