import { newNotFound } from '@windlass/apimachinery';
import { Node } from '@windlass/apimachinery/api/core/v1';
import type { KeyPair } from '@windlass/base';
import type { View } from '../resource/views.ts';
import type { Store } from '../storage/store.ts';
import type { Backend } from './backend.ts';
import { type ClusterNetwork, machineNetwork } from './network.ts';

/** How the API server reaches kubelets and pods, for logs, exec and proxies. */
export interface NodeConnectionOptions {
  /** How nodes and pods are reached. @default the network of this machine */
  readonly network?: ClusterNetwork;
  /** Who the API server is to kubelets: `kube-apiserver-kubelet-client` by custom. @default nobody */
  readonly kubeletClient?: KeyPair;
  /** PEM of the authority of kubelets' serving certificates. @default whoever answers is believed */
  readonly kubeletAuthority?: string;
}

/** A node as requests are handed on to it. */
export interface NodeBackend extends Backend {
  /** It speaks Kubernetes' WebSocket protocols itself: kubelets since 1.36 say so. */
  readonly speaksWebSocket: boolean;
}

const DEFAULT_KUBELET_PORT = 10_250;
/** As kubeadm tells kube-apiserver: names are last, because they may not be known here. */
const ADDRESS_TYPES = ['InternalIP', 'ExternalIP', 'InternalDNS', 'ExternalDNS', 'Hostname'];
/** The feature that a kubelet declares when it speaks the protocols. */
const WEBSOCKET_FEATURE = 'ExtendWebSocketsToKubelet';

/** Finds the kubelets of nodes. */
export class NodeConnections {
  readonly network: ClusterNetwork;
  readonly #options: NodeConnectionOptions;
  readonly #store: Store;

  constructor(store: Store, options: NodeConnectionOptions) {
    this.#store = store;
    this.#options = options;
    this.network = options.network ?? machineNetwork;
  }

  /** @throws StatusError 404 when there is no such node; Error when it has no address */
  async kubeletOf(name: string): Promise<NodeBackend> {
    const { kubeletAuthority: authority, kubeletClient } = this.#options;
    const stored = await this.#store.get(`//nodes/${name}`);
    if (stored === undefined) throw newNotFound({ group: Node.group, resource: Node.plural }, name);
    // What is stored there went through this server as a Node.
    const { status } = stored.object as View<Node>;
    const addresses = status?.addresses ?? [];
    const host = ADDRESS_TYPES.map(
      (type) => addresses.find((address) => address.type === type)?.address,
    ).find((address) => address !== undefined);
    if (host === undefined)
      throw new Error(
        `no preferred addresses found; known addresses: [${addresses.map(({ address }) => address).join(' ')}]`,
      );
    const port = status?.daemonEndpoints?.kubeletEndpoint?.Port ?? 0;
    return {
      host,
      port: port > 0 ? port : DEFAULT_KUBELET_PORT,
      tls: { authority, ...kubeletClient },
      speaksWebSocket: status?.declaredFeatures?.includes(WEBSOCKET_FEATURE) ?? false,
    };
  }
}
