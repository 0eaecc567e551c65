/**
 * Load permission: the place where a service says yes to a load from elsewhere, by serving the text that both
 * sides have agreed on. Asked by a load run, answered by the reference service; they meet over the network alone.
 */

export const LOAD_PERMISSION_PATH = '/.well-known/platen-load';
