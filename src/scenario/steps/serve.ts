/**
 * serve: the caller's document host offers a document, well or badly.
 */

import { z } from 'zod';

import { duration } from '../../common/duration-schema.ts';
import { documentAnswer, type DocumentHost } from '../../sink/document-host.ts';
import { answer, cutBody, HANG, named, RESET, slow, slowBody, type Answer, type Reply } from '../../sink/reply.ts';
import { DOCUMENT_AUTHENTICATION_INPUT } from '../../specification/inputs.ts';
import { isPdfName, readDocument } from '../vocabulary/documents.ts';
import { documentName } from '../vocabulary/schema-types.ts';
import type { Setup } from '../setup/setup.ts';
import { KEPT } from '../vocabulary/outcome.ts';
import { stepKind } from './step.ts';

const protection = z.strictObject({
  type: z.enum(DOCUMENT_AUTHENTICATION_INPUT.type.values),
  user: z.string(),
  pass: z.string(),
  algorithms: z
    .array(z.enum(['MD5', 'SHA-256']))
    .min(1)
    .default(['SHA-256', 'MD5']),
  usesPerNonce: z.number().int().min(1).exactOptional().describe('Number of requests after which a nonce is stale.'),
});

const redirects = z.strictObject({
  hops: z.number().int().min(1).max(100).describe('Number of redirects that lead to the document.'),
  to: z.enum(['here', 'other-origin', 'itself']).default('here').describe('Where the last one leads.'),
  status: z.union([z.literal(301), z.literal(302), z.literal(303), z.literal(307), z.literal(308)]).default(302),
});

const args = z.strictObject({
  path: z.string().startsWith('/').describe('Where the document is.'),
  document: documentName.default('invoice.pdf'),
  status: z.number().int().min(200).max(599).default(200),
  fault: z
    .enum(['hang', 'reset', 'cut'])
    .exactOptional()
    .describe('No answer; a broken connection; a body that ends halfway.'),
  after: duration.exactOptional().describe('How long the host waits before it answers.'),
  pause: duration.exactOptional().describe('How long it pauses in the middle of the body.'),
  protect: protection.exactOptional().describe('Credentials that the document needs.'),
  redirects: redirects.exactOptional(),
});

type ServeArgs = z.output<typeof args>;

export const serve = stepKind<ServeArgs>({
  about: "The caller's document host offers a document, well or badly.",
  args,
  summary: ({ path, document, fault }) =>
    `serve ${document} at ${path}${fault === undefined ? '' : `, with a ${fault}`}`,
  async run(served, setup) {
    const host = await setup.sinks.documents();
    const target = served.redirects === undefined ? served.path : redirect(served.path, served.redirects, host);
    host.serve(target, replyOf(served, setup));
    if (served.protect) {
      for (const path of new Set([served.path, target])) host.protect(path, served.protect);
    }
    return KEPT;
  },
});

/** Sets the redirects up; returns the path where the document is in the end. */
function redirect(from: string, { hops, to, status }: z.output<typeof redirects>, host: DocumentHost): string {
  const end = `${from}/document`;
  const targets = { here: end, 'other-origin': host.otherUrl + end, itself: from };
  host.redirect({ from, to: targets[to], hops, form: 'absolute', status });
  return end;
}

function replyOf({ document, status, fault, after, pause }: ServeArgs, { files }: Setup): Reply {
  const bytes = readDocument(document, files.documents);
  if (fault === 'hang') return HANG;
  if (fault === 'reset') return RESET;
  const type = isPdfName(document) ? 'application/pdf' : 'application/octet-stream';
  let reply: Answer =
    status === 200
      ? documentAnswer(bytes, type)
      : named(String(status), answer(status, [['Content-Type', type]], bytes));
  if (fault === 'cut') reply = cutBody(Math.floor(bytes.length / 2), reply);
  if (pause !== undefined) reply = slowBody(pause, reply);
  return after === undefined ? reply : slow(after, reply);
}
