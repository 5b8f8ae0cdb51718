import type { Container, EnvVar, PodSpec, Probe } from '@windlass/apimachinery/api/core/v1';
import { CSI_SOCKET, HEALTH_PATH, PORTS } from '../../resources/index.ts';
import type { InstallSettings } from './install-options.ts';

/** Says which of our two pods it is. Part of the selector, which can never change. */
export const podLabels = (name: string): Record<string, string> => ({
  'app.kubernetes.io/name': 'directpv',
  'app.kubernetes.io/component': name,
});

export const fromField = (name: string, fieldPath: string): EnvVar => ({
  name,
  valueFrom: { fieldRef: { fieldPath } },
});

const probe = (path: string, failureThreshold: number): Probe => ({
  httpGet: { path, port: 'readiness' },
  periodSeconds: 10,
  timeoutSeconds: 5,
  failureThreshold,
});

/** What the two containers share. A start may take long: every drive is looked at first. */
export function container(name: string, { image }: InstallSettings, args: readonly string[]): Container {
  return {
    name,
    image,
    imagePullPolicy: 'IfNotPresent',
    args: [
      'directpv',
      ...args,
      `--csi-endpoint=unix://${CSI_SOCKET}`,
      `--readiness-port=${PORTS.readiness}`,
      `--metrics-port=${PORTS.metrics}`,
    ],
    ports: [
      { name: 'readiness', containerPort: PORTS.readiness },
      { name: 'metrics', containerPort: PORTS.metrics },
    ],
    readinessProbe: probe('/readyz', 3),
    livenessProbe: probe(HEALTH_PATH, 5),
    startupProbe: probe(HEALTH_PATH, 60),
    terminationMessagePolicy: 'FallbackToLogsOnError',
  };
}

export function pullSecrets({ imagePullSecrets }: InstallSettings): Pick<PodSpec, 'imagePullSecrets'> {
  return imagePullSecrets.length === 0
    ? {}
    : { imagePullSecrets: imagePullSecrets.map((name) => ({ name })) };
}
