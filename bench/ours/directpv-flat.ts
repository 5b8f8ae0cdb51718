// What a CreateVolume costs our controller among few drives and among many: processor time of a call, with the
// server in the same process, as it is the same for both. Prints one JSON object of figures.
//
// Usage: node --expose-gc directpv-flat.ts FEW MANY CALLS
import { isConditionTrue } from '@windlass/apimachinery';
import { CustomResourceDefinition } from '@windlass/apimachinery/api/apiextensions/v1';
import { ApiServer, createMemoryStore } from '@windlass/apiserver';
import { createClient } from '@windlass/client';
import { directDriver } from '@windlass/csi';
import {
  addDirectPVController,
  DirectPVDrive,
  identityService,
  LABELS,
  resourceDefinitions,
} from '@windlass/directpv';
import { buildDrive } from '@windlass/directpv/testing';
import { Manager } from '@windlass/runtime';

const [few = '', many = '', calls = ''] = process.argv.slice(2);
const NODES = 20;
const PASSES = 3;

async function costOf(drives: number): Promise<number> {
  const server = new ApiServer({ store: createMemoryStore() });
  await server.ready();
  const transport = server.transport();
  await using client = createClient({ transport });
  const definitions = client.resource(CustomResourceDefinition);
  for (const definition of resourceDefinitions) {
    const { metadata } = await definitions.create(definition);
    for (;;) {
      const { status } = await definitions.get(metadata.name);
      if (isConditionTrue(status?.conditions ?? [], 'Established')) break;
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
  for (let at = 0; at < drives; at++)
    await client
      .resource(DirectPVDrive)
      .create(buildDrive({ fsuuid: `d${at}`, node: `n${at % NODES}`, totalCapacity: 2 ** 50 }));
  await using manager = new Manager({ transport });
  const controller = addDirectPVController(manager);
  await manager.start();
  const identity = identityService({ version: 'bench', isReady: () => controller.isReady });
  const csi = directDriver({ identity, controller });
  let made = 0;
  const pass = async (): Promise<number> => {
    globalThis.gc?.();
    const before = process.cpuUsage();
    for (let call = 0; call < Number(calls); call++) {
      const segments = { [LABELS.node]: `n${call % NODES}` };
      await csi.createVolume({
        name: `pvc-${made++}`,
        capacityRange: { requiredBytes: 2 ** 20 },
        volumeCapabilities: [{ mount: { fsType: 'xfs' }, accessMode: { mode: 'SINGLE_NODE_WRITER' } }],
        // Every other one may be anywhere.
        ...(call % 2 === 0 && { accessibilityRequirements: { requisite: [{ segments }] } }),
      });
    }
    const { user, system } = process.cpuUsage(before);
    return (user + system) / Number(calls);
  };
  await pass();
  let best = Number.POSITIVE_INFINITY;
  for (let at = 0; at < PASSES; at++) best = Math.min(best, await pass());
  await server.close();
  return best;
}

// Code that is not compiled yet would be counted to whoever comes first.
await costOf(Number(few));
const [cheap, dear] = [await costOf(Number(few)), await costOf(Number(many))];
console.error(
  `bench: a call costs ${cheap.toFixed(0)} µs among ${few} drives and ${dear.toFixed(0)} µs among ${many}`,
);
console.log(JSON.stringify({ times: dear / cheap }));
process.exit(0);
