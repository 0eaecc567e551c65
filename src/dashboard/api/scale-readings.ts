/**
 * Scale readings: what the service itself would tell a program of the scales of a computer. A scale
 * goes on showing its weight; the service forgets it after 45 seconds.
 */

/** As the service answers, as far as the page shows it. */
export interface ScaleReading {
  readonly deviceName: string;
  readonly deviceNum: number;
  /** Unit → billionths of it. */
  readonly measurement: Readonly<Record<string, number>>;
  readonly ageOfData: number;
}

export async function getReadings(computerId: number, apiKey: string): Promise<readonly ScaleReading[]> {
  const response = await fetch(`/computer/${computerId}/scales`, {
    headers: { authorization: `Basic ${btoa(`${apiKey}:`)}` },
  });
  return response.ok ? ((await response.json()) as readonly ScaleReading[]) : [];
}
