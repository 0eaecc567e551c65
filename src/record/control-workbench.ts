/**
 * The control API of the workbench itself: what it is, its clock, its accounts.
 */

import { z } from 'zod';

import { answer, answers, anything, count, id, ms, text } from './control-answers.ts';

/** Every error, of the form that the service uses. */
export const controlError = answer('Error', { code: text, message: text });

export const health = answer('Health', { status: z.literal('ready') });

export const clock = answer('ClockView', {
  nowMs: ms,
  /** The same as ISO 8601. */
  now: text,
  isVirtual: z.boolean(),
  /** Whether time passes by itself. */
  running: z.boolean(),
});

export const info = answer('InfoView', {
  version: text,
  url: text,
  /** ISO 8601, in real time. */
  startedAt: text,
  seed: z.union([z.number(), text]),
  clock,
  limits: z.enum(['spec', 'off']),
  controlTokenRequired: z.boolean(),
  accounts: count,
});

export const key = answer('KeyView', { apiKey: text });

export const openApiDocument = anything.describe('an OpenAPI document').register(answers, { id: 'OpenApi' });

export const account = z.object({ id, name: text, kind: z.enum(['main', 'second', 'child', 'isolated']) });

export const accounts = z.array(account).register(answers, { id: 'Accounts' });

export const newAccount = answer('NewAccountView', { id, apiKey: text });
