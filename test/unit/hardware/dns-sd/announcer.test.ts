import { describe, expect, it } from 'vitest';

import { ExposedRoom, type Exposure } from '../../../../src/hardware/exposed-room.ts';
import { PrinterOnDesk } from '../../../support/hardware-printer.ts';
import { freeUdpPort, MdnsQuerier } from '../../../support/mdns-querier.ts';

const IPP = '_ipp._tcp.local';
const LASER = `Laser @ DESK.${IPP}`;

class Desk extends PrinterOnDesk {
  open(port: number, exposure: Exposure = { ipp: 0 }, host?: string): Promise<ExposedRoom> {
    const computers = () => [{ name: 'DESK', printers: [this.printer], scales: [] }];
    return ExposedRoom.open({
      clock: this.clock,
      press: this.press,
      exposure: { ...exposure, 'dns-sd': port },
      host,
      computers,
    });
  }
}

const uriOf = (room: ExposedRoom): string => room.addresses[0]?.uris['dns-sd'] ?? '';

describe('a room that is announced', () => {
  it('is found by the type of each open port, its subtypes and the list of types', async () => {
    await using desk = new Desk();
    const port = await freeUdpPort();
    await using room = await desk.open(port, { ipp: 0, ipps: 0, raw: 0, lpd: 0 });
    await using resolver = await MdnsQuerier.open(port, true);
    const types = await resolver.resolve('_services._dns-sd._udp.local', 'PTR');
    for (const type of ['_ipp._tcp', '_ipps._tcp', '_pdl-datastream._tcp', '_printer._tcp']) {
      const [pointer] = await resolver.resolve(`${type}.local`, 'PTR');
      expect(pointer).toMatchObject({ data: `Laser @ DESK.${type}.local` });
      expect(types).toContainEqual(expect.objectContaining({ data: `${type}.local` }));
    }
    for (const subtype of ['_print', '_universal']) {
      const [pointer] = await resolver.resolve(`${subtype}._sub.${IPP}`, 'PTR');
      expect(pointer).toMatchObject({ data: LASER });
    }
    expect(uriOf(room)).toBe('dnssd://Laser%20%40%20DESK._ipp._tcp.local/');
  });

  it('leads to the port and the path of IPP, at the one address that it is open on', async () => {
    await using desk = new Desk();
    const port = await freeUdpPort();
    await using room = await desk.open(port);
    const { port: ippPort, pathname } = new URL(room.addresses[0]?.uris.ipp ?? '');
    await using peer = await MdnsQuerier.open(port);
    const [srv] = await peer.resolve(LASER, 'SRV');
    if (srv?.type !== 'SRV') throw new Error('no SRV record');
    expect(srv.data.port).toBe(Number(ippPort));
    const [txt] = await peer.resolve(LASER, 'TXT');
    expect(String(txt?.type === 'TXT' && txt.data)).toContain(`rp=${pathname.slice(1)}`);
    const [address] = await peer.resolve(srv.data.target, 'A');
    expect(address).toMatchObject({ type: 'A', data: '127.0.0.1', flush: true });
    peer.ask(srv.data.target, 'AAAA');
    const none = await peer.next(({ answers = [] }) => answers[0]?.type === 'NSEC');
    expect(none.answers?.[0]).toMatchObject({ data: { rrtypes: ['A'] } });
    const addresses = peer.answers.flatMap((one) => (one.type === 'A' || one.type === 'AAAA' ? [one.data] : []));
    expect(new Set(addresses)).toEqual(new Set(['127.0.0.1']));
  });

  it('answers a resolver that knows nothing of multicast, and no record for long', async () => {
    await using desk = new Desk();
    const port = await freeUdpPort();
    await using room = await desk.open(port);
    expect(uriOf(room)).not.toBe('');
    await using resolver = await MdnsQuerier.open(port, true);
    const answer = resolver.next(({ id }) => id === 77);
    resolver.send({ type: 'query', id: 77, questions: [{ name: LASER.toUpperCase(), type: 'SRV' }] });
    const { answers, questions } = await answer;
    expect(questions).toMatchObject([{ name: LASER.toUpperCase(), type: 'SRV' }]);
    expect(answers).toMatchObject([{ type: 'SRV', ttl: 10, flush: false }]);
  });

  it('takes the next name where a peer has the first, also when both ask for it at the same time', async () => {
    await using desk = new Desk();
    await using other = new Desk();
    await using third = new Desk();
    const port = await freeUdpPort();
    await using first = await desk.open(port);
    const [second, last] = await Promise.all([other.open(port), third.open(port)]);
    const named = [first, second, last].map((room) => decodeURIComponent(uriOf(room)));
    await Promise.all([second, last].map((room) => room.close()));
    expect(named.toSorted()).toEqual(
      ['Laser @ DESK (2)', 'Laser @ DESK (3)', 'Laser @ DESK'].map((name) => `dnssd://${name}.${IPP}/`).toSorted(),
    );
    expect(named[0]).toBe(`dnssd://${LASER}/`);
  });

  it('gives its name to a peer that is heard with it', async () => {
    await using desk = new Desk();
    const port = await freeUdpPort();
    await using room = await desk.open(port);
    await using peer = await MdnsQuerier.open(port);
    const srv = { name: LASER, type: 'SRV', ttl: 120, flush: true, data: { port: 1, target: 'other.local' } } as const;
    const defended = peer.next(({ type, authorities = [] }) => type === 'query' && authorities[0]?.name === LASER);
    peer.send({ type: 'response', answers: [srv] });
    await defended;
    peer.send({ type: 'response', answers: [srv] });
    await peer.next(
      ({ type, answers = [] }) =>
        type === 'response' && answers.some(({ name }) => name.startsWith('Laser @ DESK (2)')),
    );
    expect(decodeURIComponent(uriOf(room))).toContain('Laser @ DESK (2)');
  });

  it('says goodbye to what it announced when it closes', async () => {
    await using desk = new Desk();
    const port = await freeUdpPort();
    const room = await desk.open(port);
    await using peer = await MdnsQuerier.open(port);
    const goodbye = peer.next(({ answers = [] }) => answers.some((one) => 'ttl' in one && one.ttl === 0));
    await room.close();
    const { answers = [] } = await goodbye;
    expect(answers).toContainEqual(expect.objectContaining({ name: IPP, type: 'PTR', data: LASER, ttl: 0 }));
    expect(answers).toContainEqual(expect.objectContaining({ name: LASER, type: 'SRV', ttl: 0 }));
  });

  it('does not repeat what a peer knows, and speaks for no printer that is switched off', async () => {
    await using desk = new Desk();
    const port = await freeUdpPort();
    await using room = await desk.open(port);
    expect(uriOf(room)).not.toBe('');
    await using resolver = await MdnsQuerier.open(port, true);
    const [known] = await resolver.resolve(IPP, 'PTR');
    if (!known || !('ttl' in known)) throw new Error('not found');
    const { length } = resolver.heard;
    resolver.ask(IPP, 'PTR', [{ ...known, ttl: 4_500 }]);
    await resolver.resolve(`_print._sub.${IPP}`, 'PTR');
    expect(resolver.heard).toHaveLength(length + 1);
    desk.printer.fail('shutdown');
    resolver.ask(IPP, 'PTR');
    // The list of types is answered all the same: what was asked before it has got no answer.
    await resolver.resolve('_services._dns-sd._udp.local', 'PTR');
    expect(
      resolver.heard.slice(length + 1).flatMap(({ answers = [] }) => answers.map(({ name }) => name)),
    ).not.toContain(IPP);
  });

  it('needs a port to announce, and one IPv4 address to announce it at', async () => {
    await using desk = new Desk();
    await expect(desk.open(0, { usb: 0 })).rejects.toThrow('dns-sd announces the other ports of printers');
    for (const host of ['::1', '0.0.0.0'])
      await expect(desk.open(0, { ipp: 0 }, host)).rejects.toThrow(`the ports are open on ${host}`);
  });
});
