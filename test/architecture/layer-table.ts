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
  'specification',
  'record',
  'wire',
  'link',
  'devices',
  'hardware',
  'client',
  'sink',
  'targets',
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
  specification: [],
  record: ['common', 'specification'],
  wire: ['common', 'specification'],
  link: ['common', 'specification'],
  service: ['common', 'specification', 'link'],
  devices: ['common', 'specification', 'link', 'wire'],
  hardware: ['common', 'specification', 'devices'],
  client: ['common', 'link', 'devices', 'hardware'],
  sink: ['common', 'specification', 'wire'],
  workbench: ['common', 'specification', 'record', 'link', 'service', 'devices', 'hardware', 'sink'],
  // Only targets/embedded.ts and the process of targets/process.ts start a workbench.
  targets: ['common', 'specification', 'link', 'wire', 'devices', 'hardware', 'workbench'],
  oracle: ['common', 'specification', 'record'],
  stage: ['common', 'specification', 'record', 'link', 'wire', 'devices', 'hardware', 'sink', 'targets', 'oracle'],
  conformance: ['common', 'specification', 'record', 'link', 'wire', 'devices', 'sink', 'targets', 'oracle', 'stage'],
  load: ['common', 'specification', 'record', 'link', 'wire', 'devices', 'sink', 'targets', 'oracle'],
  scenario: [
    'common',
    'specification',
    'record',
    'link',
    'wire',
    'devices',
    'hardware',
    'sink',
    'targets',
    'oracle',
    'load',
  ],
  explore: [
    'common',
    'specification',
    'record',
    'link',
    'devices',
    'targets',
    'oracle',
    'conformance',
    'load',
    'scenario',
  ],
  // Programs of any make around the room: no link, and no specification.
  pipeline: ['common', 'record', 'wire', 'devices', 'hardware', 'targets', 'load'],
  // What goes wrong for an app, and what came of it.
  caller: ['common', 'specification', 'record', 'oracle', 'targets', 'workbench'],
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
  record: ['common', 'specification'],
  link: ['common', 'specification'],
  service: ['common', 'specification', 'link'],
  devices: ['common', 'specification', 'link'],
  hardware: ['common', 'devices'],
  client: ['common', 'link', 'devices', 'hardware'],
  sink: ['common', 'specification'],
  wire: ['common'],
  oracle: ['common', 'specification', 'record'],
  targets: ['common', 'specification', 'link', 'wire', 'devices', 'hardware', 'workbench'],
  stage: ['common', 'specification', 'oracle', 'types:wire'],
  conformance: ['common', 'specification', 'record', 'link', 'wire', 'devices', 'sink', 'targets', 'oracle', 'stage'],
  load: ['common', 'specification', 'record', 'wire', 'link', 'devices', 'sink', 'targets', 'oracle'],
  scenario: [
    'common',
    'specification',
    'record',
    'link',
    'wire',
    'devices',
    'hardware',
    'sink',
    'targets',
    'oracle',
    'load',
  ],
  explore: ['common', 'specification', 'record', 'link', 'devices', 'targets', 'conformance', 'scenario'],
  pipeline: ['common', 'record', 'wire', 'devices', 'hardware', 'targets', 'load'],
  caller: ['common', 'specification', 'record', 'oracle', 'targets', 'workbench'],
  report: ['common', 'record'],
  workbench: ['common', 'specification', 'record', 'link', 'service', 'devices', 'hardware', 'sink'],
  dashboard: ['common', 'record', 'report'],
  cli: [
    'common',
    'specification',
    'record',
    'wire',
    'link',
    'devices',
    'hardware',
    'client',
    'targets',
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
  targets: ['client'],
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
  conformance: ['generate', 'expect', 'context', 'dialect', 'rules', 'matrix', 'verdict', 'run', 'record'],
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
