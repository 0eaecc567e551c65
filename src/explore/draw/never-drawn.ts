/**
 * Never drawn: the kinds of steps and the faults of the scenario format that no day has, each with the reason.
 */

interface Omission {
  /** Kinds of steps, or faults as `place/fault`. */
  readonly what: readonly string[];
  readonly why: string;
}

export const NEVER_DRAWN: readonly Omission[] = [
  { what: ['lp', 'queue'], why: 'They print past the service, through a print system.' },
  { what: ['wait', 'expect'], why: 'They only look. The judges look at everything at the end of each day.' },
  { what: ['leave-ghost'], why: 'Which of two connections of one computer gets a job is not printed.' },
  { what: ['skew-clock'], why: 'What a service makes of the times of a computer whose clock is wrong is not printed.' },
  { what: ['load-paper'], why: 'The service does not see what comes out of a printer.' },
  {
    what: ['change-webhook', 'delete-webhook'],
    why: 'Days send `PATCH` and `DELETE /webhook/{id}` themselves, so that they may also be refused.',
  },
  {
    what: [
      'document/hang',
      'document/reset',
      'document/latency',
      'document/slow-body',
      'document/cut-body',
      'document/not-found',
      'document/unauthorized',
      'document/status-500',
      'document/status-503',
      'document/redirect-loop',
      'document/empty',
    ],
    why:
      'A computer fetches its documents itself, and the service hears of all these only that the job failed. Days have ' +
      'documents that are protected, whose host resets the connection, or that cannot be reached.',
  },
  {
    what: [
      'webhook/reset',
      'webhook/header-missing',
      'webhook/header-lower-case',
      'webhook/header-wrong',
      'webhook/status-404',
      'webhook/status-500',
      'webhook/status-503',
      'webhook/redirect',
    ],
    why: 'Days have the same with `receiver-replies`, which says which webhook gets which answer.',
  },
  {
    what: ['webhook/hang', 'webhook/latency', 'webhook/slow-body', 'webhook/cut-body', 'webhook/huge-body'],
    why:
      'When a service gives up on an answer is not printed, so nothing would be judged of such a webhook. Days have ' +
      'answers that take three seconds, with `receiver-replies`.',
  },
  {
    what: ['http/reset', 'http/empty', 'http/status-429', 'http/status-500', 'http/status-503'],
    why: 'The service gets no request: what the caller sees is made by the proxy.',
  },
  {
    what: ['http/lost-answer', 'http/truncated'],
    why:
      'Whether the service acted on a request without a whole answer is unknown, and with it what the account has from ' +
      'then on: the judges would have to let both pass.',
  },
  { what: ['http/latency', 'http/slow-body'], why: 'Only the caller waits. The service sees an ordinary request.' },
];
