// What the tables of daemon sets are written with.

import { formatTime, type IntOrString } from '@windlass/apimachinery';
import { DaemonSet } from '@windlass/apimachinery/api/apps/v1';
import { Node, Pod } from '@windlass/apimachinery/api/core/v1';
import { served } from '@windlass/apimachinery/testing';
import type { ReadonlyPod } from '../shared/pods.ts';
import { REVISION_HASH } from '../shared/revisions.ts';
import type { ReadonlyDaemonSet } from './daemon-pods.ts';
import type { ReadonlyNode } from './eligibility.ts';

/** The time at which tables are read. */
export const NOW = Date.UTC(2026, 0, 1, 12);

export const nodes = (...names: readonly string[]): ReadonlyNode[] =>
  names.map((name) => served(Node, { metadata: { name } }));

export interface SetOptions {
  readonly maxSurge?: IntOrString;
  readonly maxUnavailable?: IntOrString;
  readonly minReadySeconds?: number;
  readonly nodeSelector?: Record<string, string>;
  readonly type?: string;
}

export function daemonSet(options: SetOptions = {}): ReadonlyDaemonSet {
  const { maxSurge, maxUnavailable, minReadySeconds, nodeSelector, type = 'RollingUpdate' } = options;
  return served(DaemonSet, {
    metadata: { name: 'd', namespace: 'default', uid: 'set', generation: 2 },
    spec: {
      selector: { matchLabels: { app: 'd' } },
      template: {
        metadata: { labels: { app: 'd' } },
        spec: { containers: [{ name: 'main' }], ...(nodeSelector !== undefined && { nodeSelector }) },
      },
      updateStrategy: {
        type,
        rollingUpdate: {
          ...(maxSurge !== undefined && { maxSurge }),
          ...(maxUnavailable !== undefined && { maxUnavailable }),
        },
      },
      ...(minReadySeconds !== undefined && { minReadySeconds }),
    },
  });
}

let created = 0;

/**
 * `a old ready`: a pod for node a with the old template. Later ones are newer. Words: old, new; ready (for an
 * hour), young (ready for a second), pending; failed, succeeded; going; unbound.
 */
export function pod(text: string): ReadonlyPod {
  const [node = '', ...words] = text.split(' ');
  created++;
  const is = (word: string): boolean => words.includes(word);
  const since = is('ready') ? NOW - 3_600_000 : is('young') ? NOW - 1000 : undefined;
  const phase = is('failed')
    ? 'Failed'
    : is('succeeded')
      ? 'Succeeded'
      : is('pending') || is('unbound')
        ? 'Pending'
        : 'Running';
  const required = {
    nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: [node] }] }],
  };
  return served(Pod, {
    metadata: {
      name: text.replaceAll(' ', '-'),
      namespace: 'default',
      creationTimestamp: formatTime(NOW - 7_200_000 + created * 1000),
      labels: { app: 'd', [REVISION_HASH]: is('old') ? 'h1' : 'h2' },
      ...(is('going') && { deletionTimestamp: formatTime(NOW) }),
    },
    spec: {
      containers: [],
      ...(!is('unbound') && { nodeName: node }),
      affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: required } },
    },
    status: {
      phase,
      conditions:
        since === undefined ? [] : [{ type: 'Ready', status: 'True', lastTransitionTime: formatTime(since) }],
    },
  });
}

export const nameList = (pods: readonly ReadonlyPod[]): string[] =>
  pods.map(({ metadata }) => metadata.name.replaceAll('-', ' ')).toSorted();
