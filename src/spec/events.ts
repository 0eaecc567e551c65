/**
 * Clauses about events: what triggers a webhook request, when it is due, what it carries, and what happens
 * when it fails.
 *
 *   event ──► queued ──► due ──► one request with all due events ──► 2xx and status header: done
 *                ▲                              │
 *                └── not yet retried: 5 s ◄─────┴──► already retried: dropped
 */

import type { ClauseRows } from './clause.ts';

export const EVENT_CLAUSES = {
  // What emits
  'events/computer-connects': {
    statement: 'A computer that connects emits a computer state event.',
    needs: ['webhook-receiver', 'computer'],
  },
  'events/computer-changes': {
    statement: 'A computer that changes its state, as by disconnecting, emits a computer state event.',
    needs: ['webhook-receiver', 'computer'],
  },
  'events/print-job-state': {
    statement: 'A print job state that is recorded emits a print job state event.',
    needs: ['webhook-receiver', 'computer'],
  },
  'events/stable-states-only': {
    statement: 'A state that is not stable emits no event.',
    needs: ['webhook-receiver', 'computer'],
  },
  'events/before-webhook-not-sent': {
    level: 'should',
    statement: 'An event from before a webhook was created is not sent to it.',
    needs: ['webhook-receiver', 'computer'],
  },

  // Who gets it
  'events/listed-types-trigger': {
    statement: 'A webhook is triggered by the types in its messages.',
    needs: ['webhook-receiver', 'computer'],
  },
  'events/other-types-do-not': {
    statement: 'A webhook is not triggered by types outside its messages.',
    needs: ['webhook-receiver', 'computer'],
  },
  'events/own-account-only': {
    level: 'should',
    statement: 'A webhook gets no event of an account that does not concern its own.',
    needs: ['webhook-receiver', 'second-account', 'computer'],
  },
  'events/deleted-webhook-not-triggered': {
    level: 'should',
    statement: 'A deleted webhook is not triggered by later events.',
    needs: ['webhook-receiver', 'computer'],
  },

  // The request
  'events/body-array': {
    statement: 'The body of a request is a JSON array of event objects, also where there is one event.',
    needs: ['webhook-receiver', 'computer'],
  },
  'events/all-due-in-one': {
    statement: 'A request delivers all events that are due for the target.',
    needs: ['webhook-receiver', 'computer'],
    span: 'seconds',
  },
  'events/secret-sent': {
    statement: 'Every request carries the secret of the webhook.',
    needs: ['webhook-receiver', 'computer'],
  },
  'events/order': {
    level: 'should',
    statement: 'Events in a request are in the order in which they were created.',
    needs: ['webhook-receiver', 'computer'],
    span: 'seconds',
  },
  'events/field-type': {
    statement: 'type of an event is computer state or print job state.',
    needs: ['webhook-receiver', 'computer'],
  },
  'events/field-account-id': {
    statement: 'accountId of an event is the id of the account that generated the event.',
    needs: ['webhook-receiver', 'computer'],
  },
  'events/field-controlling-account-id': {
    statement: 'controllingAccountId of an event is the id of the controlling account of that account.',
    needs: ['webhook-receiver', 'computer'],
  },
  'events/field-created-at': {
    statement: 'createdAt of an event is the time at which the event was created.',
    needs: ['webhook-receiver', 'computer'],
  },
  'events/created-at-kept': {
    level: 'should',
    statement: 'createdAt of an event does not change when it is sent again.',
    needs: ['webhook-receiver', 'computer'],
    span: 'seconds',
  },
  'events/field-data': {
    statement: 'data of an event is an object.',
    needs: ['webhook-receiver', 'computer'],
  },

  // Success and failure
  'events/success-2xx': {
    statement: 'A 2xx answer with the status header is a success: its events are not sent again.',
    needs: ['webhook-receiver', 'computer'],
    span: 'seconds',
  },
  'events/success-any-2xx': {
    statement: 'Any 2xx status will do, not only 200.',
    needs: ['webhook-receiver', 'computer'],
    span: 'seconds',
  },
  'events/success-needs-status-header': {
    statement: 'A 2xx answer without X-Service-Webhook-Status: OK is a failure.',
    needs: ['webhook-receiver', 'computer'],
    span: 'seconds',
  },
  'events/other-header-value-fails': {
    statement: 'A 2xx answer with another value in X-Service-Webhook-Status is a failure.',
    needs: ['webhook-receiver', 'computer'],
    span: 'seconds',
  },
  'events/non-2xx-fails': {
    statement: 'An answer that is no 2xx is a failure, with or without X-Service-Webhook-Status.',
    needs: ['webhook-receiver', 'computer'],
    span: 'seconds',
  },
  'events/redirect-fails': {
    level: 'should',
    statement: 'A redirect is no 2xx and thus a failure: the service does not follow it.',
    needs: ['webhook-receiver', 'computer'],
    span: 'seconds',
  },
  'events/no-answer-fails': {
    statement: 'A target that cannot be reached or drops the connection is a failure.',
    needs: ['webhook-receiver', 'computer'],
    span: 'seconds',
  },
  'events/hanging-answer-fails': {
    level: 'should',
    statement:
      'A target that never answers is a failure in the end, and does not block the webhook for ever.',
    needs: ['webhook-receiver', 'computer'],
    span: 'seconds',
  },
  'events/receiver-sends-header': {
    party: 'caller',
    statement: 'A receiver that has taken the events answers 2xx with X-Service-Webhook-Status: OK.',
    needs: ['webhook-receiver'],
  },
  'events/receiver-reads-array': {
    level: 'should',
    party: 'caller',
    statement: 'A receiver reads every event of the array, not only the first.',
    needs: ['webhook-receiver'],
  },
  'events/receiver-takes-repeats': {
    level: 'should',
    party: 'caller',
    statement: 'A receiver copes with an event that comes a second time.',
    needs: ['webhook-receiver'],
  },

  // When
  'events/due-first': {
    statement: 'An event for a target that was never sent a request is due at once.',
    needs: ['webhook-receiver', 'computer'],
  },
  'events/due-after-success': {
    statement: 'An event is due at once when the last request to the target succeeded.',
    needs: ['webhook-receiver', 'computer'],
  },
  'events/due-after-failure': {
    statement:
      'An event is due five seconds after the last request to the target when that failed, not before.',
    needs: ['webhook-receiver', 'computer'],
    span: 'seconds',
  },
  'events/due-after-failure-new-events': {
    level: 'should',
    statement: 'The five seconds after a failed request hold for new events as well as for those sent again.',
    needs: ['webhook-receiver', 'computer'],
    span: 'seconds',
  },
  'events/targets-apart': {
    level: 'should',
    statement: 'A failing or slow target delays no event for another target.',
    needs: ['webhook-receiver', 'computer'],
    span: 'seconds',
  },
  'events/api-not-delayed': {
    level: 'should',
    statement: 'A failing or slow target delays no answer of the API.',
    needs: ['webhook-receiver', 'computer'],
  },

  // Again, or given up
  'events/failed-requeued': {
    statement: 'Each event of a failed request is sent again, if it was not before.',
    needs: ['webhook-receiver', 'computer'],
    span: 'seconds',
  },
  'events/retried-dropped': {
    statement: 'An event whose second request fails is dropped: it is not sent a third time.',
    needs: ['webhook-receiver', 'computer'],
    span: 'seconds',
  },
  'events/retry-belongs-to-event': {
    level: 'should',
    statement:
      'The retry belongs to the event: in one failed request an old event is dropped while a new one is sent again.',
    needs: ['webhook-receiver', 'computer'],
    span: 'seconds',
  },
  'events/later-events-still-sent': {
    level: 'should',
    statement: 'A failed request or a dropped event is still followed by newer events.',
    needs: ['webhook-receiver', 'computer'],
    span: 'seconds',
  },
  'events/queued-survive-delete': {
    statement: 'Events that are queued when their webhook is deleted are still sent.',
    needs: ['webhook-receiver', 'computer'],
    span: 'seconds',
  },
  'events/queued-keep-url': {
    statement: 'Events that are queued when the url changes still go to the old url.',
    needs: ['webhook-receiver', 'computer'],
    span: 'seconds',
  },
  'events/new-events-new-url': {
    level: 'should',
    statement: 'Events created after the url changed go to the new url.',
    needs: ['webhook-receiver', 'computer'],
  },
  'events/queued-survive-messages-change': {
    statement: 'Events that are queued when messages changes are still sent.',
    needs: ['webhook-receiver', 'computer'],
    span: 'seconds',
  },
} as const satisfies ClauseRows;
