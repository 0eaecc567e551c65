/**
 * Link from a module: how a service is reached that does not speak docs/device-link.md. The module exports
 * `link`, a DeviceLink.
 */

import { pathToFileURL } from 'node:url';

import { ActionableError } from '../common/actionable-error.ts';
import type { DeviceLink } from './device-link.ts';

/**
 * The link that a module exports.
 *
 * @param file - absolute path
 * @throws ActionableError of kind usage when it cannot be loaded, or exports none
 */
export async function loadLink(file: string): Promise<DeviceLink> {
  const found = (await import(pathToFileURL(file).href).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ActionableError(
      'usage',
      `cannot load ${file}: ${reason}`,
      'Name a module that exports `link`.',
    );
  })) as { readonly link?: DeviceLink };
  if (typeof found.link?.open === 'function') return found.link;
  throw new ActionableError(
    'usage',
    `${file} exports no \`link\``,
    'Export a DeviceLink of that name: an object with open(request).',
  );
}
