// Which function answers which path. `:name` stands for one part, `:name*` for a set of ids.
import * as accounts from './accounts.mjs';
import * as devices from './devices.mjs';
import * as jobs from './jobs.mjs';
import * as scales from './scales.mjs';
import * as webhooks from './webhooks.mjs';
import { Refusal, notFound, unfit } from './errors.mjs';

const TABLE = [
  ['GET whoami', accounts.whoami],
  ['GET noop', ({ requestId }) => ({ value: requestId })],
  ['POST account', accounts.create],
  ['PATCH account', accounts.update],
  ['DELETE account', accounts.erase],
  ['GET account/state', accounts.readState],
  ['PUT account/state', accounts.writeState],
  ['GET account/controllable', accounts.controllable],
  ['GET account/tag/:name', accounts.readTag],
  ['POST account/tag/:name', accounts.writeTag],
  ['DELETE account/tag/:name', accounts.eraseTag],
  ['GET account/apikey/:name', accounts.readKey],
  ['POST account/apikey/:name', accounts.makeKey],
  ['DELETE account/apikey/:name', accounts.eraseKey],
  ['GET computers', devices.computers],
  ['GET computers/:set*', devices.computers],
  ['DELETE computers', devices.eraseComputers],
  ['DELETE computers/:set*', devices.eraseComputers],
  ['GET printers/refresh', devices.refresh],
  ['GET printers', (call) => devices.printers(call, undefined, undefined)],
  ['GET printers/:set*', (call, set) => devices.printers(call, undefined, set)],
  ['GET computers/:set*/printers', (call, set) => devices.printers(call, set, undefined)],
  ['GET computers/:set*/printers/:set*', devices.printers],
  ['POST printjobs', jobs.submit],
  ['GET printjobs/states', (call) => jobs.states(call, undefined)],
  ['GET printjobs/:set*/states', jobs.states],
  ...['GET', 'DELETE'].flatMap((method) => {
    const run = method === 'GET' ? jobs.list : jobs.cancel;
    return [
      [`${method} printjobs`, (call) => run(call, undefined, undefined)],
      [`${method} printjobs/:set*`, (call, set) => run(call, undefined, set)],
      [`${method} printers/:set*/printjobs`, (call, set) => run(call, set, undefined)],
      [`${method} printers/:set*/printjobs/:set*`, run],
    ];
  }),
  ['GET computer/:name/scales', scales.list],
  ['GET computer/:name/scales/:name', scales.list],
  ['GET computer/:name/scale/:name/:name', scales.one],
  ['PUT scale', scales.simulate, 'open'],
  ['GET webhooks', webhooks.list],
  ['POST webhook', webhooks.create],
  ['PATCH webhook/:name', webhooks.update],
  ['DELETE webhook/:name', webhooks.erase],
  ['GET client/key/:name', devices.clientKey],
  ['GET download/client/:os', devices.latest],
  ['GET download/clients/:os', devices.latest],
  ['GET download/clients', devices.downloads],
  ['GET download/clients/:set*', devices.downloads],
  ['PATCH download/clients/:set*', devices.enable],
].map(([line, run, isOpen]) => {
  const [method, path] = line.split(' ');
  return { method, run, isOpen: isOpen !== undefined, parts: path.split('/') };
});

export function route(method, segments) {
  const there = TABLE.filter(({ parts }) => fits(parts, segments));
  if (there.length === 0) throw notFound(`/${segments.join('/')}`);
  const chosen = there.find((one) => one.method === method);
  if (!chosen) {
    const allow = [...new Set(there.map((one) => one.method))].join(', ');
    throw new Refusal(405, 'OtherMethod', `only ${allow} will do`, { Allow: allow });
  }
  const args = chosen.parts.flatMap((part, index) => {
    if (part === ':set*') return [setOf(segments[index])];
    return part.startsWith(':') ? [segments[index]] : [];
  });
  return { ...chosen, args };
}

const FIXED = new Set(['states', 'refresh', 'osx', 'windows']);

function fits(parts, segments) {
  if (parts.length !== segments.length) return false;
  return parts.every((part, index) => {
    const segment = segments[index];
    if (part === ':name') return true;
    if (part === ':os') return segment === 'osx' || segment === 'windows';
    return part === ':set*' ? !FIXED.has(segment) : part === segment;
  });
}

function setOf(text) {
  const parts = text.split(',');
  if (!parts.every((part) => /^0*[1-9]\d{0,15}$/.test(part))) throw unfit(`'${text}' is no set of ids`);
  return new Set(parts.map(Number));
}
