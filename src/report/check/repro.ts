/**
 * Repro: a failure as a shell script, for a developer who has curl and knows nothing of platen. It ends with 1 for as
 * long as the failure is there, with 0 once it is repaired, and with 2 where what comes before could not be done.
 *
 *   requests of the check, in order ─► ids that the service gave out ─► captured, for the requests after them
 *                                  ├─► the check's computer and its printer ─► a printer of the account
 *                                  └─► the request that showed it ─► what was expected, as a condition
 *
 * What a shell cannot do (be a computer, have two of them, receive a webhook, compare two lists) is left to
 * `platen replay`, and the script says so.
 */

import { shellArgument, shellWord } from '../../common/shell-word.ts';
import { fileURLToPath } from 'node:url';

import type { CheckRecord, CheckRunRecord, ExchangeRecord, JudgementRecord } from '../../record/check-record.ts';
import { replayLine } from '../view/check-view.ts';

/** The platen that writes the script; the same file seen from `src/report/check` and from `dist/report/check`. */
const BIN = fileURLToPath(new URL('../../../bin/platen.js', import.meta.url));

type Mismatch = NonNullable<JudgementRecord['mismatch']>;

/** The script of a failure. It stands in a folder of its own, two below run.json. */
export function renderRepro(check: CheckRecord, record: CheckRunRecord): string {
  const conditions = conditionsOf(check);
  const reason = whyReplay(check, conditions);
  if (reason !== undefined) return replayScript(check, record, reason);
  const script = curlScript(check, record, conditions);
  return script ?? replayScript(check, record, 'it names things that it did not make itself');
}

/** What a shell can judge of the answer to one request. */
interface Condition {
  readonly exchange: number;
  readonly test: string;
}

function brokenOf({ evidence }: CheckRecord): readonly Mismatch[] {
  return evidence.judgements.flatMap(({ mismatch }) => mismatch ?? []);
}

/** Undefined for a mismatch that no shell can judge. */
function conditionsOf(check: CheckRecord): readonly (Condition | undefined)[] {
  return brokenOf(check).map((mismatch) => {
    const test = testOf(mismatch);
    return test === undefined || mismatch.exchange === undefined ? undefined : { exchange: mismatch.exchange, test };
  });
}

/** What may stand in a pattern of the script. */
const PLAIN_VALUE = /^[\w ;=./*+-]+$/;

function testOf({ wanted: { status, code, header, value } = {} }: Mismatch): string | undefined {
  if (status !== undefined) return `has_status ${shellArgument(status)}`;
  if (code !== undefined) return `has_code ${shellArgument(code)}`;
  if (header === undefined) return undefined;
  if (value === undefined) return `has_header ${shellWord(`${header}: *[^ ]`)}`;
  if (!PLAIN_VALUE.test(value)) return undefined;
  return `has_header ${shellWord(`${header}: *${value.replaceAll(/[.*+]/g, String.raw`\$&`)} *$`)}`;
}

/** What only platen can do again; undefined where curl will do. */
function whyReplay(check: CheckRecord, conditions: readonly (Condition | undefined)[]): string | undefined {
  const { evidence, needs } = check;
  if (needs.includes('webhook-receiver')) return 'it needs a webhook receiver';
  if (needs.includes('scale') || needs.includes('websocket')) return 'it needs a scale at a computer';
  if (needs.includes('virtual-clock')) return 'it needs a clock that can be advanced';
  const sends = /"type":"(job-state|scales|reading)"/;
  if (evidence.frames?.some(({ from, text }) => from === 'computer' && sends.test(text))) {
    return 'a computer has to be connected and to report something';
  }
  if (computersOf(check).length > 1) return 'computers have to be connected more than once';
  if (evidence.exchanges.some(isChangeOfComputer)) return 'it changes a computer, which should be one of its own';
  if (evidence.exchanges.some(({ curl }) => /body\.bin|PLATEN_KEY_OF_CHECK/.test(curl))) {
    return 'it sends a large body, or a key that was made for it';
  }
  if (conditions.length === 0) return 'the service did not answer';
  const isShown = (one: Condition | undefined): boolean =>
    one !== undefined && evidence.exchanges.some(({ position }) => position === one.exchange);
  return conditions.every(isShown) ? undefined : 'what is expected cannot be judged in a shell';
}

/** The id of its computer for each connection of one, as far as the record shows them. */
function computersOf({ evidence }: CheckRecord): readonly string[] {
  return (evidence.frames ?? []).flatMap(({ from, text }) => {
    const [, id] = from === 'service' ? (/^\{"type":"welcome".*?"computerId":(\d+)/.exec(text) ?? []) : [];
    return id === undefined ? [] : [id];
  });
}

function isChangeOfComputer({ request: { method, path } }: ExchangeRecord): boolean {
  return method !== 'GET' && /^\/(computers|printers)(\/|$)/.test(path);
}

function head(check: CheckRecord, record: CheckRunRecord): readonly string[] {
  const broken = check.evidence.judgements.flatMap(({ clause, mismatch }) => {
    if (!mismatch) return [];
    const level = Object.hasOwn(record.clauses, clause) ? ` (${record.clauses[clause]?.level})` : '';
    return [
      `${clause}${level}`,
      `  at       ${mismatch.at}`,
      `  expected ${mismatch.expected}`,
      `  actual   ${mismatch.actual}`,
    ];
  });
  const lines = [`${check.id}: ${check.title}`, ...(broken.length > 0 ? broken : [check.message]), ''];
  const ends = 'Exits with 1 while it is broken, with 0 once it is repaired.';
  return ['#!/bin/sh', ...lines.map(comment), comment(ends)];
}

/** One line, whatever the target put into it. */
function comment(text: string): string {
  return `# ${text.replaceAll(/\p{Cc}+/gu, ' ')}`.trimEnd();
}

function replayScript(check: CheckRecord, record: CheckRunRecord, reason: string): string {
  return [
    ...head(check, record),
    comment(`curl cannot repeat this one, because ${reason}: platen replay does.`),
    comment('Set PLATEN to run another command than the platen that wrote this, such as PLATEN="npx platen".'),
    // Not in its own folder: what starts the service names files of the folder where the run was.
    'run="$(dirname "$0")/../../run.json"',
    // Never a package by name: outside a project that has it, npx would fetch one from the registry.
    `if [ -z "$PLATEN" ]; then platen() { ${quote(process.execPath)} ${quote(BIN)} "$@"; }`,
    'else platen() { $PLATEN "$@"; }; fi',
    `${replayLine(['"$run"', shellArgument(check.id)], record.target)} --out "\${TMPDIR:-/tmp}/platen-repro-$$"`,
    '',
  ].join('\n');
}

const FUNCTIONS = `RUN=$(date +%s)$$
broken=0
head_of() { printf '%s\\n' "$answer" | tr -d '\\r' | sed '/^$/q'; }
body_of() { printf '%s\\n' "$answer" | tr -d '\\r' | sed '1,/^$/d'; }
status_of() { head_of | sed -n 's/^HTTP[^ ]* \\([0-9]*\\).*/\\1/p' | tail -n 1; }
has_status() { status_of | grep -q "^$1$"; }
has_header() { head_of | grep -qi "^$1"; }
has_code() { body_of | grep -q "\\"code\\" *: *\\"$1\\""; }
# The nth value of a field, or the whole body where it is a bare number.
value_of() { body_of | grep -o "\\"$1\\" *: *\\"\\{0,1\\}[^,}\\"]*" | sed -n "$2s/.*: *\\"\\{0,1\\}//p"; }
number_of() { body_of | tr -dc 0-9; }
expect() { if "$@"; then echo "  as expected: $*"; else echo "  BROKEN, expected: $*"; broken=1; fi; }
away() { echo "no answer from $PLATEN_URL: start the service, and give its address in PLATEN_URL" >&2; exit 75; }
# What comes before the failure: without it nothing is known of the failure.
setup() {
  if has_status '2..'; then return; fi
  body_of; echo "  could not set up"
  if [ $broken = 1 ]; then exit 1; else exit 2; fi
}`;

/** Undefined where a request names what the script cannot find again. */
function curlScript(
  check: CheckRecord,
  record: CheckRunRecord,
  conditions: readonly (Condition | undefined)[],
): string | undefined {
  const { exchanges } = check.evidence;
  const judged = conditions.map((one) => one?.exchange ?? -1);
  const sent = exchanges.filter(({ position }) => position <= Math.max(...judged));
  const ids = new Ids(check);
  const commands = sent.flatMap((exchange, index) => {
    const waitedMs = exchange.waitedMs - (sent[index - 1]?.waitedMs ?? 0);
    const command = ids.inCommand(exchange, record.target.baseUrl);
    const captures = ids.captureFrom(exchange, sent.slice(index + 1));
    const { position, response } = exchange;
    const isNeeded = position < Math.min(...judged) || captures.length > 0;
    const isSetup = isNeeded && isSuccess(response.status) && !judged.includes(position);
    return [
      '',
      ...(waitedMs >= 100 ? [`sleep ${Math.ceil(waitedMs / 1_000)}`] : []),
      `echo ${quote(`${exchange.request.method} ${exchange.request.path}`)}`,
      `answer=$(${command}) || away`,
      'echo "  answered $(status_of)"',
      ...(isSetup ? ['setup'] : []),
      ...captures,
      ...conditions.flatMap((one) => (one?.exchange === position ? [`expect ${one.test}`] : [])),
    ];
  });
  if (ids.areLost) return undefined;
  return [
    ...head(check, record),
    comment('Exits with 2 if an earlier request is refused, which says nothing about the failure.'),
    comment('It leaves what it creates. Set PLATEN_URL to try it on another address.'),
    '',
    ...keysIn(commands).map(
      (key) => `if [ -z "$${key}" ]; then echo 'set ${key} to an API key of the service' >&2; exit 2; fi`,
    ),
    `PLATEN_URL=\${PLATEN_URL:-${quote(record.target.baseUrl)}}`,
    FUNCTIONS,
    ...ids.fromAccount(),
    ...commands,
    '',
    'exit $broken',
    '',
  ].join('\n');
}

/** The variables of keys that these commands use. */
function keysIn(commands: readonly string[]): readonly string[] {
  const used = commands.flatMap((line) => [...line.matchAll(/\$(PLATEN_\w+)/g)].map(([, key = '']) => key));
  return [...new Set(used)].filter((key) => key !== 'PLATEN_URL');
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

function quote(text: string): string {
  return shellWord(text.replaceAll(/\p{Cc}+/gu, ' '));
}

/** Ids of the run, and the shell variables that hold those of now. */
class Ids {
  readonly #variables = new Map<string, string>();
  readonly #ofAccount: readonly string[];
  /** Ids that the service gave to something. */
  readonly #given: ReadonlySet<string>;
  #areLost = false;

  constructor(check: CheckRecord) {
    const { evidence } = check;
    const [computer] = computersOf(check);
    if (computer !== undefined) this.#variables.set(`computer ${computer}`, 'COMPUTER_ID');
    const listed = evidence.exchanges.find(({ request }) => request.path.startsWith(`/computers/${computer}/printers`));
    const [, printer] = /"id":(\d+)/.exec(listed?.response.body ?? '') ?? [];
    if (printer !== undefined) this.#variables.set(`printer ${printer}`, 'PRINTER_ID');
    this.#ofAccount = computer === undefined ? [] : ['COMPUTER_ID', 'PRINTER_ID'];
    const answers = evidence.exchanges.map(({ response }) => response.body).join('\n');
    this.#given = new Set([
      ...computersOf(check),
      ...[...answers.matchAll(/"\w*[iI]d" *: *(\d+)/g)].map(([, id = '']) => id),
    ]);
  }

  /** Whether a command contains an id of the original run without a variable for it. */
  get areLost(): boolean {
    return this.#areLost;
  }

  /** Lines that find a computer and its printer in the account, where the check had connected one. */
  fromAccount(): readonly string[] {
    if (this.#ofAccount.length === 0) return [];
    return [
      '',
      comment('The check had its own computer. This one belongs to the account: jobs may be printed on it.'),
      'if [ -z "$PRINTER_ID" ]; then',
      '  answer=$(curl -sS -i -u "$PLATEN_API_KEY:" "$PLATEN_URL/printers?limit=1") || away',
      // The record of a printer begins with its own id, and has that of its computer inside.
      '  PRINTER_ID=$(value_of id 1)',
      '  COMPUTER_ID=$(value_of id 2)',
      'fi',
      'if [ -z "$PRINTER_ID" ]; then',
      '  echo "the account has no printer: connect one, for example with platen room $PLATEN_URL, or use platen replay"',
      '  exit 2',
      'fi',
    ];
  }

  /** A line for each id in an answer that a later request has in it. */
  captureFrom(exchange: ExchangeRecord, later: readonly ExchangeRecord[]): readonly string[] {
    const { position, response, request } = exchange;
    const kind = kindOfPath(request.path);
    const isUsed = (id: string): boolean =>
      later.some(({ curl }) => placesOf(kind, id).some((place) => place.test(curl)));
    const variable = `ID_${position}`;
    if (/^\s*\d+\s*$/.test(response.body) && isUsed(response.body.trim())) {
      this.#variables.set(`${kind} ${response.body.trim()}`, variable);
      return [`${variable}=$(number_of)`];
    }
    if (request.method === 'GET') return [];
    const fields = [...response.body.matchAll(/"(\w*[iI]d)" *: *(\d+)/g)];
    return fields.flatMap(([, field = '', id = ''], index) => {
      if (!isUsed(id) || this.#variables.has(`${kind} ${id}`)) return [];
      const nth = fields.slice(0, index + 1).filter(([, one]) => one === field).length;
      this.#variables.set(`${kind} ${id}`, `${variable}_${index}`);
      return [`${variable}_${index}=$(value_of ${field} ${nth})`];
    });
  }

  /** The command with the ids of now, in the way of quoting that it has. */
  inCommand({ curl, request }: ExchangeRecord, baseUrl: string): string {
    this.#areLost ||= idsIn(request).some(([kind, id]) => this.#given.has(id) && !this.#variables.has(`${kind} ${id}`));
    let command = curl.replaceAll(`'${baseUrl}`, `"$PLATEN_URL"'`).replaceAll(/platen-[0-9a-f]{8}/g, `platen-'"$RUN"'`);
    for (const [key, variable] of this.#variables) {
      const [kind = '', id = ''] = key.split(' ');
      for (const place of placesOf(kind, id)) command = command.replaceAll(place, `$1'"$${variable}"'`);
    }
    return command;
  }
}

/** What the ids in the answers to a path are of: `/printjobs/…` → `printjob`. */
function kindOfPath(path: string): string {
  return (/^\/(\w+?)s?(?:[/?]|$)/.exec(path)?.[1] ?? '').toLowerCase();
}

/** Where an id of this kind stands in a command: in a path, alone or in a set; in a field or a header of its name. */
function placesOf(kind: string, id: string): readonly RegExp[] {
  return [
    new RegExp(`(/${kind}s?/(?:states/)?(?:[^/' ]*,)?)${id}(?![0-9])`, 'gi'),
    new RegExp(`(/${kind}s?[?][^' ]*after=)${id}(?![0-9])`, 'gi'),
    new RegExp(`("${kind}Id" *: *)${id}(?![0-9])`, 'gi'),
    new RegExp(`(\\b${kind}Id=)${id}(?![0-9])`, 'gi'),
    ...(kind === 'account' ? [new RegExp(`(X-Child-Account-By-Id: )${id}(?![0-9])`, 'gi')] : []),
  ];
}

/** The ids in a request, in the places of placesOf, each with the kind of what it is of. */
function idsIn({ path, body }: ExchangeRecord['request']): readonly (readonly [kind: string, id: string])[] {
  const inPath = [...path.matchAll(/\/(\w+?)s?\/(?:states\/)?(\d+(?:,\d+)*)(?![\w-])/g)];
  const after = [...path.matchAll(/\/(\w+?)s?\?(?:.*&)?after=(\d+)(?!\w)/g)];
  const inBody = [...body.matchAll(/\b(\w+)Id(?:" *: *|=)(\d+)(?!\w)/g)];
  return [...inPath, ...after, ...inBody].flatMap(([, kind = '', ids = '']) =>
    ids.split(',').map((id) => [kind.toLowerCase(), id] as const),
  );
}
