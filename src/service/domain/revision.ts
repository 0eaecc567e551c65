/**
 * Revision: a number that moves on with every change of what it stands for, so that derived text can be kept.
 */
export interface Revision {
  value: number;
}
