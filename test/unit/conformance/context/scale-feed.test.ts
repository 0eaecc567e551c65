import { expect, it } from 'vitest';

import { runConformance } from '../../../../src/conformance/run/run-conformance.ts';
import { startEmbeddedTarget } from '../../../support/embedded-target.ts';

it('keeps the frames of the scale websocket as evidence, without the key', async () => {
  const target = await startEmbeddedTarget();
  const { outcomes } = await runConformance({ target, seed: 1, ids: ['scale-websocket/simulated'] });
  const frames = outcomes.flatMap(({ traffic }) => traffic.frames).map(({ from, text }) => `${from}: ${text}`);
  expect(frames).toContain('computer: [1,"authenticate",{"apiKey":"…"}]');
  expect(frames).toContain('computer: [2,"subscribe",[0,"/scales/"]]');
  expect(frames.some((frame) => frame.startsWith('service: ["publish"'))).toBe(true);
  expect(frames.join()).not.toContain(target.apiKey);
  await target.close();
});
