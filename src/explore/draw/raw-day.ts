/**
 * Day: a scenario as it stands in its file, made up from a seed.
 */

export type RawStep = Readonly<Record<string, unknown>>;

export interface RawPrinter {
  readonly profile: string;
  readonly name: string;
}

export interface RawScale {
  readonly profile: string;
  readonly name: string;
  /** What steps call it where two have the same name. */
  readonly as?: string;
}

export interface RawComputer {
  readonly name: string;
  readonly version?: string;
  readonly printers?: readonly RawPrinter[];
  readonly scales?: readonly RawScale[];
}

export interface RawRoom {
  readonly computers: readonly RawComputer[];
  readonly timeScale?: number;
}

export interface RawDay {
  readonly title: string;
  readonly why: string;
  readonly seed: number;
  readonly account?: 'child' | 'own';
  readonly room: RawRoom;
  readonly steps: readonly RawStep[];
  readonly expect: { readonly service: 'sound' | 'strict' };
}
