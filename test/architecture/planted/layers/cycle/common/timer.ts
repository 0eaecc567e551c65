export type Timer = number;
export const queue = (): Promise<unknown> => import('./queue.ts');
