// ApplySets: which objects belong together, so that those that are no longer in the manifests can be deleted.
// KEP-3659; `kubectl apply --prune --applyset` writes and reads the same labels and annotations.
import { createHash } from 'node:crypto';
import { VERSION, WindlassError } from '@windlass/base';

/** The labels by which kubectl and others know an ApplySet and its members. */
export const APPLY_SET_LABELS = Object.freeze({
  /** On the parent: the set's id. */
  id: 'applyset.kubernetes.io/id',
  /** On each member: the id of its set. */
  partOf: 'applyset.kubernetes.io/part-of',
  /** On a CustomResourceDefinition whose objects may be parents. */
  isParentType: 'applyset.kubernetes.io/is-parent-type',
});

/** The annotations by which kubectl and others know an ApplySet. */
export const APPLY_SET_ANNOTATIONS = Object.freeze({
  tooling: 'applyset.kubernetes.io/tooling',
  groupKinds: 'applyset.kubernetes.io/contains-group-kinds',
  namespaces: 'applyset.kubernetes.io/additional-namespaces',
});

/** Which program keeps a set, and in which version. Another one refuses to touch it. */
export const DEFAULT_TOOLING = `windlass/v${VERSION}`;

/** The object that says which kinds and namespaces a set has. */
export interface ApplySetParent {
  readonly group: string;
  readonly kind: string;
  readonly name: string;
  /** Undefined for one that lives in no namespace. */
  readonly namespace: string | undefined;
}

/** What a parent says of its set. Both are sorted, without the parent's own namespace. */
export interface ApplySetContents {
  readonly groupKinds: readonly string[];
  readonly namespaces: readonly string[];
}

interface ParentMetadata {
  readonly labels?: Readonly<Record<string, string>> | undefined;
  readonly annotations?: Readonly<Record<string, string>> | undefined;
}

/** A parent is not what it must be, and nothing was changed. */
export class ApplySetError extends WindlassError {
  constructor(message: string, cause?: unknown) {
    super(message, { code: 'APPLY_SET', cause });
  }
}

export function applySetId({ name, namespace = '', kind, group }: ApplySetParent): string {
  const hash = createHash('sha256').update(`${name}.${namespace}.${kind}.${group}`).digest('base64url');
  return `applyset-${hash}-v1`;
}

/** The metadata that makes an object the parent of a set. */
export function parentMetadata(
  parent: ApplySetParent,
  tooling: string,
  { groupKinds, namespaces }: ApplySetContents,
): { readonly labels: Record<string, string>; readonly annotations: Record<string, string> } {
  return {
    labels: { [APPLY_SET_LABELS.id]: applySetId(parent) },
    annotations: {
      [APPLY_SET_ANNOTATIONS.tooling]: tooling,
      [APPLY_SET_ANNOTATIONS.groupKinds]: groupKinds.join(','),
      [APPLY_SET_ANNOTATIONS.namespaces]: namespaces.join(','),
    },
  };
}

/**
 * What a parent that is there says.
 * @throws ApplySetError when it is the parent of nothing, of another set, or kept by another program
 */
export function contentsOf(
  parent: ApplySetParent,
  tooling: string,
  { labels = {}, annotations = {} }: ParentMetadata,
): ApplySetContents {
  const title = `the ${parent.kind} ${parent.name}`;
  const keeper = annotations[APPLY_SET_ANNOTATIONS.tooling];
  if (keeper === undefined)
    throw new ApplySetError(
      `${title} is there and has no annotation ${APPLY_SET_ANNOTATIONS.tooling}, so it is no parent of an ApplySet; choose another name`,
    );
  if (toolOf(keeper) !== toolOf(tooling))
    throw new ApplySetError(
      `${title} is the parent of an ApplySet that ${keeper} keeps; use that, or set tooling: '${keeper}' to take it over`,
    );
  const id = labels[APPLY_SET_LABELS.id];
  if (id !== applySetId(parent))
    throw new ApplySetError(
      `${title} has the label ${APPLY_SET_LABELS.id}=${id ?? ''}, but its name demands ${applySetId(parent)}; was it renamed?`,
    );
  return {
    groupKinds: listOf(annotations[APPLY_SET_ANNOTATIONS.groupKinds]),
    namespaces: listOf(annotations[APPLY_SET_ANNOTATIONS.namespaces]),
  };
}

/** All of both. While a set is changed, its parent names what was in it and what will be. */
export function unionOf(a: ApplySetContents, b: ApplySetContents): ApplySetContents {
  return {
    groupKinds: sorted([...a.groupKinds, ...b.groupKinds]),
    namespaces: sorted([...a.namespaces, ...b.namespaces]),
  };
}

/** Without duplicates. */
export function sorted(names: Iterable<string>): string[] {
  return [...new Set(names)].sort();
}

function toolOf(tooling: string): string {
  return tooling.split('/', 1)[0] ?? '';
}

function listOf(text = ''): string[] {
  return sorted(text.split(',').map((name) => name.trim())).filter((name) => name !== '');
}
