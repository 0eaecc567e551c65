/** Moves of callers: submissions, cancellations, lists; also those that must be refused. */

import { oneOf, pick, type Choice, type Draft, type DraftPrinter, type Moves } from './draft.ts';
import type { RawStep } from './raw-day.ts';

const ANY = { answers: 'any' } as const;
/** No printer has it, though it may be looked for: the greatest of 32 bits. */
export const NO_PRINTER = 2_147_483_647;
/** The last is more than 2^31 milliseconds. */
const EXPIRES_AFTER = [undefined, undefined, undefined, 60, 60, 600, 3_600, 2_592_000] as const;
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
/** More than 64 kB. */
const LARGE = 'five-thousand-pages.pdf';
/** Bytes that are no UTF-8. */
const BYTES = ['/+7A/w==', '/wCAgf4='] as const;
const CONTENTS = ['hello', '^XA^FDlabel^FS^XZ', 'first line\nsecond line\u0000\u001B@', 'ÄÖÜ €'] as const;

const idOf = ({ name }: DraftPrinter): string => `{printer:${name}}`;
/** A set of all printers that there are. */
const idsOf = ({ printers }: Draft): string => printers.map(idOf).join(',');

function submit(draft: Draft, { which, other, form }: Choice): void {
  const printer = pick(draft.printers, which);
  if (!printer) return;
  const as = draft.newJob();
  draft.add({
    submit: {
      as,
      printer: printer.name,
      ...documentOf(form),
      ...expiry(draft, other),
      ...given('options', pick(OPTIONS, other + form)),
      ...given('title', pick(TITLES, form >> 2)),
      ...(form % 5 === 1 && { source: 'till 3' }),
      ...(form % 4 === 2 && { qty: 2 }),
      ...ANY,
    },
  });
}

/** What is printed: some characters mostly, now and then any bytes, or many. */
function documentOf(form: number): object {
  if (form % 7 === 3) return { base64: oneOf(BYTES, form) };
  return form % 11 === 4 ? { document: LARGE, kind: 'raw' } : { content: pick(CONTENTS, form) };
}

function given(name: string, value: unknown): Readonly<Record<string, unknown>> {
  return value === undefined ? {} : { [name]: value };
}

function expiry(draft: Draft, number: number): object {
  const seconds = pick(EXPIRES_AFTER, number);
  return seconds === undefined ? {} : { expireAfter: draft.expiry(seconds) };
}

/** One plain job, for an event, a delivery, or something to cancel. */
export function printFor(draft: Draft, { other, form }: Choice, more: { readonly times?: number } = {}): void {
  const printer = pick(draft.printers, other);
  if (!printer) return;
  const as = draft.newJob();
  draft.add({ submit: { as, printer: printer.name, content: pick(CONTENTS, form), ...more, ...ANY } });
}

function cancelling(path: string): RawStep {
  return { request: { method: 'DELETE', path, ...ANY } };
}

/** All jobs that there are, or all of the printers of the day. */
function allJobs(draft: Draft): string {
  return draft.sharesAccount ? `/printers/${idsOf(draft)}/printjobs` : '/printjobs';
}

/** What may happen while a computer is away; jobs wait for it. */
const ABSENCES = ['1s', '61s', '13d23h', '46s', '14d1m', '12d1h', '601s'] as const;

/** More than a computer takes at a time, than a service may handle in one go, and than a page has. */
const MORE_THAN_A_PAGE = 104;
const MANY = [12, 24, 12, 24, MORE_THAN_A_PAGE] as const;
/** A service tolerates about 30 requests at once, and as many again after a pause. */
const AT_ONCE = 26;
const UNTIL_AS_MANY_AGAIN = '3s';

/** Adds more jobs than a page has, and returns their names: one for those that are submitted at once. */
function submitPages(draft: Draft, job: object): readonly string[] {
  return Array.from({ length: MORE_THAN_A_PAGE / AT_ONCE }, () => {
    const as = draft.newJob();
    draft.add({ submit: { as, ...job, times: AT_ONCE, ...ANY } });
    draft.pass(UNTIL_AS_MANY_AGAIN);
    return as;
  });
}

/** Jobs for a computer that is away, something that happens to them, and its return. */
function awayAndBack(draft: Draft, choice: Choice): void {
  const { which, other, form } = choice;
  const away = pick(
    draft.printers.filter(({ computer }) => computer.standing === 'connected'),
    which,
  );
  if (!away) return;
  draft.add({ disconnect: away.computer.name });
  const times = form % 5 === 0 ? oneOf(MANY, other) : undefined;
  // Beside the printer that is cancelled there are others.
  const beside = draft.printers.filter(({ computer, name }) => computer === away.computer && name !== away.name);
  const submitSome = (): readonly string[] =>
    Array.from({ length: 1 + (form % 3) }, (_, index) => {
      const as = draft.newJob();
      const { name: printer } = pick([away, ...beside], index) ?? away;
      const content = oneOf(CONTENTS, form + index);
      const rest = { ...expiry(draft, other + index), ...given('times', times), ...ANY };
      draft.add({ submit: { as, printer, content, ...rest } });
      return as;
    });
  const jobs =
    times === MORE_THAN_A_PAGE
      ? submitPages(draft, { printer: away.name, content: oneOf(CONTENTS, form), ...expiry(draft, other) })
      : submitSome();
  const [first = '', last = ''] = [jobs[0], jobs.at(-1)];
  const cancelFirst = { cancel: { job: first, cancels: 'any' } };
  const happenings: readonly (() => void)[] = [
    () => draft.pass(oneOf(ABSENCES, other)),
    () => draft.pass(oneOf(ABSENCES, other + form)),
    () => [draft.restart(), draft.pass(oneOf(ABSENCES, other))],
    () => draft.add(cancelFirst),
    () => [draft.add(cancelFirst), draft.pass(oneOf(ABSENCES, other))],
    () => draft.add(cancelFirst, cancelling(`/printjobs/{job:${first}},{job:${last}}`)),
    () => draft.add(cancelling(allJobs(draft))),
    () => draft.add(cancelling(`/printers/${idOf(away)}/printjobs`)),
    () => draft.add(cancelling(`/printers/${idOf(away)}/printjobs/{job:${first}}`)),
    () => draft.add(cancelling(`/printers/${idsOf(draft)}/printjobs`)),
    () => draft.add(cancelling(`/printers/${idsOf(draft)}/printjobs/{job:${first}},{job:${last}}`)),
    () => draft.add(cancelling(`/printjobs/{job:${first}}`)),
    () => [draft.pass('61s'), draft.add(cancelling(`/printjobs/{job:${first}},{job:${last}}`))],
    () => draft.add({ request: { path: `/printjobs/{job:${first}},{job:${last}}/states`, ...ANY } }),
    () => draft.add(cancelling(`/printers/${NO_PRINTER}/printjobs`)),
  ];
  if (times === MORE_THAN_A_PAGE && form % 2 === 0) draft.add(cancelling(allJobs(draft)));
  else pick(happenings, form >> 2)?.();
  draft.add({ connect: away.computer.name });
  if (other % 4 === 0) list(draft, choice);
}

/** Two jobs, if there is a printer for them. */
function haveTwo(draft: Draft, choice: Choice): void {
  for (let lacking = 2 - draft.jobs.length; lacking > 0; lacking--) printFor(draft, choice);
}

function cancel(draft: Draft, choice: Choice): void {
  if (draft.jobs.length === 0) printFor(draft, choice);
  const job = pick(draft.jobs, choice.which);
  if (job !== undefined) draft.add({ cancel: { job, cancels: 'any' } });
}

function cancelMany(draft: Draft, choice: Choice): void {
  const { which, other, form } = choice;
  haveTwo(draft, choice);
  const [job, second, printer] = [pick(draft.jobs, which), pick(draft.jobs, other), pick(draft.printers, other)];
  if (job === undefined || second === undefined || !printer) return;
  const paths = [
    `/printjobs/{job:${job}},{job:${second}}`,
    `/printers/${idOf(printer)}/printjobs`,
    `/printers/${idOf(printer)}/printjobs/{job:${job}}`,
    allJobs(draft),
    `/printjobs/{job:${job}},${NO_PRINTER}`,
    `/printers/${idsOf(draft)}/printjobs`,
    `/printers/${idsOf(draft)}/printjobs/{job:${job}},{job:${second}}`,
    `/printers/${NO_PRINTER}/printjobs`,
  ];
  const named = paths.filter((path) => path.includes('{job:'));
  draft.add(cancelling(pick(draft.isBorrowed ? named : paths, form) ?? ''));
}

function list(draft: Draft, choice: Choice): void {
  const { which, other, form } = choice;
  const printer = pick(draft.printers, which);
  const computer = pick(draft.computers, which);
  haveTwo(draft, choice);
  const [job, second] = [pick(draft.jobs, other), pick(draft.jobs, other + 1)];
  const set = `{job:${job}},{job:${second}}`;
  const paths = [
    ...(job === undefined ? [] : [`/printjobs/${set}`, `/printjobs/{job:${job}}`]),
    ...(printer ? [`/printers/${idOf(printer)}/printjobs`, `/printers/${idOf(printer)}/printjobs/${set}`] : []),
    ...(printer ? [`/printers/${idsOf(draft)}/printjobs`, `/printers/${idsOf(draft)}/printjobs/${set}`] : []),
    '/printjobs',
    '/printers',
    '/computers',
    ...(printer ? [`/printers/${idOf(printer)}`] : []),
    ...(computer ? [`/computers/{computer:${computer.name}}/printers`, `/computers/{computer:${computer.name}}`] : []),
  ];
  const path = pick(paths, form) ?? '/printjobs';
  const query = [
    other % 3 === 0 && 'limit=1',
    other % 3 === 1 && 'limit=2',
    which % 2 === 0 && 'dir=asc',
    job !== undefined && path.includes('printjobs') && other % 2 === 0 && `after={job:${job}}`,
  ].filter((part) => part !== false);
  const isPlain = (form >> 2) % 3 !== 0 || query.length === 0;
  draft.add({ request: { path: isPlain ? path : `${path}?${query.join('&')}`, ...ANY } });
}

function readStates(draft: Draft, choice: Choice): void {
  const { which, other, form } = choice;
  haveTwo(draft, choice);
  const [job, second] = [pick(draft.jobs, which), pick(draft.jobs, other)];
  if (job === undefined) return;
  const path = oneOf(
    [`/printjobs/{job:${job}}/states`, '/printjobs/states', `/printjobs/{job:${job}},{job:${second}}/states`],
    form,
  );
  draft.add({ request: { path, ...ANY } });
}

/** A job that is done before its time is over, and is looked at after that. */
function outlive(draft: Draft, choice: Choice): void {
  const printer = pick(draft.printers, choice.which);
  if (!printer) return;
  const as = draft.newJob();
  const expireAfter = draft.expiry(60);
  draft.add({ submit: { as, printer: printer.name, content: 'brief', expireAfter, ...ANY } });
  draft.pass(`${expireAfter + 1}s`);
  draft.add({ request: { path: `/printjobs/{job:${as}}/states`, ...ANY } });
}

/** A number of jobs: more than a computer takes at a time, or than a page has. */
function submitMany(draft: Draft, { which, form }: Choice): void {
  const printer = pick(draft.printers, which);
  if (!printer) return;
  const job = { printer: printer.name, content: 'many' };
  const times = oneOf([2, 9, 12, 2, 9, 12, MORE_THAN_A_PAGE], form);
  if (times === MORE_THAN_A_PAGE) submitPages(draft, job);
  else draft.add({ submit: { as: draft.newJob(), ...job, times, ...ANY } });
}

/** A last look at the jobs of the day, in the ways that callers have. */
export function lookAtJobs({ jobs, printers: [printer] }: Draft): readonly RawStep[] {
  const [first, last] = [jobs[0], jobs.at(-1)];
  if (first === undefined || last === undefined || !printer) return [];
  const set = `{job:${first}},{job:${last}}`;
  const paths = [`/printjobs/${set}`, `/printjobs/${set}/states`, `/printers/${idOf(printer)}/printjobs`];
  return paths.map((path) => ({ request: { path, ...ANY } }));
}

export const JOB_MOVES: Moves = {
  submit: { weight: 5, play: submit },
  'submit-many': { weight: 1, play: submitMany },
  'away-and-back': { weight: 6, play: awayAndBack },
  outlive: { weight: 1, play: outlive },
  cancel: { weight: 2, play: cancel },
  'cancel-many': { weight: 2, play: cancelMany },
  list: { weight: 3, play: list },
  states: { weight: 2, play: readStates },
};
