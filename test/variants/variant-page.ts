/** The table of all variants, as it is committed. */

import type { BaselinePage } from '../support/baseline-page.ts';
import type { VariantResult } from './try-variant.ts';
import { VARIANTS, type Variant } from './variants.ts';

export const VARIANT_PAGE = 'variants.md';

export function variantPage(results: readonly VariantResult[]): BaselinePage {
  return {
    title: 'Variants',
    command: 'npm run prove variants',
    about: 'The reference service with a gap filled otherwise each time: the whole suite must let it pass.',
    columns: ['id', 'where', 'what', 'result'],
    rows: VARIANTS.map((variant, index) => variantRow(variant, results[index])),
  };
}

export function variantRow(variant: Variant, result: VariantResult | undefined): readonly string[] {
  return [`\`${variant.id}\``, `\`${variant.where}\``, variant.what, result ? resultText(result) : 'not tried'];
}

function resultText({ alarms, warnedBy, undecided }: VariantResult): string {
  const parts = [
    alarms.length === 0 ? 'passes' : `**alarm**: ${checkIds(alarms.map((alarm) => alarm.split(' ')[0] ?? ''))}`,
    warnedBy.length === 0 ? '' : `warned by ${checkIds(warnedBy)}`,
    undecided.length === 0 ? '' : `not judged by ${checkIds(undecided)}`,
  ];
  return parts.filter(Boolean).join('; ');
}

function checkIds(ids: readonly string[]): string {
  return ids.map((id) => `\`${id}\``).join(', ');
}
