import { readFile, statfs } from 'node:fs/promises';
import { availableParallelism, networkInterfaces, release, totalmem } from 'node:os';
import type { NodeSpec } from './node-spec.ts';

/** This machine as a node: what it is, and what it has. */
export async function thisMachine(
  name: string,
  root: string,
): Promise<Required<Pick<NodeSpec, 'name' | 'address' | 'capacity' | 'info'>>> {
  const disk = await statfs(root);
  const [osRelease, bootID, machineID, systemUUID] = await Promise.all(
    [
      '/etc/os-release',
      '/proc/sys/kernel/random/boot_id',
      '/etc/machine-id',
      '/sys/class/dmi/id/product_uuid',
    ].map(read),
  );
  return {
    name,
    address: machineAddress(networkInterfaces()),
    capacity: {
      cpu: String(availableParallelism()),
      memory: `${Math.floor(totalmem() / 1024)}Ki`,
      'ephemeral-storage': `${Math.floor((disk.blocks * disk.bsize) / 1024)}Ki`,
    },
    info: {
      kernelVersion: release(),
      osImage: /^PRETTY_NAME="?([^"\n]*)/m.exec(osRelease ?? '')?.[1] ?? 'Linux',
      ...(bootID !== undefined && { bootID }),
      ...(machineID !== undefined && { machineID }),
      ...(systemUUID !== undefined && { systemUUID }),
    },
  };
}

const LOOPBACK = '127.0.0.1';
/** Made for pods and virtual machines; nobody outside reaches the machine there. */
const OF_PODS = /^(?:cni|veth|docker|br-|virbr|windlass)/;

/** The first address that others may reach; without a network the machine's own. */
export function machineAddress(interfaces: ReturnType<typeof networkInterfaces>): string {
  for (const [name, addresses = []] of Object.entries(interfaces)) {
    if (OF_PODS.test(name)) continue;
    const found = addresses.find(({ family, internal }) => family === 'IPv4' && !internal);
    if (found !== undefined) return found.address;
  }
  return LOOPBACK;
}

async function read(path: string): Promise<string | undefined> {
  try {
    const text = (await readFile(path, 'utf8')).trim();
    return text === '' ? undefined : text;
  } catch {
    return undefined;
  }
}
