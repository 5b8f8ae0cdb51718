import { useState } from 'preact/hooks';
import type { NodeItem, PodItem } from '../../src/protocol.ts';
import { useConsole } from '../context.ts';
import { Empty } from '../parts/empty.tsx';
import { Filter } from '../parts/filter.tsx';
import { counted } from '../state/format.ts';
import { useTopic } from '../topic.ts';
import { EventList } from './event-list.tsx';
import { NodePanel } from './node-panel.tsx';
import { OwnerForest } from './owner-forest.tsx';

const RENDER_EVERY_MS = 150;

export function ClusterPage() {
  const { cluster, onCluster } = useConsole();
  const [text, setText] = useState('');
  useTopic(onCluster, RENDER_EVERY_MS);
  const wanted = text.toLowerCase();
  const nodes = cluster.nodes();
  const allPods = cluster.pods();
  const pods = wanted === '' ? allPods : allPods.filter(({ key }) => key.includes(wanted));
  const placed = groupByNode(pods);
  const known = new Set(nodes.map(({ key }) => key));
  const homeless = pods.filter(({ node }) => node === undefined || !known.has(node));
  return (
    <>
      <h1 class="sr">Cluster</h1>
      <div class="bar">
        <Filter label="Filter pods, owners and events" value={text} change={setText} />
        <span class="note">
          <span data-figure="nodes">{counted(nodes.length, 'node')}</span>,{' '}
          <span data-figure="pods">{counted(allPods.length, 'pod')}</span>
        </span>
        <Legend />
      </div>
      <div class="cluster">
        <div>
          <Nodes nodes={nodes} placed={placed} isKnown={cluster.isKnown} />
          {homeless.length > 0 && (
            <NodePanel
              title="No node yet"
              note="They wait for the scheduler, or for a node that has room."
              pods={homeless}
            />
          )}
          <OwnerForest owners={cluster.owners()} pods={allPods} text={wanted} />
        </div>
        <EventList events={cluster.events()} text={wanted} />
      </div>
    </>
  );
}

interface NodesProps {
  readonly nodes: readonly NodeItem[];
  readonly placed: ReadonlyMap<string, readonly PodItem[]>;
  readonly isKnown: boolean;
}

const NO_PODS: readonly PodItem[] = [];

function Nodes({ nodes, placed, isKnown }: NodesProps) {
  if (nodes.length === 0)
    return (
      <Empty>
        {isKnown
          ? 'The cluster has no nodes. Start a kubelet, or `windlass up --nodes 3`.'
          : 'Waiting for the server.'}
      </Empty>
    );
  return (
    <section class="nodes" aria-label="Nodes">
      {nodes.map((node) => (
        <NodePanel key={node.key} node={node} title={node.key} pods={placed.get(node.key) ?? NO_PODS} />
      ))}
    </section>
  );
}

function Legend() {
  return (
    <span class="legend" aria-hidden="true">
      <i class="tile well" /> runs <i class="tile waiting">…</i> waits <i class="tile ending">–</i> ends{' '}
      <i class="tile done">✓</i> done <i class="tile ill">!</i> ill
    </span>
  );
}

function groupByNode(pods: readonly PodItem[]): Map<string, PodItem[]> {
  const groups = new Map<string, PodItem[]>();
  for (const pod of pods) {
    if (pod.node === undefined) continue;
    const group = groups.get(pod.node);
    if (group === undefined) groups.set(pod.node, [pod]);
    else group.push(pod);
  }
  return groups;
}
