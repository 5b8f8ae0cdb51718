import { connect } from 'node:net';
import type { ProbeOutcome } from '../../runtime/runtime.ts';

/** Whether somebody listens. */
export function tcpCheck(host: string, port: number, signal: AbortSignal): Promise<ProbeOutcome> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, signal });
    socket.once('connect', () => {
      socket.destroy();
      resolve({ isSuccess: true });
    });
    socket.once('error', (error) => {
      if (signal.aborted) reject(error);
      else resolve({ isSuccess: false, output: `dial tcp ${host}:${port}: ${error.message}` });
    });
  });
}
