import { encodeYamlDocuments } from '@windlass/apimachinery';
import type { Deployment } from '@windlass/apimachinery/api/apps/v1';
import type { Namespace } from '@windlass/apimachinery/api/core/v1';
import type { Access } from '@windlass/codegen';
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

/** What the new reconciler asks of the API: the project's own tests derive the same. */
export function initialAccesses(names: ProjectNames): Access[] {
  const { group } = names;
  const { plural } = declaredKind(names);
  const everywhere = (home: string, resource: string, ...verbs: string[]): Access => ({
    group: home,
    resource,
    namespace: undefined,
    verbs,
  });
  return [
    everywhere('apps', 'deployments', 'create', 'patch', 'watch'),
    everywhere(group, plural, 'watch'),
    everywhere(group, `${plural}/status`, 'patch'),
    everywhere(group, `${plural}/finalizers`, 'update'),
  ];
}

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
