/**
 * Text in XML and HTML: nothing of it is read as markup, and no character is in it that a document may not have.
 */

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** What neither XML 1.0 nor HTML allows: control characters, halves of surrogate pairs, two noncharacters. */
const FORBIDDEN = /[\p{Cc}\p{Cs}\uFFFE\uFFFF]/gu;
const ALLOWED_CONTROLS = '\t\n\r';

/** The text without characters that a document may not have. */
export function documentText(text: string): string {
  return text.replaceAll(FORBIDDEN, (found) => (ALLOWED_CONTROLS.includes(found) ? found : '\uFFFD'));
}

export function xmlText(text: string): string {
  return documentText(text).replaceAll(/[&<>"']/g, (found) => ENTITIES[found] ?? found);
}

export function xmlQuoted(text: string): string {
  return `"${xmlText(text).replaceAll('\r', '&#13;').replaceAll('\n', '&#10;').replaceAll('\t', '&#9;')}"`;
}
