import { isIP } from 'node:net';
import type { NetworkInterfaceInfo } from 'node:os';

type Interfaces = Readonly<
  Record<string, readonly Pick<NetworkInterfaceInfo, 'address' | 'internal'>[] | undefined>
>;

/**
 * The address by which others are told to reach a server that listens on `host`: that one; or the first one of the
 * machine that is not its own alone, when it listens everywhere, by a name, or on loopback. It is what kube-apiserver
 * advertises, too. Undefined when the machine has no such address.
 */
export function advertisedAddress(host: string, interfaces: Interfaces): string | undefined {
  if (isIP(host) !== 0 && isForOthers(host)) return host;
  const all = Object.values(interfaces)
    .flatMap((addresses) => addresses ?? [])
    .filter(({ internal, address }) => !internal && isForOthers(address))
    .map(({ address }) => address);
  return all.find((address) => isIP(address) === 4) ?? all[0];
}

/** Not of the machine, the link or nobody: what an endpoint may be. */
function isForOthers(address: string): boolean {
  return !/^(?:127\.|169\.254\.|0\.0\.0\.0$|::1?$|fe[89ab])/i.test(address) && !address.includes('%');
}
