/**
 * Scale numbers: the scales plugged in to one computer, each with its deviceNum.
 *
 *   whole list ─► scales that left (or were renamed) free their number ─► new ones take the smallest free
 *
 * A number belongs to a deviceName; a scale that stays plugged in under its name keeps its number.
 */

import type { ScaleReport } from '../../link/messages.ts';

/** A scale as its computer reported it, and the number that tells it from others of its name. */
export interface Scale extends ScaleReport {
  readonly deviceNum: number;
}

export class NumberedScales {
  /** A few at most: a map would take more memory than they do. */
  #scales: readonly Scale[] = [];

  get isEmpty(): boolean {
    return this.#scales.length === 0;
  }

  get(key: string): Scale | undefined {
    return this.#scales.find((scale) => scale.key === key);
  }

  /**
   * Takes the list of the scales there are now, in place of the one before.
   *
   * @returns those with another name now, as they were before
   */
  replace(reports: readonly ScaleReport[]): Scale[] {
    const present = new Map(reports.map((report) => [report.key, report]));
    const renamed = this.#scales.filter((scale) => {
      const report = present.get(scale.key);
      return report !== undefined && report.deviceName !== scale.deviceName;
    });
    const numbers = new FreeNumbers();
    const kept = [...present.values()].map((report) => ({ report, deviceNum: this.#numberKept(report) }));
    for (const { report, deviceNum } of kept) {
      if (deviceNum !== undefined) numbers.occupy(report.deviceName, deviceNum);
    }
    this.#scales = kept.map(({ report, deviceNum }) => ({
      ...report,
      deviceNum: deviceNum ?? numbers.take(report.deviceName),
    }));
    return renamed;
  }

  #numberKept({ key, deviceName }: ScaleReport): number | undefined {
    const before = this.get(key);
    return before?.deviceName === deviceName ? before.deviceNum : undefined;
  }
}

/** Numbers in use by name. Numbers are only ever taken here, so the search for a free one never goes back. */
class FreeNumbers {
  readonly #used = new Map<string, { readonly numbers: Set<number>; next: number }>();

  occupy(deviceName: string, deviceNum: number): void {
    this.#of(deviceName).numbers.add(deviceNum);
  }

  take(deviceName: string): number {
    const used = this.#of(deviceName);
    while (used.numbers.has(used.next)) used.next++;
    return used.next++;
  }

  #of(deviceName: string): { readonly numbers: Set<number>; next: number } {
    const used = this.#used.get(deviceName) ?? { numbers: new Set(), next: 0 };
    this.#used.set(deviceName, used);
    return used;
  }
}
