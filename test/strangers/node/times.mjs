// Two spellings of a time: that of computers is printed, for others ISO 8601 leaves more than one.
const WEST_MS = 5 * 3_600_000;

export const utc = (ms) => new Date(ms).toISOString();
/** As a clock five hours west shows it: hours alone are an offset, too. */
export const western = (ms) => `${new Date(ms - WEST_MS).toISOString().slice(0, -1)}-05`;
