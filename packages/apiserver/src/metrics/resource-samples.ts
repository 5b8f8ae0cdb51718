// What a kubelet says at `/metrics/resource`, in Prometheus' text form, and what follows from two of these.
import type { ContainerUsage, MeasuredNode, Usage } from './usage.ts';

/** One container or node at one moment. */
interface Sample {
  /** Seconds of a core since its start. */
  readonly cpuSeconds: number;
  readonly memoryBytes: number;
}

/** All that a node said at one moment. */
export interface NodeSamples {
  /** Wall time in milliseconds. */
  readonly timestamp: number;
  readonly node: Sample | undefined;
  /** By `namespace/pod`, then by container. */
  readonly pods: ReadonlyMap<string, ReadonlyMap<string, Sample>>;
}

const LINE = /^([a-z_]+)(?:\{([^}]*)\})? (\S+)/;
const LABEL = /([a-z_]+)="((?:[^"\\]|\\.)*)"/g;
const NODE = '';

/** @param now the time of what has no time of its own */
export function parseSamples(text: string, now: number): NodeSamples {
  const cpu = new Map<string, number>();
  const memory = new Map<string, number>();
  for (const line of text.split('\n')) {
    const match = LINE.exec(line);
    if (match === null) continue;
    const [, name, labels = '', value] = match;
    const target = name?.includes('_cpu_usage_seconds_total') === true ? cpu : memory;
    if (name === 'node_cpu_usage_seconds_total' || name === 'node_memory_working_set_bytes')
      target.set(NODE, Number(value));
    else if (name === 'container_cpu_usage_seconds_total' || name === 'container_memory_working_set_bytes')
      target.set(keyIn(labels), Number(value));
  }
  const pods = new Map<string, Map<string, Sample>>();
  for (const [key, cpuSeconds] of cpu) {
    const memoryBytes = memory.get(key);
    if (key === NODE || memoryBytes === undefined) continue;
    const [pod = '', container = ''] = key.split(' ');
    const containers = pods.get(pod) ?? new Map<string, Sample>();
    pods.set(pod, containers);
    containers.set(container, { cpuSeconds, memoryBytes });
  }
  const [nodeCpu, nodeMemory] = [cpu.get(NODE), memory.get(NODE)];
  const isWhole = nodeCpu !== undefined && nodeMemory !== undefined;
  return {
    timestamp: now,
    node: isWhole ? { cpuSeconds: nodeCpu, memoryBytes: nodeMemory } : undefined,
    pods,
  };
}

/**
 * What was used between two moments; undefined when they say too little. A container that has started again counts from
 * its new start, and one that is new is left out: nobody knows its rate yet.
 */
export function usageBetween(before: NodeSamples, after: NodeSamples): MeasuredNode | undefined {
  const windowMs = after.timestamp - before.timestamp;
  if (windowMs <= 0 || before.node === undefined || after.node === undefined) return undefined;
  const pods = new Map<string, ContainerUsage[]>();
  for (const [pod, containers] of after.pods) {
    const known = before.pods.get(pod);
    const usages: ContainerUsage[] = [];
    for (const [name, sample] of containers) {
      const earlier = known?.get(name);
      if (earlier !== undefined) usages.push({ name, usage: rate(earlier, sample, windowMs) });
    }
    // A sum without one of its parts would be too low.
    if (usages.length === containers.size) pods.set(pod, usages);
  }
  return { timestamp: after.timestamp, windowMs, usage: rate(before.node, after.node, windowMs), pods };
}

function rate(before: Sample, after: Sample, windowMs: number): Usage {
  const hasRestarted = after.cpuSeconds < before.cpuSeconds;
  const seconds = after.cpuSeconds - (hasRestarted ? 0 : before.cpuSeconds);
  return {
    cpu: `${Math.round((seconds / windowMs) * 1e12)}n`,
    memory: `${Math.round(after.memoryBytes / 1024)}Ki`,
  };
}

/** `namespace/pod container`: none of them has a blank. */
function keyIn(labels: string): string {
  const values = new Map([...labels.matchAll(LABEL)].map(([, name, value]) => [name, value]));
  return `${values.get('namespace') ?? ''}/${values.get('pod') ?? ''} ${values.get('container') ?? ''}`;
}
