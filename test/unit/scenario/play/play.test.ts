import { expect, it } from 'vitest';

import { systemClock } from '../../../../src/common/clock.ts';
import { Press } from '../../../../src/devices/press/press.ts';
import type { DeviceLink, ProgramLink } from '../../../../src/link/device-link.ts';
import { play, type Play } from '../../../../src/scenario/play/play.ts';
import { readScenario } from '../../../../src/scenario/format/read-scenario.ts';
import { embeddedTarget, type EmbeddedTargetOptions } from '../../../../src/targets/embedded.ts';
import { targetOf } from '../../../support/odd-servers.ts';

const ROOM = `room:
  computers:
    - name: DESK
      printers: [{ profile: laser-a4, name: Laser }]
      scales: [{ profile: service-test-scale, name: Bench }]
`;

interface Kept {
  readonly files: Map<string, Uint8Array>;
}

async function playText(body: string, options: EmbeddedTargetOptions = {}, link?: DeviceLink): Promise<Play & Kept> {
  const read = readScenario(`title: Test\nwhy: It is played by a test of the player.\n${ROOM}${body}`, '.');
  if (!read.ok) throw new Error(JSON.stringify(read.error));
  const files = new Map<string, Uint8Array>();
  const target = await embeddedTarget(options);
  try {
    const keep = (name: string, bytes: Uint8Array): string => {
      files.set(name, bytes);
      return name;
    };
    // Virtual time waits for a press of its own clock alone.
    await using ownPress = new Press(target.clock);
    return {
      ...(await play(read.value, {
        target: { ...target, link: link ?? target.link },
        press: ownPress,
        keep,
      })),
      files,
    };
  } finally {
    await target.close();
  }
}

const SUBMIT =
  '  - submit: { as: letter, printer: Laser, document: three-pages.pdf }\n  - wait: { job: letter, printouts: 1 }\n';

it('passes when everything is as expected', async () => {
  const played = await playText(`steps:\n${SUBMIT}expect: { jobs: { letter: done }, sheets: { letter: 3 } }\n`);
  expect(played).toMatchObject({ verdict: 'pass', message: '', breaks: [], at: undefined });
});

it('shows what keeps the sheets of a job back', async () => {
  const fault = '  - fault: { at: printer/Laser, fault: media-jam, after: 1 }\n';
  const submit = SUBMIT.replace('printouts: 1', 'state: done');
  const played = await playText(`steps:\n${fault}${submit}  - advance: 1m\nexpect: { sheets: { letter: 3 } }\n`);
  expect(played.stories[0]?.timeline.at(-1)).toMatch(/^ *\+1m\S*  Laser has media-jam$/);
});

it('shows what differed, with the timeline of the job and its sheets', async () => {
  const played = await playText(`steps:\n${SUBMIT}expect: { sheets: { letter: { pages: [1, 3, 2] } } }\n`);
  expect(played).toMatchObject({
    verdict: 'fail',
    breaks: [{ at: 'pages (first difference on side 2) of letter', expected: '1, 3, 2', actual: '1, 2, 3' }],
  });
  const [story] = played.stories;
  expect(story?.timeline.at(-1)).not.toContain('has');
  expect(story?.timeline.join('\n')).toMatch(/new[\s\S]*done[\s\S]*3 sheets came out of Laser/);
  expect(story?.files).toEqual([
    'letter-1-1.pdf',
    'letter-1-1-side-1.png',
    'letter-1-1-side-2.png',
    'letter-1-1-side-3.png',
  ]);
  const sides = story?.files.slice(1).map((file) => Buffer.from(played.files.get(file) ?? []).toString('base64'));
  expect(story?.pictures).toEqual(
    [1, 2, 3].map((side) => ({ caption: `side ${side} of letter, from Laser`, png: sides?.[side - 1] })),
  );
  expect(Buffer.from(played.files.get('letter-1-1.pdf') ?? []).toString('latin1', 0, 5)).toBe('%PDF-');
});

it('reports every expectation that is broken', async () => {
  const played = await playText(
    `steps:\n${SUBMIT}expect: { jobs: { letter: error }, sheets: { letter: 2 }, printers: { Laser: offline }, computers: { DESK: { printers: 2 } } }\n`,
  );
  expect(played.breaks.map(({ at, expected, actual }) => [at, expected, actual])).toEqual([
    ['state of letter', 'error', 'done'],
    ['sheets of letter', '2', '3'],
    ['state of Laser', 'offline', 'online'],
    ['printers of DESK', '2', '1'],
  ]);
});

it('ends at the first step that is broken, and names it with its line', async () => {
  const steps = `steps:\n${SUBMIT}  - submit: { as: no, printer: Laser, document: invoice.pdf, answers: 409 }\n  - advance: 1d\n`;
  const played = await playText(`${steps}expect: { jobs: { letter: error } }\n`);
  expect(played).toMatchObject({
    verdict: 'fail',
    at: 'step 3 (line 11): submit no to Laser',
    breaks: [{ expected: '1 × 409', actual: '201 2' }],
  });
  expect(played.elapsedMs).toBeLessThan(1_000);
});

it('gives up waiting at its limit', async () => {
  const steps =
    'steps:\n  - disconnect: DESK\n  - submit: { as: letter, printer: Laser, document: invoice.pdf }\n  - wait: { job: letter, state: done, within: 1h }\n';
  const played = await playText(`${steps}expect: { jobs: { letter: done } }\n`);
  expect(played).toMatchObject({
    verdict: 'fail',
    breaks: [{ at: 'letter', expected: 'done within 1h', actual: 'new, 0 printouts with 0 sheets' }],
  });
  expect(played.elapsedMs).toBe(3_600_000);
});

it.each(['mute', 'refuse', 'drop', 'truncate'])(
  'goes on when the link to a computer that connects is faulty: %s',
  async (fault) => {
    const link = `{ at: link/DESK, fault: ${fault}, times: 1 }`;
    const steps = `steps:\n  - disconnect: DESK\n  - fault: ${link}\n  - connect: DESK\n  - wait: { computer: DESK, within: 5m }\n`;
    const played = await playText(`${steps}expect: { computers: { DESK: connected } }\n`);
    expect(played).toMatchObject({ verdict: 'pass', message: '' });
  },
);

it('names the trays of a printer that lacks the tray of a step', async () => {
  const steps = 'steps:\n  - load-paper: { printer: Laser, tray: Drawer, sheets: 2 }\n';
  const played = await playText(`${steps}expect: { printers: { Laser: online } }\n`);
  expect(played.message).toMatch(/^printer 'Laser' has no tray 'Drawer': It has 'Auto Select', 'Tray1'/);
});

it('says that it cannot tell where real days would have to pass', async () => {
  const played = await playText('steps:\n  - advance: 14d\nexpect: { computers: { DESK: connected } }\n', {
    clock: 'real',
  });
  expect(played).toMatchObject({ verdict: 'inconclusive', message: '14d would have to pass in real time' });
});

it('plays on real time as well', async () => {
  const played = await playText(`steps:\n${SUBMIT}expect: { jobs: { letter: done }, sheets: { letter: 3 } }\n`, {
    clock: 'real',
  });
  expect(played).toMatchObject({ verdict: 'pass' });
});

it('plays the same again from the same seed', async () => {
  const body = `faults:\n  - { at: link/DESK, fault: latency, probability: 0.5, with: { delay: 300ms } }\nsteps:\n${SUBMIT}  - cut: DESK\n  - wait: { computer: DESK, within: 5m }\nexpect: { jobs: { letter: error } }\n`;
  const [first, second] = [await playText(body), await playText(body)];
  expect(second.stories).toEqual(first.stories);
  expect(second.elapsedMs).toBe(first.elapsedMs);
  expect(second.log).toEqual(first.log);
});

/** Chance at a link and at a scale, and a fault of a printer. */
const MISHAPS = `faults:
  - { at: link/DESK, fault: latency, probability: 0.5, with: { delay: 300ms } }
  - { at: scale/Bench, fault: negative, probability: 0.3 }
  - { at: printer/Laser, fault: media-jam, after: 1 }
steps:
  - weigh: { scale: Bench, grams: 500 }
  - advance: 20s
  - submit: { as: letter, printer: Laser, document: three-pages.pdf }
  - wait: { job: letter, state: done }
expect: { jobs: { letter: done } }
`;

it('records what each fault rule decided: the same bytes for the same seed, others for another', async () => {
  const played = [
    await playText(`seed: 1\n${MISHAPS}`),
    await playText(`seed: 1\n${MISHAPS}`),
    await playText(`seed: 2\n${MISHAPS}`),
  ];
  const [first, again, other] = played.map(({ decisions }) => JSON.stringify(decisions));
  expect(again).toBe(first);
  expect(other).not.toBe(first);
  const { decisions = [] } = played[0] ?? {};
  const places = decisions.map(({ place }) => place.split('/').slice(0, 2).join('/'));
  expect(new Set(places)).toEqual(new Set(['link/DESK', 'scale/Bench', 'printer/Laser']));
  expect(new Set(decisions.map(({ fired }) => fired))).toEqual(new Set([true, false]));
  expect(decisions).toContainEqual(
    expect.objectContaining({ place: 'printer/Laser', fault: 'media-jam', occasion: 2, fired: true }),
  );
});

it('records the first thousand decisions, and the number of the others', async () => {
  const played = await playText(`faults:
  - { at: scale/Bench, fault: negative, after: 2000 }
steps:
  - weigh: { scale: Bench, grams: 500 }
  - advance: 30m
expect: { computers: { DESK: connected } }
`);
  expect(played.decisions).toHaveLength(1_000);
  expect(played.decisions[0]).toEqual({
    atMs: 0,
    place: 'scale/Bench',
    occasion: 1,
    fault: 'negative',
    fired: false,
  });
  expect(played.decisionsLeftOut).toBe(5 + 30 * 60 - 1 - 1_000);
});

it('ends when it is interrupted', async () => {
  const read = readScenario(
    `title: Test\nwhy: It is played by a test of the player.\n${ROOM}steps: [{ advance: 1m }]\nexpect: { computers: { DESK: connected } }\n`,
    '.',
  );
  if (!read.ok) throw new Error('refused');
  await using press = new Press(systemClock);
  const target = await embeddedTarget({ clock: 'real' });
  const controller = new AbortController();
  systemClock.schedule(200, () => controller.abort());
  const played = await play(read.value, {
    target,
    press,
    keep: (name) => name,
    signal: controller.signal,
  });
  await target.close();
  expect(played).toMatchObject({ verdict: 'inconclusive', message: 'it was interrupted' });
  expect(played.durationMs).toBeLessThan(5_000);
});

it.each([
  ['{job:letter}', 'pass'],
  ['{run}', 'fail'],
])('takes ids in JSON for numbers, unless they stand in a text: %s', async (id, verdict) => {
  const steps = `steps:
  - submit: { as: letter, printer: Laser, content: x }
  - request: { method: POST, path: /account/tag/note, body: 'job {job:letter}', answers: any }
  - request: { path: /account/tag/note, holds: 'job {job:letter}' }
  - request: { path: '/printjobs/{job:letter}', holds: [{ id: '${id}', printer: { id: '{printer:Laser}' } }] }
  - advance: 1s
expect: { jobs: { letter: done } }\n`;
  expect(await playText(steps)).toMatchObject({ verdict });
});

it('does not wait for a service that is busy once it is interrupted', async () => {
  const interruption = new AbortController();
  const target = await targetOf((_, response) => {
    response.writeHead(429, { 'Retry-After': '60' }).end('{}');
    interruption.abort();
  });
  const read = readScenario(
    `title: Test\nwhy: It is played by a test of the player.\naccount: child\n${ROOM}steps: [{ advance: 1s }]\nexpect: { computers: { DESK: connected } }\n`,
    '.',
  );
  if (!read.ok) throw new Error('refused');
  await using press = new Press(systemClock);
  const { signal } = interruption;
  const played = await play(read.value, { target, press, keep: (name) => name, signal });
  await target.close();
  expect(played.verdict).toBe('inconclusive');
  expect(played.durationMs).toBeLessThan(10_000);
});

it('kills the service and starts it again where that is possible, and cannot judge where it is not', async () => {
  const submit = '{ printer: Laser, content: x, idempotencyKey: monday';
  const steps = `steps:
  - submit: ${submit}, as: first }
  - restart: service
  - submit: ${submit}, as: again, answers: 409 }
  - advance: 10s
  - submit: { as: letter, printer: Laser, content: x }
  - advance: 1s
expect: { jobs: { first: done, letter: done }, service: strict }\n`;
  expect(await playText(steps, { isRestartable: true })).toMatchObject({ verdict: 'pass', message: '' });
  expect(await playText(steps)).toMatchObject({
    verdict: 'inconclusive',
    message: 'reference service cannot be restarted: give its descriptor the hook restart',
  });
});

it('suspends its account also where the service has had too many requests', async () => {
  const busy = '  - request: { path: /whoami, times: 60, answers: any }\n';
  const played = await playText(
    `account: child\nsteps:\n${busy}  - account-state: suspended\n  - account-state: active\nexpect: { service: strict }\n`,
  );
  expect(played).toMatchObject({ verdict: 'pass', message: '' });
});

it('waits until a printer has printed, of whatever jobs', async () => {
  const steps = SUBMIT.replace('job: letter', 'printer: Laser, within: 5s');
  const expected = 'expect: { printers: { Laser: { printouts: 1 } } }\n';
  expect(await playText(`steps:\n${steps}${expected}`)).toMatchObject({ verdict: 'pass' });
  const more = steps.replace('printouts: 1', 'printouts: 2');
  expect(await playText(`steps:\n${more}${expected}`)).toMatchObject({
    verdict: 'fail',
    breaks: [{ expected: '2 printouts within 5s', actual: '1 printout' }],
  });
});

it('kills the clients of all computers, and has no print system to kill without a client program', async () => {
  const after = SUBMIT.replace('state: done', 'state: done, within: 30s');
  const rest = 'expect: { service: sound, jobs: { letter: done } }\n';
  expect(await playText(`steps:\n  - crash: client\n${after}${rest}`)).toMatchObject({ verdict: 'pass' });
  const played = await playText(`steps:\n  - crash: { every: spooler, down: 1s }\n${after}${rest}`);
  expect(played).toMatchObject({ verdict: 'inconclusive', message: expect.stringContaining('client program') });
});

it('says of a room with scales that a client program cannot read them', async () => {
  const programs: DeviceLink & { readonly program: ProgramLink } = {
    open: () => Promise.reject(new Error('no computer is to be opened')),
    program: {
      submitted: () => undefined,
      crash: () => undefined,
      scope: () => programs,
      close: () => Promise.resolve(),
    },
  };
  const played = await playText(`steps:\n${SUBMIT}expect: { jobs: { letter: done } }\n`, {}, programs);
  expect(played).toMatchObject({ verdict: 'inconclusive' });
  expect(played.message).toMatch(/^DESK has scales/);
});
