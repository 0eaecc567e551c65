/**
 * A GitHub workflow, and the summary of its step.
 */

import { appendFileSync } from 'node:fs';

import { usageError } from '../../common/actionable-error.ts';
import { messageOf } from '../../common/error-message.ts';

export function isGithubWorkflow(): boolean {
  return process.env['GITHUB_ACTIONS'] === 'true';
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
