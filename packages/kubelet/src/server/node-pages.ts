import type { Cached } from '@windlass/apimachinery';
import type { Pod } from '@windlass/apimachinery/api/core/v1';
import { containerSpec } from './container-state.ts';

/** So much each simulated container takes, for whoever measures: a tenth of a CPU and 16 MiB. */
const CPU_CORES = 0.1;
const MEMORY_BYTES = 16 * 1024 * 1024;

export interface NodeFacts {
  readonly node: string;
  readonly pods: readonly Cached<Pod>[];
  /** Milliseconds since 1970. */
  readonly now: number;
}

interface Running {
  readonly pod: Cached<Pod>;
  readonly container: string;
  readonly startedAt: number;
}

/** `/metrics/resource`: what metrics-server reads. */
export function resourceMetrics({ node, pods, now }: NodeFacts): string {
  const running = runningContainers(pods);
  const seconds = (startedAt: number): string => (((now - startedAt) / 1000) * CPU_CORES).toFixed(3);
  const labels = ({ pod, container }: Running): string =>
    `container="${container}",namespace="${pod.metadata.namespace}",pod="${pod.metadata.name}"`;
  const total = running.reduce((sum, { startedAt }) => sum + Number(seconds(startedAt)), 0);
  return [
    '# TYPE container_cpu_usage_seconds_total counter',
    ...running.map(
      (each) => `container_cpu_usage_seconds_total{${labels(each)}} ${seconds(each.startedAt)} ${now}`,
    ),
    '# TYPE container_memory_working_set_bytes gauge',
    ...running.map((each) => `container_memory_working_set_bytes{${labels(each)}} ${MEMORY_BYTES} ${now}`),
    '# TYPE container_start_time_seconds gauge',
    ...running.map((each) => `container_start_time_seconds{${labels(each)}} ${each.startedAt / 1000}`),
    '# TYPE node_cpu_usage_seconds_total counter',
    `node_cpu_usage_seconds_total ${total.toFixed(3)} ${now}`,
    '# TYPE node_memory_working_set_bytes gauge',
    `node_memory_working_set_bytes ${running.length * MEMORY_BYTES} ${now}`,
    `# HELP scrape_error 1 if there was an error while getting container metrics of ${node}, 0 otherwise`,
    '# TYPE scrape_error gauge',
    'scrape_error 0',
    '',
  ].join('\n');
}

/** `/stats/summary`. */
export function summary({ node, pods, now }: NodeFacts): object {
  const time = new Date(now).toISOString();
  const running = runningContainers(pods);
  const usage = (count: number): object => ({
    cpu: { time, usageNanoCores: count * CPU_CORES * 1e9 },
    memory: { time, workingSetBytes: count * MEMORY_BYTES, usageBytes: count * MEMORY_BYTES },
  });
  return {
    node: { nodeName: node, startTime: time, ...usage(running.length) },
    pods: pods.map((pod) => {
      const own = running.filter((each) => each.pod === pod);
      const { name, namespace, uid } = pod.metadata;
      return {
        podRef: { name, namespace, uid },
        startTime: pod.status?.startTime,
        containers: own.map(({ container, startedAt }) => ({
          name: container,
          startTime: new Date(startedAt).toISOString(),
          ...usage(1),
        })),
        ...usage(own.length),
      };
    }),
  };
}

function runningContainers(pods: readonly Cached<Pod>[]): Running[] {
  return pods.flatMap((pod) =>
    [...(pod.status?.containerStatuses ?? []), ...(pod.status?.initContainerStatuses ?? [])].flatMap(
      ({ name, state }) => {
        const started = state?.running?.startedAt;
        if (typeof started !== 'string' || containerSpec(pod, name) === undefined) return [];
        return [{ pod, container: name, startedAt: Date.parse(started) }];
      },
    ),
  );
}
