export type Verdict = 'pass' | 'fail';
export const isFailure = (verdict: Verdict): boolean => verdict === 'fail';
