/**
 * Reporters: every form a run can be shown in, by name. Each is a function of records alone: the same run.json gives
 * the same bytes.
 *
 *   each      a file for each run: where a format has one run a document
 *   together  one file for all of them, side by side
 */

import type { RunRecord } from '../record/run-record.ts';
import { renderBadge } from './badge.ts';
import { renderCtrf } from './ctrf.ts';
import { renderGithubSummary } from './github.ts';
import { renderHtml } from './html/page.ts';
import { renderJson, renderNdjson } from './json.ts';
import { renderJunit } from './junit.ts';
import type { ReporterName } from './reporter-names.ts';

type Content = string | Uint8Array;

interface Reporter {
  readonly file: string;
  readonly each?: (record: RunRecord) => Content;
  readonly together?: (records: readonly RunRecord[]) => Content | Promise<Content>;
}

const REPORTERS: Readonly<Record<Exclude<ReporterName, 'terminal'>, Reporter>> = {
  json: { file: 'run.json', each: renderJson },
  ndjson: { file: 'run.ndjson', together: renderNdjson },
  junit: { file: 'junit.xml', each: renderJunit },
  ctrf: { file: 'ctrf.json', each: renderCtrf },
  github: { file: 'github-summary.md', together: renderGithubSummary },
  html: { file: 'report.html', together: renderHtml },
  // Its library takes longer to load than all others take to write.
  pdf: { file: 'report.pdf', together: async (records) => (await import('./pdf/document.ts')).renderPdf(records) },
  badge: { file: 'badge.svg', each: renderBadge },
};

/** Names of files and what stands in them; of several runs `junit-1.xml`, `junit-2.xml` and so on. */
export async function reportFiles(
  records: readonly RunRecord[],
  names: readonly ReporterName[],
): Promise<ReadonlyMap<string, Content>> {
  const files = new Map<string, Content>();
  for (const name of names) {
    if (name === 'terminal') continue;
    const { file, each, together } = REPORTERS[name];
    if (together) files.set(file, await together(records));
    for (const [index, record] of each ? records.entries() : []) {
      if (each) files.set(records.length === 1 ? file : numbered(file, index + 1), each(record));
    }
  }
  return files;
}

function numbered(file: string, number: number): string {
  const dot = file.lastIndexOf('.');
  return `${file.slice(0, dot)}-${number}${file.slice(dot)}`;
}
