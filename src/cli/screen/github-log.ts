/**
 * The log of a GitHub workflow, whose runner executes commands that it finds in it.
 */

import { randomUUID } from 'node:crypto';
import { appendFileSync } from 'node:fs';

import { usageError } from '../../common/actionable-error.ts';
import { messageOf } from '../../common/error-message.ts';

export function isGithubWorkflow(): boolean {
  return process.env['GITHUB_ACTIONS'] === 'true';
}

/** Text that may come from a target; in a workflow the runner executes nothing in it. */
export function guarded(text: string): string {
  if (!isGithubWorkflow()) return text;
  const token = randomUUID();
  return `::stop-commands::${token}\n${text}\n::${token}::`;
}

/** Adds to the step summary, if there is one. @throws ActionableError when it cannot be written */
export function addToStepSummary(markdown: string): void {
  const file = process.env['GITHUB_STEP_SUMMARY'];
  if (file === undefined || file === '') return;
  try {
    appendFileSync(file, markdown);
  } catch (error) {
    throw usageError(
      `cannot write the step summary to ${file}: ${messageOf(error)}`,
      'GITHUB_STEP_SUMMARY names the file; unset it to do without.',
      { cause: error },
    );
  }
}
