/**
 * The kinds of steps. A new kind is a file, and a line here.
 */

import { z } from 'zod';

import { below } from '../vocabulary/names.ts';
import { anyOf } from '../vocabulary/schema-types.ts';
import { accountState } from './account-state.ts';
import { cancel } from './cancel.ts';
import { connect, crash, cut, disconnect, leaveGhost, skewClock, sleep, wake } from './computer.ts';
import { expectNow } from './expect.ts';
import { clearFault, fault } from './fault.ts';
import { lp } from './lp.ts';
import { queue } from './queue.ts';
import { addPrinter, loadPaper, removePrinter, renamePrinter } from './printer.ts';
import { request } from './request.ts';
import { restart } from './restart.ts';
import { plug, press, unplug, weigh } from './scale.ts';
import { serve } from './serve.ts';
import type { Action, Step } from './step.ts';
import { submit } from './submit.ts';
import { advance } from './time.ts';
import { together } from './together.ts';
import { wait } from './wait.ts';
import { addWebhook, changeWebhook, deleteWebhook, receiverReplies } from './webhook.ts';

export const STEP_KINDS = {
  submit,
  lp,
  queue,
  cancel,
  wait,
  advance,
  expect: expectNow,
  request,
  together,
  cut,
  disconnect,
  connect,
  serve,
  crash,
  sleep,
  wake,
  'leave-ghost': leaveGhost,
  'skew-clock': skewClock,
  'load-paper': loadPaper,
  'add-printer': addPrinter,
  'rename-printer': renamePrinter,
  'remove-printer': removePrinter,
  fault,
  'clear-fault': clearFault,
  weigh,
  press,
  unplug,
  plug,
  restart,
  'account-state': accountState,
  'add-webhook': addWebhook,
  'change-webhook': changeWebhook,
  'delete-webhook': deleteWebhook,
  'receiver-replies': receiverReplies,
} as const satisfies Readonly<Record<string, z.ZodType<Action>>>;

const KIND_NAMES = Object.keys(STEP_KINDS).join(', ');

/** One step: an object with one key, the kind of the step. */
export const stepSchema: z.ZodType<Step> = z
  .strictObject(anyOf(STEP_KINDS))
  .refine((given) => Object.keys(given).length < 2, 'a step has one key alone: what it does')
  .meta({ minProperties: 1, maxProperties: 1 })
  .transform((given, context): Step => {
    const [found] = Object.entries(given);
    if (!found) {
      context.addIssue({ code: 'custom', message: `a step is one of ${KIND_NAMES}` });
      return z.NEVER;
    }
    const [kind, step] = found;
    return { ...step, kind, names: below(kind, step.names) };
  });
