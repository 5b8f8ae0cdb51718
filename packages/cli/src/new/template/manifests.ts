import { encodeYamlDocuments } from '@windlass/apimachinery';
import type { Deployment } from '@windlass/apimachinery/api/apps/v1';
import type { Namespace } from '@windlass/apimachinery/api/core/v1';
import { roleManifests } from '@windlass/codegen';
import type { ProjectNames } from '../project-names.ts';
import { declaredKind } from './resource.ts';

const HEALTH_PORT = 8081;
const METRICS_PORT = 8080;
const WEBHOOK_PORT = 9443;

export function namespaceManifest({ name }: ProjectNames): string {
  const namespace: Namespace = {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name, labels: { 'pod-security.kubernetes.io/enforce': 'restricted' } },
  };
  return encodeYamlDocuments([namespace]);
}

/** What the new reconciler asks of the API: the project's own test derives the same. */
export function rbacManifest(names: ProjectNames): string {
  const { name, group } = names;
  const { plural } = declaredKind(names);
  return encodeYamlDocuments(
    roleManifests({
      name,
      namespace: name,
      rules: [
        {
          apiGroups: ['apps'],
          resources: ['deployments'],
          verbs: ['create', 'get', 'list', 'patch', 'watch'],
        },
        { apiGroups: ['events.k8s.io'], resources: ['events'], verbs: ['create', 'patch'] },
        { apiGroups: [group], resources: [plural], verbs: ['get', 'list', 'watch'] },
        { apiGroups: [group], resources: [`${plural}/status`], verbs: ['patch'] },
        { apiGroups: [group], resources: [`${plural}/finalizers`], verbs: ['update'] },
      ].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1)),
      ownRules: [
        {
          apiGroups: ['coordination.k8s.io'],
          resources: ['leases'],
          verbs: ['create', 'get', 'update'],
        },
      ],
    }),
  );
}

const keyOf = ({ apiGroups, verbs }: { apiGroups: string[]; verbs: string[] }): string =>
  `${apiGroups.join(' ')} ${verbs.join(' ')}`;

export function deploymentManifest({ name }: ProjectNames): string {
  const labels = { 'app.kubernetes.io/name': name };
  const probe = (path: string) => ({ httpGet: { path, port: 'health' } });
  const deployment: Deployment = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace: name, labels },
    spec: {
      replicas: 1,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          serviceAccountName: name,
          securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
          containers: [
            {
              name: 'operator',
              image: `${name}:latest`,
              imagePullPolicy: 'IfNotPresent',
              args: [
                '--leader-elect',
                `--health-address=:${HEALTH_PORT}`,
                `--metrics-address=:${METRICS_PORT}`,
                `--webhook-address=:${WEBHOOK_PORT}`,
              ],
              ports: [
                { name: 'health', containerPort: HEALTH_PORT },
                { name: 'metrics', containerPort: METRICS_PORT },
                { name: 'webhooks', containerPort: WEBHOOK_PORT },
              ],
              livenessProbe: probe('/healthz'),
              readinessProbe: probe('/readyz'),
              resources: { requests: { cpu: '10m', memory: '64Mi' }, limits: { memory: '256Mi' } },
              securityContext: {
                allowPrivilegeEscalation: false,
                readOnlyRootFilesystem: true,
                capabilities: { drop: ['ALL'] },
              },
            },
          ],
        },
      },
    },
  };
  return encodeYamlDocuments([deployment]);
}

export function exampleManifest({ group, kind }: ProjectNames): string {
  return encodeYamlDocuments([
    {
      apiVersion: `${group}/v1`,
      kind,
      metadata: { name: 'example', namespace: 'default' },
      spec: { image: 'nginx:stable', replicas: 2 },
    },
  ]);
}
