import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ApiServer, createApiServer } from './api-server.ts';
import type { ClientIdentity, KeyPair } from './certificates.ts';
import { type Credentials, createCredentials } from './credentials.ts';
import { compactEtcd, createEtcd, type Etcd } from './etcd.ts';
import { ensureEtcd } from './etcd-program.ts';
import { freePorts } from './free-ports.ts';
import { kubeconfigYaml } from './kubeconfig.ts';
import { ensureKubernetesProgram } from './kubernetes-program.ts';
import type { Log } from './needs.ts';

/** How to reach a running cluster. Plain data: it crosses to other processes as JSON. */
export interface RealClusterAccess {
  /** `https://127.0.0.1:PORT` */
  readonly server: string;
  /** Contexts `admin` (current), `admin-files`, `admin-token`, `user`, `user-token`, `nobody`. */
  readonly kubeconfigPath: string;
  /** PEM of the authority that signed the server's certificate. */
  readonly ca: string;
  readonly caFile: string;
  /** In `system:masters`. */
  readonly admin: KeyPair;
  /** User `jane` in the group `windlass:testers`, with no rights of her own. */
  readonly user: KeyPair;
  readonly adminToken: string;
  readonly userToken: string;
  readonly etcdUrl: string;
  /** With it the server signs the tokens of service accounts. */
  readonly serviceAccountKeyFile: string;
}

/**
 * etcd and kube-apiserver on loopback, nothing else: no controllers, so a namespace that is deleted
 * stays `Terminating`, and pods are accepted but never run.
 */
export interface RealCluster extends RealClusterAccess, AsyncDisposable {
  readonly logFolder: string;
  /** SIGKILL. Resolves when the process is gone; `restartApiServer` brings it back on the same port. */
  killApiServer(): Promise<void>;
  /** Stops it gracefully where it runs, then starts it on the same port and waits until it serves. */
  restartApiServer(): Promise<void>;
  /** Connections stay open and nothing answers, until `resumeApiServer`. */
  pauseApiServer(): void;
  resumeApiServer(): void;
  /** Makes resource versions and continue tokens from before now expire. */
  compactEtcd(): Promise<void>;
  issueClientCertificate(identity: ClientIdentity): Promise<KeyPair>;
  /** Stops everything and removes its folder, with `keepLogs` all of it but the logs. Idempotent. */
  stop(options?: { readonly keepLogs?: boolean }): Promise<void>;
}

export interface RealClusterOptions {
  readonly signal?: AbortSignal;
  /** Told about slow preparation: a download, a build. @default nothing is said */
  readonly log?: Log;
  /** Flags after the harness's own; the last of a flag given twice wins. @default none */
  readonly apiServerArgs?: readonly string[];
  /** The same for etcd. @default none */
  readonly etcdArgs?: readonly string[];
}

const PORT_ATTEMPTS = 3;

/** Prepares the programs where they are missing, and starts a cluster of one's own in about 5 s. */
export async function startRealCluster(options: RealClusterOptions = {}): Promise<RealCluster> {
  const log = options.log ?? (() => {});
  const etcdProgram = await ensureEtcd(log);
  const apiServerProgram = await ensureKubernetesProgram('kube-apiserver', log);
  for (let attempt = 1; ; attempt++) {
    const parts = await createParts(etcdProgram, apiServerProgram, options);
    try {
      await parts.etcd.process.start(options.signal);
      await parts.apiServer.process.start(options.signal);
      return running(parts);
    } catch (error) {
      await stopParts(parts);
      // Another program took a port between our asking for a free one and the server's use of it.
      const portTaken = error instanceof Error && /address already in use/i.test(error.message);
      const again = portTaken && attempt < PORT_ATTEMPTS;
      await removeFolder(parts.folder, { keepLogs: !again });
      if (!again)
        throw new Error(`the cluster did not start; logs: ${join(parts.folder, 'logs')}`, { cause: error });
    }
  }
}

interface Parts {
  readonly folder: string;
  readonly credentials: Credentials;
  readonly etcd: Etcd;
  readonly apiServer: ApiServer;
  readonly access: RealClusterAccess;
}

async function createParts(
  etcd: string,
  apiServer: string,
  { apiServerArgs = [], etcdArgs = [] }: RealClusterOptions,
): Promise<Parts> {
  const folder = await mkdtemp(join(tmpdir(), 'windlass-real-'));
  const [pki, logs] = [join(folder, 'pki'), join(folder, 'logs')];
  await Promise.all([pki, logs].map((path) => mkdir(path)));
  const credentials = await createCredentials(pki);
  const [port = 0, clientPort = 0, peerPort = 0] = await freePorts(3);
  const store = createEtcd({
    program: etcd,
    folder,
    logFile: join(logs, 'etcd.log'),
    clientPort,
    peerPort,
    extraArgs: etcdArgs,
  });
  const server = createApiServer({
    program: apiServer,
    logFile: join(logs, 'kube-apiserver.log'),
    port,
    etcdUrl: store.url,
    credentials,
    extraArgs: apiServerArgs,
  });
  const { authority, admin, user, adminToken, userToken } = credentials;
  const access: RealClusterAccess = {
    server: server.url,
    kubeconfigPath: join(folder, 'kubeconfig'),
    etcdUrl: store.url,
    ca: authority.ca.cert,
    caFile: authority.ca.certFile,
    admin,
    user,
    adminToken,
    userToken,
    serviceAccountKeyFile: credentials.serviceAccountKeyFile,
  };
  await writeFile(access.kubeconfigPath, kubeconfigYaml(access), { mode: 0o600 });
  return { folder, credentials, etcd: store, apiServer: server, access };
}

/** In this order: without its etcd, a kube-apiserver waits on SIGTERM until it is killed. */
async function stopParts({ apiServer, etcd }: Parts): Promise<void> {
  await apiServer.process.stop();
  await etcd.process.stop();
}

async function removeFolder(folder: string, { keepLogs }: { keepLogs: boolean }): Promise<void> {
  const doomed = keepLogs ? ['etcd', 'pki', 'kubeconfig'].map((name) => join(folder, name)) : [folder];
  await Promise.all(doomed.map((path) => rm(path, { recursive: true, force: true })));
}

function running(parts: Parts): RealCluster {
  const { access, apiServer, credentials, folder } = parts;
  let issued = 0;
  const stop = async (options: { readonly keepLogs?: boolean } = {}): Promise<void> => {
    await stopParts(parts);
    await removeFolder(folder, { keepLogs: options.keepLogs === true });
  };
  return {
    ...access,
    logFolder: join(folder, 'logs'),
    killApiServer: () => apiServer.process.kill(),
    restartApiServer: async () => {
      await apiServer.process.stop();
      await apiServer.process.start();
    },
    pauseApiServer: () => apiServer.process.pause(),
    resumeApiServer: () => apiServer.process.resume(),
    compactEtcd: () => compactEtcd(access.etcdUrl),
    issueClientCertificate: (identity) => credentials.authority.issueClient(`client-${++issued}`, identity),
    stop,
    [Symbol.asyncDispose]: () => stop(),
  };
}
