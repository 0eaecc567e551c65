/** Checks of the scale websocket, as far as the specification states anything about it. */

import { isObject, type JsonObject } from '../../common/json-value.ts';
import type { Mismatch } from '../../oracle/mismatch.ts';
import { VIRTUAL_SCALE } from '../../specification/fields.ts';
import type { Rules } from '../check.ts';
import { CheckEnded } from '../context/check-ended.ts';
import type { CheckContext } from '../context/context.ts';
import { followScales, type FollowOutcome, type Published, type ScaleFeed } from '../context/scale-feed.ts';
import { newKey } from '../context/keys-and-tags.ts';
import {
  connectScales,
  leftInSecondAccount,
  massOf,
  namedScalesPath,
  plainScale,
  readingsAt,
  scalesPath,
  simulate,
  type ScaleComputer,
} from '../context/scales.ts';
import { expectEmpty, expectThat } from '../expect/that.ts';
import { TOLERANCES } from '../expect/tolerances.ts';

const LOW_AGE_MS = TOLERANCES.websocketAge.ms;
const PLAIN_NAME = 'Plain';
const ODD_NAME = 'Wägestück-秤';

function feedOf({ value }: FollowOutcome): ScaleFeed {
  if (!value) throw new CheckEnded('blocked', 'there is no scale websocket');
  return value;
}

function follow(
  { target, showFrame }: CheckContext,
  { apiKey = target.apiKey, path }: { readonly apiKey?: string | undefined; readonly path?: string | undefined } = {},
): Promise<FollowOutcome> {
  return followScales({ target, apiKey, showFrame, path });
}

function dataOf(published: Published | undefined): JsonObject {
  return isObject(published?.data) ? published.data : {};
}

function isSimulated(published: Published): boolean {
  return dataOf(published)['deviceName'] === VIRTUAL_SCALE.deviceName.value;
}

export const SCALE_WEBSOCKET_RULES: Rules = {
  'scale-websocket/simulated': {
    title: 'The websocket for scale data publishes the simulated measurement',
    needs: ['websocket'],
    locks: ['account'],
    async run(context) {
      const followed = await follow(context);
      context.demand('scales/websocket', followed.mismatch);
      await using feed = feedOf(followed);
      // How many may be open is not printed.
      await using second = (await follow(context)).value;
      await using third = (await follow(context)).value;
      const published = await publishedAfter(feed, () => simulate(context));
      context.judge('scales/simulate-published', expectSimulated(published, 'what is published after PUT /scale'));
      for (const another of [second, third]) {
        const heard = await another?.waitFor(1, isSimulated);
        if (heard) context.judge('scales/simulate-published', expectSimulated(heard, 'what another websocket gets'));
      }
    },
  },
  'scale-websocket/apart': {
    title: 'The simulated measurement is not published to another account',
    needs: ['second-account', 'websocket'],
    locks: ['account', 'second-account/simulated-scale'],
    async run(context) {
      const isLeft = await leftInSecondAccount(context);
      await using strange = feedOf(await follow(context, { apiKey: context.target.secondApiKey }));
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
  'scale-websocket/of-child': {
    title: 'The websocket of a Child Account publishes the Child’s readings',
    needs: ['child-account', 'scale', 'websocket'],
    async run(context) {
      const child = await context.children.create();
      const apiKey = await newKey(context, child.api, 'scales');
      const owner = { apiKey, api: context.callAs(apiKey), cleaner: child.cleaner };
      await using feed = feedOf(await follow(context, { apiKey }));
      const withScales = await connectScales(context, [plainScale('a')], { owner });
      // Whether that of its Integrator gets them too is not printed.
      context.judge('scales/websocket', await expectHeard(feed, withScales, 'a', 150));
    },
  },
  'scale-websocket/ages': {
    title: 'The websocket publishes fresh data of every scale; over HTTP the data is older',
    needs: ['scale', 'websocket'],
    locks: ['account'],
    async run(context) {
      const { judge } = context;
      const withScales = await connectScales(context, [plainScale('a', { deviceName: PLAIN_NAME })]);
      const { computer, weigh } = withScales;
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
      judge('scales/websocket', await expectHeard(feed, withScales, 'a', 100));
      // The scales of a machine are those of all its programs.
      if (context.target.link?.program) return;
      const another = await connectScales(context, [plainScale('c')]);
      judge('scales/websocket', await expectHeard(feed, another, 'c', 200));
      await computer.disconnect();
      await computer.connect();
      await computer.reportScales([
        plainScale('a', { deviceName: PLAIN_NAME }),
        plainScale('b', { deviceName: PLAIN_NAME, port: 'USB2' }),
        plainScale('odd', { deviceName: ODD_NAME, port: 'USB3' }),
      ]);
      judge('scales/websocket', await expectHeard(feed, withScales, 'a', 300));
      judge('scales/websocket', await expectHeard(feed, withScales, 'b', 400));
      judge('scales/websocket', await expectOddNameHeard(context, withScales));
    },
  },
};

/** Puts this weight on a scale, and expects the websocket to publish it. */
async function expectHeard(
  feed: ScaleFeed,
  { computer: { computerId }, weigh, nameOf }: ScaleComputer,
  key: string,
  grams: number,
): Promise<Mismatch | undefined> {
  const micrograms = grams * 1_000_000;
  await weigh(key, { mass: [micrograms, null], measurement: { g: micrograms * 1_000 } });
  const isIt = (data: JsonObject): boolean => data['computerId'] === computerId && massOf(data) === micrograms;
  const heard = await feed.waitFor(1, (published) => isIt(dataOf(published)));
  const wanted = `${grams} g on scale ${nameOf(key)} of computer ${computerId}`;
  return expectThat(heard.length > 0, 'what is published', wanted, feed.published);
}

/**
 * Expects who follows the scales of a name to get them, whatever the name. How a path names them is not printed: where
 * a plain name is not found, nothing is expected, and the odd one may be written in either way.
 */
async function expectOddNameHeard(context: CheckContext, withScales: ScaleComputer): Promise<Mismatch | undefined> {
  const { computerId } = withScales.computer;
  const followPath = async (path: string) => (await follow(context, { path: `${path}/` })).value;
  await using plain = await followPath(namedScalesPath(computerId, PLAIN_NAME));
  await using encoded = await followPath(namedScalesPath(computerId, ODD_NAME));
  await using bare = await followPath(`${scalesPath(computerId)}/${ODD_NAME}`);
  if (!plain || !encoded || (await expectHeard(plain, withScales, 'a', 500))) return undefined;
  const mismatch = await expectHeard(encoded, withScales, 'odd', 600);
  return mismatch && bare && expectHeard(bare, withScales, 'odd', 700);
}

function expectSimulated(published: readonly Published[], at: string): Mismatch | undefined {
  return expectThat(published.some(isSimulated), at, `a reading of ${VIRTUAL_SCALE.deviceName.value}`, published);
}

/** What is published because of this. */
async function publishedAfter(feed: ScaleFeed, work: () => Promise<void>): Promise<readonly Published[]> {
  const before = feed.published.length;
  await work();
  return (await feed.waitFor(before + 1)).slice(before);
}
