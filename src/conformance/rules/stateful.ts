/**
 * Stateful checks: what the service should be after many requests in an order that nobody thought of,
 * against a small model of it.
 */

import type { Rule, Rules } from '../check.ts';
import { ACCOUNT_MACHINE } from '../model/account-machine.ts';
import type { Machine } from '../model/machine.ts';
import { PRINT_JOB_MACHINE } from '../model/print-job-machine.ts';
import { judgeSequences, type SequenceBudget } from '../model/sequences.ts';
import { TAG_MACHINE } from '../model/tag-machine.ts';
import { WEBHOOK_MACHINE } from '../model/webhook-machine.ts';

function stateful<World extends object>(
  machine: Machine<World>,
  virtual: SequenceBudget,
  rule: Omit<Rule, 'run'>,
): Rule {
  return {
    ...rule,
    run: (context) => judgeSequences(context, machine, virtual),
  };
}

export const STATEFUL_RULES: Rules = {
  'stateful/print-jobs': stateful(
    PRINT_JOB_MACHINE,
    { sequences: 16, movesMost: 40, shrinkTries: 80 },
    {
      title:
        'Submitting, cancelling, listing, connecting and leaving in any order keep every job in the right state',
      needs: ['computer'],
    },
  ),
  'stateful/webhooks': stateful(
    WEBHOOK_MACHINE,
    { sequences: 12, movesMost: 30, shrinkTries: 80 },
    {
      title: 'Creating, changing and deleting webhooks in any order leaves the right ones, and at most five',
      needs: [],
      locks: ['account'],
    },
  ),
  'stateful/tags': stateful(
    TAG_MACHINE,
    { sequences: 8, movesMost: 24, shrinkTries: 80 },
    {
      title: 'Setting, reading and removing tags in any order shows the latest value',
      needs: [],
    },
  ),
  'stateful/accounts': stateful(
    ACCOUNT_MACHINE,
    { sequences: 12, movesMost: 40, shrinkTries: 80 },
    {
      title:
        'Creating, suspending, renaming and deleting Child Accounts in any order leaves each as it was set',
      needs: ['child-account'],
    },
  ),
};
