/**
 * Sight: what a scenario sees of computers and printers. Without a link, jobs go to a printer that platen
 * does not run, or to none: then what becomes of them is what the API and webhooks say.
 */

import type { Target } from '../../targets/target.ts';

/** What cannot be seen, as a sentence; undefined where the room of a scenario can connect. */
export function unseenOn({ kind, link, linkName, usePrinter }: Target): string | undefined {
  if (kind === 'embedded' || link !== undefined || linkName !== undefined) return undefined;
  const jobs =
    usePrinter === undefined
      ? 'The service has no link, and `use:` names no printer, so no job can be submitted.'
      : `Jobs go to the printer '${usePrinter}', which platen does not run: what becomes of them is what the service says.`;
  return `${jobs} Paper, printers and computers cannot be seen.`;
}
