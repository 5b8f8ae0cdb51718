import { isAlreadyExists, type Served } from '@windlass/apimachinery';
import { CSINode } from '@windlass/apimachinery/api/storage/v1';
import { realClock, throwIfAborted, withDeadline } from '@windlass/base';
import { type Client, retryOnConflict } from '@windlass/client';
import {
  CREATED_BY,
  type DirectPVDevice,
  DirectPVNode,
  DRIVER_NAME,
  LABELS,
  nodeLabelValue,
  VERSION,
} from '../resources/index.ts';
import { type AdminOptions, DEFAULT_WAIT_MS, type WaitOptions } from './admin-options.ts';
import { naturally, withoutDev } from './drive-query.ts';
import { expandNames } from './ellipsis.ts';
import { inParallel } from './in-parallel.ts';
import { type InitConfig, initConfig } from './init-config.ts';
import { waitFor } from './wait-for.ts';

/** On which nodes devices are looked for. */
export interface DiscoverOptions extends WaitOptions {
  /** With ellipses. @default every node of the driver */
  readonly nodes?: readonly string[];
  /** Names of devices, with ellipses. @default all */
  readonly drives?: readonly string[];
}

/** A device that was found on a node. */
export interface DiscoveredDevice extends DirectPVDevice {
  readonly node: string;
  /** Whether `init` may have it; else `deniedReason` says why not. */
  readonly isAvailable: boolean;
}

/** What was found, and who did not answer. */
export interface Discovery {
  /** In the order of node and name. */
  readonly devices: readonly DiscoveredDevice[];
  /** Nodes that did not answer in time. */
  readonly silent: readonly string[];
  /** Nodes that were asked for but do not run the driver. */
  readonly unknown: readonly string[];
  /** How many nodes were asked. */
  readonly asked: number;
}

/** Asks the nodes to look at their devices, and waits for their answers. */
export async function discoverDevices(client: Client, options: DiscoverOptions = {}): Promise<Discovery> {
  const { timeoutMs = DEFAULT_WAIT_MS, clock = realClock, signal, onProgress } = options;
  const call = signal === undefined ? {} : { signal };
  const wanted = expandNames(options.nodes ?? []);
  const drives = new Set(expandNames(options.drives ?? []).map(withoutDev));
  const running = await driverNodes(client, call);
  const asked = wanted.length === 0 ? running : wanted.filter((node) => running.includes(node));
  const found = { asked: asked.length, unknown: wanted.filter((node) => !running.includes(node)) };
  if (asked.length === 0) return { ...found, devices: [], silent: [] };

  await inParallel(asked, (node) => askToRefresh(client, node, call));
  const answers = new Map<string, readonly DirectPVDevice[]>();
  const hasAnswered = ({ metadata, spec, status }: Served<DirectPVNode>): boolean => {
    const { name } = metadata;
    if (asked.includes(name) && spec?.refresh !== true && !answers.has(name)) {
      answers.set(name, status?.devices ?? []);
      onProgress?.({ done: answers.size, of: asked.length, node: name });
    }
    return answers.size === asked.length;
  };
  using deadline = withDeadline(clock, timeoutMs, 'the discovery', signal);
  await waitFor(client, DirectPVNode, hasAnswered, { clock, signal: deadline.signal });
  throwIfAborted(signal);
  const devices = [...answers]
    .flatMap(([node, list]) => list.map((device) => discovered(node, device)))
    .filter(({ name }) => drives.size === 0 || drives.has(name))
    .toSorted((a, b) => naturally(a.node, b.node) || naturally(a.name, b.name));
  return { ...found, devices, silent: asked.filter((node) => !answers.has(node)) };
}

/** What `init` may be given: every device that is available, each of them selected. */
export function initConfigOf(devices: readonly DiscoveredDevice[]): InitConfig {
  const nodes = Map.groupBy(
    devices.filter(({ isAvailable }) => isAvailable),
    ({ node }) => node,
  );
  return initConfig(
    [...nodes].map(([name, drives]) => ({
      name,
      drives: drives.map(({ id, name: drive, size, make = '', fsType = '' }) => ({
        id,
        name: drive,
        size,
        make,
        ...(fsType !== '' && { fs: fsType }),
        select: 'yes',
      })),
    })),
  );
}

/** Names of the nodes that run the driver, in order. */
export async function driverNodes(client: Client, call: AdminOptions): Promise<string[]> {
  const names: string[] = [];
  for await (const { metadata, spec } of client.resource(CSINode).items(call))
    if ((spec?.drivers ?? []).some(({ name }) => name === DRIVER_NAME)) names.push(metadata.name);
  return names.sort(naturally);
}

/** The node answers by taking the wish back. A node that is new here may not have an object yet. */
async function askToRefresh(client: Client, name: string, call: AdminOptions): Promise<void> {
  const resource = client.resource(DirectPVNode);
  try {
    await resource.create(
      {
        metadata: {
          name,
          labels: {
            [LABELS.node]: nodeLabelValue(name),
            [LABELS.version]: VERSION,
            [LABELS.createdBy]: CREATED_BY.node,
          },
        },
        spec: { refresh: true },
        status: { devices: [] },
      },
      call,
    );
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
    await retryOnConflict(async () => {
      const node = await resource.get(name, call);
      if (node.spec?.refresh !== true)
        await resource.replace({ ...node, spec: { ...node.spec, refresh: true } }, call);
    }, call);
  }
}

function discovered(node: string, device: DirectPVDevice): DiscoveredDevice {
  return { ...device, node, isAvailable: (device.deniedReason ?? '') === '' };
}
