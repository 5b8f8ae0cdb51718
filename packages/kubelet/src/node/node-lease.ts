import {
  type Cached,
  formatMicroTime,
  isAlreadyExists,
  isConflict,
  isNotFound,
} from '@windlass/apimachinery';
import { Lease } from '@windlass/apimachinery/api/coordination/v1';
import type { Node } from '@windlass/apimachinery/api/core/v1';
import type { CachedKind, Manager, Reconcile } from '@windlass/runtime';

export interface NodeLeasesOptions {
  readonly manager: Manager;
  readonly nodes: CachedKind<Node>;
  readonly durationSeconds: number;
}

const NAMESPACE = 'kube-node-lease';

/** Renews each node's lease: it is by them that others know that a node lives. */
export class NodeLeases {
  readonly #options: NodeLeasesOptions;
  /** As the server has them, so that a renewal is one request. */
  readonly #known = new Map<string, Lease>();

  constructor(options: NodeLeasesOptions) {
    this.#options = options;
  }

  readonly reconcile: Reconcile = async (name, { signal }) => {
    const { manager } = this.#options;
    const client = manager.client.resource(Lease).namespace(NAMESPACE);
    const known = this.#known.get(name);
    try {
      const lease =
        known === undefined
          ? await client.create(this.#lease(name), { signal })
          : await client.replace({ ...known, ...this.#lease(name, known) }, { signal });
      this.#known.set(name, lease);
    } catch (error) {
      this.#known.delete(name);
      if (isAlreadyExists(error) || isConflict(error))
        this.#known.set(name, await client.get(name, { signal }));
      else if (!isNotFound(error)) throw error;
      // What was found, or that nothing was, is the base of the next try.
      return { requeue: true };
    }
    return undefined;
  };

  #lease(name: string, known?: Lease): Lease {
    const { manager, nodes, durationSeconds } = this.#options;
    const owner = nodes.find(name);
    return {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: {
        ...known?.metadata,
        name,
        namespace: NAMESPACE,
        ...(owner !== undefined && { ownerReferences: [ownerReference(owner)] }),
      },
      spec: {
        ...known?.spec,
        holderIdentity: name,
        leaseDurationSeconds: durationSeconds,
        renewTime: formatMicroTime(manager.clock.now()),
      },
    };
  }
}

/** The lease goes with its node. */
function ownerReference({ metadata }: Cached<Node>): {
  apiVersion: string;
  kind: string;
  name: string;
  uid: string;
} {
  return { apiVersion: 'v1', kind: 'Node', name: metadata.name, uid: metadata.uid };
}
