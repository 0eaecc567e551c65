/**
 * Stateful checks: what the service should be after many requests in an order that no one wrote down,
 * against a small model of it.
 */

import type { Rules } from '../check.ts';
import { ACCOUNT_MACHINE } from '../model/account-machine.ts';
import { PRINT_JOB_MACHINE } from '../model/print-job-machine.ts';
import { judgeSequences } from '../model/sequences.ts';
import { TAG_MACHINE } from '../model/tag-machine.ts';
import { WEBHOOK_MACHINE } from '../model/webhook-machine.ts';

export const STATEFUL_RULES: Rules = {
  'stateful/print-jobs': {
    title: 'Submitting, cancelling, listing, connecting and leaving in any order keep every job in the right state',
    needs: ['computer'],
    run: (context) => judgeSequences(context, PRINT_JOB_MACHINE, { sequences: 16, movesMost: 40, shrinkTries: 80 }),
  },
  'stateful/webhooks': {
    title: 'Creating, changing and deleting webhooks in any order leaves the right ones, and at most five',
    locks: ['account'],
    run: (context) => judgeSequences(context, WEBHOOK_MACHINE, { sequences: 12, movesMost: 30, shrinkTries: 80 }),
  },
  'stateful/tags': {
    title: 'Setting, reading and removing tags in any order shows the latest value',
    run: (context) => judgeSequences(context, TAG_MACHINE, { sequences: 8, movesMost: 24, shrinkTries: 80 }),
  },
  'stateful/accounts': {
    title: 'Creating, suspending, renaming and deleting Child Accounts in any order leaves each as it was set',
    needs: ['child-account'],
    run: (context) => judgeSequences(context, ACCOUNT_MACHINE, { sequences: 12, movesMost: 40, shrinkTries: 80 }),
  },
};
