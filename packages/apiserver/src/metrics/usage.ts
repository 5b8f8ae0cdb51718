// What pods and nodes use. Nodes that measure say it themselves; of simulated ones it is made up here.
import { type DeepReadonly, Quantity } from '@windlass/apimachinery';
import type { Container, Pod } from '@windlass/apimachinery/api/core/v1';

/** Quantities. */
export interface Usage {
  readonly cpu: string;
  readonly memory: string;
}

export interface ContainerUsage {
  readonly name: string;
  readonly usage: Usage;
}

/** What was measured on one node. */
export interface MeasuredNode {
  /** Wall time in milliseconds. */
  readonly timestamp: number;
  /** How long it was measured, in milliseconds. */
  readonly windowMs: number;
  readonly usage: Usage;
  /** By `namespace/name`. */
  readonly pods: ReadonlyMap<string, readonly ContainerUsage[]>;
}

/** Real usage. Undefined for a node that does not measure, or has not yet: its usage is simulated. */
export type UsageReader = (nodeName: string) => MeasuredNode | undefined;

/** As kwok has them: how much each container of the pod uses. */
const ANNOTATIONS = { cpu: 'kwok.x-k8s.io/usage-cpu', memory: 'kwok.x-k8s.io/usage-memory' } as const;

/** kwok's defaults, and the least. */
const LEAST: Usage = Object.freeze({ cpu: '1m', memory: '1Mi' });

/**
 * A container that nobody says anything about uses this part of what it requests: far from every target, so that an
 * autoscaler does not grow a workload that does nothing.
 */
const SHARE_OF_REQUEST = 0.1;

/** What each container of a simulated pod uses. */
export function simulatedUsage(pod: DeepReadonly<Pod>): ContainerUsage[] {
  const annotations = pod.metadata?.annotations ?? {};
  return (pod.spec?.containers ?? []).map((container) => ({
    name: container.name ?? '',
    usage: {
      cpu: amountOf('cpu', annotations[ANNOTATIONS.cpu], container),
      memory: amountOf('memory', annotations[ANNOTATIONS.memory], container),
    },
  }));
}

/** All of them together. */
export function totalUsage(usages: Iterable<Usage>): Usage {
  let cpu = Quantity.parse('0');
  let memory = Quantity.parse('0Ki');
  for (const usage of usages) {
    cpu = cpu.add(Quantity.parse(usage.cpu));
    memory = memory.add(Quantity.parse(usage.memory));
  }
  return { cpu: String(cpu), memory: String(memory) };
}

/** Only what runs uses anything. */
export function isMeasured({ spec, status }: DeepReadonly<Pod>): boolean {
  return status?.phase === 'Running' && (spec?.nodeName ?? '') !== '';
}

function amountOf(
  resource: keyof Usage,
  said: string | undefined,
  { resources }: DeepReadonly<Container>,
): string {
  const given = said === undefined ? undefined : parsed(said);
  if (given !== undefined) return String(given);
  const least = Quantity.parse(LEAST[resource]);
  const request = resources?.requests?.[resource];
  if (request === undefined) return String(least);
  const amount = Quantity.parse(request).asNumber() * SHARE_OF_REQUEST;
  const share =
    resource === 'cpu'
      ? Quantity.parse(`${Math.round(amount * 1000)}m`)
      : Quantity.parse(`${Math.round(amount / 1024)}Ki`);
  return String(share.compare(least) > 0 ? share : least);
}

/** What is no quantity says nothing. */
function parsed(text: string): Quantity | undefined {
  try {
    return Quantity.parse(text);
  } catch {
    return undefined;
  }
}
