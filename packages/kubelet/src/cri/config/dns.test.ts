import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { PodSpec } from '@windlass/apimachinery/api/core/v1';
import { testPod } from '../../pod/testing.ts';
import { parseResolver, podResolver } from './dns.ts';
import { nodeHostsFile, podHostsFile } from './hosts-file.ts';

const host = parseResolver(
  '# comment\nnameserver 192.0.2.1\nnameserver 192.0.2.2\nsearch example.test\noptions edns0\n',
);
const cluster = { servers: ['10.0.0.10'], domain: 'cluster.local' };

it('the node’s own file is read', () => {
  assert.deepEqual(host, {
    servers: ['192.0.2.1', '192.0.2.2'],
    searches: ['example.test'],
    options: ['edns0'],
  });
  assert.deepEqual(parseResolver(''), { servers: [], searches: [], options: [] });
});

describe('the resolver of a pod', () => {
  const ofCluster = {
    servers: ['10.0.0.10'],
    searches: ['default.svc.cluster.local', 'svc.cluster.local', 'cluster.local', 'example.test'],
    options: ['ndots:5'],
  };
  const rows: readonly (readonly [what: string, spec: Partial<PodSpec>, expected: object])[] = [
    ['is the cluster’s', {}, ofCluster],
    ['is the node’s in the node’s network', { hostNetwork: true }, host],
    [
      'is the cluster’s there too when that is said',
      { hostNetwork: true, dnsPolicy: 'ClusterFirstWithHostNet' },
      ofCluster,
    ],
    ['is the node’s when that is said', { dnsPolicy: 'Default' }, host],
    [
      'is the pod’s own',
      { dnsPolicy: 'None', dnsConfig: { nameservers: ['1.1.1.1'] } },
      { servers: ['1.1.1.1'], searches: [], options: [] },
    ],
    [
      'is added to, and each option is there once',
      {
        dnsConfig: {
          nameservers: ['1.1.1.1', '2.2.2.2', '3.3.3.3'],
          searches: ['a', 'cluster.local'],
          options: [{ name: 'ndots', value: '2' }, { name: 'rotate' }],
        },
      },
      {
        servers: ['10.0.0.10', '1.1.1.1', '2.2.2.2'],
        searches: [...ofCluster.searches, 'a'],
        options: ['ndots:2', 'rotate'],
      },
    ],
  ];
  for (const [what, spec, expected] of rows)
    it(what, () => assert.deepEqual(podResolver(testPod(spec), host, cluster), expected));

  it('is the node’s in a cluster without names', () =>
    assert.deepEqual(podResolver(testPod(), host, undefined), host));
});

describe('/etc/hosts', () => {
  it('has the pod’s names, and what it adds', () => {
    const text = podHostsFile(
      testPod({ hostname: 'web', subdomain: 's', hostAliases: [{ ip: '1.2.3.4', hostnames: ['x', 'y'] }] }),
      ['10.1.1.1', 'fd00::1'],
      'cluster.local',
    );
    assert.match(text, /\n10\.1\.1\.1\tweb\.s\.default\.svc\.cluster\.local\tweb\nfd00::1\tweb\.s/);
    assert.match(text, /\n1\.2\.3\.4\tx\ty\n$/);
    assert.match(podHostsFile(testPod(), ['10.1.1.1'], 'cluster.local'), /\n10\.1\.1\.1\tp\n$/);
  });

  it('is the node’s in the node’s network', () => {
    const text = nodeHostsFile(
      testPod({ hostAliases: [{ ip: '1.2.3.4', hostnames: ['x'] }] }),
      '127.0.0.1\tme\n',
    );
    assert.match(text, /\n127\.0\.0\.1\tme\n[^]*\n1\.2\.3\.4\tx\n$/);
  });
});
