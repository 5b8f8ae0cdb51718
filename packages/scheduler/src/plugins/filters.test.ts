// The filters as functions: which of three nodes take a pod, and why the others do not.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { termMatchesNode, tolerates } from '@windlass/apimachinery';
import type { NodeInfo } from '../cache/node-info.ts';
import type { PodInfo } from '../cache/pod-info.ts';
import { PreparedFilters, prepareFilters } from '../framework/filters.ts';
import { testNode, testPod, testView } from '../testing.ts';
import { DEFAULT_FILTERS } from './default-plugins.ts';

function rejections(pod: PodInfo, nodes: readonly NodeInfo[], namespaces = {}): (string | undefined)[] {
  const prepared = prepareFilters(pod, DEFAULT_FILTERS, testView(nodes, namespaces));
  if (!(prepared instanceof PreparedFilters)) return [prepared.reasons.join(', ')];
  return nodes.map((node) => {
    const rejection = prepared.run(node);
    return rejection && `${rejection.isUnresolvable ? '!' : ''}${rejection.reasons.join(', ')}`;
  });
}

describe('tolerations', () => {
  const taint = { key: 'gpu', value: '7', effect: 'NoSchedule' };
  for (const [toleration, expected] of [
    [{}, false],
    [{ operator: 'Exists' }, true],
    [{ key: 'gpu', operator: 'Exists' }, true],
    [{ key: 'gpu', operator: 'Exists', effect: 'NoExecute' }, false],
    [{ key: 'gpu', value: '7' }, true],
    [{ key: 'gpu', operator: 'Equal', value: '8' }, false],
    [{ key: 'gpu', operator: 'Gt', value: '6' }, true],
    [{ key: 'gpu', operator: 'Lt', value: '6' }, false],
    [{ key: 'gpu', operator: 'Gt', value: 'x' }, false],
    [{ key: 'cpu', operator: 'Exists' }, false],
  ] as const)
    it(`${JSON.stringify(toleration)} ${expected ? 'tolerates' : 'does not tolerate'} gpu=7:NoSchedule`, () =>
      assert.equal(tolerates([toleration], taint), expected));
});

describe('terms of node selectors', () => {
  const node = { metadata: { name: 'n1', labels: { zone: 'a', cores: '8' } } };
  const expression = (key: string, operator: string, values?: string[]) => ({
    matchExpressions: [{ key, operator, ...(values !== undefined && { values }) }],
  });
  for (const [term, expected] of [
    [{}, false],
    [expression('zone', 'In', ['a', 'b']), true],
    [expression('zone', 'NotIn', ['a']), false],
    [expression('disk', 'NotIn', ['hdd']), true],
    [expression('disk', 'Exists'), false],
    [expression('disk', 'DoesNotExist'), true],
    [expression('cores', 'Gt', ['4']), true],
    [expression('cores', 'Lt', ['8']), false],
    [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: ['n1'] }] }, true],
    [{ matchFields: [{ key: 'metadata.name', operator: 'NotIn', values: ['n1'] }] }, false],
    [
      {
        ...expression('zone', 'In', ['a']),
        matchFields: [{ key: 'metadata.name', operator: 'In', values: ['n2'] }],
      },
      false,
    ],
  ] as const)
    it(`${JSON.stringify(term)} ${expected ? 'matches' : 'does not match'}`, () =>
      assert.equal(termMatchesNode(term, node), expected));
});

describe('filters', () => {
  it('name every resource that is missing, and whether room could be made', () => {
    const full = testNode('full', { cpu: '1' }, [testPod('other', { cpu: '500m' })]);
    const crowded = testNode(
      'crowded',
      {},
      Array.from({ length: 10 }, (_, index) => testPod(`p${index}`)),
    );
    const containers = [{ name: 'c', resources: { requests: { cpu: '1', 'example.com/gpu': '1' } } }];
    assert.deepEqual(rejections(testPod('new', { cpu: '1' }), [full, crowded, testNode('free')]), [
      'Insufficient cpu',
      'Too many pods',
      undefined,
    ]);
    assert.deepEqual(rejections(testPod('new', { containers }), [full]), [
      '!Insufficient cpu, Insufficient example.com/gpu',
    ]);
    assert.deepEqual(rejections(testPod('new', { cpu: '2' }), [full]), ['!Insufficient cpu']);
  });

  for (const [what, taken, wanted, isFree] of [
    ['the same port', {}, {}, false],
    ['another protocol', {}, { protocol: 'UDP' as const }, true],
    ['another address', { hostIP: '10.0.0.1' }, { hostIP: '10.0.0.2' }, true],
    ['any address', { hostIP: '10.0.0.1' }, {}, false],
    ['one address beside any', {}, { hostIP: '10.0.0.1' }, false],
  ] as const)
    it(`${isFree ? 'allow' : 'refuse'} ${what} of the host`, () => {
      const withPort = (port: object) => ({
        containers: [{ name: 'c', ports: [{ containerPort: 1, hostPort: 80, ...port }] }],
      });
      const node = testNode('n', {}, [testPod('old', withPort(taken))]);
      assert.equal(rejections(testPod('new', withPort(wanted)), [node])[0] === undefined, isFree);
    });

  it('know a cordoned node, and pods that come to it all the same', () => {
    const node = testNode('n', { unschedulable: true });
    assert.deepEqual(rejections(testPod('p'), [node]), ['!node(s) were unschedulable']);
    const tolerations = [{ key: 'node.kubernetes.io/unschedulable', operator: 'Exists' as const }];
    assert.deepEqual(rejections(testPod('p', { tolerations }), [node]), [undefined]);
  });

  it('count domains of spreading: the least full one decides, and missing ones when so many are wanted', () => {
    const web = (name: string, more = {}) => testPod(name, { labels: { app: 'web' }, ...more });
    const constraint = (more: object) => ({
      topologySpreadConstraints: [
        {
          maxSkew: 1,
          topologyKey: 'zone',
          whenUnsatisfiable: 'DoNotSchedule',
          labelSelector: { matchLabels: { app: 'web' } },
          ...more,
        },
      ],
    });
    const nodes = [
      testNode('a', { labels: { zone: 'a' } }, [web('1')]),
      testNode('b', { labels: { zone: 'b' } }),
      testNode('none'),
    ];
    const missing = "!node(s) didn't match pod topology spread constraints (missing required label)";
    const uneven = "node(s) didn't match pod topology spread constraints";
    assert.deepEqual(rejections(web('new', constraint({})), nodes), [uneven, undefined, missing]);
    assert.deepEqual(rejections(web('new', constraint({ maxSkew: 2 })), nodes), [
      undefined,
      undefined,
      missing,
    ]);
    const both = [
      testNode('a', { labels: { zone: 'a' } }, [web('1')]),
      testNode('b', { labels: { zone: 'b' } }, [web('2')]),
    ];
    assert.deepEqual(rejections(web('new', constraint({})), both), [undefined, undefined]);
    assert.deepEqual(rejections(web('new', constraint({ minDomains: 3 })), both), [uneven, uneven]);
    // Nodes that the pod cannot go to anyway do not count, unless it says so.
    const chosen = { nodeSelector: { zone: 'a' } };
    assert.deepEqual(rejections(web('new', { ...chosen, ...constraint({}) }), nodes)[0], undefined);
    assert.deepEqual(
      rejections(web('new', { ...chosen, ...constraint({ nodeAffinityPolicy: 'Ignore' }) }), nodes)[0],
      uneven,
    );
    // Those that are going do not count, nor those of other namespaces.
    const elsewhere = testNode('a', { labels: { zone: 'a' } }, [web('1', { namespace: 'other' })]);
    assert.deepEqual(rejections(web('new', constraint({})), [elsewhere, both[1] ?? elsewhere])[0], undefined);
  });
});
