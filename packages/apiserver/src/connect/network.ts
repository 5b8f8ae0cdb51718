import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import { abortError, onAbort } from '@windlass/base';

/** The way from the API server to nodes and pods. */
export interface ClusterNetwork {
  /**
   * A connection to an address of the cluster, as TCP makes it.
   * @throws when nobody is there, or the signal aborts first
   */
  connect(host: string, port: number, signal: AbortSignal | undefined): Promise<Duplex>;
}

/** The network of the machine. */
export const machineNetwork: ClusterNetwork = {
  connect(host, port, signal) {
    return new Promise((resolve, reject) => {
      const socket = connect({ host, port });
      const release = onAbort(signal, () => {
        socket.destroy();
        if (signal !== undefined) reject(abortError(signal));
      });
      socket.setNoDelay(true);
      socket.once('error', (error) => {
        release();
        reject(error);
      });
      socket.once('connect', () => {
        release();
        socket.removeAllListeners('error');
        resolve(socket);
      });
    });
  },
};
