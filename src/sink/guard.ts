/**
 * Guard: protects a document that needs HTTP authentication. It lets a request pass or answers 401 with a
 * challenge. This is the Basic one; digest-guard.ts has the other.
 */

import { basicCredentials, sameSecret, type Credentials } from './basic-credentials.ts';
import { answer, named, type Answer } from './reply.ts';
import type { SinkRequest } from './sink-server.ts';

export const DOCUMENT_REALM = 'platen documents';

export interface Guard {
  /** The refusal of this request, or undefined when its credentials are good. */
  refuse(request: SinkRequest): Answer | undefined;
}

/** 401 with one WWW-Authenticate header a challenge, the preferred first. */
export function challenge(...challenges: readonly string[]): Answer {
  const headers = challenges.map((value) => ['WWW-Authenticate', value] as const);
  return named('401', answer(401, [...headers, ['Content-Type', 'text/plain']], 'authentication needed'));
}

/** Lets requests with these Basic credentials pass. */
export function basicGuard({ user, pass }: Credentials): Guard {
  const refusal = challenge(`Basic realm="${DOCUMENT_REALM}", charset="UTF-8"`);
  return {
    refuse(request) {
      const given = basicCredentials(request.rawHeaders);
      const good = given && sameSecret(given.user, user) && sameSecret(given.pass, pass);
      return good ? undefined : refusal;
    },
  };
}
