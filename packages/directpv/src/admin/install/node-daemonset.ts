import type { DaemonSet } from '@windlass/apimachinery/api/apps/v1';
import type { Volume, VolumeMount } from '@windlass/apimachinery/api/core/v1';
import { IDENTITY, PATHS } from '../../resources/index.ts';
import type { InstallSettings } from './install-options.ts';
import { container, fromField, podLabels, pullSecrets } from './pod-parts.ts';
import { INSTALL_LABELS, NODE_ACCOUNT, namespacedMeta, SOCKET_DIR } from './shared.ts';

const NAME = 'node-server';

type HostPathType = 'Directory' | 'DirectoryOrCreate';
interface HostMount {
  readonly name: string;
  readonly path: string;
  readonly type: HostPathType;
  readonly mount: Omit<VolumeMount, 'name'>;
}

/** What of the host the node server sees, and which of its mounts the host sees. */
function hostMounts(kubeletDir: string): readonly HostMount[] {
  const both = 'Bidirectional';
  return [
    {
      name: 'socket-dir',
      path: `${kubeletDir}/plugins/${IDENTITY}`,
      type: 'DirectoryOrCreate',
      mount: { mountPath: SOCKET_DIR },
    },
    {
      name: 'registration-dir',
      path: `${kubeletDir}/plugins_registry`,
      type: 'DirectoryOrCreate',
      mount: { mountPath: '/registration' },
    },
    {
      name: 'plugins-dir',
      path: `${kubeletDir}/plugins`,
      type: 'Directory',
      mount: { mountPath: `${kubeletDir}/plugins`, mountPropagation: both },
    },
    {
      name: 'pods-dir',
      path: `${kubeletDir}/pods`,
      type: 'Directory',
      mount: { mountPath: `${kubeletDir}/pods`, mountPropagation: both },
    },
    {
      name: 'directpv-dir',
      path: PATHS.root,
      type: 'DirectoryOrCreate',
      mount: { mountPath: PATHS.root, mountPropagation: both },
    },
    {
      name: 'direct-csi-dir',
      path: PATHS.legacyRoot,
      type: 'DirectoryOrCreate',
      mount: { mountPath: PATHS.legacyRoot, mountPropagation: both },
    },
    {
      name: 'sys-dir',
      path: '/sys',
      type: 'Directory',
      mount: { mountPath: '/sys', mountPropagation: 'HostToContainer' },
    },
    {
      name: 'dev-dir',
      path: '/dev',
      type: 'Directory',
      mount: { mountPath: '/dev', mountPropagation: 'HostToContainer' },
    },
    {
      name: 'udev-data-dir',
      path: PATHS.udevData,
      type: 'DirectoryOrCreate',
      mount: { mountPath: PATHS.udevData, readOnly: true },
    },
  ];
}

/** On every node that has drives: formats, mounts, limits. Mounting takes the privilege. */
export function nodeDaemonSet(settings: InstallSettings): DaemonSet {
  const { kubeletDir, topology, quota, seccompProfile, appArmorProfile } = settings;
  const mounts = hostMounts(kubeletDir);
  return {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: namespacedMeta(NAME),
    spec: {
      selector: { matchLabels: podLabels(NAME) },
      updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1 } },
      template: {
        metadata: {
          labels: { ...INSTALL_LABELS, ...podLabels(NAME) },
          annotations: { 'created-by': 'kubectl-directpv' },
        },
        spec: {
          serviceAccountName: NODE_ACCOUNT,
          priorityClassName: 'system-node-critical',
          // The mounts of the host itself are in the table of its first process.
          hostPID: true,
          terminationGracePeriodSeconds: 30,
          ...pullSecrets(settings),
          nodeSelector: { 'kubernetes.io/os': 'linux', ...settings.nodeSelector },
          ...(settings.tolerations.length > 0 && { tolerations: [...settings.tolerations] }),
          containers: [
            {
              ...container(NAME, settings, [
                'node',
                `--identity=${IDENTITY}`,
                '--kube-node-name=$(KUBE_NODE_NAME)',
                `--rack=${topology.rack}`,
                `--zone=${topology.zone}`,
                `--region=${topology.region}`,
                `--quota=${quota}`,
                '--registration-dir=/registration',
                `--kubelet-registration-path=${kubeletDir}/plugins/${IDENTITY}/csi.sock`,
              ]),
              env: [fromField('KUBE_NODE_NAME', 'spec.nodeName')],
              resources: {
                requests: { cpu: '50m', memory: '128Mi' },
                limits: { memory: '512Mi' },
              },
              securityContext: {
                privileged: true,
                runAsUser: 0,
                runAsGroup: 0,
                readOnlyRootFilesystem: true,
                ...(seccompProfile !== undefined && {
                  seccompProfile: { type: 'Localhost', localhostProfile: seccompProfile },
                }),
                ...(appArmorProfile !== undefined && {
                  appArmorProfile: { type: 'Localhost', localhostProfile: appArmorProfile },
                }),
              },
              volumeMounts: [
                ...mounts.map(({ name, mount }): VolumeMount => ({ name, ...mount })),
                { name: 'tmp-dir', mountPath: '/tmp' },
              ],
            },
          ],
          volumes: [
            ...mounts.map(({ name, path, type }): Volume => ({ name, hostPath: { path, type } })),
            { name: 'tmp-dir', emptyDir: {} },
          ],
        },
      },
    },
  };
}
