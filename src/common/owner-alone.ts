/** Mode of a file that has keys or credentials in it: its owner alone reads it. */
export const OWNER_ALONE = 0o600;
