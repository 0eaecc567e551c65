/**
 * platen analyze: judges a stored run again, without the target.
 */

import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

import type { Command } from 'commander';

import { usageError } from '../common/actionable-error.ts';
import { countOf } from '../common/count-of.ts';
import { messageOf } from '../common/error-message.ts';
import type { StoredExchange } from '../conformance/verdict/analysis.ts';
import { EXCHANGE_LOG } from '../record/words.ts';
import { EXIT, type ExitCode } from './exit-code.ts';
import { readRunRecord, recordFileOf } from './files/record-file.ts';
import { jsonOption } from './options/option-values.ts';
import { out, outJson } from './screen/terminal.ts';

export function analyzeCommand(program: Command, finish: (code: ExitCode) => void): void {
  program
    .command('analyze')
    .description(
      'judge a stored run again, without the service; exit code 1 if it contradicts its record, or responses break what it did not judge',
    )
    .argument('<run>', 'folder or run.json of a run of platen check')
    .addOption(jsonOption())
    .action(async (run: string, flags: { readonly json?: true }) => finish(await analyze(run, flags)));
}

async function analyze(run: string, { json }: { readonly json?: true }): Promise<ExitCode> {
  const { analyzeRun } = await import('../conformance/verdict/analysis.ts');
  const file = recordFileOf(run);
  const record = await readRunRecord(file);
  const exchanges = await exchangesBeside(file);
  const analysis = analyzeRun(record, exchanges ?? []);
  const isWhole = exchanges?.length === record.summary.requests;
  if (json) outJson({ ...analysis, isWhole });
  else {
    const { findings, contradictions } = analysis;
    for (const line of [...findings, ...contradictions]) out(line);
    out(
      `${analysis.checks} checks and ${analysis.judgements} judgements recounted, ` +
        `${analysis.exchanges} of ${record.summary.requests} exchanges judged by ${analysis.invariants} rules: ` +
        [
          ...(findings.length > 0 ? [`${countOf(findings.length, 'finding')} beside the record`] : []),
          contradictions.length === 0 ? 'no contradiction' : countOf(contradictions.length, 'contradiction'),
        ].join(', '),
    );
  }
  if (analysis.contradictions.length + analysis.findings.length > 0) return EXIT.failed;
  return isWhole ? EXIT.good : EXIT.incomplete;
}

/** The exchanges of the log beside a record; undefined if there is no log. */
async function exchangesBeside(file: string): Promise<readonly StoredExchange[] | undefined> {
  const { readExchangeLog } = await import('../conformance/record/exchange-log.ts');
  const log = path.join(path.dirname(file), EXCHANGE_LOG);
  if (!existsSync(log)) return undefined;
  try {
    return readExchangeLog(readFileSync(log)).map(
      ({ method, path: asked, asked: headers, status, headers: answered, body, isAltered, sentMs, receivedMs }) => ({
        request: { method, path: asked, headers },
        response: { status, headers: answered, body: Buffer.from(body) },
        isAltered,
        sentMs,
        receivedMs,
      }),
    );
  } catch (error) {
    throw usageError(`${log} is not a log of exchanges: ${messageOf(error)}`, 'Remove it to analyze the record alone.');
  }
}
