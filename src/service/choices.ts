/**
 * Choices: what this service does where the specification is silent, keyed by gap id.
 *
 * Checks record such answers and never fail on them. Where a real service might as well do otherwise, the
 * choice is a switch (ServiceChoices): a service with a switch turned is a lawful variant.
 */

/** Choices that can be switched. */
export interface ServiceChoices {
  /** gap/cancelled-state: the state that a cancelled job takes. */
  readonly cancelledState: string;
  /** gap/limit-upper-bound: a larger `limit` is cut to this. */
  readonly limitMaximum: number;
}

export const DEFAULT_CHOICES: ServiceChoices = {
  cancelledState: 'deleted',
  limitMaximum: 1_000,
};

export interface Choice {
  /** What the service does. */
  readonly does: string;
  readonly because: string;
}

/** Every choice, by the id of its gap. */
export const CHOICES: Readonly<Record<string, Choice>> = {
  'gap/cancelled-state': {
    does: 'a cancelled job takes the state `deleted` (switch: cancelledState)',
    because: 'it is what services of this kind are seen to answer',
  },
  'gap/limit-upper-bound': {
    does: 'a `limit` above 1000 is cut to 1000 (switch: limitMaximum)',
    because: 'no caller loses records by it, since pages go on behind the last id',
  },
  'gap/ping-body': { does: 'the JSON text "OK"', because: 'every response is JSON' },
  'gap/megabyte': {
    does: 'the 50 MB of a request body are 50 · 1024 · 1024 bytes',
    because: 'the more generous reading refuses nothing that the other one allows',
  },
  'gap/unknown-id-in-set': {
    does: 'unknown ids in a set are left out of the answer',
    because: 'ids of other accounts must behave as if they did not exist',
  },
  'gap/set-ranges': { does: 'ranges in sets are refused with 400', because: 'a set is a list of integers' },
  'gap/unknown-query-parameters': {
    does: 'they are ignored',
    because: 'callers of newer versions may send more',
  },
  'gap/unknown-path-code': {
    does: '404 with the code `NotFound`',
    because: 'strict clients want an error object',
  },
  'gap/deleted-computer-effect': {
    does: 'its printers are deleted with it, its queued jobs are cancelled, its connection is ended',
    because: 'nobody is left to deliver to; the history of its jobs stays readable',
  },
};
