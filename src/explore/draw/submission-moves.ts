/**
 * Moves of submissions that are more than a plain job: with idempotency keys, with a document elsewhere, and those that
 * must be refused.
 */

import { REQUEST_HEADERS } from '../../specification/headers.ts';
import { makeKey } from './account-moves.ts';
import { oneOf, pick, type Choice, type Draft, type Moves } from './draft.ts';
import { NO_PRINTER } from './job-moves.ts';

const ANY = { answers: 'any' } as const;
const LONG_KEY = 'a key of sixty-four characters and one more, which differs from '.padEnd(64, '.');
/** Neighbours are alike, and not the same. */
const KEYS = ['monday', 'Monday', `${LONG_KEY}1`, 'monday', `${LONG_KEY}2`, '4711', '04711', '0'] as const;
/** Between two uses of a key. */
const BETWEEN_KEYS = ['1s', '23h59m50s', '12h', '24h1m', '23h'] as const;
const CONTENTS = ['first', 'second', 'third'] as const;

function submitWithKey(draft: Draft, { which, other, form }: Choice): void {
  const [printer, another] = [pick(draft.printers, which), pick(draft.printers, which + 1)];
  if (!printer || !another) return;
  const use = (key: number, rest: object = {}): void => {
    const as = draft.newJob();
    const content = oneOf(CONTENTS, form + draft.jobs.length);
    draft.add({
      submit: { as, printer: printer.name, content, idempotencyKey: draft.own(oneOf(KEYS, key)), ...rest, ...ANY },
    });
  };
  const useByAnotherKey = (key: number): void => {
    const name = draft.newName('key');
    const headers = { [REQUEST_HEADERS.idempotencyKey.name]: draft.own(oneOf(KEYS, key)) };
    const body = {
      printerId: `{printer:${printer.name}}`,
      contentType: 'raw_base64',
      content: 'aGVsbG8=',
      title: 'by another key',
    };
    const request = { method: 'POST', path: '/printjobs', key: `{value:${name}}`, headers, body, ...ANY };
    draft.add(makeKey(draft, name), { request });
  };
  const repeat: readonly [() => void, ...(() => void)[]] = [
    () => use(other),
    () => use(other, { times: 2 }),
    () => [use(other), use(other)],
    () => [use(other), useByAnotherKey(other)],
    () => [use(other), use(other + 1)],
    () => [use(other), draft.pass(oneOf(BETWEEN_KEYS, other)), use(other)],
    () => [use(other), draft.pass('12h'), use(other), draft.pass('12h1m'), use(other)],
    () => [use(other), draft.add({ cancel: { job: draft.jobs.at(-1), cancels: 'any' } }), use(other)],
    () => [use(other), use(other), draft.add({ request: { path: '/printjobs', ...ANY } })],
    () => [use(other), draft.pass(oneOf(['23h', '23h59m50s'], other)), use(other)],
    () => [use(other), use(other, { printer: another.name })],
    () => [use(other), draft.restart(), use(other)],
    () => [use(other), draft.pass('24h1m'), use(other), draft.pass('12h'), use(other)],
  ];
  oneOf(repeat, form)();
}

const PASSWORDS = ['secret', ' blanks around ', 'ÄÖÜ:€', ''] as const;
const UNREACHABLE = 'http://127.0.0.1:9/unreachable.pdf';

function submitDocument(draft: Draft, { which, other, form }: Choice): void {
  const printer = pick(draft.printers, which);
  if (!printer) return;
  const as = draft.newJob();
  const path = `/${as}.pdf`;
  const credentials = {
    type: oneOf(['BasicAuth', 'DigestAuth'], other),
    user: 'till',
    pass: oneOf(PASSWORDS, other >> 1),
  };
  const isProtected = form % 3 === 0;
  const uri = form % 7 === 4 ? UNREACHABLE : path;
  const isAway = form % 4 === 2 && printer.computer.standing === 'connected';
  draft.add(
    { serve: { path, ...(isProtected && { protect: credentials }), ...(form % 5 === 1 && { fault: 'reset' }) } },
    ...(isAway ? [{ disconnect: printer.computer.name }] : []),
    { submit: { as, printer: printer.name, uri, ...(isProtected && { authentication: credentials }), ...ANY } },
    ...(isAway ? [{ advance: '1s' }, { connect: printer.computer.name }] : []),
  );
}

const CREDENTIALS = { credentials: { user: 'till', pass: 'secret' } } as const;
const BROKEN_BODIES = [
  { contentType: 'raw_base64', content: 'aGVsbG8=' },
  { printerId: NO_PRINTER, contentType: 'raw_base64', content: 'aGVsbG8=' },
] as const;

function submitBroken(draft: Draft, { which, form }: Choice): void {
  const printer = pick(draft.printers, which);
  if (!printer) return;
  const sound = {
    printerId: `{printer:${printer.name}}`,
    contentType: 'raw_base64',
    content: 'aGVsbG8=',
    title: 'wrong',
  };
  const { content, contentType, ...rest } = sound;
  const bodies = [
    ...BROKEN_BODIES,
    { ...rest, contentType },
    { ...rest, content },
    { ...sound, contentType: 'text' },
    { ...sound, qty: 0 },
    { ...sound, qty: -1 },
    {
      ...sound,
      contentType: 'pdf_uri',
      content: 'http://127.0.0.1:9/a.pdf',
      authentication: { type: 'Other', ...CREDENTIALS },
    },
    { ...sound, contentType: 'pdf_uri', content: 'http://127.0.0.1:9/a.pdf', authentication: { type: 'BasicAuth' } },
  ];
  const isForeign = form % 8 === 7;
  const sent = isForeign ? [sound] : [0, 1, 2].map((next) => pick(bodies, form + next));
  const key = isForeign ? { key: '{second}' } : {};
  draft.add(...sent.map((body) => ({ request: { method: 'POST', path: '/printjobs', ...key, body, ...ANY } })));
}

export const SUBMISSION_MOVES: Moves = {
  'submit-key': { weight: 4, play: submitWithKey },
  'submit-document': { weight: 2, play: submitDocument },
  'submit-wrong': { weight: 2, play: submitBroken },
};
