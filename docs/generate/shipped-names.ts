/**
 * Shipped names: profiles and documents as types, which editors complete.
 */

import { PRINTER_PROFILES } from '../../src/devices/printer/printer-profile.ts';
import { SCALE_PROFILES } from '../../src/devices/scale/scale-profile.ts';
import { shippedDocuments } from '../../src/workbench/library/document.ts';

const HEAD = `/**
 * Shipped names: what stands in fixtures/, as types that editors complete. Written by \`npm run docs\`.
 */
`;

export function shippedNames(): string {
  return [
    HEAD,
    union('PrinterProfileName', PRINTER_PROFILES.names()),
    union('ScaleProfileName', SCALE_PROFILES.names()),
    union('DocumentName', shippedDocuments().toSorted()),
  ].join('\n');
}

function union(name: string, members: readonly string[]): string {
  return `export type ${name} =\n${members.map((member) => `  | '${member}'`).join('\n')};\n`;
}
