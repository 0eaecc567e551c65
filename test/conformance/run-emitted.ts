/**
 * Runs every check on the reference service and writes what each of them judged to
 * reports/baseline/emitted.md, from which docs/clauses.md is written.
 *
 * Usage: node test/conformance/run-emitted.ts
 */

import { runConformance } from '../../src/conformance/run/run-conformance.ts';
import { writeBaselinePage } from '../support/baseline-page.ts';
import { startEmbeddedTarget } from '../support/embedded-target.ts';
import { EMITTED_PAGE, emittedPage } from './emitted-page.ts';

const target = await startEmbeddedTarget();
const { outcomes, exitCode } = await runConformance({ target, seed: 1 });
await target.close();
const page = emittedPage(outcomes);
if (exitCode === 0) writeBaselinePage(EMITTED_PAGE, page);
process.stdout.write(`${page.rows.length} clauses and gaps judged by ${outcomes.length} checks\n`);
process.exitCode = exitCode;
