import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { Ajv } from 'ajv';
import { expect, it } from 'vitest';

import { formatProblem } from '../../../../src/common/problem.ts';
import { readRoom, readScenario, scenarioJsonSchema } from '../../../../src/scenario/format/read-scenario.ts';
import type { STEP_KINDS } from '../../../../src/scenario/steps/step-schema.ts';

const HEAD = `title: One letter
why: A test wants to know that a letter prints.
room:
  computers:
    - name: DESK
      printers: [{ profile: laser-a4, name: Laser }]
`;
const STEPS = `steps:
  - submit: { as: letter, printer: Laser, document: invoice.pdf }
`;
const EXPECT_NOTHING = 'expect: { service: sound }\n';
const EXPECT = 'expect: { jobs: { letter: done } }\n';

function pictured(picture: string): string {
  return `${HEAD}${STEPS}expect:\n  sheets: { letter: { picture: ${picture} } }\n`;
}

function problemsOf(text: string): string[] {
  const read = readScenario(text, '.');
  return read.ok ? [] : read.error.map((problem) => formatProblem('s.yaml', problem));
}

it('reads a scenario, with the lines of its steps', () => {
  const read = readScenario(HEAD + STEPS + EXPECT, '.');
  expect(read.ok && read.value.stepLines).toEqual([8]);
  expect(read.ok && read.value.scenario.steps.map(({ summary }) => summary)).toEqual(['submit letter to Laser']);
});

it('names an unknown key with its place and what was probably meant', () => {
  expect(problemsOf(`${HEAD}${STEPS}    wiat: 1\n${EXPECT}`)[0]).toContain(
    "s.yaml:9:5: steps[0]: there is no key 'wiat' here; did you mean 'wait'?",
  );
  expect(problemsOf(HEAD.replace('profile:', 'profle:') + STEPS + EXPECT)).toEqual(
    expect.arrayContaining([
      "s.yaml:6:20: room.computers[0].printers[0]: there is no key 'profle' here; did you mean 'profile'?",
    ]),
  );
});

it('names the allowed values', () => {
  const [problem] = problemsOf(HEAD.replace('laser-a4', 'laser-a5') + STEPS + EXPECT);
  expect(problem).toContain('s.yaml:6:29: room.computers[0].printers[0].profile');
  expect(problem).toContain("did you mean 'laser-a4'?");
});

it.each(['90', '5 minutes', '-5m'])('shows how to write a time where a step has %s', (written) => {
  expect(problemsOf(`${HEAD}steps:\n  - advance: ${written}\n${EXPECT}`)).toEqual([
    expect.stringMatching(/steps\[0\]\.advance: must be a duration such as 250ms, 45s, 1h30m or 14d$/),
  ]);
});

it('refuses to let more than a year pass in one step', () => {
  expect(problemsOf(`${HEAD}steps:\n  - advance: 366d\n${EXPECT_NOTHING}`)).toEqual([]);
  expect(problemsOf(`${HEAD}steps:\n  - advance: 999999999999d\n${EXPECT_NOTHING}`)).toEqual([
    's.yaml:8:14: steps[0].advance: must be at most 366d',
  ]);
});

it.each(['', '# later\n', '{}\n'])('says that a file is empty, and what it needs: %j', (text) => {
  expect(problemsOf(text)).toEqual([
    's.yaml:1:1: the file is empty: it needs title, why, and either traffic or steps and expect',
  ]);
  const room = readRoom(text, '.');
  expect(!room.ok && room.error.map(({ message }) => message)).toEqual(['the file is empty: it needs computers']);
});

it('needs no more than it says of an empty file', () => {
  const head = 'title: A day\nwhy: A test wants to know what a file needs.\n';
  expect(problemsOf(`${head}steps: [{ advance: 1h }]\nexpect: { service: sound }\n`)).toEqual([]);
  expect(problemsOf(head)).toEqual([
    's.yaml:1:1: steps: is missing: a list of steps, or traffic',
    's.yaml:1:1: expect: is missing: an object of keys and values',
  ]);
});

it.each([
  ['submit: { as: a, printer: Laser, document: invoice.pdf, expireAfter: 1h }', "seconds, for example 3600, not '1h'"],
  ['weigh: { scale: Any, grams: 5kg }', "grams, for example 5000, not '5kg'"],
])('names the unit of a number: %s', (step, wanted) => {
  expect(problemsOf(`${HEAD}steps:\n  - ${step}\n${EXPECT_NOTHING}`)).toEqual([
    expect.stringContaining(`: must be a number of ${wanted}`),
  ]);
});

it.each([
  ['jobs: { letter: Done }', 'jobs.letter', "'Done'; did you mean 'done'?"],
  ['jobs: { letter: { state: don } }', 'jobs.letter.state', "'don'; did you mean 'done'?"],
  ['jobs: { letter: { states: [new, sent-to-client] } }', 'jobs.letter.states[1]', "did you mean 'sent_to_client'?"],
  ['jobs: { letter: { never: [expird] } }', 'jobs.letter.never[0]', "'expird'; did you mean 'expired'?"],
  ['computers: { DESK: conected }', 'computers.DESK', "'conected'; did you mean 'connected'?"],
  ['computers: { DESK: { state: disconected } }', 'computers.DESK.state', "did you mean 'disconnected'?"],
  ['printers: { Laser: onlin }', 'printers.Laser', "'onlin'; did you mean 'online'?"],
  ['printers: { Laser: { state: out-of-paper } }', 'printers.Laser.state', "did you mean 'out_of_paper'?"],
])('refuses a misspelt state: %s', (wanted, at, words) => {
  expect(problemsOf(`${HEAD}${STEPS}expect: { ${wanted} }\n`)).toEqual([
    expect.stringMatching(/^s\.yaml:9:\d+: expect\.\S+: there is no state '/),
  ]);
  expect(problemsOf(`${HEAD}${STEPS}expect: { ${wanted} }\n`)[0]).toContain(`: expect.${at}: there is no state `);
  expect(problemsOf(`${HEAD}${STEPS}expect: { ${wanted} }\n`)[0]).toContain(words);
});

it('refuses a misspelt state where a step waits for it', () => {
  const steps = `${STEPS}  - wait: { job: letter, state: dnoe }\n`;
  expect(problemsOf(HEAD + steps + EXPECT)).toEqual([
    "s.yaml:9:33: steps[1].wait.state: there is no state 'dnoe'; did you mean 'done'?",
  ]);
});

it.each([
  'jobs: { letter: { never: [printing_page_1] } }',
  'jobs: { letter: { never: [gone, in_process] } }',
  'printers: { Laser: idle }',
  'computers: { DESK: asleep }',
  'computers: { DESK: connecting }',
])('takes states that only another service has: %s', (wanted) => {
  expect(problemsOf(`${HEAD}${STEPS}expect: { ${wanted} }\n`)).toEqual([]);
});

const withOptions = (options: string): string =>
  `${HEAD}steps:\n  - submit: { as: letter, printer: Laser, document: invoice.pdf, options: ${options} }\n${EXPECT}`;

it('refuses a misspelt print option, and takes one that only another service has', () => {
  expect(problemsOf(withOptions('{ copies: 2, papr: A5 }'))).toEqual([
    "s.yaml:8:88: steps[0].submit.options: there is no key 'papr' here; did you mean 'paper'?",
  ]);
  expect(problemsOf(withOptions('{ copies: 2, staple: true }'))).toEqual([]);
  expect(problemsOf(withOptions('null'))).toEqual([]);
});

it('refuses to print from an operating system on a virtual clock, and says which line is missing', () => {
  const steps = `${STEPS}  - lp: { printer: Laser, document: invoice.pdf }\n`;
  const problem = 's.yaml:9:5: steps[1]: needs the line `clock: real` in the scenario: CUPS works in real time';
  expect(problemsOf(HEAD + steps + EXPECT)).toEqual([problem]);
  expect(problemsOf(`${HEAD}clock: virtual\n${steps}${EXPECT}`)).toEqual([problem.replace(':9:', ':10:')]);
  expect(problemsOf(`${HEAD}clock: real\n${steps}${EXPECT}`)).toEqual([]);
});

it('says of a key of another form that it cannot stand beside the others', () => {
  const steps = 'steps:\n  - wait: { job: letter, state: done, sheets: 1, connected: true }\n';
  expect(problemsOf(HEAD + steps + EXPECT)[0]).toContain("the key 'connected' cannot stand beside the other keys here");
});

it('counts one entry and several', () => {
  const steps = 'steps: []\n';
  expect(problemsOf(HEAD + steps + EXPECT)[0]).toMatch(/: steps: must have at least 1 entry$/);
});

it('finds the steps whose names contain what was written', () => {
  expect(problemsOf(`${HEAD}steps:\n  - webhook: { url: x }\n${EXPECT_NOTHING}`)[0]).toContain(
    "there is no key 'webhook' here; did you mean 'add-webhook' or 'change-webhook' or 'delete-webhook'?",
  );
});

it('ends the list of documents before it says how to name a file', () => {
  const steps = 'steps:\n  - submit: { as: letter, printer: Laser, document: qqq }\n';
  expect(problemsOf(HEAD + steps + EXPECT)[0]).toMatch(/zpl-label\.zpl\. A file of your own is a path: '\.\/qqq'\.$/);
});

it('reports all mistakes at once, in the order of the file', () => {
  const text = `title: x\nwhy: too short\nseeed: 1\nsteps: []\nexpect: {}\n`;
  expect(problemsOf(text)).toEqual([
    expect.stringContaining('s.yaml:2:6: why'),
    "s.yaml:3:1: there is no key 'seeed' here; did you mean 'seed'?",
    expect.stringContaining('s.yaml:4:8: steps'),
    's.yaml:5:9: expect: expects nothing; write for example { service: sound }',
  ]);
});

it('has a JSON Schema that knows durations, faults and types of events', () => {
  const schema = scenarioJsonSchema();
  const isValid = new Ajv({ strict: false, validateFormats: false }).compile(schema);
  const withStep = (step: object): boolean =>
    isValid({ title: 'A day', why: 'A test wants to know it.', steps: [step], expect: { service: 'sound' } });
  expect(withStep({ advance: '1h30m' })).toBe(true);
  expect(withStep({ advance: '90' })).toBe(false);
  expect(withStep({ fault: { at: 'printer/Laser', fault: 'media-jam', for: '5s' } })).toBe(true);
  expect(withStep({ fault: { at: 'printer/Laser', fault: 'media-jam', for: 'soon' } })).toBe(false);
  expect(withStep({ fault: { at: 'printer/Laser', fault: 'media-jamm' } })).toBe(false);
  expect(withStep({ 'clear-fault': { at: 'printer/Laser', fault: 'media-jamm' } })).toBe(false);
  expect(JSON.stringify(schema)).toContain('{"enum":["computer state","print job state","*"]}');
});

it('refuses names that are used before they are given', () => {
  const steps = `steps:
  - wait: { job: leter, state: done }
  - submit: { as: letter, printer: Lazer, document: invoice.pdf }
  - submit: { as: letter, printer: Laser, document: invoice.pdf }
  - cut: DESKK
`;
  expect(problemsOf(HEAD + steps + EXPECT)).toEqual([
    "s.yaml:8:18: steps[0].wait.job: there is no job 'leter'; there are none",
    "s.yaml:9:36: steps[1].submit.printer: there is no printer 'Lazer'; did you mean 'Laser'?",
    "s.yaml:10:19: steps[2].submit.as: there already is a job 'letter'",
    "s.yaml:11:10: steps[3].cut: there is no computer 'DESKK'; did you mean 'DESK'?",
  ]);
});

it('refuses a name that two devices of the room have where it is used, and says how to tell them apart', () => {
  const room = `title: Two of one name
why: A test wants to know which of them is meant.
room:
  computers:
    - { name: DESK, printers: [{ profile: laser-a4, name: Laser }], scales: [{ profile: dymo-m10, name: Any }] }
    - { name: STORE, printers: [{ profile: laser-a4, name: Laser }], scales: [{ profile: dymo-m10, name: Any }] }
    - { name: STORE, printers: [{ profile: laser-a4, name: Laser, as: third }] }
`;
  expect(problemsOf(`${room}${STEPS.replace('Laser', 'third')}${EXPECT}`)).toEqual([]);
  const steps = `faults: [{ at: printer/Laser, fault: media-jam }]
${STEPS}  - weigh: { scale: Any, grams: 5 }
  - cut: STORE
expect: { printers: { Laser: { sheets: 1 } } }
`;
  expect(problemsOf(room + steps)).toEqual([
    "s.yaml:8:16: faults[0].at: there are 2 printers 'Laser': on DESK, STORE; call each by a name of its own, with `as`",
    "s.yaml:10:36: steps[0].submit.printer: there are 2 printers 'Laser': on DESK, STORE; call each by a name of its own, with `as`",
    "s.yaml:11:21: steps[1].weigh.scale: there are 2 scales 'Any': on DESK, STORE; call each by a name of its own, with `as`",
    "s.yaml:12:10: steps[2].cut: there are 2 computers 'STORE'; give each a name of its own",
    "s.yaml:13:23: expect.printers: there are 2 printers 'Laser': on DESK, STORE; call each by a name of its own, with `as`",
  ]);
});

/** Each kind of step with something that it needs and does not have; null for those that need nothing. */
const NEEDS: { readonly [Kind in keyof typeof STEP_KINDS]: readonly [args: string, complaint: RegExp] | null } = {
  submit: ['{ as: other, printer: Nowhere, content: x }', /no printer 'Nowhere'/],
  lp: ['{ printer: Nowhere, document: invoice.pdf }', /no printer 'Nowhere'/],
  queue: ['{ printer: Nowhere, waiting: 1 }', /no printer 'Nowhere'/],
  cancel: ['{ job: other }', /no job 'other'/],
  wait: ['{ job: other, state: done }', /no job 'other'/],
  advance: null,
  expect: ['{ jobs: { other: done } }', /no job 'other'/],
  request: ["{ path: '/webhook/{webhook:other}', key: '{value:other}' }", /no value 'other'/],
  together: ["[{ path: /ping }, { path: '/printjobs/{job:other}' }]", /\[1\]\.path: there is no job 'other'/],
  cut: ['OTHER', /no computer 'OTHER'/],
  disconnect: ['OTHER', /no computer 'OTHER'/],
  connect: ['OTHER', /no computer 'OTHER'/],
  serve: null,
  crash: ['{ computer: OTHER }', /no computer 'OTHER'/],
  sleep: ['OTHER', /no computer 'OTHER'/],
  wake: ['OTHER', /no computer 'OTHER'/],
  'leave-ghost': ['OTHER', /no computer 'OTHER'/],
  'skew-clock': ['{ computer: OTHER, ahead: 1h }', /no computer 'OTHER'/],
  'load-paper': ['{ printer: Nowhere, tray: x, sheets: 5 }', /no printer 'Nowhere'/],
  'add-printer': ['{ computer: OTHER, profile: laser-a4, name: New }', /no computer 'OTHER'/],
  'rename-printer': ['{ printer: Nowhere, to: New }', /no printer 'Nowhere'/],
  'remove-printer': ['Nowhere', /no printer 'Nowhere'/],
  fault: ['{ at: printer/Nowhere, fault: media-jam }', /no printer 'Nowhere'/],
  'clear-fault': ['{ at: link/OTHER }', /no computer 'OTHER'/],
  weigh: ['{ scale: Other, grams: 1 }', /no scale 'Other'/],
  press: ['{ scale: Other, key: zero }', /no scale 'Other'/],
  unplug: ['Other', /no scale 'Other'/],
  plug: ['Other', /no scale 'Other'/],
  restart: ['other', /must be service, not 'other'/],
  'account-state': ['suspended', /needs `account: child`/],
  'add-webhook': null,
  'change-webhook': ['{ webhook: other, secret: x }', /no webhook 'other'/],
  'delete-webhook': ['other', /no webhook 'other'/],
  'receiver-replies': ['{ webhook: other, first: [status 500] }', /no webhook 'other'/],
};

it.each(Object.entries(NEEDS).flatMap(([kind, need]) => (need ? [[kind, ...need] as const] : [])))(
  'refuses a step that needs what the scenario does not have: %s',
  (kind, args, complaint) => {
    expect(problemsOf(`${HEAD}steps:\n  - ${kind}: ${args}\n${EXPECT_NOTHING}`).join('\n')).toMatch(complaint);
  },
);

it('knows the names inside the texts of a request', () => {
  const steps = `${STEPS}  - request: { path: '/printjobs/{job:lettr}' }\n`;
  expect(problemsOf(HEAD + steps + EXPECT)).toEqual([
    "s.yaml:9:22: steps[1].request.path: there is no job 'lettr'; did you mean 'letter'?",
  ]);
});

it('knows which faults there are where', () => {
  const faults = `faults:
  - { at: printer/Laser, fault: media-jm }
  - { at: printer/Other, fault: media-jam }
  - { at: coffee/Machine, fault: empty }
`;
  const problems = problemsOf(HEAD + faults + STEPS + EXPECT);
  expect(problems[0]).toContain(
    "s.yaml:8:33: faults[0].fault: there is no fault 'media-jm' at a printer; did you mean 'media-jam'?",
  );
  expect(problems[1]).toContain("s.yaml:10:11: faults[2].at: nothing can go wrong at 'coffee/Machine'");
  expect(problemsOf(HEAD + faults.split('\n').toSpliced(1, 1).toSpliced(2, 1).join('\n') + STEPS + EXPECT)).toEqual([
    "s.yaml:8:11: faults[0].at: there is no printer 'Other'; there are Laser",
  ]);
});

it('takes one kind of step at a time, and one kind of content', () => {
  expect(problemsOf(`${HEAD}steps:\n  - { cut: DESK, connect: DESK }\n${EXPECT}`)[0]).toContain(
    'a step has one key alone',
  );
  expect(problemsOf(`${HEAD}steps:\n  - {}\n${EXPECT}`)[0]).toContain('a step is one of submit');
  expect(problemsOf(`${HEAD}steps:\n  - { prnt: {} }\n${EXPECT}`)).toHaveLength(1);
  const both = STEPS.replace('document: invoice.pdf', 'document: invoice.pdf, content: x');
  expect(problemsOf(HEAD + both + EXPECT)[0]).toContain('needs exactly one of document, uri, content and base64');
});

it.each([
  ['./no-such.pdf', 'no-such.pdf: there is no such file'],
  ['./fixtures', 'fixtures: it is a folder'],
  ['package.json/my.pdf', 'package.json/my.pdf: a part of its path is not a folder'],
])('wants a document of its own to be one that can be read: %s', (document, why) => {
  const steps = STEPS.replace('invoice.pdf', document);
  expect(problemsOf(HEAD + steps + EXPECT)).toEqual([`s.yaml:8:53: steps[0].submit.document: cannot read ${why}`]);
});

it.each([
  ['docs', 'docs', 'must be the path of a PNG, such as ./letter.png'],
  ['a list', '[./package.json]', 'must be the path of a PNG, such as ./letter.png'],
])('wants a picture to be the path of a PNG: %s', (_, picture, why) => {
  expect(problemsOf(pictured(picture))[0]).toContain(why);
});

it('reads a picture that is there, and no folder of its name, nor anything elsewhere', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'picture-'));
  mkdirSync(path.join(folder, 'folder.png'));
  writeFileSync(path.join(folder, 'letter.png'), 'a picture');
  const read = readScenario(pictured('letter.png'), folder);
  expect(read.ok && read.value.files.pictures.get('letter.png')?.toString()).toBe('a picture');
  expect(readScenario(pictured('./folder.png'), folder)).toMatchObject({
    error: [{ message: expect.stringContaining('folder.png: it is a folder') }],
  });
  expect(problemsOf(pictured(path.join(folder, 'letter.png')))[0]).toContain(`--allow-files ${folder}`);
  rmSync(folder, { recursive: true });
});

it('takes a picture that is still to be made', () => {
  expect(problemsOf(pictured('./none.png'))).toEqual([]);
});

it.each(['./fixtures/documents/invoice.pdf', 'fixtures/documents/invoice.pdf', `${process.cwd()}/README.md`])(
  'takes a document by its path: %s',
  (document) => {
    expect(problemsOf(HEAD + STEPS.replace('invoice.pdf', document) + EXPECT)).toEqual([]);
  },
);

it('says of a form that is one of several what is wrong with the nearest one', () => {
  const steps = `${STEPS}  - wait: { job: letter, stat: done }\n`;
  expect(problemsOf(HEAD + steps + EXPECT)).toEqual([
    "s.yaml:9:26: steps[1].wait: there is no key 'stat' here; did you mean 'state'?",
  ]);
});
