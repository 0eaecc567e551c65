/**
 * On behalf: what platen calls itself where it asks an address that a caller chose: a webhook's, a document's, a
 * login's. The control API refuses such requests, by whatever name of this machine they come.
 */

export const ON_BEHALF = { 'user-agent': 'platen (on behalf of a caller)' } as const;
