// Whatever quantity the API server accepts, nodes, schedulers and quotas count with it and go on.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { podRequests, Quantity, quotaUsageOf, type Served, type Transport } from '@windlass/apimachinery';
import { Node, Pod, type PodSpec, ResourceQuota } from '@windlass/apimachinery/api/core/v1';
import { served } from '@windlass/apimachinery/testing';
import { ApiServer, createMemoryStore } from '@windlass/apiserver';
import { createClient } from '@windlass/client';
import { startCluster } from '@windlass/cluster';
import { admissionCheck } from '@windlass/scheduler';
import * as fc from 'fast-check';

const digits = fc.string({ unit: fc.integer({ min: 0, max: 9 }).map(String), minLength: 1, maxLength: 30 });
const quantity = fc.oneof(
  fc
    .tuple(
      digits,
      fc.option(digits, { nil: undefined }),
      fc.constantFrom('', 'n', 'u', 'm', 'k', 'E', 'Ki', 'Pi', 'Ei', 'e3', 'e-9', 'e18', 'e400', 'e-400'),
    )
    .map(([whole, fraction, suffix]) => whole + (fraction === undefined ? '' : `.${fraction}`) + suffix),
  fc.tuple(digits, fc.integer({ min: -(2 ** 31), max: 2 ** 31 })).map(([whole, e]) => `${whole}e${e}`),
  fc.constantFrom(
    '1e1000000000',
    '-0',
    '0',
    '9223372036854775807',
    '1e2147483647',
    '1e-2147483648',
    '9'.repeat(20_000),
  ),
);
const list = (names: readonly string[]): fc.Arbitrary<Record<string, string>> =>
  fc.dictionary(fc.constantFrom(...names), quantity, { maxKeys: 3 });
const COMPUTE = ['cpu', 'memory', 'ephemeral-storage'] as const;
const container = fc.record({ limits: list([...COMPUTE, 'example.com/gpu']), isSidecar: fc.boolean() });
const podSpec = fc
  .record({
    containers: fc.array(container, { minLength: 1, maxLength: 3 }),
    initContainers: fc.array(container, { maxLength: 2 }),
    requests: list(COMPUTE),
  })
  .map(
    ({ containers, initContainers, requests }): PodSpec => ({
      containers: containers.map(({ limits }, index) => ({
        name: `c${index}`,
        image: 'i',
        resources: { limits, ...(index === 0 && { requests }) },
      })),
      initContainers: initContainers.map(({ limits, isSidecar }, index) => ({
        name: `i${index}`,
        image: 'i',
        resources: { limits },
        ...(isSidecar && { restartPolicy: 'Always' }),
      })),
    }),
  );

const NODE = served(Node, {
  metadata: { name: 'node' },
  status: { allocatable: { cpu: '4', memory: '8Gi', pods: '110', 'example.com/gpu': '2' } },
});

describe('extreme quantities', () => {
  let server: ApiServer;
  let transport: Transport;
  before(async () => {
    server = new ApiServer({ store: createMemoryStore() });
    await server.ready();
    transport = server.transport({ name: 'admin', groups: ['system:masters', 'system:authenticated'] });
    await transport.request({
      method: 'POST',
      path: '/api/v1/namespaces/default/serviceaccounts',
      body: { metadata: { name: 'default' } },
    });
  });
  after(() => server.close());

  /** As it would be stored; undefined when it is refused. */
  async function accepted(spec: PodSpec): Promise<Served<Pod> | undefined> {
    const { status, body } = await transport.request({
      method: 'POST',
      path: '/api/v1/namespaces/default/pods',
      query: { dryRun: 'All' },
      body: { metadata: { name: 'extreme' }, spec },
    });
    assert.ok(status === 201 || (status >= 400 && status < 500), JSON.stringify(body).slice(0, 500));
    return status === 201 ? (body as Served<Pod>) : undefined;
  }

  it('of a pod that was accepted are counted by nodes, schedulers and quotas', async () => {
    let taken = 0;
    await fc.assert(
      fc.asyncProperty(podSpec, podSpec, async (first, second) => {
        const pods = (await Promise.all([first, second].map(accepted))).filter((pod) => pod !== undefined);
        taken += pods.length;
        for (const pod of pods) {
          const refusal = admissionCheck(pod, NODE, pods);
          assert.doesNotMatch(refusal?.message ?? '', /NaN|Infinity/);
          let sum = Quantity.zero;
          for (const amount of quotaUsageOf({ group: '', plural: 'pods' }, pod, 0).values())
            sum = sum.add(amount);
          assert.equal(Quantity.parse(sum.toString()).sign, 1);
          for (const amount of Object.values(podRequests(pod.spec, 'limits'))) Quantity.parse(amount);
        }
      }),
      { numRuns: 300 },
    );
    assert.ok(taken > 50, `only ${taken} pods were accepted`);
  });

  it('fail the pod that has them, and not its node, the scheduler or a quota', {
    timeout: 60_000,
  }, async () => {
    await using cluster = await startCluster({ nodes: 1 });
    const client = createClient({ transport: cluster.transport() });
    const pods = client.resource(Pod).namespace('default');
    await client
      .resource(ResourceQuota)
      .namespace('default')
      .create({
        metadata: { name: 'quota' },
        spec: { hard: { 'requests.cpu': '1e2000000000', pods: '1e100' } },
      });
    const create = (name: string, cpu: string, nodeName?: string): Promise<unknown> =>
      pods.create({
        metadata: { name },
        spec: {
          ...(nodeName !== undefined && { nodeName }),
          containers: [{ name: 'c', image: 'i', resources: { requests: { cpu } } }],
        },
      });
    const watch = pods.watch();
    await create('bound', '1e1000000000', 'node-1');
    await create('unbound', '1e1000000000');
    await create('plain', '100m');
    const seen = new Map<string, string>();
    for await (const { type, object } of watch) {
      if (type === 'BOOKMARK') continue;
      const { phase = '', reason = '', conditions = [] } = object.status ?? {};
      seen.set(object.metadata.name, `${phase} ${reason} ${conditions[0]?.reason ?? ''}`.trim());
      if (
        seen.get('plain')?.startsWith('Running') === true &&
        seen.get('bound')?.startsWith('Failed') === true &&
        seen.get('unbound')?.includes('Unschedulable') === true
      )
        break;
    }
    assert.match(seen.get('bound') ?? '', /OutOfcpu/);
    await client.close();
  });
});
