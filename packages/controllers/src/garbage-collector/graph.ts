import type { DeepReadonly, ObjectMeta, OwnerReference } from '@windlass/apimachinery';

export const ORPHAN_FINALIZER = 'orphan';
export const FOREGROUND_FINALIZER = 'foregroundDeletion';

/** What an object is, and where. The namespace is empty at the cluster scope. */
export interface Identity {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

type Reference = DeepReadonly<OwnerReference>;

/** One object, as far as owning goes. */
export interface GraphNode {
  readonly identity: Identity;
  readonly owners: readonly Reference[];
  readonly dependents: ReadonlySet<GraphNode>;
  /** Its deletion has begun. */
  readonly isBeingDeleted: boolean;
  /** It waits until those that block it are gone. */
  readonly isDeletingDependents: boolean;
  /** Nobody has seen it: only objects that name it as their owner. */
  readonly isVirtual: boolean;
}

interface MutableNode extends GraphNode {
  identity: Identity;
  owners: readonly Reference[];
  readonly dependents: Set<MutableNode>;
  isBeingDeleted: boolean;
  isDeletingDependents: boolean;
  isVirtual: boolean;
}

/** What a change asks for. Nodes are named by their uids. */
export interface GraphOutcome {
  /** Look at these: they may have to go, or be let go. */
  readonly check: ReadonlySet<string>;
  /** Their dependents are to lose them as owners. */
  readonly orphan: ReadonlySet<string>;
  /** They name an owner that is not in their namespace. */
  readonly misplaced: readonly { readonly dependent: Identity; readonly owner: string }[];
  /** Owners that are known not to be there: whoever names exactly them need not ask. */
  readonly absent: readonly Identity[];
}

class Outcome implements GraphOutcome {
  readonly check = new Set<string>();
  readonly orphan = new Set<string>();
  readonly misplaced: { readonly dependent: Identity; readonly owner: string }[] = [];
  readonly absent: Identity[] = [];
}

/**
 * Who owns whom, in the whole cluster. It is told what is seen and what is found out, and answers what is
 * to be looked at; it asks nobody and writes nothing. A change costs as much as the object has owners and,
 * when it goes, dependents.
 */
export class OwnershipGraph {
  readonly #nodes = new Map<string, MutableNode>();

  get size(): number {
    return this.#nodes.size;
  }

  node(uid: string): GraphNode | undefined {
    return this.#nodes.get(uid);
  }

  /** An object is there, in this state. */
  seen(identity: Identity, metadata: DeepReadonly<ObjectMeta>, old?: DeepReadonly<ObjectMeta>): GraphOutcome {
    const outcome = new Outcome();
    const owners = metadata.ownerReferences ?? [];
    const isBeingDeleted = metadata.deletionTimestamp !== undefined;
    let node = this.#nodes.get(identity.uid);
    if (node === undefined) {
      node = {
        identity,
        owners,
        dependents: new Set(),
        isBeingDeleted,
        isDeletingDependents: waitsFor(metadata, FOREGROUND_FINALIZER),
        isVirtual: false,
      };
      this.#nodes.set(identity.uid, node);
      this.#join(node, owners, outcome);
    } else {
      if (!isSameIdentity(node.identity, identity)) this.#correct(node, identity, outcome);
      node.isVirtual = false;
      this.#changeOwners(node, owners, outcome);
      if (isBeingDeleted) node.isBeingDeleted = true;
    }
    transitions(node, metadata, old, outcome);
    return outcome;
  }

  /** An object that was seen is gone. */
  gone(identity: Identity): GraphOutcome {
    const outcome = new Outcome();
    const node = this.#nodes.get(identity.uid);
    if (node !== undefined) this.#remove(node, identity, outcome);
    return outcome;
  }

  /**
   * The server was asked, and has nothing of this identity. Objects may name one owner in different ways,
   * of which only one was asked about: the others must be asked about, too.
   */
  absent(identity: Identity): GraphOutcome {
    const outcome = new Outcome();
    const node = this.#nodes.get(identity.uid);
    if (node === undefined) return outcome;
    const [matching, others] = partition(node, identity);
    const tellMatching = (): void => {
      if (matching.length > 0) outcome.absent.push(identity);
      for (const dependent of matching) outcome.check.add(dependent.identity.uid);
    };
    if (!node.isVirtual && !isSameIdentity(node.identity, identity)) {
      tellMatching();
    } else if (node.isVirtual && others.length > 0) {
      tellMatching();
      if (isSameIdentity(node.identity, identity)) {
        const next = alternative(others, identity);
        if (next !== undefined) {
          node.identity = next;
          outcome.check.add(identity.uid);
        }
      }
    } else this.#remove(node, identity, outcome);
    return outcome;
  }

  /** What was only named turns out to be something else, or elsewhere: whoever named it wrongly is checked. */
  #correct(node: MutableNode, identity: Identity, outcome: Outcome): void {
    for (const dependent of partition(node, identity)[1]) {
      if (identity.namespace !== '' && dependent.identity.namespace !== identity.namespace)
        outcome.misplaced.push({ dependent: dependent.identity, owner: identity.uid });
      outcome.check.add(dependent.identity.uid);
    }
    node.identity = identity;
  }

  #join(node: MutableNode, owners: readonly Reference[], outcome: Outcome): void {
    for (const reference of owners) {
      let owner = this.#nodes.get(reference.uid);
      if (owner === undefined) {
        const { apiVersion, kind, name, uid } = reference;
        owner = {
          // Where it is, or whether it is anywhere, the server will tell.
          identity: { apiVersion, kind, name, uid, namespace: node.identity.namespace },
          owners: [],
          dependents: new Set(),
          isBeingDeleted: false,
          isDeletingDependents: false,
          isVirtual: true,
        };
        this.#nodes.set(uid, owner);
        outcome.check.add(uid);
      } else if (isElsewhere(owner, node)) {
        if (!owner.isVirtual) outcome.misplaced.push({ dependent: node.identity, owner: reference.uid });
        outcome.check.add(node.identity.uid);
      } else if (!isNamed(reference, owner.identity)) outcome.check.add(node.identity.uid);
      owner.dependents.add(node);
    }
  }

  #changeOwners(node: MutableNode, next: readonly Reference[], outcome: Outcome): void {
    const before = new Map(node.owners.map((reference) => [reference.uid, reference]));
    const after = new Map(next.map((reference) => [reference.uid, reference]));
    node.owners = next;
    for (const [uid, reference] of before) {
      const now = after.get(uid);
      const owner = this.#nodes.get(uid);
      if (owner === undefined) continue;
      // An owner that waits for its dependents may have waited for this one.
      if (reference.blockOwnerDeletion === true && now?.blockOwnerDeletion !== true) outcome.check.add(uid);
      if (now === undefined) owner.dependents.delete(node);
    }
    const added = next.filter(({ uid }) => !before.has(uid));
    this.#join(node, added, outcome);
  }

  #remove(node: MutableNode, identity: Identity, outcome: Outcome): void {
    this.#nodes.delete(node.identity.uid);
    for (const { uid } of node.owners) {
      const owner = this.#nodes.get(uid);
      owner?.dependents.delete(node);
      if (owner?.isDeletingDependents === true) outcome.check.add(uid);
    }
    if (node.dependents.size > 0) outcome.absent.push(identity);
    for (const dependent of node.dependents) outcome.check.add(dependent.identity.uid);
  }
}

/** Dependents that must be gone before the owner goes. */
export function blockingDependents({ identity, dependents }: GraphNode): GraphNode[] {
  return [...dependents].filter(({ owners }) =>
    owners.some(({ uid, blockOwnerDeletion }) => uid === identity.uid && blockOwnerDeletion === true),
  );
}

/** Whether a reference means exactly this. */
function isNamed(reference: Reference, { apiVersion, kind, name, uid }: Identity): boolean {
  return (
    reference.uid === uid &&
    reference.name === name &&
    reference.kind === kind &&
    reference.apiVersion === apiVersion
  );
}

function isSameIdentity(a: Identity, b: Identity): boolean {
  return isNamed(a, b) && a.namespace === b.namespace;
}

/** An owner with a namespace owns in no other. */
function isElsewhere(owner: GraphNode, dependent: GraphNode): boolean {
  const { namespace } = owner.identity;
  return namespace !== '' && namespace !== dependent.identity.namespace;
}

/** The dependents that name the owner as this, where it can be found from them; and the others. */
function partition(node: MutableNode, identity: Identity): [MutableNode[], MutableNode[]] {
  const [matching, others]: [MutableNode[], MutableNode[]] = [[], []];
  for (const dependent of node.dependents) {
    const isReachable = identity.namespace === '' || dependent.identity.namespace === identity.namespace;
    const names = dependent.owners.some((reference) => isNamed(reference, identity));
    (isReachable && names ? matching : others).push(dependent);
  }
  return [matching, others];
}

/** Another way in which one of them names the owner; the first in a fixed order after the one that failed. */
function alternative(dependents: readonly MutableNode[], failed: Identity): Identity | undefined {
  const candidates = dependents.flatMap(({ owners, identity: { namespace } }) =>
    owners
      .filter(({ uid }) => uid === failed.uid)
      .map(({ apiVersion, kind, name, uid }): Identity => ({ apiVersion, kind, name, uid, namespace })),
  );
  const text = ({ namespace, kind, apiVersion, name }: Identity): string =>
    JSON.stringify([namespace, kind, apiVersion, name]);
  const sorted = candidates
    .filter((candidate) => text(candidate) !== text(failed))
    .toSorted((a, b) => (text(a) < text(b) ? -1 : 1));
  return sorted.find((candidate) => text(candidate) > text(failed)) ?? sorted[0];
}

function waitsFor(metadata: DeepReadonly<ObjectMeta> | undefined, finalizer: string): boolean {
  return metadata?.deletionTimestamp !== undefined && metadata.finalizers?.includes(finalizer) === true;
}

function transitions(
  node: MutableNode,
  now: DeepReadonly<ObjectMeta>,
  old: DeepReadonly<ObjectMeta> | undefined,
  outcome: Outcome,
): void {
  const begins = (finalizer: string): boolean => waitsFor(now, finalizer) && !waitsFor(old, finalizer);
  if (begins(ORPHAN_FINALIZER)) {
    outcome.orphan.add(node.identity.uid);
    return;
  }
  if (!begins(FOREGROUND_FINALIZER)) return;
  node.isDeletingDependents = true;
  for (const dependent of node.dependents) outcome.check.add(dependent.identity.uid);
  outcome.check.add(node.identity.uid);
}
