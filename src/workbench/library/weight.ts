/**
 * Weights as people write them: `250 g`, `1.2 kg`, `2 lb 3 oz`. A bare number is grams.
 */

const GRAMS: Readonly<Record<string, number>> = {
  mg: 0.001,
  g: 1,
  kg: 1_000,
  oz: 28.349523125,
  lb: 453.59237,
};
const PART = /\s*(\d+(?:\.\d+)?)\s*(mg|kg|g|oz|lb)\b/y;

/** @throws RangeError when it is not a weight */
export function gramsOf(weight: string | number): number {
  if (typeof weight === 'number') return weight;
  let grams = 0;
  PART.lastIndex = 0;
  const text = weight.trim();
  do {
    const match = PART.exec(text);
    if (!match) throw new RangeError(`'${weight}' is not a weight; write for example 250 g, 1.2 kg or 2 lb 3 oz`);
    grams += Number(match[1]) * (GRAMS[match[2] ?? ''] ?? Number.NaN);
  } while (PART.lastIndex < text.length);
  return grams;
}
