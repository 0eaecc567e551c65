/**
 * Fault replies: how a sink answers when a fault rule says that something goes wrong there.
 *
 *   { at: 'document/invoice.pdf', fault: 'cut-body', times: 1 }
 *   { at: 'webhook', fault: 'hang', for: '1m' }
 *
 * A fault changes the reply that was planned, or takes its place. Places are the paths of the requests.
 */

import type { FaultPlan, Firing } from '../common/fault-plan.ts';
import { countSetting, durationSetting } from '../common/fault-settings.ts';
import { statusAlone, statusWithHeader, WEBHOOK_REPLIES } from './reply-plan.ts';
import { answer, cutBody, HANG, redirectTo, RESET, slow, slowBody, type Answer, type Reply } from './reply.ts';

/** The reply in place of the planned one to a request for `path`. */
type FaultReply = (planned: Reply, firing: Firing, path: string) => Reply;

const anyAnswer = (planned: Reply, change: (planned: Answer) => Answer): Reply =>
  planned.kind === 'answer' ? change(planned) : planned;

const always =
  (reply: Reply): FaultReply =>
  () =>
    reply;

const byBoth: Readonly<Record<string, FaultReply>> = {
  hang: always(HANG),
  reset: always(RESET),
  latency: (planned, firing) => slow(durationSetting(firing, 'delay', 1_000), planned),
  'slow-body': (planned, firing) =>
    anyAnswer(planned, (whole) => slowBody(durationSetting(firing, 'delay', 10_000), whole)),
  'cut-body': (planned, firing) =>
    anyAnswer(planned, (whole) => cutBody(countSetting(firing, 'bytes', halfOf(whole)), whole)),
};

/** What can go wrong at a document host. */
export const DOCUMENT_FAULTS: Readonly<Record<string, FaultReply>> = {
  ...byBoth,
  'not-found': always(answer(404)),
  unauthorized: always(answer(401, [['WWW-Authenticate', 'Basic realm="documents"']])),
  'status-500': always(answer(500)),
  'status-503': always(answer(503)),
  'redirect-loop': (_planned, _firing, path) => redirectTo(path),
  empty: always(answer(200)),
};

/** What can go wrong at a webhook receiver. */
export const WEBHOOK_FAULTS: Readonly<Record<string, FaultReply>> = {
  ...byBoth,
  'header-missing': always(WEBHOOK_REPLIES['header missing']),
  'header-lower-case': always(WEBHOOK_REPLIES['header in lower case']),
  'header-wrong': always(WEBHOOK_REPLIES['header wrong']),
  'status-404': always(statusWithHeader(404)),
  'status-500': always(statusWithHeader(500)),
  'status-503': always(statusAlone(503)),
  redirect: always(WEBHOOK_REPLIES.redirect),
  'huge-body': always(WEBHOOK_REPLIES['huge body']),
};

/** The reply to a request for `path`: as planned, or as a fault at `kind` + `path` makes it. */
export function replyUnderFaults(
  kind: 'document' | 'webhook',
  path: string,
  planned: Reply,
  plan: FaultPlan | undefined,
): Reply {
  const faults = kind === 'document' ? DOCUMENT_FAULTS : WEBHOOK_FAULTS;
  const firing = plan?.firstOf(kind + path, Object.keys(faults));
  return (firing && faults[firing.fault]?.(planned, firing, path)) ?? planned;
}

function halfOf({ body }: Answer): number {
  return Math.floor(body.reduce((sum, piece) => sum + piece.length, 0) / 2);
}
