/**
 * Rejection with a positive twin: a request that must be refused is worth something only if the same
 * request without its defect is accepted. Otherwise a service that refuses everything would pass.
 */

import type { Mismatch } from '../../oracle/mismatch.ts';
import { expectSuccess, type Answer } from '../expect/answer.ts';
import type { ApiRequest } from './api-client.ts';
import type { CheckContext } from './context.ts';

/**
 * Sends the sound request first, which must succeed (else the check is blocked), then the one with the
 * defect, and returns the answer to that.
 */
export async function answerToDefect(
  context: CheckContext,
  sound: ApiRequest,
  defect: (sound: ApiRequest) => ApiRequest,
): Promise<Answer> {
  context.require(expectSuccess(await context.api.send(sound)));
  return context.api.send(defect(sound));
}

/** As answerToDefect, for judging with one expectation. */
export async function expectRejection(
  context: CheckContext,
  sound: ApiRequest,
  defect: (sound: ApiRequest) => ApiRequest,
  expectation: (answer: Answer) => Mismatch | undefined,
): Promise<Mismatch | undefined> {
  return expectation(await answerToDefect(context, sound, defect));
}
