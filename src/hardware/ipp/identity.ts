/**
 * Identity of a printer: attributes that say which one it is, where it stands and how it is at the moment. Two
 * printers of one model differ in these alone, so that a clone does not take them over.
 */

import type { IppAttribute } from './attribute.ts';

const NAMES: ReadonlySet<string> = new Set([
  'device-uuid',
  'printer-asset-tag',
  'printer-contact-col',
  'printer-dns-sd-name',
  'printer-geo-location',
  'printer-info',
  'printer-is-accepting-jobs',
  'printer-location',
  'printer-name',
  'printer-organization',
  'printer-organizational-unit',
  'printer-serial-number',
  'printer-state',
  'printer-state-message',
  'printer-state-reasons',
  'printer-up-time',
  'queued-job-count',
  'uri-authentication-supported',
  'uri-security-supported',
]);

/** Its times, alerts and addresses are its own as well. */
const OWN = /-change-(date-)?time$|^printer-alert/;

export function isIdentity({ name, values }: IppAttribute): boolean {
  return NAMES.has(name) || OWN.test(name) || values.every(({ type }) => type === 'uri' || type === 'dateTime');
}
