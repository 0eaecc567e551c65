/** Several of one name: what a message says where a name could mean more than one thing. */

const MOST_SHOWN = 4;

/**
 * `there are 2 printers 'Laser': on FRONT-DESK, BACK-OFFICE`
 *
 * @param places - where they are, as far as they are anywhere
 */
export function severalOf(kind: string, name: string, count: number, places: readonly string[] = []): string {
  const shown = places.slice(0, MOST_SHOWN).join(', ');
  const more = places.length > MOST_SHOWN ? ' …' : '';
  return `there are ${count} ${kind}s '${name}'${shown === '' ? '' : `: on ${shown}${more}`}`;
}
