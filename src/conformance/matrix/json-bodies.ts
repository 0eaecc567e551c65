/**
 * JSON bodies: what a body says is the same in every spelling of JSON, and however it is sent.
 *
 *   escaped, in chunks, with a charset ─► what the account shows ─► as sent?   no: as plain JSON? Then each alone.
 *   without a Content-Type             ─►
 */

import type { Mismatch } from '../../oracle/mismatch.ts';
import type { Endpoint } from '../../specification/clause.ts';
import type { ClauseId } from '../../specification/clauses.ts';
import { MEDIA_TYPES } from '../../specification/headers.ts';
import type { Write } from '../context/children.ts';
import type { CheckContext } from '../context/context.ts';
import { spellJson } from '../generate/json-spellings.ts';
import { bodyRules, hasTrials, tryBody, type BrokenBody } from './body-trials.ts';
import { atEndpoint, firstReason, type MatrixRule } from './matrix-rule.ts';

export const JSON_COLUMN = 'the same JSON, spelt and sent in other ways';

/** Beyond ASCII, beyond two bytes, a letter of two characters, and what JSON escapes. */
const ODD_TAIL = '-\u{1F5A8}e\u0301\u00e9"\\/';
/** Not every service may take it in a name: less as well. */
const TAILS = [ODD_TAIL.padEnd(64, '-'), ODD_TAIL, '-\u00e9', ''] as const;

interface Way {
  readonly what: string;
  readonly clause: ClauseId;
  readonly write: Write;
  /** The status by which it may be refused. */
  readonly mayBe?: number;
  /** Where it is several in one: each alone, to find the one at fault. */
  readonly parts?: readonly Way[];
}

const typed = (type: string, body: string): ReturnType<Write> => ({ headers: [['Content-Type', type]], body });
const ESCAPED = { space: '\r\n\t ', escapes: true } as const;
const WITH_CHARSET = `${MEDIA_TYPES.json.value}; charset=utf-8`;
/** HTTP lets a server ask for a Content-Length. */
const LENGTH_REQUIRED = 411;

const PARTS: readonly Way[] = [
  {
    what: 'JSON with every character escaped',
    clause: 'service/json-bodies',
    write: (value) => typed(MEDIA_TYPES.json.value, spellJson(value, ESCAPED)),
  },
  {
    what: 'JSON in chunks',
    clause: 'service/json-bodies',
    write: (value) => ({ ...typed(MEDIA_TYPES.json.value, JSON.stringify(value)), isChunked: true }),
    mayBe: LENGTH_REQUIRED,
  },
  {
    what: 'JSON with a charset in its Content-Type',
    clause: 'service/json-bodies',
    write: (value) => typed(WITH_CHARSET, JSON.stringify(value)),
  },
];

const WAYS: readonly Way[] = [
  {
    what: 'JSON in chunks, with every character escaped and a charset',
    clause: 'service/json-bodies',
    write: (value) => ({ ...typed(WITH_CHARSET, spellJson(value, ESCAPED)), isChunked: true }),
    parts: PARTS,
  },
  {
    what: 'JSON without a Content-Type',
    clause: 'service/json-assumed',
    write: (value) => ({ body: JSON.stringify(value) }),
  },
];

const whyNot =
  (isForChild: boolean): MatrixRule['whyNot'] =>
  (endpoint) =>
    firstReason(
      [endpoint.body.kind === 'none', 'takes no body'],
      [endpoint.body.kind === 'not shown', 'its body is not shown'],
      [!hasTrials(endpoint), 'shows its fields at the computer alone'],
      [isForChild !== (endpoint.account !== 'caller'), 'is judged with those of another kind'],
    );

export const JSON_BODY_RULES = bodyRules('json-bodies', {
  column: JSON_COLUMN,
  titles: [
    'Every endpoint reads JSON in any spelling, in chunks, with a charset and without a Content-Type',
    'The endpoints for Child Accounts read JSON in any spelling',
  ],
  whyNot,
  judge: (context, endpoint, party, make) =>
    judgeJson(context, endpoint, async (tail, write) => tryBody(endpoint, party, await make(tail), write)),
});

/** Sends a new body, with this at the end of its texts, written like this. */
type Try = (tail: string, write: Write) => Promise<BrokenBody | undefined>;

/** Judges an endpoint by a body in all ways that JSON is written and sent in. */
export async function judgeJson(context: CheckContext, endpoint: Endpoint, attempt: Try): Promise<void> {
  for (const way of WAYS) await judgeWay(context, endpoint, { way, attempt });
}

async function judgeWay(
  context: CheckContext,
  endpoint: Endpoint,
  { way, attempt }: { readonly way: Way; readonly attempt: Try },
): Promise<void> {
  let asJson: Mismatch | undefined;
  let harmed: Mismatch | undefined;
  for (const tail of TAILS) {
    const broken = await attempt(tail, way.write);
    const plain = broken && (await attempt(tail, (json) => ({ json })));
    if (plain) {
      asJson = plain.mismatch;
      // To take less than that is no harm, to take it and to change it is.
      if (!plain.isRefused) harmed ??= plain.mismatch;
      continue;
    }
    context.judge('service/text-unharmed', atEndpoint(endpoint, 'JSON', harmed));
    if (!broken) {
      context.judge(way.clause, undefined);
      return;
    }
    if (!way.parts) context.judge(way.clause, atEndpoint(endpoint, way.what, broken.mismatch));
    for (const part of way.parts ?? []) {
      const alone = await attempt(tail, part.write);
      const mayBe = alone?.isRefused === true && alone.status === part.mayBe;
      context.judge(part.clause, atEndpoint(endpoint, part.what, mayBe ? undefined : alone?.mismatch));
    }
    return;
  }
  context.require(asJson);
}
