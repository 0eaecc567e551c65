/**
 * Van der Corput sequence: 0, 1/2, 1/4, 3/4, 1/8 … Every prefix of it is spread evenly.
 *
 * A fleet spreads its devices by it, by global index: they never act in step, whichever part of the fleet a process
 * has and however large it is.
 */

/** The fraction of this index, from 0 (included) to 1 (excluded): its 32 bits, mirrored. */
export function vanDerCorput(index: number): number {
  let bits = index >>> 0;
  bits = ((bits >>> 1) & 0x5555_5555) | ((bits & 0x5555_5555) << 1);
  bits = ((bits >>> 2) & 0x3333_3333) | ((bits & 0x3333_3333) << 2);
  bits = ((bits >>> 4) & 0x0f0f_0f0f) | ((bits & 0x0f0f_0f0f) << 4);
  bits = ((bits >>> 8) & 0x00ff_00ff) | ((bits & 0x00ff_00ff) << 8);
  bits = (bits >>> 16) | (bits << 16);
  return (bits >>> 0) / 0x1_0000_0000;
}
