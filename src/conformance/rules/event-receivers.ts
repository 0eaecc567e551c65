/**
 * Checks of what counts as the success of a webhook request: receivers that answer in every right and wrong
 * way.
 */

import { statusWithHeader, statusAlone, WEBHOOK_REPLIES } from '../../sink/reply-plan.ts';
import { answer, named, redirectTo, slow, type Reply } from '../../sink/reply.ts';
import type { ClauseId } from '../../specification/clauses.ts';
import { WEBHOOK_STATUS_HEADER } from '../../specification/headers.ts';
import type { Rules } from '../check.ts';
import type { CheckContext } from '../context/context.ts';
import { retryLimitMs } from '../context/event-requests.ts';
import { describeRequests, expectNoRequest, jobEvents, makeEvent } from '../context/events.ts';
import type { Listener } from '../context/listening.ts';
import { expectThat } from '../expect/that.ts';

/** A reply and the clause that says what it means. */
type Meaning = readonly [reply: Reply, clause: ClauseId];

const { name: STATUS_HEADER } = WEBHOOK_STATUS_HEADER;

function statusHeader(value: string): Reply {
  return named(`200 with ${STATUS_HEADER}: ${value}`, answer(200, [[STATUS_HEADER, value]]));
}

/**
 * A webhook for each reply, five at most, and one event for all: expects that each webhook is sent it once where
 * the reply is a success, and twice where it is a failure.
 */
async function judgeReplies(context: CheckContext, meanings: readonly Meaning[], wanted: number): Promise<void> {
  const { printerId } = await context.computers.away();
  const trials: { readonly meaning: Meaning; readonly listener: Listener }[] = [];
  for (const meaning of meanings) {
    const replies = { first: [meaning[0]], lasting: WEBHOOK_REPLIES.ok };
    trials.push({ meaning, listener: await context.listening.listen({ replies }) });
  }
  const { jobId } = await makeEvent(context, printerId);
  // The five seconds begin with the reply: a clock that is moved must not go on before it is there.
  for (const { listener } of trials) await listener.waitForRequests(1);
  await context.elapse('100ms');
  await context.elapse(retryLimitMs(context));
  for (const {
    meaning: [reply, clause],
    listener: { requests },
  } of trials) {
    const sent = jobEvents(requests, jobId).length;
    const at = `times an event was sent to a receiver that first answers: ${reply.name}`;
    context.judge(clause, expectThat(sent === wanted, at, `${wanted}`, `${sent}, in ${describeRequests(requests)}`));
  }
}

export const EVENT_RECEIVER_RULES: Rules = {
  'event-receivers/successes': {
    title: 'Any 2xx with the status header is a success, whatever its body and however slow it is',
    needs: ['computer', 'webhook-receiver'],
    async run(context) {
      const meanings: readonly Meaning[] = [
        [statusWithHeader(201), 'events/success-any-2xx'],
        [WEBHOOK_REPLIES['no content'], 'events/success-any-2xx'],
        [WEBHOOK_REPLIES['accepted in chunks'], 'events/success-any-2xx'],
        [statusWithHeader(299), 'events/success-any-2xx'],
        [slow('1s', WEBHOOK_REPLIES.ok), 'events/success-2xx'],
      ];
      await judgeReplies(context, meanings, 1);
    },
  },
  'event-receivers/wrong-header': {
    title: 'A 2xx without the status header, or with another value in it, is a failure',
    needs: ['computer', 'webhook-receiver'],
    async run(context) {
      const meanings: readonly Meaning[] = [
        [WEBHOOK_REPLIES['header missing'], 'events/success-needs-status-header'],
        [WEBHOOK_REPLIES['header empty'], 'events/other-header-value-fails'],
        [WEBHOOK_REPLIES['header in lower case'], 'events/other-header-value-fails'],
        [statusHeader('OKAY'), 'events/other-header-value-fails'],
        [statusHeader('FAILED'), 'events/other-header-value-fails'],
      ];
      await judgeReplies(context, meanings, 2);
    },
  },
  'event-receivers/failures': {
    title: 'Statuses other than 2xx, redirects and dropped connections are failures, and redirects are not followed',
    needs: ['computer', 'webhook-receiver'],
    async run(context) {
      const elsewhere = await context.listening.address();
      const meanings: readonly Meaning[] = [
        [WEBHOOK_REPLIES['status 500'], 'events/non-2xx-fails'],
        [statusAlone(404), 'events/non-2xx-fails'],
        [statusWithHeader(304), 'events/non-2xx-fails'],
        [redirectTo(elsewhere.url, 307), 'events/redirect-fails'],
        [WEBHOOK_REPLIES.reset, 'events/no-answer-fails'],
      ];
      await judgeReplies(context, meanings, 2);
      context.judge('events/redirect-fails', expectNoRequest('where a redirect leads', elsewhere.requests));
    },
  },
};
