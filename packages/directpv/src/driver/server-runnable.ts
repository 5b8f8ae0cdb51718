import { onAbort } from '@windlass/base';
import type { RunningServer } from '@windlass/csi';
import type { Runnable } from '@windlass/runtime';

/** A server as a part of a manager: it starts, says so, and ends with it. */
export function serverRunnable(name: string, start: () => Promise<RunningServer>): Runnable {
  return {
    name,
    signalsReady: true,
    async run({ signal, ready }) {
      await using server = await start();
      ready();
      await new Promise<void>((resolve) => void onAbort(signal, resolve));
      await server.stop();
    },
  };
}
