import { CSINode } from '@windlass/apimachinery/api/storage/v1';
import { WindlassError } from '@windlass/base';
import { DRIVER_NAME, discoverDevices, initConfigOf, initDrives } from '@windlass/directpv';
import { ProcessClock } from '../time/virtual-time.ts';
import type { World } from '../world/world.ts';

const LOOK_MS = 100;

/** Formats all drives of all nodes, as an administrator does. */
export async function formatDrives({ machines, client, time }: World): Promise<void> {
  if (machines.size === 0) return;
  const clock = new ProcessClock(time, 'server');
  const { signal } = new AbortController();
  const nodes = client.resource(CSINode);
  const isRegistered = async (): Promise<boolean> => {
    const { items } = await nodes.list();
    // A node without drivers has no list of them.
    const driversOf = ({ spec }: CSINode) => (spec.drivers as CSINode['spec']['drivers'] | null) ?? [];
    const hasDriver = (node: CSINode): boolean => driversOf(node).some(({ name }) => name === DRIVER_NAME);
    return items.filter(hasDriver).length === machines.size;
  };
  while (!(await isRegistered()))
    await new Promise<void>((resolve) => void clock.setTimeout(resolve, LOOK_MS));
  const { devices } = await discoverDevices(client, { clock, signal });
  const random = time.randomFor('formatting');
  for (const { node, drive, error } of await initDrives(client, initConfigOf(devices), {
    clock,
    random,
    signal,
  }))
    if (error !== undefined)
      throw new WindlassError(`${drive} of ${node}: ${error}`, { code: 'NOT_FORMATTED' });
}
