import type { Container, PodSpec } from '../generated/api/core/v1.ts';
import type { DeepReadonly } from '../object.ts';
import { Quantity } from '../quantities/quantity.ts';

/**
 * What a pod asks for as a whole: its containers together, or its hungriest init container when that is
 * more; init containers that keep running count with both. What the pod itself says goes before that, and
 * overhead comes on top.
 */
export function podRequests(
  spec: DeepReadonly<PodSpec> | undefined,
  of: 'requests' | 'limits',
): Record<string, string> {
  const running = new Map<string, Quantity>();
  const starting = new Map<string, Quantity>();
  const amounts = ({ resources }: DeepReadonly<Container>): [string, Quantity][] =>
    Object.entries(resources?.[of] ?? {}).map(([name, value]) => [name, Quantity.from(value)]);
  for (const container of spec?.containers ?? [])
    for (const [name, amount] of amounts(container)) addTo(running, name, amount);
  const sidecars = new Map<string, Quantity>();
  for (const container of spec?.initContainers ?? []) {
    const isSidecar = container.restartPolicy === 'Always';
    for (const [name, amount] of amounts(container)) {
      if (isSidecar) addTo(sidecars, name, amount);
      const needed = isSidecar
        ? (sidecars.get(name) ?? amount)
        : amount.add(sidecars.get(name) ?? Quantity.zero);
      if (needed.compare(starting.get(name) ?? Quantity.zero) > 0) starting.set(name, needed);
    }
  }
  for (const [name, amount] of sidecars) addTo(running, name, amount);
  for (const [name, amount] of starting)
    if (amount.compare(running.get(name) ?? Quantity.zero) > 0) running.set(name, amount);
  for (const [name, value] of Object.entries(spec?.resources?.[of] ?? {}))
    running.set(name, Quantity.from(value));
  for (const [name, value] of Object.entries(spec?.overhead ?? {}))
    if (of === 'requests' || running.has(name)) addTo(running, name, Quantity.from(value));
  return Object.fromEntries([...running].map(([name, amount]) => [name, String(amount)]));
}

function addTo(sums: Map<string, Quantity>, name: string, amount: Quantity): void {
  sums.set(name, sums.get(name)?.add(amount) ?? amount);
}
