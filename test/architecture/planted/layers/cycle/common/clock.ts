export type { Timer } from './timer.ts';
export const start = 0;
