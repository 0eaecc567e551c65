/** Moves of callers: submissions, cancellations, lists; also those that must be refused. */

import { oneOf, pick, type Choice, type Draft, type DraftPrinter, type Moves } from './draft.ts';

const ANY = { answers: 'any' } as const;
/** No printer has it. */
const NO_PRINTER = 999_999_999;
const EXPIRES_AFTER = [undefined, undefined, undefined, 60, 60, 600, 3_600] as const;
const OPTIONS = [
  undefined,
  undefined,
  undefined,
  { copies: 2 },
  { duplex: 'long-edge', copies: 1, rotate: 90 },
  {},
  null,
  { 'of a later version': true, pages: '1,3' },
] as const;
const TITLES = [undefined, 'Invoice 4711', ' two  blanks ', 'Étiquette n° 5'] as const;
const CONTENTS = ['hello', '^XA^FDlabel^FS^XZ', 'first line\nsecond line\u0000\u001B@', 'ÄÖÜ €'] as const;
const KEYS = ['monday', 'tuesday'] as const;

const idOf = ({ name }: DraftPrinter): string => `{printer:${name}}`;

function submit(draft: Draft, { which, other, form }: Choice): void {
  const printer = pick(draft.printers, which);
  if (!printer) return;
  const as = draft.newName('job');
  draft.jobs.push(as);
  draft.add({
    submit: {
      as,
      printer: printer.name,
      content: pick(CONTENTS, form),
      ...given('expireAfter', pick(EXPIRES_AFTER, other)),
      ...given('options', pick(OPTIONS, other + form)),
      ...given('title', pick(TITLES, form >> 2)),
      ...(form % 5 === 1 && { source: 'till 3' }),
      ...(form % 4 === 2 && { qty: 2 }),
      ...ANY,
    },
  });
}

function given(name: string, value: unknown): Readonly<Record<string, unknown>> {
  return value === undefined ? {} : { [name]: value };
}

function submitWithKey(draft: Draft, { which, other, form }: Choice): void {
  const printer = pick(draft.printers, which);
  if (!printer) return;
  const as = draft.newName('job');
  draft.jobs.push(as);
  const content = pick(CONTENTS, form);
  draft.add({ submit: { as, printer: printer.name, content, idempotencyKey: oneOf(KEYS, other), ...ANY } });
}

function submitDocument(draft: Draft, { which, other, form }: Choice): void {
  const printer = pick(draft.printers, which);
  if (!printer) return;
  const as = draft.newName('job');
  draft.jobs.push(as);
  const path = `/${as}.pdf`;
  const credentials = { type: oneOf(['BasicAuth', 'DigestAuth'], other), user: 'till', pass: 'secret' };
  const isProtected = form % 3 === 0;
  draft.add(
    { serve: { path, ...(isProtected && { protect: credentials }), ...(form % 5 === 1 && { fault: 'reset' }) } },
    { submit: { as, printer: printer.name, uri: path, ...(isProtected && { authentication: credentials }), ...ANY } },
  );
}

const BROKEN_BODIES = [
  { contentType: 'raw_base64', content: 'aGVsbG8=' },
  { printerId: NO_PRINTER, contentType: 'raw_base64', content: 'aGVsbG8=' },
] as const;

function submitBroken(draft: Draft, { which, form }: Choice): void {
  const printer = pick(draft.printers, which);
  if (!printer) return;
  const sound = { printerId: idOf(printer), contentType: 'raw_base64', content: 'aGVsbG8=', title: 'wrong' };
  const { content, contentType, ...rest } = sound;
  const bodies = [
    ...BROKEN_BODIES,
    { ...rest, contentType },
    { ...rest, content },
    { ...sound, contentType: 'text' },
    { ...sound, qty: 0 },
    { ...sound, qty: -1 },
  ];
  const isForeign = form % 8 === 7;
  draft.add({
    request: {
      method: 'POST',
      path: '/printjobs',
      ...(isForeign && { key: '{second}' }),
      body: isForeign ? sound : pick(bodies, form),
      ...ANY,
    },
  });
}

function cancel(draft: Draft, { which }: Choice): void {
  const job = pick(draft.jobs, which);
  if (job !== undefined) draft.add({ cancel: { job, cancels: 'any' } });
}

function cancelMany(draft: Draft, { which, other, form }: Choice): void {
  const [job, second, printer] = [pick(draft.jobs, which), pick(draft.jobs, other), pick(draft.printers, other)];
  if (job === undefined || second === undefined || !printer) return;
  const path = oneOf(
    [
      `/printjobs/{job:${job}},{job:${second}}`,
      `/printers/${idOf(printer)}/printjobs`,
      `/printers/${idOf(printer)}/printjobs/{job:${job}}`,
      '/printjobs',
      `/printjobs/{job:${job}},${NO_PRINTER}`,
    ],
    form,
  );
  draft.add({ request: { method: 'DELETE', path, ...ANY } });
}

function list(draft: Draft, { which, other, form }: Choice): void {
  const printer = pick(draft.printers, which);
  const computer = pick(draft.computers, which);
  const job = pick(draft.jobs, other);
  const paths = [
    '/printjobs',
    '/printers',
    '/computers',
    ...(printer ? [`/printers/${idOf(printer)}/printjobs`, `/printers/${idOf(printer)}`] : []),
    ...(computer ? [`/computers/{computer:${computer.name}}/printers`, `/computers/{computer:${computer.name}}`] : []),
    ...(job === undefined ? [] : [`/printjobs/{job:${job}}`, `/printjobs/{job:${draft.jobs[0]}},{job:${job}}`]),
  ];
  const path = pick(paths, form) ?? '/printjobs';
  const query = [
    other % 3 === 0 && 'limit=1',
    other % 3 === 1 && 'limit=2',
    which % 2 === 0 && 'dir=asc',
    job !== undefined && path.includes('printjobs') && other % 2 === 0 && `after={job:${job}}`,
  ].filter((part) => part !== false);
  const isPlain = form % 3 === 0 || query.length === 0;
  draft.add({ request: { path: isPlain ? path : `${path}?${query.join('&')}`, ...ANY } });
}

function readStates(draft: Draft, { which, other, form }: Choice): void {
  const [job, second] = [pick(draft.jobs, which), pick(draft.jobs, other)];
  if (job === undefined) return;
  const path = oneOf(
    [`/printjobs/{job:${job}}/states`, '/printjobs/states', `/printjobs/{job:${job}},{job:${second}}/states`],
    form,
  );
  draft.add({ request: { path, ...ANY } });
}

/** A number of jobs at once: more than a computer takes at a time, or than a page has. */
function submitMany(draft: Draft, { which, form }: Choice): void {
  const printer = pick(draft.printers, which);
  if (!printer) return;
  const as = draft.newName('job');
  draft.jobs.push(as);
  draft.add({ submit: { as, printer: printer.name, content: 'many', times: oneOf([2, 9, 12], form), ...ANY } });
}

export const JOB_MOVES: Moves = {
  submit: { weight: 8, play: submit },
  'submit-key': { weight: 3, play: submitWithKey },
  'submit-document': { weight: 1, play: submitDocument },
  'submit-many': { weight: 1, play: submitMany },
  'submit-wrong': { weight: 2, play: submitBroken },
  cancel: { weight: 3, play: cancel },
  'cancel-many': { weight: 2, play: cancelMany },
  list: { weight: 3, play: list },
  states: { weight: 3, play: readStates },
};
