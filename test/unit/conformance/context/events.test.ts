import { expect, it } from 'vitest';

import { sortedJson } from '../../../../src/common/json-value.ts';
import { WEBHOOK_REPLIES } from '../../../../src/sink/reply-plan.ts';
import type { WebhookDelivery } from '../../../../src/sink/webhook-receiver.ts';
import { success } from '../../../../src/common/outcome.ts';
import { isAboutJob, placesOfSecret, tellsState, timesSent } from '../../../../src/conformance/context/events.ts';

const SECRET = 'check-secret-7';

const body = (text: string) => ({ bytes: Buffer.from(text), state: 'complete' }) as const;
const basic = `Basic ${Buffer.from(`webhook:${SECRET}`).toString('base64')}`;

it.each([
  ['in a header', [['X-Secret', SECRET]], '', '[]', 'header X-Secret, as it is'],
  ['after a word', [['Authorization', `Bearer ${SECRET}`]], '', '[]', 'header Authorization, with more around it'],
  ['as the password of Basic', [['Authorization', basic]], '', '[]', 'header Authorization, in base64'],
  ['in the query', [], `?key=${SECRET}`, '[]', 'the query'],
  ['in each event', [], '', `[{"secret":"${SECRET}"}]`, 'the body'],
] as const)('finds the secret of a webhook %s', (_, rawHeaders, query, text, place) => {
  expect(placesOfSecret({ rawHeaders, query, body: body(text) }, SECRET)).toEqual([place]);
});

it('finds no secret where there is another one', () => {
  const rawHeaders = [['Authorization', `Basic ${Buffer.from('webhook:other').toString('base64')}`]] as const;
  expect(placesOfSecret({ rawHeaders, query: '', body: body('[]') }, SECRET)).toEqual([]);
});

const delivery = (...states: readonly string[]): WebhookDelivery => ({
  arrivedAtMs: 0,
  arrivedMonotonicMs: 0,
  method: 'POST',
  path: '/',
  query: '',
  rawHeaders: [],
  body: body(''),
  reply: { chosen: WEBHOOK_REPLIES.ok, ended: null, endedAtMs: 0, endedMonotonicMs: 0 },
  secret: null,
  events: success(states.map((state) => ({ type: 'print job state', data: { printJobId: 3, state } }))),
});

it('counts how often an event was sent, not the events of its job', () => {
  const requests = [delivery('new'), delivery('sent_to_client', 'new'), delivery('done')];
  expect(timesSent(requests, 3)).toBe(2);
  expect(timesSent(requests.slice(2), 3, requests)).toBe(0);
  expect(timesSent(requests.slice(2), 3)).toBe(1);
  expect(timesSent(requests, 4)).toBe(0);
});

it('gives events with their keys in another order the same text', () => {
  expect(sortedJson({ a: [{ x: 1, y: null }], b: 2 })).toBe(sortedJson({ b: 2, a: [{ y: null, x: 1 }] }));
  expect(sortedJson([1, 2])).not.toBe(sortedJson([2, 1]));
});

it.each([
  ['by the name of the id', { printJobId: 5, printerId: 7, computerId: 5, state: 'done' }, [5], ['done']],
  ['by the id of the job inside', { job: { id: 5, printer: { id: 7 }, state: 'done' } }, [5], ['done']],
  ['by any number without such a name', { about: '5', printer: 7, is: 'done' }, [5, 7], ['done']],
  ['beside the state before', { job_id: 5, previousState: 'new', state: 'done' }, [5], ['done']],
  [
    'beside the history of its states',
    { job: { id: 5, state: 'done', states: [{ state: 'new' }, { state: 'done' }] } },
    [5],
    ['done'],
  ],
])('recognises the job and the state of an event %s', (_, data, jobIds, states) => {
  expect([5, 7].filter((jobId) => isAboutJob({ data }, jobId))).toEqual(jobIds);
  expect(['new', 'done'].filter((state) => tellsState({ data }, state))).toEqual(states);
});
