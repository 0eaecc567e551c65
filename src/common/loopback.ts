/**
 * Loopback: which addresses are sure to be of this machine.
 */

const NAMES = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/**
 * Whether an address leads to this machine by its name alone. A name that only begins like one of loopback
 * (`127.0.0.1.print.example`) may lead anywhere.
 */
export function isLoopback(address: string): boolean {
  return NAMES.test(URL.parse(address)?.hostname ?? '');
}
