// Pods and nodes for tests of what the scheduler decides.

import { Node, type NodeSpec, Pod, type PodSpec } from '@windlass/apimachinery/api/core/v1';
import { served } from '@windlass/apimachinery/testing';
import { NodeInfo } from './cache/node-info.ts';
import { PodGroups } from './cache/pod-groups.ts';
import { type PodInfo, podInfo } from './cache/pod-info.ts';
import { NO_DEVICES } from './framework/device-view.ts';
import type { ClusterView } from './framework/plugin.ts';
import { NO_VOLUMES } from './framework/volume-view.ts';

interface PodParts extends Partial<PodSpec> {
  readonly cpu?: string;
  readonly labels?: Record<string, string>;
  readonly namespace?: string;
  /** When it started, in seconds of the year 2026. */
  readonly startedAt?: number;
}

export function testPod(name: string, parts: PodParts = {}): PodInfo {
  const { cpu, labels = {}, namespace = 'default', startedAt, ...spec } = parts;
  const pod = served(Pod, {
    metadata: { name, namespace, uid: name, labels },
    spec: {
      containers: [{ name: 'c', ...(cpu !== undefined && { resources: { requests: { cpu } } }) }],
      ...spec,
    },
    ...(startedAt !== undefined && {
      status: {
        startTime: `${new Date(Date.UTC(2026, 0, 1) + startedAt * 1000).toISOString().slice(0, 19)}Z`,
      },
    }),
  });
  return podInfo(pod);
}

interface NodeParts extends NodeSpec {
  readonly cpu?: string;
  readonly labels?: Record<string, string>;
  readonly images?: NonNullable<Node['status']>['images'];
}

export function testNode(name: string, parts: NodeParts = {}, pods: readonly PodInfo[] = []): NodeInfo {
  const { cpu = '4', labels = {}, images = [], ...spec } = parts;
  return new NodeInfo(
    name,
    served(Node, {
      metadata: { name, labels: { 'kubernetes.io/hostname': name, ...labels } },
      spec,
      status: { allocatable: { cpu, memory: '8Gi', pods: '10' }, images },
    }),
    pods,
  );
}

export function testView(
  nodes: readonly NodeInfo[],
  namespaces: Record<string, Record<string, string>> = {},
  defaultSpreadSelectorOf: ClusterView['defaultSpreadSelectorOf'] = () => undefined,
  volumes: ClusterView['volumes'] = NO_VOLUMES,
  devices: ClusterView['devices'] = NO_DEVICES,
): ClusterView {
  const groups = new PodGroups();
  for (const node of nodes) for (const pod of node.pods()) groups.set(pod, node);
  return {
    nodes: () => nodes,
    nodesWithAffinity: () => nodes.filter(({ hasAffinity }) => hasAffinity),
    nodesWithImage: (name) => nodes.filter(({ images }) => images.has(name)).length,
    podGroups: (namespace) => groups.of(namespace),
    namespaceLabels: (name) => namespaces[name],
    defaultSpreadSelectorOf,
    volumes,
    devices,
  };
}
