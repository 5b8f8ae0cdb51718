import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { APIService } from '@windlass/apimachinery/api/apiregistration/v1';
import { Namespace, Service, ServiceAccount } from '@windlass/apimachinery/api/core/v1';
import {
  ClusterRole,
  ClusterRoleBinding,
  type PolicyRule,
  RoleBinding,
} from '@windlass/apimachinery/api/rbac/v1';
import { fieldOf, issueCertificate, realClock, systemRandom } from '@windlass/base';
import { until } from '@windlass/base/testing/until';
import { type Client, createClient } from '@windlass/client';
import type { RunningCluster } from '@windlass/cluster';

const issuer = { clock: realClock, random: systemRandom };
const RBAC = 'rbac.authorization.k8s.io';

export interface AggregatedServerFiles {
  /** The certificate of the server and its key, in files. */
  readonly cert: string;
  readonly key: string;
  /** A kubeconfig by which it knows the cluster, as its service account. */
  readonly kubeconfig: string;
  /** base64 PEM, for an APIService. */
  readonly caBundle: string;
}

/** What such a server needs of the cluster, as its manifests would make it: an account, its rights, certificates. */
export async function prepareAggregatedServer(
  cluster: RunningCluster,
  options: {
    readonly folder: string;
    readonly namespace: string;
    readonly name: string;
    readonly rules: readonly PolicyRule[];
  },
): Promise<AggregatedServerFiles> {
  const { folder, namespace, name, rules } = options;
  const client = createClient({ transport: cluster.transport() });
  await client.resource(Namespace).create({ metadata: { name: namespace } });
  await client.resource(ServiceAccount).namespace(namespace).create({ metadata: { name } });
  await grant(client, namespace, name, rules);
  const authority = issueCertificate({ commonName: `${name}-ca`, usage: 'authority', validDays: 1 }, issuer);
  const hosts = [`${name}.${namespace}.svc`, 'localhost'];
  const pair = issueCertificate(
    { commonName: name, hosts, usage: 'server', validDays: 1 },
    issuer,
    authority,
  );
  await mkdir(folder, { recursive: true });
  const files = {
    cert: join(folder, 'tls.crt'),
    key: join(folder, 'tls.key'),
    kubeconfig: join(folder, 'kubeconfig'),
    caBundle: Buffer.from(authority.cert).toString('base64'),
  };
  await writeFile(files.cert, pair.cert);
  await writeFile(files.key, pair.key, { mode: 0o600 });
  await writeFile(files.kubeconfig, JSON.stringify(await kubeconfigOf(cluster, namespace, name)), {
    mode: 0o600,
  });
  return files;
}

/** The flags that every such server has: where it serves, and by whom it knows its callers. */
export function servingFlags({ cert, key, kubeconfig }: AggregatedServerFiles, port: number): string[] {
  return [
    '--bind-address=127.0.0.1',
    `--secure-port=${port}`,
    `--tls-cert-file=${cert}`,
    `--tls-private-key-file=${key}`,
    `--kubeconfig=${kubeconfig}`,
    `--authentication-kubeconfig=${kubeconfig}`,
    `--authorization-kubeconfig=${kubeconfig}`,
  ];
}

async function grant(
  client: Client,
  namespace: string,
  name: string,
  rules: readonly PolicyRule[],
): Promise<void> {
  const subjects = [{ kind: 'ServiceAccount', name, namespace }];
  const bindings = client.resource(ClusterRoleBinding);
  await client.resource(ClusterRole).create({ metadata: { name }, rules: [...rules] });
  for (const role of [name, 'system:auth-delegator'])
    await bindings.create({
      metadata: { name: `${name}:${role}` },
      roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name: role },
      subjects,
    });
  await client
    .resource(RoleBinding)
    .namespace('kube-system')
    .create({
      metadata: { name: `${name}-auth-reader` },
      roleRef: { apiGroup: RBAC, kind: 'Role', name: 'extension-apiserver-authentication-reader' },
      subjects,
    });
}

/** As the service account. */
async function kubeconfigOf(cluster: RunningCluster, namespace: string, name: string): Promise<object> {
  const transport = cluster.transport();
  const { body } = await transport.request({
    method: 'POST',
    path: `/api/v1/namespaces/${namespace}/serviceaccounts/${name}/token`,
    body: { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} },
  });
  const token = fieldOf(fieldOf(body, 'status'), 'token');
  const path = '/api/v1/namespaces/kube-system/configmaps/kube-root-ca.crt';
  const ca = await until(
    'the authority of the cluster is told',
    async () => fieldOf(fieldOf((await transport.request({ method: 'GET', path })).body, 'data'), 'ca.crt'),
    (text) => typeof text === 'string',
  );
  const data = Buffer.from(ca).toString('base64');
  return {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'c', cluster: { server: cluster.server, 'certificate-authority-data': data } }],
    users: [{ name: 'u', user: { token } }],
    contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
    'current-context': 'x',
  };
}

/** A service that leads to this machine, and an APIService that leads to the service. */
export async function registerServer(
  client: Client,
  options: {
    readonly namespace: string;
    readonly name: string;
    readonly port: number;
    readonly group: string;
    readonly versions: readonly string[];
    readonly caBundle: string;
  },
): Promise<void> {
  const { namespace, name, port, group, versions, caBundle } = options;
  await client
    .resource(Service)
    .namespace(namespace)
    .create({ metadata: { name }, spec: { type: 'ExternalName', externalName: 'localhost' } });
  for (const [index, version] of versions.entries())
    await client.resource(APIService).create({
      metadata: { name: `${version}.${group}` },
      spec: {
        group,
        version,
        service: { namespace, name, port },
        caBundle,
        groupPriorityMinimum: 2000,
        versionPriority: 200 - index,
      },
    });
}
