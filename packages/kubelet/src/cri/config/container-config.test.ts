import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Container, PodSpec, SecurityContext } from '@windlass/apimachinery/api/core/v1';
import { testPod } from '../../pod/testing.ts';
import { containerConfig } from './container-config.ts';
import { mountOf, ownMounts } from './mounts.ts';
import { containerSecurity, userProblem } from './security-context.ts';

const container = (more: Partial<Container> = {}): Container => ({ name: 'a', image: 'x', ...more });

it('a container is what its spec says, with variables in its words', () => {
  const pod = testPod({ nodeName: 'n' });
  const spec = container({
    command: ['$(A)', '$$(A)'],
    args: ['$(NONE)'],
    workingDir: '/w',
    tty: true,
    stdin: true,
  });
  const config = containerConfig(pod, spec, {
    attempt: 3,
    imageId: 'sha256:1',
    environment: new Map([['A', '1']]),
    mounts: [],
    logPath: 'a/3.log',
    machineMemory: 2 ** 30,
    targetId: '',
  });
  assert.deepEqual(config.metadata, { name: 'a', attempt: 3 });
  assert.deepEqual(config.image, { image: 'sha256:1', userSpecifiedImage: 'x' });
  assert.deepEqual([config.command, config.args], [['1', '$(A)'], ['$(NONE)']]);
  assert.deepEqual(
    [config.workingDir, config.tty, config.stdin, config.stdinOnce],
    ['/w', true, true, false],
  );
  assert.equal(config.labels?.['io.kubernetes.container.name'], 'a');
  assert.equal(config.annotations?.['io.kubernetes.container.restartCount'], '3');
});

describe('mounts', () => {
  for (const [mountPropagation, expected] of [
    [undefined, 'PROPAGATION_PRIVATE'],
    ['None', 'PROPAGATION_PRIVATE'],
    ['HostToContainer', 'PROPAGATION_HOST_TO_CONTAINER'],
    ['Bidirectional', 'PROPAGATION_BIDIRECTIONAL'],
  ] as const)
    it(`propagate: ${mountPropagation}`, () => {
      const mount = {
        name: 'v',
        mountPath: '/m',
        ...(mountPropagation !== undefined && { mountPropagation }),
      };
      assert.equal(mountOf(mount, '/host').propagation, expected);
    });

  it('are at absolute paths, and may be read only', () => {
    const mount = mountOf({ name: 'v', mountPath: 'm', readOnly: true }, '/host');
    assert.deepEqual([mount.containerPath, mount.hostPath, mount.readonly], ['/m', '/host', true]);
  });

  it('of the agent give way to those of the pod', () => {
    const files = { hosts: '/h', terminationLog: { path: '/dev/t', file: '/f' } };
    const paths = (mountPath: string) =>
      ownMounts([{ name: 'v', mountPath }], files).map((mount) => mount.containerPath);
    assert.deepEqual(paths('/x'), ['/etc/hosts', '/dev/t']);
    assert.deepEqual(paths('/etc/hosts'), ['/dev/t']);
    assert.deepEqual(paths('/dev/t'), ['/etc/hosts']);
  });
});

describe('what a container may', () => {
  const secured = (
    securityContext: SecurityContext,
    ofPod: PodSpec['securityContext'] = {},
    more: Partial<PodSpec> = {},
  ) => containerSecurity(testPod({ securityContext: ofPod, ...more }), container({ securityContext }), '');

  it('is little unless it says so', () => {
    const { privileged, readonlyRootfs, noNewPrivs, maskedPaths, runAsUser, seccomp } = secured({});
    assert.deepEqual([privileged, readonlyRootfs, noNewPrivs, runAsUser], [false, false, false, undefined]);
    assert.ok(maskedPaths?.includes('/proc/kcore'));
    assert.deepEqual(seccomp, { profileType: 'Unconfined' });
  });

  it('is what it says, before what its pod says', () => {
    const context = secured(
      {
        runAsUser: 1,
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { add: ['NET_ADMIN'], drop: ['ALL'] },
        seccompProfile: { type: 'Localhost', localhostProfile: 'p.json' },
      },
      {
        runAsUser: 2,
        runAsGroup: 3,
        fsGroup: 4,
        supplementalGroups: [5, 4],
        seccompProfile: { type: 'RuntimeDefault' },
      },
    );
    assert.deepEqual([context.runAsUser, context.runAsGroup], [{ value: 1 }, { value: 3 }]);
    assert.deepEqual(context.supplementalGroups, [5, 4]);
    assert.deepEqual([context.noNewPrivs, context.readonlyRootfs], [true, true]);
    assert.deepEqual(context.capabilities, { addCapabilities: ['NET_ADMIN'], dropCapabilities: ['ALL'] });
    assert.deepEqual(context.seccomp, { profileType: 'Localhost', localhostRef: 'p.json' });
    assert.deepEqual(secured({}, { seccompProfile: { type: 'RuntimeDefault' } }).seccomp, {
      profileType: 'RuntimeDefault',
    });
  });

  it('is everything when it is privileged', () => {
    const context = secured({ privileged: true, seccompProfile: { type: 'RuntimeDefault' } });
    assert.deepEqual([context.privileged, context.seccomp], [true, { profileType: 'Unconfined' }]);
  });

  it('sees all of /proc only when that is said', () => {
    const { maskedPaths, readonlyPaths } = secured({ procMount: 'Unmasked' });
    assert.deepEqual([maskedPaths, readonlyPaths], [[], []]);
  });

  it('shares what the pod says', () => {
    assert.deepEqual(secured({}, {}, { hostPID: true, hostIPC: true, hostNetwork: true }).namespaceOptions, {
      network: 'NODE',
      ipc: 'NODE',
      pid: 'NODE',
    });
    assert.deepEqual(containerSecurity(testPod(), container(), 'id').namespaceOptions, {
      network: 'POD',
      ipc: 'POD',
      pid: 'TARGET',
      targetId: 'id',
    });
  });
});

describe('where root is forbidden', () => {
  for (const [what, own, ofPod, user, problem] of [
    ['nothing is asked', {}, {}, { uid: 0, username: '' }, undefined],
    ['the image is root’s', { runAsNonRoot: true }, {}, { uid: 0, username: '' }, /image will run as root/],
    [
      'the image says nothing',
      { runAsNonRoot: true },
      {},
      { uid: undefined, username: '' },
      /image will run as root/,
    ],
    [
      'the image names somebody',
      { runAsNonRoot: true },
      {},
      { uid: undefined, username: 'me' },
      /non-numeric user \(me\)/,
    ],
    ['the image has a number', { runAsNonRoot: true }, {}, { uid: 7, username: '' }, undefined],
    [
      'the container says root',
      { runAsNonRoot: true, runAsUser: 0 },
      {},
      { uid: 7, username: '' },
      /runAsUser breaks non-root policy/,
    ],
    ['the container says who', { runAsNonRoot: true, runAsUser: 5 }, {}, { uid: 0, username: '' }, undefined],
    ['the pod forbids it', {}, { runAsNonRoot: true }, { uid: 0, username: '' }, /run as root/],
    [
      'the container allows it',
      { runAsNonRoot: false },
      { runAsNonRoot: true },
      { uid: 0, username: '' },
      undefined,
    ],
  ] as const)
    it(what, () => {
      const found = userProblem(
        testPod({ securityContext: ofPod }),
        container({ securityContext: own }),
        user,
      );
      if (problem === undefined) assert.equal(found, undefined);
      else assert.match(found ?? '', problem);
    });
});
