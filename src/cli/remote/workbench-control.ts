/**
 * Workbench control: the control API of a running workbench, for the commands that use it.
 */

import type { z } from 'zod';

import { ActionableError } from '../../common/actionable-error.ts';
import { Refusal, Remote, type RemoteOptions } from './remote.ts';

export interface WorkbenchControl {
  get(path: string): Promise<unknown>;
  post(path: string, body: unknown): Promise<unknown>;
  delete(path: string): Promise<unknown>;
}

/** Paths are relative to /_platen. */
export function workbench(options: RemoteOptions): WorkbenchControl {
  const remote = new Remote(options);
  return {
    get: (path) => remote.get(`/_platen${path}`),
    post: (path, body) => remote.post(`/_platen${path}`, body),
    delete: (path) => remote.delete(`/_platen${path}`),
  };
}

/** By status of the refusal: what to do about it. */
const NEXT_STEPS: Readonly<Partial<Record<number, string>>> = {
  400: 'platen COMMAND --help shows how the command is written.',
  403: 'Give the token that `platen start` prints there with --control-token or PLATEN_CONTROL_TOKEN.',
  409: 'Start the workbench with `platen start --clock virtual` to move its time.',
};

/** The answer of the workbench. @throws ActionableError when it refuses, or is not a workbench */
export async function controlJson<Value>(
  answer: Promise<unknown>,
  schema: z.ZodType<Value>,
  url: string,
): Promise<Value> {
  const value = await answer.catch((error: unknown) => {
    if (!(error instanceof Refusal)) throw error;
    if (error.status === 404 && !error.message.includes('fault rule')) throw noWorkbench(url, error);
    const nextStep = NEXT_STEPS[error.status] ?? 'docs/control-api.md describes what a workbench accepts.';
    throw new ActionableError('usage', error.reason, nextStep, { cause: error });
  });
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw noWorkbench(url, parsed.error);
}

function noWorkbench(url: string, cause: unknown): ActionableError {
  return new ActionableError(
    'usage',
    `${url} is not a platen workbench`,
    'This command needs one that `platen start` runs; name it with --url.',
    { cause },
  );
}
