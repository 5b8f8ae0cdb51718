import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createEtcd } from '../harness/etcd.ts';
import { ensureEtcd } from '../harness/etcd-program.ts';
import { freePorts } from '../harness/free-ports.ts';
import type { ServerProcess } from '../harness/server-process.ts';

/** One etcd of its own, in a folder that goes with it. */
export interface EtcdServer extends AsyncDisposable {
  readonly url: string;
  readonly process: ServerProcess;
}

/** @param extraArgs flags of etcd besides those of the harness */
export async function startEtcdServer(extraArgs: readonly string[] = []): Promise<EtcdServer> {
  const program = process.env['ETCD_PROGRAM'] ?? (await ensureEtcd(() => {}));
  const folder = await mkdtemp(join(tmpdir(), 'windlass-etcd-'));
  const [clientPort = 0, peerPort = 0] = await freePorts(2);
  const etcd = createEtcd({
    program,
    folder,
    logFile: join(folder, 'etcd.log'),
    clientPort,
    peerPort,
    extraArgs,
  });
  await etcd.process.start();
  return {
    ...etcd,
    async [Symbol.asyncDispose]() {
      await etcd.process.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
