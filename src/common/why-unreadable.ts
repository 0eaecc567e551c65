/**
 * Why a file could not be read, in words for whoever named it.
 */

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of its path is no folder',
  EACCES: 'reading it is not allowed',
  EPERM: 'reading it is not allowed',
};

/** What the error of a file system comes to; its own message where that says more. */
export function whyUnreadable(error: unknown): string {
  const { code, message } = error as { readonly code?: string; readonly message?: string };
  return REASONS[code ?? ''] ?? message ?? String(error);
}
