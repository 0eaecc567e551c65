/**
 * Stateful checks: what the service should be after many requests in an order that nobody thought of,
 * against a small model of it.
 */

import type { Check } from '../check.ts';
import { ACCOUNT_MACHINE } from '../model/account-machine.ts';
import type { Machine } from '../model/machine.ts';
import { PRINT_JOB_MACHINE } from '../model/print-job-machine.ts';
import { judgeSequences, type SequenceBudget } from '../model/sequences.ts';
import { TAG_MACHINE } from '../model/tag-machine.ts';
import { WEBHOOK_MACHINE } from '../model/webhook-machine.ts';

function stateful<World extends object>(
  name: string,
  machine: Machine<World>,
  virtual: SequenceBudget,
  check: Omit<Check, 'id' | 'run'>,
): Check {
  return {
    id: `stateful/${name}`,
    ...check,
    run: (context) => judgeSequences(context, machine, virtual),
  };
}

export const STATEFUL_CHECKS: readonly Check[] = [
  stateful(
    'print-jobs',
    PRINT_JOB_MACHINE,
    { sequences: 16, movesMost: 40, shrinkTries: 80 },
    {
      title: 'Submitting, cancelling, listing, coming and going in any order leave every job in its state',
      clauses: [
        'print-jobs/created-201',
        'print-jobs/created-id-grows',
        'print-jobs/idempotency-first-accepted',
        'print-jobs/idempotency-conflict',
        'print-jobs/delivered',
        'print-jobs/delete-set',
        'print-jobs/delete-of-printers',
        'print-jobs/delete-200-ids',
        'print-jobs/list-of-printers',
        'service/page-after',
        'print-jobs/states-set',
        'print-jobs/states-set-only',
        'print-jobs/sent-on-reconnect',
        'print-jobs/cancelled-not-delivered',
      ],
      needs: ['computer'],
    },
  ),
  stateful(
    'webhooks',
    WEBHOOK_MACHINE,
    { sequences: 12, movesMost: 30, shrinkTries: 80 },
    {
      title:
        'Making, changing and deleting webhooks in any order leaves what was asked for, and five at most',
      clauses: [
        'limits/webhooks-per-account',
        'limits/webhooks-sixth-refused',
        'limits/webhooks-freed',
        'webhooks/create',
        'webhooks/update',
        'webhooks/update-leaves-the-rest',
        'webhooks/delete',
        'webhooks/delete-leaves-other-webhooks',
        'webhooks/delete-unknown-refused',
      ],
      needs: [],
      locks: ['account'],
    },
  ),
  stateful(
    'tags',
    TAG_MACHINE,
    { sequences: 8, movesMost: 24, shrinkTries: 80 },
    {
      title: 'Setting, reading and removing tags in any order shows what was set last',
      clauses: [
        'accounts/tag-create',
        'accounts/tag-update',
        'accounts/tag-read',
        'accounts/tag-read-missing',
        'accounts/tag-delete',
        'accounts/tag-in-account-object',
      ],
      needs: [],
    },
  ),
  stateful(
    'accounts',
    ACCOUNT_MACHINE,
    { sequences: 12, movesMost: 40, shrinkTries: 80 },
    {
      title:
        'Making, suspending, renaming and deleting Child Accounts in any order leaves each as it was set',
      clauses: [
        'accounts/create',
        'accounts/create-creator-ref-unique',
        'accounts/state-initially-active',
        'accounts/state-suspend',
        'accounts/state-activate',
        'accounts/update-firstname',
        'accounts/update-leaves-the-rest',
        'accounts/delete',
        'accounts/delete-leaves-other-children',
        'authentication/child-deleted-401',
      ],
      needs: ['child-account'],
    },
  ),
];
