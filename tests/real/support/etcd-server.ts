import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createEtcd, type Etcd } from '../harness/etcd.ts';
import { ensureEtcd } from '../harness/etcd-program.ts';
import { freePorts } from '../harness/free-ports.ts';

/** An etcd of its own, in a folder that goes with it. */
export interface EtcdServers extends AsyncDisposable {
  readonly members: readonly (Etcd & { readonly dataDir: string })[];
  readonly urls: readonly string[];
}

/**
 * ETCD_PROGRAM names another etcd than the machine's.
 * @param count of members
 */
export async function startEtcdServers(count = 1): Promise<EtcdServers> {
  const program = process.env['ETCD_PROGRAM'] ?? (await ensureEtcd(() => {}));
  const folder = await mkdtemp(join(tmpdir(), 'windlass-etcd-'));
  const ports = await freePorts(count * 2);
  const places = Array.from({ length: count }, (_, index) => ({
    name: `member-${index}`,
    clientPort: ports[index * 2] ?? 0,
    peerPort: ports[index * 2 + 1] ?? 0,
  }));
  const cluster = places.map(({ name, peerPort }) => `${name}=http://127.0.0.1:${peerPort}`).join(',');
  const members = places.map(({ name, clientPort, peerPort }) => ({
    dataDir: join(folder, name, 'etcd'),
    ...createEtcd({
      program,
      folder: join(folder, name),
      logFile: join(folder, `${name}.log`),
      clientPort,
      peerPort,
      extraArgs: [`--name=${name}`, `--initial-cluster=${cluster}`],
    }),
  }));
  await Promise.all(members.map(({ process }) => process.start()));
  return {
    members,
    urls: members.map(({ url }) => url),
    async [Symbol.asyncDispose]() {
      await Promise.all(members.map(({ process }) => process.stop()));
      await rm(folder, { recursive: true, force: true });
    },
  };
}
