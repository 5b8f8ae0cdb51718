import type { DeepReadonly } from '@windlass/apimachinery';
import { Quantity } from '@windlass/apimachinery';
import type { Container, Pod } from '@windlass/apimachinery/api/core/v1';

/** Amounts by resource: thousandths for `cpu`, whole units for all else. */
export type Amounts = ReadonlyMap<string, number>;

type List = DeepReadonly<Record<string, string>> | undefined;

/** For scoring alone, a container that asks for nothing counts as this much: else all of them would pile up. */
const ASSUMED: Amounts = new Map([
  ['cpu', 100],
  ['memory', 200 * 1024 * 1024],
]);

export function amountOf(resource: string, quantity: string | number): number {
  const parsed = Quantity.from(quantity);
  return resource === 'cpu' ? parsed.milliValue() : parsed.value();
}

export function amountsOf(list: List): Map<string, number> {
  return new Map(Object.entries(list ?? {}).map(([name, quantity]) => [name, amountOf(name, quantity)]));
}

/**
 * What a pod takes of its node: all containers together, or what its init containers need while they run,
 * whichever is more, and the overhead. A sidecar counts with the containers, and beside the init containers
 * that come after it. What the pod asks for as a whole goes before the sum.
 */
export function podRequests(pod: Pick<DeepReadonly<Pod>, 'spec'>): Map<string, number> {
  return total(pod, ({ resources }) => amountsOf(resources?.requests));
}

/** As `podRequests`, with something for containers that ask for no CPU or no memory. */
export function assumedRequests(pod: Pick<DeepReadonly<Pod>, 'spec'>): Map<string, number> {
  return total(pod, ({ resources }) => {
    const amounts = amountsOf(resources?.requests);
    for (const [name, amount] of ASSUMED) if (!amounts.has(name)) amounts.set(name, amount);
    return amounts;
  });
}

function total(
  { spec }: Pick<DeepReadonly<Pod>, 'spec'>,
  requestsOf: (container: DeepReadonly<Container>) => Map<string, number>,
): Map<string, number> {
  const sum = new Map<string, number>();
  for (const container of spec?.containers ?? []) plus(sum, requestsOf(container));
  const sidecars = new Map<string, number>();
  const peak = new Map<string, number>();
  for (const container of spec?.initContainers ?? []) {
    const requests = requestsOf(container);
    if (container.restartPolicy === 'Always') {
      plus(sum, requests);
      plus(sidecars, requests);
      most(peak, sidecars);
    } else {
      plus(requests, sidecars);
      most(peak, requests);
    }
  }
  most(sum, peak);
  for (const [name, amount] of amountsOf(spec?.resources?.requests)) sum.set(name, amount);
  plus(sum, amountsOf(spec?.overhead));
  return sum;
}

export function plus(sum: Map<string, number>, more: Amounts): void {
  for (const [name, amount] of more) sum.set(name, (sum.get(name) ?? 0) + amount);
}

function most(peak: Map<string, number>, other: Amounts): void {
  for (const [name, amount] of other) peak.set(name, Math.max(peak.get(name) ?? 0, amount));
}
