import { deepEqual, isAlreadyExists, isConflict, isNotFound } from '@windlass/apimachinery';
import type { KindClient, ReconcileContext, ReconcileResult } from '@windlass/runtime';
import type { NodeContext } from '../node-service/node-context.ts';
import { type BlockDevice, deviceId, formattedOver } from '../os/index.ts';
import {
  CREATED_BY,
  type DirectPVDevice,
  type DirectPVNode,
  LABELS,
  nodeLabelValue,
  VERSION,
} from '../resources/index.ts';
import type { DeviceInventory } from './device-inventory.ts';
import { denials, type KnownDrives, knownDrives } from './known-drives.ts';

export interface NodeHandlerOptions {
  readonly inventory: DeviceInventory;
  readonly nodes: KindClient<DirectPVNode>;
}

/** Shows the node's devices: at the start, when somebody asks, and when a device comes, goes or changes. */
export class NodeHandler {
  readonly #context: NodeContext;
  readonly #options: NodeHandlerOptions;
  #isChanged = true;

  constructor(context: NodeContext, options: NodeHandlerOptions) {
    this.#context = context;
    this.#options = options;
  }

  /** What is shown is no longer certain. */
  changed(): void {
    this.#isChanged = true;
  }

  readonly reconcile = async (
    name: string,
    { signal }: ReconcileContext,
  ): Promise<ReconcileResult | undefined> => {
    const { nodeName } = this.#context;
    const { nodes, inventory } = this.#options;
    if (name !== nodeName) return undefined;
    const node = await this.#read(signal);
    const isAsked = node?.spec?.refresh === true;
    if (node !== undefined && !isAsked && !this.#isChanged) return undefined;
    this.#isChanged = false;
    try {
      if (isAsked) inventory.forget();
      const found = await inventory.devices();
      const known = await knownDrives(this.#context, found, { isLive: isAsked, signal });
      const devices = found.map((device) => this.#deviceOf(device, known, found));
      if (node === undefined) await nodes.create(this.#nodeOf(devices), { signal });
      else if (isAsked || !deepEqual(node.status?.devices ?? [], devices))
        await nodes.update(
          { ...node, spec: { ...node.spec, refresh: false }, status: { ...node.status, devices } },
          { signal },
        );
      return undefined;
    } catch (error) {
      this.#isChanged = true;
      // Somebody asks for the node's devices, or has asked just now: the newest state says.
      if (isAlreadyExists(error) || isConflict(error)) return { requeue: true };
      throw error;
    }
  };

  async #read(signal: AbortSignal): Promise<DirectPVNode | undefined> {
    try {
      return await this.#options.nodes.live().get(this.#context.nodeName, { signal });
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  #nodeOf(devices: DirectPVDevice[]): DirectPVNode {
    const { nodeName } = this.#context;
    return {
      apiVersion: 'directpv.min.io/v1beta1',
      kind: 'DirectPVNode',
      metadata: {
        name: nodeName,
        labels: {
          [LABELS.node]: nodeLabelValue(nodeName),
          [LABELS.version]: VERSION,
          [LABELS.createdBy]: CREATED_BY.node,
        },
      },
      spec: {},
      status: { devices },
    };
  }

  #deviceOf(device: BlockDevice, known: KnownDrives, all: readonly BlockDevice[]): DirectPVDevice {
    const { nodeName } = this.#context;
    const { name, majorMinor, size, make } = device;
    const contents = formattedOver(device);
    const deniedReason = denials(device, known, all).join('; ');
    return {
      name,
      id: deviceId(device, nodeName),
      majorMinor,
      size,
      ...(make !== '' && { make }),
      ...(contents !== undefined && contents.fsType !== '' && { fsType: contents.fsType }),
      ...(contents !== undefined && contents.fsuuid !== '' && { fsuuid: contents.fsuuid }),
      ...(deniedReason !== '' && { deniedReason }),
    };
  }
}
