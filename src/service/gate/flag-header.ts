/**
 * Flag headers (X-Pretty, X-Dont-Log): on with any value but `0` and `false`.
 */

export function isOn(value: string | string[] | undefined): boolean {
  return value !== undefined && value !== '0' && value !== 'false';
}
