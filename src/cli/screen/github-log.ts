/**
 * A GitHub workflow, and the summary of its step.
 */

import { closeSync, constants, openSync, writeFileSync } from 'node:fs';

import { usageError } from '../../common/actionable-error.ts';
import { messageOf } from '../../common/error-message.ts';

export function isGithubWorkflow(): boolean {
  return process.env['GITHUB_ACTIONS'] === 'true';
}

/** A pipe without a reader is an error, and not waited for. */
const APPEND_NOW = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NONBLOCK;

/** Adds to the step summary, if there is one. @throws ActionableError when it cannot be written */
export function addToStepSummary(markdown: string): void {
  const file = process.env['GITHUB_STEP_SUMMARY'];
  if (file === undefined || file === '') return;
  try {
    const summary = openSync(file, APPEND_NOW);
    try {
      writeFileSync(summary, markdown);
    } finally {
      closeSync(summary);
    }
  } catch (error) {
    throw usageError(
      `cannot write the step summary to ${file}: ${messageOf(error)}`,
      'GITHUB_STEP_SUMMARY names the file; unset it to do without.',
      { cause: error },
    );
  }
}
