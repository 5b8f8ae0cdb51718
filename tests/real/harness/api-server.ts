import type { Credentials } from './credentials.ts';
import { httpsGet } from './https-get.ts';
import { ServerProcess } from './server-process.ts';

export interface ApiServerOptions {
  readonly program: string;
  readonly logFile: string;
  readonly port: number;
  readonly etcdUrl: string;
  readonly credentials: Credentials;
  readonly extraArgs: readonly string[];
}

export interface ApiServer {
  readonly url: string;
  readonly process: ServerProcess;
}

/** A kube-apiserver on loopback, not yet started. */
export function createApiServer(options: ApiServerOptions): ApiServer {
  const url = `https://127.0.0.1:${options.port}`;
  const { credentials } = options;
  const client = {
    ca: credentials.authority.ca.cert,
    cert: credentials.admin.cert,
    key: credentials.admin.key,
  };
  const process = new ServerProcess({
    name: 'kube-apiserver',
    program: options.program,
    args: [...flags(options), ...options.extraArgs],
    logFile: options.logFile,
    isReady: async (signal) => {
      const answer = await httpsGet(`${url}/readyz`, { ...client, signal });
      return answer.status === 200;
    },
  });
  return { url, process };
}

function flags({ port, etcdUrl, credentials }: ApiServerOptions): string[] {
  return [
    `--etcd-servers=${etcdUrl}`,
    '--bind-address=127.0.0.1',
    `--secure-port=${port}`,
    // A webhook or an endpoint needs an address that is not loopback; nothing here listens on it.
    '--advertise-address=192.0.2.1',
    '--endpoint-reconciler-type=none',
    '--service-cluster-ip-range=10.96.0.0/16',
    `--tls-cert-file=${credentials.server.certFile}`,
    `--tls-private-key-file=${credentials.server.keyFile}`,
    `--client-ca-file=${credentials.authority.ca.certFile}`,
    `--token-auth-file=${credentials.tokenFile}`,
    '--anonymous-auth=false',
    '--authorization-mode=Node,RBAC',
    '--service-account-issuer=https://kubernetes.default.svc',
    `--service-account-key-file=${credentials.serviceAccountKeyFile}`,
    `--service-account-signing-key-file=${credentials.serviceAccountKeyFile}`,
    // No controller manager makes the service account "default", and without it every pod is refused.
    '--disable-admission-plugins=ServiceAccount',
    '--allow-privileged=true',
    // Alpha and beta versions too, so that every kind the release knows can be sent there and back.
    '--runtime-config=api/all=true',
    // With Debian's etcd (see etcd.ts) the watch cache refuses streaming lists: the watch answers with
    // one ERROR event, status 500, "required storage feature RequestWatchProgress is disabled". A
    // resource without a watch cache streams them straight from etcd. So ConfigMaps have none and
    // stream; everything else shows the refusal from which a client must fall back to list and watch.
    '--watch-cache-sizes=configmaps#0',
    '--profiling=false',
  ];
}
