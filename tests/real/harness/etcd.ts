import { join } from 'node:path';
import { ServerProcess } from './server-process.ts';

export interface EtcdOptions {
  readonly program: string;
  readonly folder: string;
  readonly logFile: string;
  readonly clientPort: number;
  readonly peerPort: number;
  /** Flags after those below; the last of a flag given twice wins. @default none */
  readonly extraArgs?: readonly string[];
}

export interface Etcd {
  readonly url: string;
  readonly process: ServerProcess;
}

/** One etcd member on loopback, not yet started. */
export function createEtcd(options: EtcdOptions): Etcd {
  const url = `http://127.0.0.1:${options.clientPort}`;
  const peerUrl = `http://127.0.0.1:${options.peerPort}`;
  const process = new ServerProcess({
    name: 'etcd',
    program: options.program,
    args: [
      '--name=windlass',
      `--data-dir=${join(options.folder, 'etcd')}`,
      `--listen-client-urls=${url}`,
      `--advertise-client-urls=${url}`,
      `--listen-peer-urls=${peerUrl}`,
      `--initial-advertise-peer-urls=${peerUrl}`,
      `--initial-cluster=windlass=${peerUrl}`,
      // The data is thrown away after the run; waiting for the disk would only make it slow.
      '--unsafe-no-fsync',
      // kube-apiserver asks etcd for watch progress only from 3.4.31 and 3.5.13 on, where it is free of
      // races. Debian 12 has 3.4.23. Without progress the watch cache never learns that a quiet resource
      // is current, and a watch without resourceVersion ends after 3 s with "Too large resource version".
      // Periodic progress, which every version has, cures that. Each second costs 4 % of a core;
      // each 200 ms would cost 20 %.
      '--experimental-watch-progress-notify-interval=1s',
      ...(options.extraArgs ?? []),
    ],
    logFile: options.logFile,
    env: etcdEnvironment(),
    isReady: async (signal) => {
      const response = await fetch(`${url}/health`, { signal });
      return response.ok && (await response.text()).includes('true');
    },
  });
  return { url, process };
}

/** etcd 3.4 refuses to start on ARM unless told that this is meant. */
function etcdEnvironment(): NodeJS.ProcessEnv {
  return process.arch === 'arm64' ? { ...process.env, ETCD_UNSUPPORTED_ARCH: 'arm64' } : process.env;
}

/** Forgets all revisions before the present one, so that an old resourceVersion is answered with 410. */
export async function compactEtcd(url: string): Promise<void> {
  const post = async (path: string, body: object): Promise<unknown> => {
    const response = await fetch(`${url}${path}`, { method: 'POST', body: JSON.stringify(body) });
    if (!response.ok)
      throw new Error(`etcd answers ${path} with ${response.status}: ${await response.text()}`);
    return response.json();
  };
  const answer = await post('/v3/kv/range', { key: Buffer.from('/').toString('base64') });
  const { header } = answer as { header: { revision: string } }; // etcd's JSON gateway: int64 as a string
  await post('/v3/kv/compaction', { revision: header.revision, physical: true });
}
