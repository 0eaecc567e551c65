/**
 * platen analyze: judges a stored run, or recorded traffic, without the service.
 */

import { existsSync } from 'node:fs';
import path from 'node:path';

import type { Command } from 'commander';

import { usageError } from '../common/actionable-error.ts';
import { countOf } from '../common/count-of.ts';
import { messageOf } from '../common/error-message.ts';
import { readGivenFile } from '../common/given-file.ts';
import type { StoredExchange } from '../conformance/verdict/analysis.ts';
import { describeMismatch } from '../oracle/mismatch.ts';
import type { BrokenByTraffic, TrafficJudgement } from '../oracle/traffic.ts';
import { EXCHANGE_LOG } from '../record/words.ts';
import type { Level } from '../specification/clause.ts';
import { EXIT, type ExitCode } from './exit-code.ts';
import { noPrinting, readArchive } from './files/archive-file.ts';
import { readRunRecord, recordFileOf } from './files/record-file.ts';
import { jsonOption } from './options/option-values.ts';
import { out, outJson, type Lines } from './screen/terminal.ts';

export function analyzeCommand(program: Command, finish: (code: ExitCode) => void): void {
  program
    .command('analyze')
    .description(
      'judge a stored run again, or traffic that a browser, a proxy or a test recorded, without the service; exit code 1 if a run contradicts its record, or exchanges break a clause',
    )
    .argument('<run>', 'folder or run.json of a run of platen check; or an HTTP archive (.har)')
    .addOption(jsonOption())
    .option('--caller', 'judge the app that sent the requests of an HTTP archive (.har)')
    .action(async (run: string, flags: { readonly json?: true; readonly caller?: true }) => {
      if (!flags.caller) return finish(await (/\.har$/i.test(run) ? analyzeArchive : analyze)(run, flags));
      const { analyzeCaller } = await import('./analyze-caller.ts');
      return finish(await analyzeCaller(run, flags));
    });
}

async function analyzeArchive(file: string, { json }: { readonly json?: true }): Promise<ExitCode> {
  const { judgeTraffic } = await import('../oracle/traffic.ts');
  const judgement = judgeTraffic(await readArchive(file));
  const { service, exchanges } = judgement;
  if (service === undefined) throw noPrinting(file);
  if (json) outJson(judgement);
  else out(trafficLines(judgement));
  if (judgement.broken.some(({ level }) => level === 'must')) return EXIT.failed;
  return exchanges === 0 ? EXIT.incomplete : EXIT.good;
}

/** What is broken, the worst first; what may be; and how it went. */
function trafficLines({ service, exchanges, leftOut, judged, broken, unexplained }: TrafficJudgement): Lines {
  const of = (level: Level): readonly BrokenByTraffic[] => broken.filter((one) => one.level === level);
  const [must, should] = [of('must'), of('should')];
  const verdict = exchanges === 0 ? 'INCOMPLETE' : must.length > 0 ? 'FAILED' : 'PASSED';
  return [
    ...must.map((one) => `broken   ${told(one)}`),
    ...should.map((one) => `advice   ${told(one)}`),
    ...unexplained.map((one) => `unless others did it   ${one.clause}: ${describeMismatch(one)}`),
    `${verdict}: ${countOf(exchanges, 'exchange')} with ${service}, judged by ${countOf(judged, 'clause')}: ` +
      `${must.length} broken, ${should.length} not as recommended, ${unexplained.length} not explained by what was recorded`,
    ...leftOutLines(leftOut),
  ];
}

function told({ clause, count, judged, example }: BrokenByTraffic): string {
  return `${clause}: ${describeMismatch(example)} (${count} of ${countOf(judged, 'exchange')})`;
}

function leftOutLines({ elsewhere, unanswered, bodyless }: TrafficJudgement['leftOut']): readonly string[] {
  const lines: readonly (readonly [number, string])[] = [
    [elsewhere, 'with other services'],
    [unanswered, 'without an answer'],
    [bodyless, 'whose body was not kept'],
  ];
  return lines.filter(([count]) => count > 0).map(([count, why]) => `not judged: ${countOf(count, 'exchange')} ${why}`);
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

const WITHOUT_LOG = 'Remove it to analyze the record alone.';

/** The exchanges of the log beside a record; undefined if there is no log. */
async function exchangesBeside(file: string): Promise<readonly StoredExchange[] | undefined> {
  const { readExchangeLog } = await import('../conformance/record/exchange-log.ts');
  const log = path.join(path.dirname(file), EXCHANGE_LOG);
  if (!existsSync(log)) return undefined;
  const compressed = await readGivenFile(log, WITHOUT_LOG);
  try {
    return readExchangeLog(compressed).map(
      ({ method, path: asked, asked: headers, status, headers: answered, body, isAltered, sentMs, receivedMs }) => ({
        request: { method, path: asked, headers },
        response: { status, headers: answered, body: Buffer.from(body) },
        isAltered,
        sentMs,
        receivedMs,
      }),
    );
  } catch (error) {
    throw usageError(`${log} is not a log of exchanges: ${messageOf(error)}`, WITHOUT_LOG);
  }
}
