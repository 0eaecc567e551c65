/**
 * docs/clauses.md: the clauses of src/specification, the checks that judged each of them in a run
 * (reports/baseline/emitted.md) and how many mutants of it were caught (reports/baseline/mutants.md).
 */

import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { exclusionOf } from '../../src/conformance/verdict/coverage.ts';
import { CREDENTIAL_RULES, EXCHANGE_RULES } from '../../src/oracle/exchange-rules.ts';
import { INVARIANTS } from '../../src/oracle/invariants.ts';
import type { Chapter, Clause, Gap, Level } from '../../src/specification/clause.ts';
import { LINK_CLAUSES } from '../../src/link/link-clauses.ts';
import { CLAUSES } from '../../src/specification/clauses.ts';
import { GAPS } from '../../src/specification/gaps.ts';

const BASELINE = new URL('../../reports/baseline/', import.meta.url);

const LEVELS: readonly Level[] = ['must', 'should', 'observed'];

const ORACLE = new URL('../../src/oracle/', import.meta.url);

/** Title and a sentence for each chapter, in the order of the page. */
const CHAPTERS: Readonly<Record<Chapter, { title: string; about: string }>> = {
  service: {
    title: 'The service as a whole',
    about: 'Bodies, headers, sets and pages: what is the same everywhere. And the isolation of accounts.',
  },
  accounts: {
    title: 'Accounts',
    about: 'Who am I, and which Child Accounts, tags and API keys do I have?',
  },
  computers: {
    title: 'Computers',
    about: 'A computer is known once its client has connected and said what it is.',
  },
  printers: {
    title: 'Printers',
    about: 'What a computer can print on, and what the driver says about it.',
  },
  'print-jobs': {
    title: 'Print jobs',
    about: 'Submitted, queued, delivered, done; or cancelled, or expired.',
  },
  scales: {
    title: 'Scales',
    about: 'A reading is kept for 45 seconds. Three paths lead to it, and they answer differently.',
  },
  webhooks: {
    title: 'Webhooks',
    about: 'The settings and their statistics. What is sent, and when, is under Events.',
  },
  'client-downloads': {
    title: 'Client keys and downloads',
    about: 'Keys for custom-branded clients, and which versions of the client are offered.',
  },
  misc: { title: 'Ping and noop', about: 'Is the API available, and are my credentials valid?' },
  states: { title: 'States', about: 'What happens to a job, a computer and a printer, and who reports it.' },
  authentication: {
    title: 'Authentication',
    about: "API keys, acting as a Child Account, and a caller's own authentication endpoint.",
  },
  events: {
    title: 'Events',
    about: 'What makes the service call a receiver, when it calls, and what happens when that fails.',
  },
  errors: { title: 'Errors', about: 'One error object for everything, and the conditions that are printed.' },
  limits: { title: 'Limits', about: 'Every printed number, at its edge and beyond.' },
  versioning: {
    title: 'Versioning',
    about: 'What may change, and how a response says which version it is of.',
  },
};

const CHAPTER_NAMES = Object.keys(CHAPTERS) as Chapter[];

/** docs/clauses.md, as it should be. */
export function clausesPage(): string {
  return [
    head(),
    overview(),
    ...CHAPTER_NAMES.map((chapter) => section(chapter)),
    linkSection(),
    gapSection('not-shown', 'Gaps: where the specification says "not shown"'),
    gapSection('silent', 'Gaps: where the specification is silent'),
  ].join('\n');
}

function head(): string {
  return `<!-- Written by npm run docs. Edit src/specification, not this page. -->

# The specification, clause by clause

Everything a remote printing service, its client or a caller can keep or break, one testable statement a line.
Checks, failures and coverage name these ids; they are stable. \`src/specification\` holds the same statements as data.

**Level**

- **must**: the specification states it. Breaking it fails a check.
- **should**: the specification recommends it, or it follows for a careful implementation. Breaking it is a warning, and fails a check with \`--strict\`.
- **observed**: the specification shows it as something that was seen. It is recorded.
- **gap**: the specification leaves it open. It is recorded and never fails; the gaps are at the end.

**Party** is who can keep it: the \`service\`, its \`client\` on a computer, or the \`caller\` of the API.
**Needs** is what must be available to check it: a computer, a second account, a webhook receiver and so on.
**Span** is how long it takes to see on a real clock: an instant, seconds, or days, which only a virtual clock can pass.
**Stands at** is the heading of the specification and below it the row, rule, bullet or paragraph that states it, or that it
follows from.
**Checks** are those that judged it in a run of the reference service, or the reason why none can. **Judges** are the modules of
\`src/oracle\` that judge it too, of any traffic: where there is one, a check need only bring the traffic about. **Mutants** is the number of
services with this clause broken that those checks caught; \`reports/baseline/mutants.md\` lists them.
`;
}

function overview(): string {
  const counts = Map.groupBy(CLAUSES, ({ id }) => modulesOf(id).length);
  const numbers = [...counts.keys()].toSorted((one, other) => one - other);
  const rows = CHAPTER_NAMES.map((chapter) => countRow(link(CHAPTERS[chapter].title), inChapter(chapter)));
  return `## At a glance

${CLAUSES.length} clauses and ${GAPS.length} gaps.

| chapter | clauses | ${LEVELS.join(' | ')} |
|---|--:|${LEVELS.map(() => '--:').join('|')}|
${rows.join('\n')}
${countRow('**all**', CLAUSES)}

Families of checks and judges that judge one and the same clause:

| of them | ${numbers.join(' | ')} |
|---|${numbers.map(() => '--:').join('|')}|
| clauses | ${numbers.map((number) => counts.get(number)?.length).join(' | ')} |
`;
}

function modulesOf(id: string): readonly string[] {
  const families = [...(EMITTED.get(id) ?? '').matchAll(/`([^/`]+)\//g)].map(([, family = '']) => family);
  return [...new Set([...families, ...judgesOf(id)])];
}

function countRow(label: string, clauses: readonly Clause[]): string {
  const counts = LEVELS.map((level) => clauses.filter((clause) => clause.level === level).length);
  return `| ${[label, clauses.length, ...counts].join(' | ')} |`;
}

function section(chapter: Chapter): string {
  const { title, about } = CHAPTERS[chapter];
  return `## ${title}

${about}

| id | level | party | needs | span | statement | stands at | checks | judges | mutants |
|---|---|---|---|---|---|---|---|---|---|
${inChapter(chapter).map(clauseRow).join('\n')}
`;
}

function clauseRow(clause: Clause): string {
  const { id, level, party, needs, span, statement, source } = clause;
  const seen = [EMITTED.get(id) ?? exclusionOf(clause) ?? '', judgesOf(id).join(', '), MUTANTS.get(id) ?? ''];
  return `| ${[`\`${id}\``, level, party, needs.join(', '), span, cell(statement), cell(source), ...seen].join(' | ')} |`;
}

/** The rows of a committed table, by the clause that they are about. */
function committed<Value>(
  name: string,
  column: number,
  valueOf: (rows: readonly (readonly string[])[]) => Value,
): ReadonlyMap<string, Value> {
  const lines = readFileSync(new URL(name, BASELINE), 'utf8').split('\n');
  const rows = lines.filter((line) => line.startsWith('| `')).map((line) => line.slice(2, -2).split(' | '));
  const byClause = Map.groupBy(rows, (row) => (row[column] ?? '').replaceAll('`', ''));
  return new Map([...byClause].map(([clause, ofClause]) => [clause, valueOf(ofClause)]));
}

/** The checks that judged a clause, or observed a gap. */
const EMITTED = committed('emitted.md', 0, ([row]) => row?.[1] ?? '');
/** How many mutants of a clause there are. */
const MUTANTS = committed('mutants.md', 1, (rows) => String(rows.length));

/** By the rules of the tables, and by what the judges of an account name. */
function judgesOf(id: string): readonly string[] {
  return Object.entries(NAMED_IN).flatMap(([module, named]) => (named.has(id) ? [`\`${module}\``] : []));
}

const NAMED_IN: Readonly<Record<string, ReadonlySet<string>>> = {
  invariants: new Set(INVARIANTS.map(({ clause }) => clause)),
  'exchange-rules': new Set([...EXCHANGE_RULES, ...CREDENTIAL_RULES].map(({ clause }) => clause)),
  ...Object.fromEntries(
    globSync('account/*.ts', { cwd: ORACLE })
      .toSorted()
      .map((file) => {
        const source = readFileSync(new URL(file, ORACLE), 'utf8');
        return [
          path.basename(file, '.ts'),
          new Set([...source.matchAll(/'([a-z-]+\/[\w-]+)'/g)].map(([, id = '']) => id)),
        ];
      }),
  ),
};

/** No part of the specification: kept apart from its chapters and their numbers. */
function linkSection(): string {
  const rows = Object.entries(LINK_CLAUSES).map(
    ([id, statement]) => `| \`${id}\` | ${cell(statement)} | ${EMITTED.get(id) ?? ''} | ${MUTANTS.get(id) ?? ''} |`,
  );
  return `## The device link

What [device-link.md](device-link.md) demands of a service. It is no part of the specification: only a service that is declared
to speak it (\`link: websocket\`) is judged by it, and breaking one of them fails a check.

| id | statement | checks | mutants |
|---|---|---|---|
${rows.join('\n')}
`;
}

function gapSection(kind: Gap['kind'], title: string): string {
  const rows = GAPS.filter((gap) => gap.kind === kind);
  return `## ${title}

| id | chapter | question | stands at | checks |
|---|---|---|---|---|
${rows.map((gap) => `| \`${gap.id}\` | ${gap.chapter} | ${cell(gap.question)} | ${cell(gap.source)} | ${EMITTED.get(gap.id) ?? ''} |`).join('\n')}
`;
}

function inChapter(chapter: Chapter): readonly Clause[] {
  return CLAUSES.filter((clause) => clause.chapter === chapter);
}

/** Text in a table cell: nothing of it may be read as Markdown or HTML. */
function cell(text: string): string {
  return text.replaceAll('<', '&lt;').replaceAll(/[|*]/g, String.raw`\$&`);
}

function link(title: string): string {
  return `[${title}](#${title.toLowerCase().replaceAll(' ', '-')})`;
}
