import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { PodSpec } from '@windlass/apimachinery/api/core/v1';
import { testPod } from '../../pod/testing.ts';
import { podCgroup } from './cgroup-names.ts';
import { ownedBy, ownerOf, podLabels } from './labels.ts';
import { portMappings, sandboxConfig } from './sandbox-config.ts';

const facts = {
  attempt: 2,
  logDirectory: '/logs/p',
  resolver: { servers: ['192.0.2.53'], searches: [], options: [] },
  domain: 'cluster.local',
  cgroupDriver: 'cgroupfs',
} as const;

describe('the sandbox of a pod', () => {
  it('says whose it is', () => {
    const pod = testPod({ nodeName: 'n' }, { labels: { app: 'web' }, annotations: { note: 'x' } });
    const config = sandboxConfig(pod, facts);
    assert.deepEqual(config.metadata, { name: 'p', namespace: 'default', uid: 'u', attempt: 2 });
    assert.equal(config.labels?.['app'], 'web');
    assert.deepEqual(config.annotations, { note: 'x' });
    assert.deepEqual(ownerOf(podLabels(pod)), { uid: 'u', namespace: 'default', pod: 'p', container: '' });
    for (const [name, value] of Object.entries(ownedBy('n', 'u'))) assert.equal(config.labels?.[name], value);
    assert.notEqual(config.labels?.['windlass.dev/node'], ownedBy('other')['windlass.dev/node']);
  });

  it('is found as the pod’s own even when the pod’s labels say something else', () => {
    const pod = testPod(
      { nodeName: 'n' },
      { labels: { 'windlass.dev/node': 'other', 'io.kubernetes.pod.uid': 'x' } },
    );
    assert.deepEqual(ownerOf(podLabels(pod)).uid, 'u');
    assert.equal(podLabels(pod)['windlass.dev/node'], 'n');
  });

  const rows: readonly (readonly [
    what: string,
    spec: Partial<PodSpec>,
    hostname: string,
    network: string,
    pid: string,
  ])[] = [
    ['has a name and a network of its own', {}, 'p', 'POD', 'CONTAINER'],
    ['has the name that it is given', { hostname: 'web' }, 'web', 'POD', 'CONTAINER'],
    ['has none of its own on the node’s network', { hostNetwork: true }, '', 'NODE', 'CONTAINER'],
    [
      'may have its whole name',
      { hostname: 'web', subdomain: 's', setHostnameAsFQDN: true },
      'web.s.default.svc.cluster.local',
      'POD',
      'CONTAINER',
    ],
    ['may share its processes', { shareProcessNamespace: true }, 'p', 'POD', 'POD'],
    ['may see those of the node', { hostPID: true }, 'p', 'POD', 'NODE'],
  ];
  for (const [what, spec, hostname, network, pid] of rows)
    it(what, () => {
      const config = sandboxConfig(testPod(spec), facts);
      const options = config.linux?.securityContext?.namespaceOptions;
      assert.deepEqual([config.hostname, options?.network, options?.pid], [hostname, network, pid]);
    });

  it('has ports of the node', () => {
    const ports = [
      { containerPort: 80, hostPort: 8080 },
      { containerPort: 53, hostPort: 53, protocol: 'UDP', hostIP: '192.0.2.1' },
      { containerPort: 1 },
    ];
    const containers = [{ name: 'a', image: 'x', ports }];
    assert.deepEqual(portMappings(testPod({ containers })), [
      { protocol: 'TCP', containerPort: 80, hostPort: 8080, hostIp: '' },
      { protocol: 'UDP', containerPort: 53, hostPort: 53, hostIp: '192.0.2.1' },
    ]);
    assert.deepEqual(portMappings(testPod({ containers, hostNetwork: true })), []);
  });

  it('is as privileged as one of its containers', () => {
    const privileged = { name: 'b', image: 'x', securityContext: { privileged: true } };
    const linux = (containers: PodSpec['containers']) => sandboxConfig(testPod({ containers }), facts).linux;
    assert.equal(linux([{ name: 'a', image: 'x' }])?.securityContext?.privileged, false);
    assert.equal(linux([{ name: 'a', image: 'x' }, privileged])?.securityContext?.privileged, true);
  });
});

for (const [qosClass, cgroupfs, systemd] of [
  ['Guaranteed', '/windlass/podu-1', 'windlass-podu_1.slice'],
  ['Burstable', '/windlass/burstable/podu-1', 'windlass-burstable-podu_1.slice'],
  ['BestEffort', '/windlass/besteffort/podu-1', 'windlass-besteffort-podu_1.slice'],
] as const)
  it(`the cgroup of a pod that is ${qosClass}`, () => {
    const pod = { ...testPod({}, { uid: 'u-1' }), status: { qosClass } };
    assert.deepEqual([podCgroup(pod, 'cgroupfs'), podCgroup(pod, 'systemd')], [cgroupfs, systemd]);
  });
