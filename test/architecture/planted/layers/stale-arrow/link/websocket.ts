export const connect = (): void => undefined;
