/**
 * The layers of src/ and the arrows between them. An arrow is an import; a layer is a folder of src/,
 * or a module that stands in src/ itself (`index`, `vitest`, `jest` …).
 *
 * DESIGN says which arrows there may be. ARROWS says which there are: a new import adds one here, an
 * arrow that lost its last import is taken out, so that this file shows what depends on what.
 *
 * `types:x` stands for an arrow that only `import type` may draw.
 */

export type ArrowTable = Readonly<Record<string, readonly string[]>>;

const EVERYTHING = [
  'common',
  'spec',
  'record',
  'wire',
  'link',
  'devices',
  'hardware',
  'client',
  'sink',
  'target',
  'oracle',
  'stage',
  'conformance',
  'load',
  'scenario',
  'explore',
  'pipeline',
  'caller',
  'report',
  'workbench',
];

/**
 * The upper bound. Nothing but workbench → service: the checks meet the reference service as they meet
 * any other, over the network. And service → nothing above link.
 */
export const DESIGN: ArrowTable = {
  common: [],
  spec: [],
  record: ['common', 'spec'],
  wire: ['common', 'spec'],
  link: ['common', 'spec'],
  service: ['common', 'spec', 'link'],
  devices: ['common', 'spec', 'link', 'wire'],
  hardware: ['common', 'spec', 'devices'],
  client: ['common', 'link', 'devices', 'hardware'],
  sink: ['common', 'spec', 'wire'],
  workbench: ['common', 'spec', 'record', 'link', 'service', 'devices', 'hardware', 'sink'],
  // Only target/embedded.ts and the process of target/process.ts start a workbench.
  target: ['common', 'spec', 'link', 'wire', 'devices', 'hardware', 'workbench'],
  oracle: ['common', 'spec', 'record'],
  stage: ['common', 'spec', 'record', 'link', 'wire', 'devices', 'hardware', 'sink', 'target', 'oracle'],
  conformance: ['common', 'spec', 'record', 'link', 'wire', 'devices', 'sink', 'target', 'oracle', 'stage'],
  load: ['common', 'spec', 'record', 'link', 'wire', 'devices', 'sink', 'target', 'oracle'],
  scenario: ['common', 'spec', 'record', 'link', 'wire', 'devices', 'hardware', 'sink', 'target', 'oracle', 'load'],
  explore: ['common', 'spec', 'record', 'link', 'devices', 'target', 'oracle', 'conformance', 'load', 'scenario'],
  // Programs of any make around the room: no link, and no specification.
  pipeline: ['common', 'record', 'wire', 'devices', 'hardware', 'target'],
  // What goes wrong for an app, and what came of it.
  caller: ['common', 'spec', 'record', 'oracle', 'workbench'],
  report: ['common', 'record'],
  // The page draws a run with the components of the report.
  dashboard: ['common', 'record', 'report'],
  cli: EVERYTHING,
  // What the adapters to test runners share.
  testing: ['common', 'record', 'workbench'],
  index: EVERYTHING,
  testcontainers: EVERYTHING,
  vitest: [...EVERYTHING, 'testing'],
  jest: [...EVERYTHING, 'testing'],
  'node-test': [...EVERYTHING, 'testing'],
};

/** The arrows there are. */
export const ARROWS: ArrowTable = {
  record: ['common', 'spec'],
  link: ['common', 'spec'],
  service: ['common', 'spec', 'link'],
  devices: ['common', 'spec', 'link'],
  hardware: ['common', 'devices'],
  client: ['common', 'link', 'devices', 'hardware'],
  sink: ['common', 'spec'],
  wire: ['common'],
  oracle: ['common', 'spec', 'record'],
  target: ['common', 'spec', 'link', 'wire', 'devices', 'hardware', 'workbench'],
  stage: ['common', 'spec', 'types:wire'],
  conformance: ['common', 'spec', 'record', 'link', 'wire', 'devices', 'sink', 'target', 'oracle', 'stage'],
  load: ['common', 'spec', 'record', 'wire', 'link', 'devices', 'sink', 'target', 'oracle'],
  scenario: ['common', 'spec', 'record', 'link', 'wire', 'devices', 'hardware', 'sink', 'target', 'oracle', 'load'],
  explore: ['common', 'spec', 'record', 'link', 'devices', 'target', 'conformance', 'scenario'],
  pipeline: ['common', 'record', 'wire', 'devices', 'hardware', 'target'],
  caller: ['common', 'spec', 'record', 'oracle', 'workbench'],
  report: ['common', 'record'],
  workbench: ['common', 'spec', 'record', 'link', 'service', 'devices', 'hardware', 'sink'],
  dashboard: ['common', 'record', 'report'],
  cli: [
    'common',
    'spec',
    'record',
    'wire',
    'link',
    'devices',
    'hardware',
    'client',
    'target',
    'oracle',
    'conformance',
    'load',
    'scenario',
    'explore',
    'pipeline',
    'caller',
    'report',
    'workbench',
  ],
  index: ['common', 'types:record', 'types:devices', 'types:link', 'workbench'],
  testcontainers: ['workbench'],
  testing: ['common', 'record', 'workbench'],
  vitest: ['testing', 'types:workbench'],
  jest: ['testing'],
  'node-test': ['common', 'testing'],
};

/**
 * The order of the folders inside a layer, the lowest first: a folder imports those before it. Files that stand
 * in the layer itself may be anywhere, as long as nothing closes a circle.
 */
export const FOLDER_ORDER: ArrowTable = {
  oracle: ['account', 'caller'],
  explore: ['draw'],
  cli: ['screen', 'options', 'remote', 'files', 'load'],
  scenario: ['vocabulary', 'setup', 'expect', 'steps', 'format', 'play'],
  hardware: ['ipp', 'clone', 'dns-sd', 'raw', 'lpd', 'usb'],
  devices: ['document', 'receipt', 'raw', 'press', 'printer', 'scale', 'computer'],
  link: ['faults'],
  target: ['client'],
  load: [
    'pacers',
    'plan',
    'measure',
    'traffic',
    'calibration',
    'verdict',
    'room',
    'webhooks',
    'shard',
    'metrics',
    'nats',
    'workers',
  ],
  conformance: ['generate', 'expect', 'context', 'dialect', 'model', 'rules', 'matrix', 'verdict', 'run', 'record'],
  service: ['store', 'domain', 'delivery', 'gate', 'scale-feed', 'requests', 'routes', 'http'],
  workbench: ['logs', 'room', 'views', 'runs', 'control', 'library', 'moment'],
  report: ['read', 'view', 'draw', 'html', 'pdf', 'terminal', 'check'],
  dashboard: [
    'browser',
    'api',
    'live',
    'state',
    'keyboard',
    'routing',
    'parts',
    'faults',
    'jobs',
    'room',
    'traffic',
    'runs',
    'header',
  ],
};
