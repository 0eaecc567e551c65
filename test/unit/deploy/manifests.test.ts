/**
 * Every container that a manifest starts, against every rule for containers: each rule is also seen to catch one that
 * has nothing of it.
 */

import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';

import { PROJECT } from '../../support/command-line.ts';

type Fields = Readonly<Record<string, unknown>>;

interface Container {
  readonly name: string;
  /** As it is written, with what its pod says. */
  readonly pod: Fields;
  readonly own: Fields;
}

type Rules = Readonly<Record<string, (container: Container) => boolean>>;

const { version } = JSON.parse(read('package.json')) as { version: string };
const PINNED = /^[a-z/]+:[\w.-]+@sha256:[\da-f]{64}$/;

const isPinned = ({ own }: Container): boolean =>
  own['image'] === `platen:${version}` || PINNED.test(String(own['image']));

/** A value of one that has a key, a token or a password comes from a secret or a variable. */
const SECRET = /(?:token|secret|password|auth|key)(?:=|['",\s]+)(?!\$\{)\S/i;
const hasNoSecret = ({ own }: Container): boolean => !SECRET.test(JSON.stringify([own['command'], own['args']]));

const IN_KUBERNETES: Rules = {
  'runs an image of one content': isPinned,
  'has no secret in its arguments': hasNoSecret,
  'has its secrets from a Secret': ({ own }) =>
    at<readonly Fields[]>(own, 'env', []).every(
      ({ name, value = '$(' }) => String(value).includes('$(') || !/TOKEN|KEY|SECRET/.test(String(name)),
    ),
  'does not run as root': ({ pod }) =>
    at(pod, 'securityContext.runAsNonRoot') === true && Number(at(pod, 'securityContext.runAsUser')) > 0,
  'is confined by seccomp': ({ pod }) => at(pod, 'securityContext.seccompProfile.type') === 'RuntimeDefault',
  'has no token of the cluster': ({ pod }) => pod['automountServiceAccountToken'] === false,
  'gains no privileges': ({ own }) => at(own, 'securityContext.allowPrivilegeEscalation') === false,
  'has no capabilities': ({ own }) => String(at(own, 'securityContext.capabilities.drop')) === 'ALL',
  'cannot write to its image': ({ own }) => at(own, 'securityContext.readOnlyRootFilesystem') === true,
  'has limits': ({ own }) =>
    at(own, 'resources.limits.cpu') !== undefined && at(own, 'resources.limits.memory') !== undefined,
  'fills no disk of its node': ({ pod }) =>
    at<readonly Fields[]>(pod, 'volumes', [{ emptyDir: {} }]).every(
      ({ emptyDir }) => emptyDir === undefined || at(emptyDir as Fields, 'sizeLimit') !== undefined,
    ),
};

const IN_COMPOSE: Rules = {
  'runs an image of one content': isPinned,
  'has no secret in its arguments': hasNoSecret,
  'does not run as root': ({ own }) =>
    String(own['image']).startsWith('platen:') || /^[1-9]\d*:[1-9]\d*$/.test(String(own['user'])),
  'gains no privileges': ({ own }) => String(own['security_opt']) === 'no-new-privileges:true',
  'has no capabilities': ({ own }) => String(own['cap_drop']) === 'ALL',
  'cannot write to its image': ({ own }) => own['read_only'] === true,
  'has limits': ({ own }) => ['cpus', 'mem_limit', 'pids_limit'].every((limit) => own[limit] !== undefined),
};

const KUBERNETES = globSync('deploy/kubernetes/*.yaml', { cwd: PROJECT }).flatMap((file) => documentsOf(file));
const PODS = KUBERNETES.map((document) => at<Fields>(document, 'spec.template')).filter((pod) => pod !== undefined);

const CONTAINERS: Readonly<Record<string, readonly Container[]>> = {
  kubernetes: PODS.flatMap((pod) =>
    at<readonly Fields[]>(pod, 'spec.containers', []).map((own) => ({
      name: String(own['name']),
      pod: at<Fields>(pod, 'spec', {}),
      own,
    })),
  ),
  ...Object.fromEntries(
    ['deploy/compose.yaml', 'deploy/metrics/compose.yaml'].map((file) => {
      const { services } = parse(read(file), { merge: true }) as { services: Record<string, Fields> };
      return [file, Object.entries(services).map(([name, own]) => ({ name, pod: {}, own }))];
    }),
  ),
};

const BARE: Container = { name: 'bare', pod: {}, own: { image: 'nats:2', args: ['--auth', 'secret=of-nats'] } };
const rulesOf = (where: string): Rules => (where === 'kubernetes' ? IN_KUBERNETES : IN_COMPOSE);

describe.each(Object.keys(CONTAINERS))('%s', (where) => {
  it('starts containers', () => {
    expect(CONTAINERS[where]?.length).toBeGreaterThan(2);
  });

  describe.each(Object.entries(rulesOf(where)))('a container %s', (_, isKept) => {
    it.each(CONTAINERS[where] ?? [])('$name', (container) => {
      expect(isKept(container)).toBe(true);
    });
  });
});

it.each(
  [IN_KUBERNETES, IN_COMPOSE]
    .flatMap((rules) => Object.entries(rules))
    .filter(([rule]) => !rule.includes('from a Secret')),
)('finds a container that breaks the rule: %s', (_, isKept) => {
  expect(isKept(BARE)).toBe(false);
});

it('finds a token that is written into a manifest', () => {
  const own = { env: [{ name: 'NATS_TOKEN', value: 'abc' }] };
  expect(IN_KUBERNETES['has its secrets from a Secret']?.({ name: '', pod: {}, own })).toBe(false);
});

it('lets pods be reached, and reach others, only as a policy says', () => {
  const policies = KUBERNETES.filter(({ kind }) => kind === 'NetworkPolicy').map((policy) =>
    at<Fields>(policy, 'spec', {}),
  );
  for (const policy of policies) expect(policy['policyTypes']).toEqual(['Ingress', 'Egress']);
  const chosen = policies.map((policy) => at(policy, 'podSelector.matchLabels.app'));
  expect(new Set(PODS.map((pod) => at(pod, 'metadata.labels.app')))).toEqual(new Set(chosen));
});

it.each(['deploy/image/Dockerfile', 'deploy/gitlab/platen-check.yml'])('begins with one content in %s', (file) => {
  const [, image = ''] = /^(?:ARG BASE=| {2}image: )(.*)$/m.exec(read(file)) ?? [];
  expect(image).toMatch(PINNED);
});

it('runs the image as a user without a name and without rights', () => {
  expect(read('deploy/image/Dockerfile')).toMatch(/^USER 10001:10001$/m);
});

it('documents the action for GitHub by a version', () => {
  const pages = globSync('docs/**/*.md', { cwd: PROJECT }).map(read).join('\n');
  const versions = [...pages.matchAll(/uses: OWNER\/platen@(\S+)/g)].map(([, named]) => named);
  expect(new Set(versions)).toEqual(new Set([`v${version}`]));
});

function read(file: string): string {
  return readFileSync(path.join(PROJECT, file), 'utf8');
}

function documentsOf(file: string): Fields[] {
  return parseAllDocuments(read(file)).map((document) => document.toJS() as Fields);
}

/** What is at a path such as `spec.template`; what `otherwise` is where there is nothing. */
function at<T = unknown>(from: Fields, place: string, otherwise?: T): T {
  let found: unknown = from;
  for (const key of place.split('.')) found = (found as Fields | undefined)?.[key];
  return (found ?? otherwise) as T;
}
