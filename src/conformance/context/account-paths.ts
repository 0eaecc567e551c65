/** Paths of what belongs to an account: its API keys and tags, each under the name that a caller gave it. */

/** Path of the API key with this name. */
export const apiKeyPath = (name: string): string => `/account/apikey/${encodeURIComponent(name)}`;

/** Path of the tag with this name. */
export const tagPath = (name: string): string => `/account/tag/${encodeURIComponent(name)}`;
