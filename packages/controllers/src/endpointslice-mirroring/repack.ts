import type { DeepReadonly } from '@windlass/apimachinery';
import type { EndpointAddress, EndpointPort, EndpointSubset } from '@windlass/apimachinery/api/core/v1';

/** Ports with the addresses that have all of them. */
export interface PackedSubset {
  readonly ports: readonly DeepReadonly<EndpointPort>[];
  readonly ready: readonly DeepReadonly<EndpointAddress>[];
  readonly notReady: readonly DeepReadonly<EndpointAddress>[];
}

interface OnePort {
  readonly port: DeepReadonly<EndpointPort> | undefined;
  /** By address and who is there; what is said last about one counts. */
  readonly addresses: Map<
    string,
    { readonly address: DeepReadonly<EndpointAddress>; readonly isReady: boolean }
  >;
}

/** People write subsets as they like. Here each port is in one of them, and ports of the same addresses are together. */
export function repacked(subsets: readonly DeepReadonly<EndpointSubset>[]): PackedSubset[] {
  const byPort = new Map<string, OnePort>();
  // Without ports there are addresses all the same.
  for (const { ports = [], addresses = [], notReadyAddresses = [] } of subsets)
    for (const port of ports.length === 0 ? [undefined] : ports) {
      const key = JSON.stringify(
        port === undefined ? null : [port.name, port.port, port.protocol, port.appProtocol],
      );
      const one = byPort.get(key) ?? { port, addresses: new Map() };
      for (const address of addresses) one.addresses.set(keyOf(address), { address, isReady: true });
      for (const address of notReadyAddresses) one.addresses.set(keyOf(address), { address, isReady: false });
      byPort.set(key, one);
    }
  const groups = new Map<string, OnePort[]>();
  for (const one of byPort.values()) {
    const said = Array.from(one.addresses, ([key, { isReady }]) => `${key} ${isReady}`);
    const key = JSON.stringify([one.port === undefined, said.toSorted()]);
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return Array.from(groups.values(), (group) => {
    const all = [...(group[0]?.addresses.values() ?? [])];
    return {
      ports: group.flatMap(({ port }) => (port === undefined ? [] : [port])),
      ready: all.filter(({ isReady }) => isReady).map(({ address }) => address),
      notReady: all.filter(({ isReady }) => !isReady).map(({ address }) => address),
    };
  });
}

const keyOf = ({ ip, targetRef }: DeepReadonly<EndpointAddress>): string => `${ip} ${targetRef?.uid ?? ''}`;
