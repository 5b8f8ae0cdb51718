// Stateful sets and their pods for tests.

import { formatTime, type Served } from '@windlass/apimachinery';
import {
  StatefulSet,
  type StatefulSetSpec,
  type StatefulSetStatus,
} from '@windlass/apimachinery/api/apps/v1';
import { Pod } from '@windlass/apimachinery/api/core/v1';
import { served } from '@windlass/apimachinery/testing';

export const NOW = Date.UTC(2026, 0, 1, 12);
export const ago = (seconds: number): string => formatTime(NOW - seconds * 1000);

export function set(
  spec: Partial<StatefulSetSpec> = {},
  status: Partial<StatefulSetStatus> = {},
): Served<StatefulSet> {
  return served(StatefulSet, {
    metadata: { name: 'db', namespace: 'default', uid: 'db' },
    spec: { replicas: 3, selector: {}, serviceName: 'db', template: {}, ...spec },
    status: { replicas: 0, currentRevision: 'old', ...status },
  });
}

interface PodParts {
  readonly revision?: string;
  readonly phase?: string;
  readonly isReady?: boolean;
  readonly readyFor?: number;
  readonly isDeleted?: boolean;
  readonly labels?: Record<string, string>;
}

export function pod(ordinal: number, parts: PodParts = {}): Served<Pod> {
  const { revision = 'old', phase = 'Running', readyFor = 99, isDeleted = false, labels } = parts;
  const { isReady = phase === 'Running' } = parts;
  const name = `db-${ordinal}`;
  return served(Pod, {
    metadata: {
      name,
      namespace: 'default',
      uid: name,
      labels: {
        'statefulset.kubernetes.io/pod-name': name,
        'apps.kubernetes.io/pod-index': String(ordinal),
        'controller-revision-hash': revision,
        ...labels,
      },
      ...(isDeleted && { deletionTimestamp: ago(1) }),
    },
    status: {
      phase,
      conditions: [{ type: 'Ready', status: isReady ? 'True' : 'False', lastTransitionTime: ago(readyFor) }],
    },
  });
}
