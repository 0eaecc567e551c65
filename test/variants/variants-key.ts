/**
 * Variants key: changes when anything changes that a variant is made of, or that judges it.
 */

import { contentKey } from '../tiers/content-key.ts';

export function variantsKey(): string {
  return contentKey(['test/variants/try-combination.ts', 'test/variants/dimensions/dimensions.ts']);
}
