/** Checks of the scale websocket, as far as the specification states anything about it. */

import { isObject, type JsonObject } from '../../common/json-value.ts';
import type { Mismatch } from '../../oracle/mismatch.ts';
import { VIRTUAL_SCALE } from '../../spec/fields.ts';
import type { Rules } from '../check.ts';
import { CheckEnded } from '../context/check-ended.ts';
import type { CheckContext } from '../context/context.ts';
import { followScales, type FollowOutcome, type Published, type ScaleFeed } from '../context/scale-feed.ts';
import { connectScales, leftInSecondAccount, plainScale, readingsAt, scalesPath, simulate } from '../context/scales.ts';
import { expectEmpty, expectThat } from '../expect/that.ts';
import { TOLERANCES } from '../expect/tolerances.ts';

const LOW_AGE_MS = TOLERANCES.websocketAge.ms;

function feedOf({ value }: FollowOutcome): ScaleFeed {
  if (!value) throw new CheckEnded('blocked', 'there is no scale websocket');
  return value;
}

function follow({ target, showFrame }: CheckContext, apiKey = target.apiKey): Promise<FollowOutcome> {
  return followScales({ target, apiKey, showFrame });
}

function dataOf(published: Published | undefined): JsonObject {
  return isObject(published?.data) ? published.data : {};
}

function isSimulated(published: Published): boolean {
  return dataOf(published)['deviceName'] === VIRTUAL_SCALE.deviceName.value;
}

export const SCALE_WEBSOCKET_RULES: Rules = {
  'scale-websocket/simulated': {
    title: 'There is a websocket for scale data, which publishes the simulated measurement',
    needs: ['websocket'],
    locks: ['account'],
    async run(context) {
      const followed = await follow(context);
      context.demand('scales/websocket', followed.mismatch);
      await using feed = feedOf(followed);
      // How many may be open is not printed.
      await using second = (await follow(context)).value;
      const published = await publishedAfter(feed, () => simulate(context));
      context.judge('scales/simulate-published', expectSimulated(published, 'what is published after PUT /scale'));
      if (!second) return;
      const heard = await second.waitFor(1, isSimulated);
      context.judge('scales/simulate-published', expectSimulated(heard, 'what a second websocket gets'));
    },
  },
  'scale-websocket/apart': {
    title: 'The simulated measurement is not published to another account',
    needs: ['second-account', 'websocket'],
    locks: ['account', 'second-account/simulated-scale'],
    async run(context) {
      const isLeft = await leftInSecondAccount(context);
      await using strange = feedOf(await follow(context, context.target.secondApiKey));
      await using feed = feedOf(await follow(context));
      const own = await publishedAfter(feed, () => simulate(context));
      context.require(expectThat(own.length > 0, 'the websocket of the account', 'a reading', own));
      // What scales of that account weigh meanwhile is its own business.
      const heard = await strange.waitFor(1, (published) => isSimulated(published) && !isLeft(published.data));
      context.judge(
        'scales/simulate-per-account',
        expectEmpty('the websocket of another account', heard, 'nothing simulated'),
      );
    },
  },
  'scale-websocket/ages': {
    title: 'Data is fresh on the websocket, and older over HTTP',
    needs: ['scale', 'websocket'],
    locks: ['account'],
    async run(context) {
      const { judge } = context;
      const { computer, weigh } = await connectScales(context, [plainScale('a')]);
      await using feed = feedOf(await follow(context));
      const published = await publishedAfter(feed, () => weigh('a'));
      const reading = published.map(dataOf).find(({ computerId }) => computerId === computer.computerId);
      const low = reading?.['ageOfData'];
      const isLow = typeof low === 'number' && low >= 0 && low <= LOW_AGE_MS;
      context.note(`measured: ageOfData on the websocket ${String(low)} ms`);
      judge(
        'scales/age-low-on-websocket',
        expectThat(isLow, 'ageOfData on the websocket', `at most ${LOW_AGE_MS} ms`, low),
      );
      await context.elapse('1s');
      const [shown] = await readingsAt(context, scalesPath(computer.computerId));
      const high = shown?.['ageOfData'];
      const wanted = `more than ${String(low)}`;
      judge(
        'scales/age-larger-on-http',
        expectThat(Number(high) > Number(low), 'ageOfData over HTTP a second later', wanted, high),
      );
    },
  },
};

function expectSimulated(published: readonly Published[], at: string): Mismatch | undefined {
  return expectThat(published.some(isSimulated), at, `a reading of ${VIRTUAL_SCALE.deviceName.value}`, published);
}

/** What is published because of this. */
async function publishedAfter(feed: ScaleFeed, work: () => Promise<void>): Promise<readonly Published[]> {
  const before = feed.published.length;
  await work();
  return (await feed.waitFor(before + 1)).slice(before);
}
