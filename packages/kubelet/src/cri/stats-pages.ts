import type { AnswerContext } from '../server/node-answers.ts';
import { ownedBy, ownerOf } from './config/labels.ts';
import { milliseconds } from './container-exit.ts';
import type { CriClient } from './cri-client.ts';
import type { ContainerStats } from './generated/cri.ts';

const NANOSECONDS = 1e9;

async function statsOf(client: CriClient, { node }: AnswerContext): Promise<readonly ContainerStats[]> {
  return (await client.listContainerStats({ filter: { labelSelector: ownedBy(node) } })).stats;
}

/** `/metrics/resource`: what metrics-server reads. */
export async function resourceMetricsPage(client: CriClient, context: AnswerContext): Promise<string> {
  const stats = await statsOf(client, context);
  const labelsOf = (each: ContainerStats): string => {
    const { container, namespace, pod } = ownerOf(each.attributes?.labels ?? {});
    return `container="${container}",namespace="${namespace}",pod="${pod}"`;
  };
  const seconds = (each: ContainerStats): number =>
    (each.cpu?.usageCoreNanoSeconds?.value ?? 0) / NANOSECONDS;
  const memory = (each: ContainerStats): number => each.memory?.workingSetBytes?.value ?? 0;
  const sum = (valueOf: (each: ContainerStats) => number): number =>
    stats.reduce((total, each) => total + valueOf(each), 0);
  const now = context.clock.now();
  return [
    '# TYPE container_cpu_usage_seconds_total counter',
    ...stats.map(
      (each) =>
        `container_cpu_usage_seconds_total{${labelsOf(each)}} ${seconds(each)} ${milliseconds(each.cpu?.timestamp ?? 0)}`,
    ),
    '# TYPE container_memory_working_set_bytes gauge',
    ...stats.map(
      (each) =>
        `container_memory_working_set_bytes{${labelsOf(each)}} ${memory(each)} ${milliseconds(each.memory?.timestamp ?? 0)}`,
    ),
    '# TYPE node_cpu_usage_seconds_total counter',
    `node_cpu_usage_seconds_total ${sum(seconds)} ${now}`,
    '# TYPE node_memory_working_set_bytes gauge',
    `node_memory_working_set_bytes ${sum(memory)} ${now}`,
    '# TYPE scrape_error gauge',
    'scrape_error 0',
    '',
  ].join('\n');
}

/** `/stats/summary`. */
export async function summaryPage(client: CriClient, context: AnswerContext): Promise<object> {
  const stats = await statsOf(client, context);
  const pods = context.pods.all().map((pod) => ({
    podRef: { name: pod.metadata.name, namespace: pod.metadata.namespace, uid: pod.metadata.uid },
    startTime: pod.status?.startTime ?? null,
    containers: stats
      .filter(({ attributes }) => ownerOf(attributes?.labels ?? {}).uid === pod.metadata.uid)
      .map(containerSummary),
  }));
  const time = new Date(context.clock.now()).toISOString();
  return { node: { nodeName: context.node, startTime: time }, pods };
}

function containerSummary({ attributes, cpu, memory, writableLayer }: ContainerStats): object {
  const time = (nanoseconds = 0): string => new Date(milliseconds(nanoseconds)).toISOString();
  return {
    name: ownerOf(attributes?.labels ?? {}).container,
    cpu: {
      time: time(cpu?.timestamp),
      usageCoreNanoSeconds: cpu?.usageCoreNanoSeconds?.value ?? 0,
      ...(cpu?.usageNanoCores !== undefined && { usageNanoCores: cpu.usageNanoCores.value }),
    },
    memory: {
      time: time(memory?.timestamp),
      workingSetBytes: memory?.workingSetBytes?.value ?? 0,
      ...(memory?.usageBytes !== undefined && { usageBytes: memory.usageBytes.value }),
      ...(memory?.rssBytes !== undefined && { rssBytes: memory.rssBytes.value }),
    },
    rootfs: { time: time(writableLayer?.timestamp), usedBytes: writableLayer?.usedBytes?.value ?? 0 },
  };
}
