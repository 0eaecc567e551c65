export const startedAt = Date.now();
export const later = setTimeout(() => undefined, 10);
export const lot = Math.random();
