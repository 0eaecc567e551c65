export const siblingModule = (url: string, name: string): URL => new URL(`./${name}.ts`, url);
