/** Effects of webhooks, as their receiver sees them. */

import { expectSecret, jobEvents, makeEvent, untilDueArrived, type SeenEvent } from '../../context/events.ts';
import type { Listener } from '../../context/listening.ts';
import { expectSuccess } from '../../expect/answer.ts';
import { expectEmpty, expectEqual, expectThat } from '../../expect/that.ts';
import type { CheckContext } from '../../context/context.ts';
import type { Caller } from './caller.ts';
import type { Effect, JudgeEffect, OpenPart, Part } from './effect.ts';
import { lazily } from './lazily.ts';

export const EVENTS: Part = {
  id: 'events',
  title: 'A webhook gets the events of its account, with its secret, until it is deleted',
  needs: ['webhook-receiver', 'computer'],
  holds: ['webhooks', 'computers'],
  has: ({ family, effect }) => family === 'webhooks' && effect !== 'none',
  open: openEvents,
};

function openEvents(whole: CheckContext, { api, owner, account, controllerId }: Caller): OpenPart {
  const context: CheckContext = { ...whole, api };
  const { listening, computers, require, uniqueText } = context;
  const computer = lazily(async () => computers.away({ owner: await owner() }));
  const listen = async (): Promise<Listener> => {
    // What it emits by coming and going is of no interest.
    await computer();
    return listening.listen({ owner: { api } });
  };
  const listener = lazily(listen);
  /** Registers a job, and looks at the event of it that arrives here; whose it is and its secret. */
  const judgeEvent = async (to: Pick<Listener, 'requests' | 'waitForRequests'>, secret: string, judge: JudgeEffect) => {
    const { jobId } = await makeEvent(context, (await computer()).printerId);
    const event = await eventOf(to, jobId);
    judge(
      'events/print-job-state',
      expectThat(event !== undefined, 'requests of the webhook', `an event of job ${jobId}`, 'none'),
    );
    if (!event) return;
    judge('events/secret-sent', expectSecret(event.request, secret));
    judge('events/field-account-id', expectEqual('accountId of the event', event.object['accountId'], account.id));
    const controller = event.object['controllingAccountId'];
    judge(
      'events/field-controlling-account-id',
      expectEqual('controllingAccountId of the event', controller, await controllerId()),
    );
  };
  const create: Effect = async (judge) => {
    const made = await listener();
    await judgeEvent(made, made.secret, judge);
  };
  return {
    effects: {
      'POST /webhook': create,
      'PATCH /webhook/{webhook_id}': async (judge) => {
        const { webhookId } = await listener();
        const moved = await listening.address();
        const secret = uniqueText('secret');
        require(expectSuccess(await api.patch(`/webhook/${webhookId}`, { url: moved.url, secret })));
        await judgeEvent(moved, secret, judge);
      },
      'DELETE /webhook/{webhook_id}': async (judge) => {
        const made = await listen();
        await judgeEvent(made, made.secret, judge);
        await untilDueArrived(context);
        require(expectSuccess(await api.delete(`/webhook/${made.webhookId}`)));
        const { jobId } = await makeEvent(context, (await computer()).printerId);
        await untilDueArrived(context);
        const late = jobEvents(made.requests, jobId).map(({ text }) => text);
        judge(
          'events/deleted-webhook-not-triggered',
          expectEmpty('requests of a deleted webhook', late, `no event of job ${jobId}`),
        );
      },
    },
  };
}

/** The first event of a job; undefined where none comes in time. */
async function eventOf(
  to: Pick<Listener, 'requests' | 'waitForRequests'>,
  jobId: number,
): Promise<SeenEvent | undefined> {
  for (;;) {
    const [event] = jobEvents(to.requests, jobId);
    const before = to.requests.length;
    if (event || (await to.waitForRequests(before + 1)).length === before) return event;
  }
}
