import type { Duplex } from 'node:stream';
import { type ClusterNetwork, machineNetwork } from '@windlass/apiserver';
import type { Kubelet } from '@windlass/kubelet';

/**
 * The way from the API server to nodes and pods. Those that are simulated in this process are reached within it, at
 * addresses that no network knows; all others by the network of the machine.
 */
export class SimulatedNetwork implements ClusterNetwork {
  readonly #agents = new Set<Pick<Kubelet, 'connect'>>();

  /** @returns the way to take it away again */
  add(agent: Pick<Kubelet, 'connect'>): () => void {
    this.#agents.add(agent);
    return () => this.#agents.delete(agent);
  }

  async connect(host: string, port: number, signal: AbortSignal | undefined): Promise<Duplex> {
    for (const agent of this.#agents) {
      const connection = agent.connect(host, port);
      if (connection !== undefined) return connection;
    }
    return machineNetwork.connect(host, port, signal);
  }
}
