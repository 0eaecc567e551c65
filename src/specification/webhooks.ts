/**
 * Clauses about webhooks as settings: listing, creating, changing, deleting, and their statistics.
 * What they send is in events.ts.
 */

import { given } from './clause.ts';

export const WEBHOOK_CLAUSES = [
  // Listing and creating
  given().must({
    'webhooks/list': 'GET /webhooks succeeds with an array of Webhook objects.',
    'webhooks/create': 'POST /webhook creates a webhook.',
    'webhooks/create-answers-list': 'POST /webhook answers with what GET /webhooks shows after the change.',
    'webhooks/create-url': 'The new webhook has the url that was sent.',
    'webhooks/create-url-missing-refused': 'A webhook without url is refused.',
    'webhooks/create-secret': 'The new webhook has the secret that was sent.',
    'webhooks/create-secret-missing-refused': 'A webhook without secret is refused.',
    'webhooks/create-messages': 'The new webhook has the messages that were sent.',
    'webhooks/create-messages-missing-refused': 'A webhook without messages is refused.',
    'webhooks/messages-star-alone': 'A webhook whose messages are * alone is accepted.',
    'webhooks/messages-star-with-others-refused':
      'A webhook whose messages have * together with another type is refused.',
  }),
  given().should({
    'webhooks/create-refused-leaves-nothing': 'A refused creation leaves no webhook behind.',
  }),
  given({ needs: ['second-account'] }).must({
    'webhooks/list-own-only': 'GET /webhooks shows no webhook of another account.',
  }),
  given({ needs: ['webhook-receiver', 'computer'] }).must({
    'webhooks/messages-star-means-every': 'A webhook whose messages are * is triggered by every type.',
  }),

  // Changing and deleting
  given().must({
    'webhooks/update': 'PATCH /webhook/{webhook_id} changes the webhook.',
    'webhooks/update-answers-list':
      'PATCH /webhook/{webhook_id} answers with the list that GET /webhooks shows, just before or after the change.',
    'webhooks/update-url': 'PATCH can change url alone.',
    'webhooks/update-secret': 'PATCH can change secret alone.',
    'webhooks/update-messages': 'PATCH can change messages alone.',
    'webhooks/update-nothing': 'PATCH with none of the fields succeeds and changes nothing.',
    'webhooks/update-leaves-the-rest': 'Fields that PATCH does not name keep their values.',
    'webhooks/delete': 'DELETE /webhook/{webhook_id} removes the webhook.',
    'webhooks/delete-answers-list':
      'DELETE /webhook/{webhook_id} answers with the list that GET /webhooks shows, just before or after the change.',
    'webhooks/update-star-with-others-refused': 'PATCH to * together with another type is refused and changes nothing.',
    'webhooks/delete-leaves-other-webhooks': 'DELETE leaves the other webhooks.',
  }),
  given().observed({
    'webhooks/update-answer-shows-change':
      'The answer of PATCH /webhook/{webhook_id} is the list after the change, although the two are not atomic.',
    'webhooks/delete-answer-shows-change':
      'The answer of DELETE /webhook/{webhook_id} is the list after the change, although the two are not atomic.',
    'webhooks/update-not-atomic':
      'Between PATCH and its answer other changes may happen, and the answer may show them.',
    'webhooks/delete-not-atomic':
      'Between DELETE and its answer other changes may happen, and the answer may show them.',
  }),
  given({ needs: ['second-account'] }).must({
    'webhooks/update-foreign-refused': 'PATCH of a webhook of another account changes nothing.',
    'webhooks/delete-foreign-refused': 'DELETE of a webhook of another account changes nothing.',
  }),

  // The Webhook object
  given().must({
    'webhooks/field-webhook-id': 'webhookId of a webhook is an integer.',
    'webhooks/id-assigned-by-service': 'The service assigns webhookId, a different one to each webhook.',
    'webhooks/field-url': 'url of a webhook is a string.',
    'webhooks/field-secret': 'secret of a webhook is a string.',
    'webhooks/field-messages': 'messages of a webhook is an array of strings.',
    'webhooks/field-received-events':
      'A Webhook object shows the statistic receivedEvents; how its measures are nested is a gap.',
    'webhooks/field-dropped-events':
      'A Webhook object shows the statistic droppedEvents; how its measures are nested is a gap.',
    'webhooks/field-successful-requests':
      'A Webhook object shows the statistic successfulRequests; how its measures are nested is a gap.',
    'webhooks/field-failed-requests':
      'A Webhook object shows the statistic failedRequests; how its measures are nested is a gap.',
  }),

  // Statistics
  given({ needs: ['webhook-receiver', 'computer'] }).must({
    'webhooks/received-counts-triggers': 'The statistic receivedEvents counts how often the webhook was triggered.',
    'webhooks/successful-counts-requests': 'The statistic successfulRequests counts successful requests.',
    'webhooks/failed-counts-requests': 'The statistic failedRequests counts failed requests.',
  }),
  given({ needs: ['webhook-receiver', 'computer'], span: 'seconds' }).must({
    'webhooks/dropped-counts-given-up': 'The statistic droppedEvents counts the events that were given up.',
    'webhooks/measures-decay': 'Without new events the decaying measures of a statistic fall as time passes.',
    'webhooks/counts-do-not-decay': 'The measure counts does not fall as time passes.',
    'webhooks/received-not-retries': 'A retry of an event does not count as received again.',
    'webhooks/requests-not-events': 'A request with several events counts as one request.',
  }),
  given().must({
    'webhooks/measure-counts': 'Each statistic has counts, a plain count.',
    'webhooks/measure-exp7d': 'Each statistic has exp7d, a count that decays exponentially on a scale of seven days.',
    'webhooks/measure-exp1d': 'Each statistic has exp1d, a count that decays exponentially on a scale of one day.',
    'webhooks/measure-exp1h': 'Each statistic has exp1h, a count that decays exponentially on a scale of one hour.',
    'webhooks/measure-exp5m': 'Each statistic has exp5m, a count that decays exponentially on a scale of five minutes.',
  }),
];
