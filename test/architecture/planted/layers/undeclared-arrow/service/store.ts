export const jobs: number[] = [];
