import type { Deployment } from '@windlass/apimachinery/api/apps/v1';
import type { PodDisruptionBudget } from '@windlass/apimachinery/api/policy/v1';
import { IDENTITY } from '../../resources/index.ts';
import type { InstallSettings } from './install-options.ts';
import { container, fromField, podLabels, pullSecrets } from './pod-parts.ts';
import { CONTROLLER_ACCOUNT, INSTALL_LABELS, namespacedMeta, SOCKET_DIR } from './shared.ts';

const NAME = 'controller';
/** Anyone but root; the image's own user for it. */
const USER = 65_532;

/** One leads, the others wait on other nodes. Nothing here needs a privilege, nor the host. */
export function controllerDeployment(settings: InstallSettings): Deployment {
  const selector = { matchLabels: podLabels(NAME) };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: namespacedMeta(NAME),
    spec: {
      replicas: settings.replicas,
      selector,
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1, maxSurge: 1 } },
      template: {
        metadata: {
          labels: { ...INSTALL_LABELS, ...podLabels(NAME) },
          annotations: { 'created-by': 'kubectl-directpv' },
        },
        spec: {
          serviceAccountName: CONTROLLER_ACCOUNT,
          priorityClassName: 'system-cluster-critical',
          terminationGracePeriodSeconds: 30,
          ...pullSecrets(settings),
          nodeSelector: { 'kubernetes.io/os': 'linux' },
          securityContext: {
            runAsNonRoot: true,
            runAsUser: USER,
            runAsGroup: USER,
            fsGroup: USER,
            seccompProfile: { type: 'RuntimeDefault' },
          },
          affinity: {
            podAntiAffinity: {
              preferredDuringSchedulingIgnoredDuringExecution: [
                {
                  weight: 100,
                  podAffinityTerm: { labelSelector: selector, topologyKey: 'kubernetes.io/hostname' },
                },
              ],
            },
          },
          containers: [
            {
              ...container(NAME, settings, [
                'controller',
                `--identity=${IDENTITY}`,
                '--kube-node-name=$(KUBE_NODE_NAME)',
                '--leader-elect',
              ]),
              env: [
                fromField('KUBE_NODE_NAME', 'spec.nodeName'),
                fromField('POD_NAME', 'metadata.name'),
                fromField('POD_NAMESPACE', 'metadata.namespace'),
              ],
              resources: {
                requests: { cpu: '50m', memory: '128Mi' },
                limits: { memory: '512Mi' },
              },
              securityContext: {
                allowPrivilegeEscalation: false,
                readOnlyRootFilesystem: true,
                capabilities: { drop: ['ALL'] },
              },
              volumeMounts: [{ name: 'socket-dir', mountPath: SOCKET_DIR }],
            },
          ],
          // Of its own: two replicas on one node must not take each other's socket away.
          volumes: [{ name: 'socket-dir', emptyDir: {} }],
        },
      },
    },
  };
}

export function controllerDisruptionBudget(): PodDisruptionBudget {
  return {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: namespacedMeta(NAME),
    spec: { maxUnavailable: 1, selector: { matchLabels: podLabels(NAME) } },
  };
}
