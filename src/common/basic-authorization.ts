/**
 * The value of an Authorization header with Basic credentials (RFC 7617). An API key is a user without a password.
 */

export function basicAuthorization(user: string, password = ''): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
}
