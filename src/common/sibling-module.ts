/**
 * Sibling module: the address of a module file that is started by its path (a worker) rather than imported.
 * In the sources it ends in `.ts`, in the build in `.js`.
 */

/** The module `name` (without extension) beside the module whose `import.meta.url` is given. */
export function siblingModule(importMetaUrl: string, name: string): URL {
  const extension = importMetaUrl.endsWith('.ts') ? '.ts' : '.js';
  return new URL(`./${name}${extension}`, importMetaUrl);
}
