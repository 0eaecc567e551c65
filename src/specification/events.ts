/**
 * Clauses about events: what triggers a webhook request, when it is due, what it carries, and what happens
 * when it fails.
 *
 *   event ──► queued ──► due ──► one request with all due events ──► 2xx and status header: done
 *                ▲                              │
 *                └── not yet retried: 5 s ◄─────┴──► already retried: dropped
 */

import { given } from './clause.ts';

export const EVENT_CLAUSES = [
  // What emits an event, and who gets it
  given({ needs: ['webhook-receiver', 'computer'] }).must({
    'events/computer-connects': 'A computer that connects emits a computer state event.',
    'events/computer-changes': 'A computer that changes its state, as by disconnecting, emits a computer state event.',
    'events/print-job-state': 'A print job state that is recorded emits a print job state event.',
    'events/stable-states-only': 'A state that is not stable emits no event.',
    'events/listed-types-trigger': 'A webhook is triggered by the types in its messages.',
    'events/other-types-do-not': 'A webhook is not triggered by types outside its messages.',
    'events/deleted-webhook-not-triggered': 'A deleted webhook is not triggered by later events.',
  }),
  given({ needs: ['webhook-receiver', 'computer'] }).should({
    'events/before-webhook-not-sent': 'An event from before a webhook was created is not sent to it.',
  }),
  given({ needs: ['webhook-receiver', 'second-account', 'computer'] }).must({
    'events/own-account-only': 'A webhook gets no event of an account that does not concern its own.',
  }),

  // The request
  given({ needs: ['webhook-receiver', 'computer'] }).must({
    'events/body-array': 'The body of a request is a JSON array of event objects, even for one event.',
    'events/secret-sent': 'Every request carries the secret of the webhook.',
    'events/query-sent': 'A request goes to the url of the webhook with the query that the url has.',
    'events/field-type': 'type of an event is a string: computer state and print job state, until more are added.',
    'events/field-account-id': 'accountId of an event is the id of the account that generated the event.',
    'events/field-controlling-account-id':
      'controllingAccountId of an event is the id of the controlling account of that account.',
    'events/field-created-at': 'createdAt of an event is the time at which the event was created.',
    'events/field-data': 'data of an event is an object.',
  }),
  given({ needs: ['webhook-receiver', 'computer'], span: 'seconds' }).must({
    'events/all-due-in-one': 'A request delivers all events that are due for the target.',
    'events/created-at-kept': 'createdAt of an event does not change when it is sent again.',
  }),

  // Success and failure
  given({ needs: ['webhook-receiver', 'computer'], span: 'seconds' }).must({
    'events/success-2xx': 'A 2xx answer with the status header is a success: its events are not sent again.',
    'events/success-any-2xx': 'Any 2xx status is a success, not only 200.',
    'events/success-needs-status-header': 'A 2xx answer without X-Service-Webhook-Status: OK is a failure.',
    'events/other-header-value-fails': 'A 2xx answer with another value in X-Service-Webhook-Status is a failure.',
    'events/non-2xx-fails': 'An answer that is not 2xx is a failure, with or without X-Service-Webhook-Status.',
    'events/no-answer-fails': 'A target that cannot be reached or drops the connection is a failure.',
    'events/redirect-fails': 'A redirect is not 2xx and thus a failure: the service does not follow it.',
  }),
  given({ needs: ['webhook-receiver', 'computer'], span: 'seconds' }).should({
    'events/hanging-answer-fails':
      'A target that never answers eventually counts as a failure and does not block the webhook for ever.',
  }),
  given({ party: 'caller', needs: ['webhook-receiver'] }).must({
    'events/receiver-sends-header':
      'A receiver that has taken the events answers 2xx with X-Service-Webhook-Status: OK.',
    'events/receiver-verifies-secret': 'A receiver takes no event that comes without the secret of its webhook.',
  }),
  given({ party: 'caller', needs: ['webhook-receiver'] }).should({
    'events/receiver-reads-array': 'A receiver reads every event of the array, not only the first.',
    'events/receiver-takes-repeats': 'A receiver copes with an event that comes a second time.',
  }),

  // When it is sent, sent again, and given up
  given({ needs: ['webhook-receiver', 'computer'] }).must({
    'events/due-first': 'An event for a target that was never sent a request is due at once.',
    'events/due-after-success': 'An event is due at once when the last request to the target succeeded.',
    'events/new-events-new-url': 'Events created after the url changed go to the new url.',
  }),
  given({ needs: ['webhook-receiver', 'computer'] }).should({
    'events/api-not-delayed': 'A failing or slow target delays no answer of the API.',
  }),
  given({ needs: ['webhook-receiver', 'computer'], span: 'seconds' }).must({
    'events/due-after-failure':
      'An event is due five seconds after the last request to the target when that failed, not before.',
    'events/failed-requeued': 'Each event of a failed request is sent again, if it was not before.',
    'events/retried-dropped': 'An event whose second request fails is dropped: it is not sent a third time.',
    'events/queued-survive-delete': 'Events that are queued when their webhook is deleted are still sent.',
    'events/queued-keep-url': 'Events that are queued when the url changes still go to the old url.',
    'events/queued-survive-messages-change': 'Events that are queued when messages changes are still sent.',
    'events/due-after-failure-new-events':
      'The five seconds after a failed request hold for new events as well as for those sent again.',
    'events/targets-apart': 'A failing or slow target delays no event for another target.',
    'events/queued-keep-secret': 'Events that are queued when the secret changes still go with the old secret.',
    'events/retry-belongs-to-event':
      'The retry belongs to the event: in one failed request an old event is dropped while a new one is sent again.',
    'events/later-events-still-sent': 'A failed request or a dropped event is still followed by newer events.',
  }),
];
