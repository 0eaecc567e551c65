/**
 * Delegated login: how a custom-branded client gets its client key without the service ever seeing the
 * end user's name and password.
 *
 *   client ── GET auth URL, HTTP Basic user:pass ──► the caller's endpoint ── GET /client/key ──► service
 *          ◄── 200 "ck-…" | 401 {code, message} ───
 */

import { basicAuthorization } from '../../common/basic-authorization.ts';
import { holding, type Clock } from '../../common/clock.ts';
import { messageOf } from '../../common/error-message.ts';
import { parseJson } from '../../common/json-value.ts';
import { ON_BEHALF } from '../../common/on-behalf.ts';
import { failure, success, type Outcome } from '../../common/outcome.ts';
import type { LinkCredential, LinkFailure } from '../../link/device-link.ts';
import { ERRORS } from '../../specification/errors.ts';
import { LIMITS } from '../../specification/limits.ts';

export interface DelegatedLogin {
  /**
   * Address of the caller's endpoint, with the placeholders `{uuid}`, `{version}`, `{edition}` and, if
   * wanted, `{computer}`: `https://auth.example/login?uuid={uuid}&v={version}&edition={edition}`.
   */
  readonly authUrl: string;
  readonly user: string;
  readonly pass: string;
}

/** What the client says about itself. */
export interface ClientIdentity {
  readonly uuid: string;
  readonly version: string;
  readonly edition: string;
  readonly computer: string;
}

const ANSWER_LIMIT_MS = 10_000;
const ANSWER_MAX_BYTES = 64 * 1024;

/** The client key to connect with, or why it is missing; the message is for the end user. */
export async function logIn(
  { authUrl, user, pass }: DelegatedLogin,
  identity: ClientIdentity,
  clock: Clock,
): Promise<Outcome<LinkCredential, LinkFailure>> {
  const limit = new AbortController();
  const timer = clock.schedule(ANSWER_LIMIT_MS, () => limit.abort());
  try {
    return await holding(clock, 'the answer of the authentication endpoint', async () => {
      // Loaded at the first login: it is large, and most rooms have none.
      const { request } = await import('undici');
      const response = await request(fillIn(authUrl, identity), {
        headers: { ...ON_BEHALF, authorization: basicAuthorization(user, pass) },
        signal: limit.signal,
      });
      return readAnswer(response.statusCode, await readBytes(response.body));
    });
  } catch (error) {
    const reason = limit.signal.aborted ? 'it did not answer in 10 seconds' : messageOf(error);
    const message = `the authentication endpoint cannot be used: ${reason}`;
    return failure({ reason: 'unreachable', message });
  } finally {
    timer.cancel();
  }
}

function fillIn(authUrl: string, identity: ClientIdentity): string {
  return authUrl.replaceAll(/\{(uuid|version|edition|computer)\}/g, (_placeholder, name: keyof ClientIdentity) =>
    encodeURIComponent(identity[name]),
  );
}

function readAnswer(status: number, answer: Uint8Array): Outcome<LinkCredential, LinkFailure> {
  const body = parseJson(answer);
  if (status === 200 && typeof body === 'string' && body.length === LIMITS.clientKeyCharacters.value) {
    return success({ kind: 'client-key', key: body });
  }
  if (status === ERRORS.Unauthorized.status) {
    const message = messageIn(body) ?? 'the authentication endpoint refused user and password';
    return failure({ reason: 'unauthorized', message });
  }
  const what = status === 200 ? '200 without a client key' : status;
  return failure({ reason: 'refused', message: `the authentication endpoint answered ${what}` });
}

function messageIn(body: unknown): string | undefined {
  const message = typeof body === 'object' && body !== null && 'message' in body ? body.message : undefined;
  return typeof message === 'string' ? message : undefined;
}

async function readBytes(body: AsyncIterable<Buffer>): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > ANSWER_MAX_BYTES) throw new Error(`its answer is longer than ${ANSWER_MAX_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
