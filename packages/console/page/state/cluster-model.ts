import type {
  ClusterChange,
  ClusterItem,
  DriveItem,
  EventItem,
  NodeItem,
  OwnerItem,
  PodItem,
  VolumeItem,
} from '../../src/protocol.ts';
import { compareNames } from './names.ts';

type Kind = ClusterItem['kind'];

/** What is there now. Items are never changed, only replaced: the same item is the same state. */
export class ClusterModel {
  readonly #items: { readonly [K in Kind]: Map<string, Extract<ClusterItem, { kind: K }>> } = {
    Node: new Map(),
    Pod: new Map(),
    Owner: new Map(),
    Event: new Map(),
    Drive: new Map(),
    Volume: new Map(),
  };
  #isComplete = false;

  /** Whether the first message came. Before it, nothing is known. */
  get isKnown(): boolean {
    return this.#isComplete;
  }

  /** The next message tells everything that is there: what it does not name is gone. */
  beginAnew(): void {
    this.#isComplete = false;
  }

  apply(changes: readonly ClusterChange[]): void {
    if (!this.#isComplete) {
      for (const items of Object.values(this.#items)) items.clear();
      this.#isComplete = true;
    }
    for (const change of changes) {
      if (change.type === 'set') this.#set(change.item);
      else this.#remove(change);
    }
  }

  nodes(): NodeItem[] {
    return byKey(this.#items.Node);
  }

  pods(): PodItem[] {
    return byKey(this.#items.Pod);
  }

  owners(): OwnerItem[] {
    return byKey(this.#items.Owner);
  }

  drives(): DriveItem[] {
    return byKey(this.#items.Drive);
  }

  volumes(): VolumeItem[] {
    return byKey(this.#items.Volume);
  }

  /** The newest first. */
  events(): EventItem[] {
    return [...this.#items.Event.values()].sort((a, b) => b.lastAt - a.lastAt || (a.key < b.key ? -1 : 1));
  }

  #set(item: ClusterItem): void {
    switch (item.kind) {
      case 'Node':
        this.#items.Node.set(item.key, item);
        break;
      case 'Pod':
        this.#items.Pod.set(item.key, item);
        break;
      case 'Owner':
        // A deployment and a stateful set may have the same name.
        this.#items.Owner.set(`${item.resource}/${item.key}`, item);
        break;
      case 'Event':
        this.#items.Event.set(item.key, item);
        break;
      case 'Drive':
        this.#items.Drive.set(item.key, item);
        break;
      case 'Volume':
        this.#items.Volume.set(item.key, item);
        break;
    }
  }

  #remove({ kind, key, resource }: Extract<ClusterChange, { type: 'gone' }>): void {
    if (kind !== 'Owner') {
      this.#items[kind].delete(key);
      return;
    }
    for (const [name, owner] of this.#items.Owner)
      if (owner.key === key && (resource === undefined || owner.resource === resource))
        this.#items.Owner.delete(name);
  }
}

function byKey<T extends { readonly key: string }>(items: ReadonlyMap<string, T>): T[] {
  return [...items.values()].sort((a, b) => compareNames(a.key, b.key));
}
