/**
 * Loopback: whether a host name or an address can only mean this machine, however it is resolved. A name that only
 * begins like one of loopback (`127.0.0.1.print.example`) may lead anywhere.
 */

const LOCALHOST = /^(?:[\w-]+\.)*localhost$/i;
/** Written out: a page in a browser asks as well, where Node's own test is not. */
const ADDRESS = /^127(?:\.(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)){3}$/;

/** @param name - as in a Host header or a URL, without its port */
export function isLoopbackName(name: string): boolean {
  return name === '::1' || name === '[::1]' || ADDRESS.test(name) || LOCALHOST.test(name);
}

/** @param address - a URL; any other text does not mean this machine */
export function isLoopback(address: string): boolean {
  return isLoopbackName(URL.parse(address)?.hostname ?? '');
}
