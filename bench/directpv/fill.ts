import { isConditionTrue } from '@windlass/apimachinery';
import { CustomResourceDefinition } from '@windlass/apimachinery/api/apiextensions/v1';
import { type Client, createClient, loadConfig } from '@windlass/client';
import { DirectPVDrive, DirectPVVolume, resourceDefinitions } from '@windlass/directpv';
import { buildDrive, buildVolume } from '@windlass/directpv/testing';

export interface Stock {
  readonly drives: number;
  /** Of each drive. */
  readonly volumes: number;
}

const NODES = 100;
const DRIVE_BYTES = 8 * 2 ** 40;
const VOLUME_BYTES = 2 ** 30;
const AT_ONCE = 32;

export const nodeOf = (drive: number): string => `node-${drive % NODES}`;

/** Drives on a hundred nodes, each with volumes, as they are in a cluster that is in use. */
export async function fill(kubeconfigPath: string, { drives, volumes }: Stock): Promise<void> {
  await using client = createClient({ config: await loadConfig({ path: kubeconfigPath }) });
  await install(client);
  const names = Array.from({ length: drives }, (_, at) => at);
  const work = names.values();
  const worker = async (): Promise<void> => {
    for (const at of work) await fillDrive(client, at, volumes);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

async function fillDrive(client: Client, at: number, volumes: number): Promise<void> {
  const fsuuid = `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`;
  const node = nodeOf(at);
  const names = Array.from({ length: volumes }, (_, index) => `stock-${at}-${index}`);
  const held = Object.fromEntries(names.map((name) => [name, VOLUME_BYTES]));
  await client
    .resource(DirectPVDrive)
    .create(buildDrive({ fsuuid, node, totalCapacity: DRIVE_BYTES, volumes: held }));
  for (const name of names)
    await client
      .resource(DirectPVVolume)
      .create(buildVolume({ name, fsuuid, node, totalCapacity: VOLUME_BYTES, stagingTargetPath: '/staged' }));
}

async function install(client: Client): Promise<void> {
  const definitions = client.resource(CustomResourceDefinition);
  for (const definition of resourceDefinitions) {
    const { metadata } = await definitions.create(definition);
    for (;;) {
      const { status } = await definitions.get(metadata.name);
      if (isConditionTrue(status?.conditions ?? [], 'Established')) break;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}
