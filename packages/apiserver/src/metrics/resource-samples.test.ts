import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseSamples, usageBetween } from './resource-samples.ts';

const text = (
  cpu: number,
  container: number,
  more = '',
): string => `# HELP node_cpu_usage_seconds_total Cumulative cpu
# TYPE node_cpu_usage_seconds_total counter
node_cpu_usage_seconds_total ${cpu} 1700000000000
node_memory_working_set_bytes 1.048576e+06 1700000000000
container_cpu_usage_seconds_total{container="main",namespace="default",pod="web"} ${container} 1700000000000
container_memory_working_set_bytes{container="main",namespace="default",pod="web"} 2048
container_start_time_seconds{container="main",namespace="default",pod="web"} 1
pod_cpu_usage_seconds_total{namespace="default",pod="web"} 99
${more}scrape_error 0
`;
const NEW = `container_cpu_usage_seconds_total{container="side",namespace="default",pod="web"} 1
container_memory_working_set_bytes{container="side",namespace="default",pod="web"} 1024
`;

const rows: readonly [string, string, string, number, string, string | undefined][] = [
  ['a rate', text(100, 10), text(115, 13), 15_000, '1000000000n', '200000000n'],
  ['a container that has started again', text(100, 10), text(115, 3), 15_000, '1000000000n', '200000000n'],
  ['a container that is new', text(100, 10), text(115, 13, NEW), 15_000, '1000000000n', undefined],
];

for (const [name, before, after, windowMs, node, main] of rows)
  test(`what a kubelet measures: ${name}`, () => {
    const usage = usageBetween(parseSamples(before, 1000), parseSamples(after, 1000 + windowMs));
    assert.deepEqual(usage?.usage, { cpu: node, memory: '1024Ki' });
    assert.deepEqual(
      usage?.pods.get('default/web'),
      main === undefined ? undefined : [{ name: 'main', usage: { cpu: main, memory: '2Ki' } }],
    );
  });

test('nothing follows from one moment, or from what says nothing of the node', () => {
  const samples = parseSamples(text(1, 1), 1000);
  assert.equal(usageBetween(samples, samples), undefined);
  assert.equal(usageBetween(parseSamples('', 0), samples), undefined);
  assert.equal(usageBetween(parseSamples('<html>', 0), parseSamples('x', 1)), undefined);
});
