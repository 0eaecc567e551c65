/**
 * Clauses about webhooks as settings: listing, creating, changing, deleting, and their statistics.
 * What they send stands in events.ts.
 */

import type { ClauseRows } from './clause.ts';

export const WEBHOOK_CLAUSES = {
  'webhooks/list': { statement: 'GET /webhooks succeeds with an array of Webhook objects.' },
  'webhooks/list-own-only': {
    level: 'should',
    statement: 'GET /webhooks shows no webhook of another account.',
    needs: ['second-account'],
  },

  // Creating
  'webhooks/create': { statement: 'POST /webhook creates a webhook.' },
  'webhooks/create-answers-list': {
    statement: 'POST /webhook answers with what GET /webhooks shows after the change.',
  },
  'webhooks/create-url': { statement: 'The new webhook has the url that was sent.' },
  'webhooks/create-url-missing-refused': { statement: 'A webhook without url is refused.' },
  'webhooks/create-secret': { statement: 'The new webhook has the secret that was sent.' },
  'webhooks/create-secret-missing-refused': { statement: 'A webhook without secret is refused.' },
  'webhooks/create-messages': { statement: 'The new webhook has the messages that were sent.' },
  'webhooks/create-messages-missing-refused': { statement: 'A webhook without messages is refused.' },
  'webhooks/create-refused-leaves-nothing': {
    level: 'should',
    statement: 'A refused creation leaves no webhook behind.',
  },
  'webhooks/messages-star-means-every': {
    statement: 'A webhook whose messages are * is triggered by every type.',
    needs: ['webhook-receiver', 'computer'],
  },
  'webhooks/messages-star-alone': { statement: 'A webhook whose messages are * alone is accepted.' },
  'webhooks/messages-star-with-others-refused': {
    statement: 'A webhook whose messages have * together with another type is refused.',
  },

  // Changing
  'webhooks/update': { statement: 'PATCH /webhook/{webhook_id} changes the webhook.' },
  'webhooks/update-answers-list': {
    statement: 'PATCH /webhook/{webhook_id} answers with what GET /webhooks shows after the change.',
  },
  'webhooks/update-url': { statement: 'PATCH can change url alone.' },
  'webhooks/update-secret': { statement: 'PATCH can change secret alone.' },
  'webhooks/update-messages': { statement: 'PATCH can change messages alone.' },
  'webhooks/update-nothing': { statement: 'PATCH with none of the fields succeeds and changes nothing.' },
  'webhooks/update-leaves-the-rest': { statement: 'Fields that PATCH does not name keep their values.' },
  'webhooks/update-star-with-others-refused': {
    level: 'should',
    statement: 'PATCH to * together with another type is refused and changes nothing.',
  },
  'webhooks/update-unknown-refused': {
    level: 'should',
    statement: 'PATCH of a webhook that does not exist is answered with a 4xx status and the error object.',
  },
  'webhooks/update-foreign-refused': {
    level: 'should',
    statement: 'PATCH of a webhook of another account is refused and changes nothing.',
    needs: ['second-account'],
  },
  'webhooks/update-not-atomic': {
    level: 'observed',
    statement: 'Between PATCH and its answer other changes may happen, and the answer may show them.',
  },

  // Deleting
  'webhooks/delete': { statement: 'DELETE /webhook/{webhook_id} removes the webhook.' },
  'webhooks/delete-answers-list': {
    statement: 'DELETE /webhook/{webhook_id} answers with what GET /webhooks shows after the change.',
  },
  'webhooks/delete-leaves-other-webhooks': {
    level: 'should',
    statement: 'DELETE leaves the other webhooks.',
  },
  'webhooks/delete-unknown-refused': {
    level: 'should',
    statement: 'DELETE of a webhook that does not exist is answered with a 4xx status and the error object.',
  },
  'webhooks/delete-foreign-refused': {
    level: 'should',
    statement: 'DELETE of a webhook of another account is refused and changes nothing.',
    needs: ['second-account'],
  },
  'webhooks/delete-not-atomic': {
    level: 'observed',
    statement: 'Between DELETE and its answer other changes may happen, and the answer may show them.',
  },

  // The Webhook object
  'webhooks/field-webhook-id': { statement: 'webhookId of a webhook is an integer.' },
  'webhooks/id-assigned-by-service': {
    statement: 'The service assigns webhookId, a different one to each webhook.',
  },
  'webhooks/field-url': { statement: 'url of a webhook is a string.' },
  'webhooks/field-secret': { statement: 'secret of a webhook is a string.' },
  'webhooks/field-messages': { statement: 'messages of a webhook is an array of strings.' },
  'webhooks/field-received-events': {
    statement: 'A Webhook object shows the statistic receivedEvents; how its measures are nested is a gap.',
  },
  'webhooks/field-dropped-events': {
    statement: 'A Webhook object shows the statistic droppedEvents; how its measures are nested is a gap.',
  },
  'webhooks/field-successful-requests': {
    statement:
      'A Webhook object shows the statistic successfulRequests; how its measures are nested is a gap.',
  },
  'webhooks/field-failed-requests': {
    statement: 'A Webhook object shows the statistic failedRequests; how its measures are nested is a gap.',
  },

  // Statistics
  'webhooks/received-counts-triggers': {
    statement: 'The statistic receivedEvents counts how often the webhook was triggered.',
    needs: ['webhook-receiver', 'computer'],
  },
  'webhooks/received-not-retries': {
    level: 'should',
    statement: 'A retry of an event does not count as received again.',
    needs: ['webhook-receiver', 'computer'],
    span: 'seconds',
  },
  'webhooks/dropped-counts-given-up': {
    statement: 'The statistic droppedEvents counts the events that were given up.',
    needs: ['webhook-receiver', 'computer'],
    span: 'seconds',
  },
  'webhooks/successful-counts-requests': {
    statement: 'The statistic successfulRequests counts successful requests.',
    needs: ['webhook-receiver', 'computer'],
  },
  'webhooks/failed-counts-requests': {
    statement: 'The statistic failedRequests counts failed requests.',
    needs: ['webhook-receiver', 'computer'],
  },
  'webhooks/requests-not-events': {
    level: 'should',
    statement: 'A request with several events counts as one request.',
    needs: ['webhook-receiver', 'computer'],
    span: 'seconds',
  },
  'webhooks/measure-counts': { statement: 'Each statistic has counts, a plain count.' },
  'webhooks/measure-exp7d': {
    statement: 'Each statistic has exp7d, a count that decays exponentially on a scale of seven days.',
  },
  'webhooks/measure-exp1d': {
    statement: 'Each statistic has exp1d, a count that decays exponentially on a scale of one day.',
  },
  'webhooks/measure-exp1h': {
    statement: 'Each statistic has exp1h, a count that decays exponentially on a scale of one hour.',
  },
  'webhooks/measure-exp5m': {
    statement: 'Each statistic has exp5m, a count that decays exponentially on a scale of five minutes.',
  },
  'webhooks/measures-decay': {
    statement: 'Without new events the decaying measures of a statistic fall as time passes.',
    needs: ['webhook-receiver', 'computer'],
    span: 'seconds',
  },
  'webhooks/counts-do-not-decay': {
    statement: 'The measure counts does not fall as time passes.',
    needs: ['webhook-receiver', 'computer'],
    span: 'seconds',
  },
} as const satisfies ClauseRows;
