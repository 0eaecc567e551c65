/**
 * The log of a GitHub workflow, whose runner takes lines for commands.
 */

import { randomUUID } from 'node:crypto';
import { appendFileSync } from 'node:fs';

import { ActionableError } from '../../common/actionable-error.ts';
import { messageOf } from '../../common/error-message.ts';

export function isGithubWorkflow(): boolean {
  return process.env['GITHUB_ACTIONS'] === 'true';
}

/** Text that may hold words of a target; in a workflow the runner is told to obey none of it. */
export function guarded(text: string): string {
  if (!isGithubWorkflow()) return text;
  const token = randomUUID();
  return `::stop-commands::${token}\n${text}\n::${token}::`;
}

/** Adds to the page of the step, where there is one. @throws ActionableError when it cannot be written */
export function addToStepSummary(markdown: string): void {
  const file = process.env['GITHUB_STEP_SUMMARY'];
  if (file === undefined || file === '') return;
  try {
    appendFileSync(file, markdown);
  } catch (error) {
    const reason = messageOf(error);
    throw new ActionableError(
      'usage',
      `cannot write the step summary to ${file}: ${reason}`,
      'GITHUB_STEP_SUMMARY names the file; leave it unset to do without.',
      { cause: error },
    );
  }
}
