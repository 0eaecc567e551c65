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
      title: 'Submitting, cancelling, listing, coming and going in any order leave every job in its state',
      needs: ['computer'],
    },
  ),
  'stateful/webhooks': stateful(
    WEBHOOK_MACHINE,
    { sequences: 12, movesMost: 30, shrinkTries: 80 },
    {
      title:
        'Making, changing and deleting webhooks in any order leaves what was asked for, and five at most',
      needs: [],
      locks: ['account'],
    },
  ),
  'stateful/tags': stateful(
    TAG_MACHINE,
    { sequences: 8, movesMost: 24, shrinkTries: 80 },
    {
      title: 'Setting, reading and removing tags in any order shows what was set last',
      needs: [],
    },
  ),
  'stateful/accounts': stateful(
    ACCOUNT_MACHINE,
    { sequences: 12, movesMost: 40, shrinkTries: 80 },
    {
      title:
        'Making, suspending, renaming and deleting Child Accounts in any order leaves each as it was set',
      needs: ['child-account'],
    },
  ),
};
