import type { NodeSystemInfo, Taint } from '@windlass/apimachinery/api/core/v1';
import { InvalidArgumentError } from '@windlass/base';
import { nodeAddress, podRange } from './pod-addresses.ts';

/** A node as its owner describes it. */
export interface NodeSpec {
  readonly name: string;
  /** @default an address that follows from the node's place in the list */
  readonly address?: string;
  /** The range of its pods' addresses. @default one that follows from its place in the list */
  readonly podCidr?: string;
  /** @default 8 CPUs, 32Gi of memory, 100Gi of disk, 110 pods */
  readonly capacity?: Readonly<Record<string, string>>;
  /** Held back for the system, and so not allocatable. @default nothing */
  readonly reserved?: Readonly<Record<string, string>>;
  /** Beside those that every node has. @default none */
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  /** When it registers. @default none */
  readonly taints?: readonly Taint[];
  /**
   * A folder for its volumes and the sockets of its CSI drivers; each node needs its own. Keep it short: the
   * path of a socket in it may have 107 bytes.
   * @default none: volumes are not written, and there are no CSI drivers
   */
  readonly root?: string;
  /** What the machine is. @default that of a simulated one */
  readonly info?: Readonly<Partial<NodeSystemInfo>>;
}

export type CompleteNodeSpec = Required<Omit<NodeSpec, 'root'>> & Pick<NodeSpec, 'root'>;

/** What a node has to offer unless its spec says otherwise. */
export const DEFAULT_CAPACITY: Readonly<Record<string, string>> = Object.freeze({
  cpu: '8',
  'ephemeral-storage': '100Gi',
  'hugepages-2Mi': '0',
  memory: '32Gi',
  pods: '110',
});

export function completeNodeSpec(spec: NodeSpec, index: number): CompleteNodeSpec {
  if (typeof spec.name !== 'string' || spec.name === '')
    throw new InvalidArgumentError('name', spec.name, 'a node name that is not empty');
  return {
    address: nodeAddress(index),
    podCidr: podRange(index),
    reserved: {},
    labels: {},
    annotations: {},
    taints: [],
    info: {},
    ...spec,
    capacity: { ...DEFAULT_CAPACITY, ...spec.capacity },
  };
}

/** `node-1`, `node-2`, …: the nodes of a cluster on one's own machine. */
export function simulatedNodes(count: number): NodeSpec[] {
  if (!(Number.isInteger(count) && count >= 0))
    throw new InvalidArgumentError('nodes', count, 'a whole number of at least 0');
  return Array.from({ length: count }, (_, index) => ({ name: `node-${index + 1}` }));
}
