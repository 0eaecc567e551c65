/**
 * --expose: under which protocols operating systems reach the printers of a room.
 */

import { InvalidArgumentError, Option } from 'commander';

import { nearestName } from '../../common/nearest-name.ts';
import {
  EXPOSURE_PORTS,
  EXPOSURE_PROTOCOLS,
  type Exposure,
  type ExposureProtocol,
  type HardwareAddresses,
} from '../../hardware/exposed-room.ts';
import type { Line } from '../../report/terminal/line.ts';
import { table } from '../../report/terminal/table.ts';
import { portNumber } from './option-values.ts';

export function exposeOption(): Option {
  const description = `let operating systems reach printers and scales: ${EXPOSURE_PROTOCOLS.join(', ')}, each with an optional :PORT`;
  return new Option('--expose <protocols>', description).argParser(exposureOf);
}

/** `ipp,raw:9100` as protocols with their ports. */
function exposureOf(value: string): Exposure {
  return Object.fromEntries(value.split(',').map((word) => protocolAndPort(word.trim())));
}

function protocolAndPort(word: string): [ExposureProtocol, number] {
  const [name = '', port] = word.split(':');
  const protocol = EXPOSURE_PROTOCOLS.find((one) => one === name);
  if (protocol === undefined) {
    const nearest = nearestName(name, EXPOSURE_PROTOCOLS);
    const hint = nearest === undefined ? `Use ${EXPOSURE_PROTOCOLS.join(', ')}.` : `Did you mean '${nearest}'?`;
    throw new InvalidArgumentError(`'${name}' is not a protocol. ${hint}`);
  }
  if (port === undefined) return [protocol, EXPOSURE_PORTS[protocol]];
  return [protocol, portNumber(port)];
}

/** As in the ready file and with --json: an object for each device, with a URI for each protocol. */
export function hardwareRecord(addresses: readonly HardwareAddresses[]): Record<string, string>[] {
  return addresses.map(({ computer, kind, name, uris }) => ({ computer, [kind]: name, ...uris }));
}

/** A line for each address, for people. */
export function hardwareTable(addresses: readonly HardwareAddresses[], indent: string): readonly Line[] {
  return table(hardwareRows(addresses), indent);
}

export function hardwareRows(addresses: readonly HardwareAddresses[]): readonly string[][] {
  return addresses.flatMap(({ name, uris }) => Object.values(uris).map((uri) => [name, uri]));
}
