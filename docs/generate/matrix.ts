/**
 * docs/matrix.md: every endpoint by every rule that holds everywhere; in each cell the check that judges it, or the
 * reason why none can.
 */

import { MATRIX_RULES } from '../../src/conformance/matrix/matrix.ts';
import { nameOf } from '../../src/conformance/matrix/matrix-rule.ts';
import type { Endpoint } from '../../src/specification/clause.ts';
import { ENDPOINTS } from '../../src/specification/endpoints.ts';

const RULES = Object.entries(MATRIX_RULES);
const COLUMNS = [...new Set(RULES.flatMap(([, { columns }]) => columns))];

interface Cell {
  /** Ids of the checks that judge it. */
  readonly checks: readonly string[];
  /** Why none does; empty where one does. */
  readonly reason: string;
}

/** docs/matrix.md, as it should be. @throws Error when a cell is empty */
export function matrixPage(): string {
  const rows = ENDPOINTS.map((endpoint) => ({ endpoint, cells: COLUMNS.map((column) => cellOf(endpoint, column)) }));
  const cells = rows.flatMap((row) => row.cells);
  const empty = rows.find((row) => row.cells.some(({ checks, reason }) => checks.length === 0 && reason === ''));
  if (empty)
    throw new Error(`docs/matrix.md: ${nameOf(empty.endpoint)} has a cell without a check and without a reason`);
  const judged = cells.filter(({ checks }) => checks.length > 0).length;
  return [head(cells.length, judged), ...COLUMNS.map((column, index) => section(column, index, rows))].join('\n');
}

function head(cells: number, judged: number): string {
  return `<!-- Written by npm run docs. Edit src/specification/endpoints.ts and src/conformance/matrix, not this page. -->

# The matrix

What holds everywhere is judged everywhere. The table of endpoints in \`src/specification/endpoints.ts\` says of each what it is:
whose things its path names, which parts are sets, whether it lists, which body it takes, what it changes. From that
table follow, by product, ${ENDPOINTS.length} endpoints × ${COLUMNS.length} rules = ${cells} cells: ${judged} are judged by a
check, and for each of the other ${cells - judged} there is a reason why none can.

A check judges each of its endpoints by itself and names it in its message. A request that must be refused has a
positive twin, the same request as it should be, which must succeed; and what all refused requests did together is
judged by what the account lists before and after them. Where that has changed, each request is tried again on new
things, to find the one at fault. Deletions of everything are sent for accounts alone that were made for the run.

Each judged cell is broken in \`test/mutants/matrix\`, by services made from the same table.
`;
}

type Row = { readonly endpoint: Endpoint; readonly cells: readonly Cell[] };

function section(column: string, index: number, rows: readonly Row[]): string {
  const cellsOf = rows.map(({ endpoint, cells }) => ({ endpoint, cell: cells[index] ?? { checks: [], reason: '' } }));
  const lines = cellsOf.map(({ endpoint, cell: { checks, reason } }) => {
    const shown = checks.length > 0 ? checks.map((id) => `\`${id}\``).join(', ') : `– ${reason}`;
    return `| \`${nameOf(endpoint)}\` | ${shown} |`;
  });
  const titles = RULES.filter(([, rule]) => rule.columns.includes(column)).map(([, { title }]) => `${title}.`);
  return `## ${column.slice(0, 1).toUpperCase()}${column.slice(1)}

${titles.join(' ')}

| endpoint | judged by |
|---|---|
${lines.join('\n')}
`;
}

function cellOf(endpoint: Endpoint, column: string): Cell {
  const rules = RULES.filter(([, { columns }]) => columns.includes(column));
  const reasons = rules.map(([id, rule]) => ({ id, reason: rule.whyNot(endpoint) }));
  const checks = reasons.filter(({ reason }) => reason === undefined).map(({ id }) => id);
  return { checks, reason: checks.length > 0 ? '' : (reasons[0]?.reason ?? '') };
}
