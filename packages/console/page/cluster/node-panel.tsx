import type { NodeItem, PodItem } from '../../src/protocol.ts';
import { PodTiles } from '../parts/pod-tiles.tsx';
import { counted } from '../state/format.ts';
import { objectLink } from '../state/route.ts';

interface Props {
  readonly title: string;
  readonly pods: readonly PodItem[];
  /** Without one these are pods that have none. */
  readonly node?: NodeItem;
  readonly note?: string;
}

export function NodePanel({ title, pods, node, note }: Props) {
  const trouble = node === undefined ? undefined : troubleOf(node);
  return (
    <section
      class={`node ${trouble === undefined ? '' : 'is-troubled'} ${node === undefined ? 'is-none' : ''}`}
      data-node={node?.key}
      data-state={node === undefined ? undefined : (trouble ?? 'Ready')}
    >
      <header>
        <h2>
          {node === undefined ? (
            title
          ) : (
            <a href={objectLink('nodes', node.key)} data-item>
              {title}
            </a>
          )}
        </h2>
        {node !== undefined && (
          <span class={trouble === undefined ? 'state-ok' : 'bad'}>
            {trouble === undefined ? 'Ready' : `! ${trouble}`}
          </span>
        )}
        <span class="note">{counted(pods.length, 'pod')}</span>
      </header>
      {note !== undefined && <p class="faint">{note}</p>}
      {pods.length > 0 ? <PodTiles pods={pods} /> : <p class="faint">nothing runs here</p>}
    </section>
  );
}

function troubleOf(node: NodeItem): string | undefined {
  const words = [
    node.lost && 'taken away',
    !node.ready && 'not ready',
    node.unschedulable && 'unschedulable',
  ].filter((word) => word !== false);
  return words.length === 0 ? undefined : words.join(', ');
}
