/**
 * platen analyze --caller: judges recorded traffic of an app by the clauses that a caller keeps.
 */

import { countOf } from '../common/count-of.ts';
import { historyOfArchive } from '../oracle/caller/archive-history.ts';
import { trafficBreaks } from '../oracle/caller/traffic-rules.ts';
import { CLAUSES } from '../specification/clauses.ts';
import { EXIT, type ExitCode } from './exit-code.ts';
import { noPrinting, readArchive } from './files/archive-file.ts';
import { out, outJson } from './screen/terminal.ts';

/** Requests of the printing API that an archive of a browser may have many others beside. */
const PRINTING = /^[A-Z]+ \/(printjobs|printers|computers|webhooks?|whoami|account|scales?|noop|ping)\b/;

export async function analyzeCaller(file: string, { json }: { readonly json?: true }): Promise<ExitCode> {
  const history = historyOfArchive(await readArchive(file));
  const requests = history.requests.filter(({ place }) => PRINTING.test(place));
  if (requests.length === 0) throw noPrinting(file);
  const unknown = { said: undefined, usual: () => 1, hasMissedPage: false };
  const breaks = trafficBreaks({ ...history, requests }, unknown).map((broken) => ({
    ...broken,
    level: CLAUSES.find(({ id }) => id === broken.clause)?.level ?? 'should',
  }));
  const broken = breaks.filter(({ level }) => level === 'must');
  if (json) outJson({ requests: requests.length, breaks });
  else {
    for (const { clause, level, at, expected, actual } of breaks) {
      out([
        `${level === 'must' ? 'broken' : 'advice'}   ${clause} at ${at}`,
        `         expected ${expected}`,
        `         actual   ${actual}`,
      ]);
    }
    out(
      `${countOf(requests.length, 'request')} judged: ${broken.length} broken, ${breaks.length - broken.length} to think about. ` +
        'What came out of printers is not in an archive: platen exec --provoke tries that.',
    );
  }
  return broken.length > 0 ? EXIT.failed : EXIT.good;
}
