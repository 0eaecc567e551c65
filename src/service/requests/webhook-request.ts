/**
 * Webhook requests: the bodies of POST /webhook and PATCH /webhook/{webhook_id}, checked field by field.
 */

import { EVENT_TYPES } from '../../specification/fields.ts';
import { EVERY_MESSAGE } from '../../specification/inputs.ts';
import type { WebhookFields } from '../domain/webhook.ts';
import { badRequest } from '../gate/api-error.ts';
import { addressText, bodyObject, listIn, readPresent, withinLimit, type Readers } from './fields.ts';

/** What an HTTP header can carry, since the secret travels in one. */
const HEADER_TEXT = /^[\t\x20-\x7e\x80-\xff]*$/;

const READERS: Readers<WebhookFields> = {
  url: ({ url }) => readUrl(url),
  secret: ({ secret }) => readSecret(secret),
  messages: ({ messages }) => readMessages(messages),
};

/** @throws ApiError 400 naming the field and what it must be */
export function readWebhookFields(body: unknown): WebhookFields {
  const { url, secret, messages } = readWebhookChange(body);
  if (url === undefined) throw badRequest('url: a string is required');
  if (secret === undefined) throw badRequest('secret: a string is required');
  if (messages === undefined) throw badRequest('messages: a list of strings is required');
  return { url, secret, messages };
}

/** @throws ApiError 400 naming the field and what it must be */
export function readWebhookChange(body: unknown): Partial<WebhookFields> {
  return readPresent(bodyObject(body, 'an object with url, secret and messages'), READERS);
}

function readUrl(url: unknown): string {
  const parsed = typeof url === 'string' ? URL.parse(addressText(url, 'url')) : null;
  if (!parsed || !['http:', 'https:'].includes(parsed.protocol)) {
    throw badRequest('url: must be an http or https address');
  }
  if (parsed.username !== '' || parsed.password !== '') throw badRequest('url: must not carry credentials');
  return url as string;
}

function readSecret(secret: unknown): string {
  if (typeof secret !== 'string') throw badRequest('secret: must be a string');
  if (!HEADER_TEXT.test(secret)) throw badRequest('secret: must be a string that an HTTP header can carry');
  return withinLimit(secret, 'secret');
}

function readMessages(value: unknown): readonly string[] {
  const messages = listIn(value);
  if (!messages?.every((message) => typeof message === 'string')) {
    throw badRequest('messages: must be a list of strings');
  }
  const known: readonly string[] = [EVERY_MESSAGE.value, ...EVENT_TYPES];
  const unknown = messages.find((message) => !known.includes(message));
  if (unknown !== undefined) {
    throw badRequest(`messages: '${unknown.slice(0, 40)}' is not one of ${known.join(', ')}`);
  }
  if (messages.includes(EVERY_MESSAGE.value) && messages.length > 1) {
    throw badRequest(`messages: ${EVERY_MESSAGE.value} must be the only one`);
  }
  return messages;
}
