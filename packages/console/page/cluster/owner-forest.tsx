import { useState } from 'preact/hooks';
import type { OwnerItem, PodItem } from '../../src/protocol.ts';
import { PodTiles } from '../parts/pod-tiles.tsx';
import { isRetired, type OwnerNode, ownerTrees } from '../state/owner-tree.ts';
import { objectLink } from '../state/route.ts';

const FIRST_SHOWN = 40;

interface Props {
  readonly owners: readonly OwnerItem[];
  readonly pods: readonly PodItem[];
  readonly text: string;
}

/** Who owns the pods: Deployment, ReplicaSet, pods. */
export function OwnerForest({ owners, pods, text }: Props) {
  const [shown, setShown] = useState(FIRST_SHOWN);
  const trees = ownerTrees(owners, pods).filter((tree) => text === '' || mentions(tree, text));
  if (trees.length === 0) return null;
  return (
    <section class="owners" aria-label="Owners">
      <h2>Owners</h2>
      <ul class="tree">
        {trees.slice(0, shown).map((tree) => (
          <Tree key={tree.owner.uid} tree={tree} />
        ))}
      </ul>
      {trees.length > shown && (
        <button type="button" onClick={() => setShown(shown * 2)}>
          Show more of {trees.length}
        </button>
      )}
    </section>
  );
}

function Tree({ tree }: { tree: OwnerNode }) {
  const { owner, owners, pods } = tree;
  const live = owners.filter((child) => !isRetired(child));
  const retired = owners.length - live.length;
  return (
    <li>
      <div class="owner">
        <span class="tag">{owner.objectKind}</span>
        <a href={objectLink(owner.resource, owner.key)} data-item>
          {owner.key}
        </a>
        <Readiness owner={owner} />
        {retired > 0 && <span class="faint">{`${retired} of former rollouts`}</span>}
        {pods.length > 0 && <PodTiles pods={pods} />}
      </div>
      {live.length > 0 && (
        <ul>
          {live.map((child) => (
            <Tree key={child.owner.uid} tree={child} />
          ))}
        </ul>
      )}
    </li>
  );
}

function Readiness({ owner: { ready, desired } }: { owner: OwnerItem }) {
  if (desired === undefined) return null;
  const isThere = (ready ?? 0) >= desired;
  return (
    <span class={isThere ? 'note' : 'behind'}>
      {ready ?? 0}/{desired}
      {isThere ? '' : ' ready'}
    </span>
  );
}

function mentions(tree: OwnerNode, text: string): boolean {
  return (
    tree.owner.key.includes(text) ||
    tree.owner.objectKind.toLowerCase().includes(text) ||
    tree.pods.some(({ key }) => key.includes(text)) ||
    tree.owners.some((child) => mentions(child, text))
  );
}
