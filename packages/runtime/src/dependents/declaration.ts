import { createHash } from 'node:crypto';
import {
  apiVersionOf,
  type Cached,
  controllerReferenceTo,
  joinKey,
  type KubeObject,
  keyOf,
  type ObjectMeta,
  type ResourceType,
} from '@windlass/apimachinery';
import { WindlassError } from '@windlass/base';
import type { Child } from './child.ts';
import { nameTag } from './marks.ts';
import { isSameKind } from './readiness.ts';

/** What `children` may return in the place of a child, for one that is not wanted now. */
export type MaybeChild = Child | false | null | undefined | '' | 0;

/** A child with all that follows from its parent. */
export interface Declared {
  readonly child: Child;
  /** The kind as it stands in `owns`. */
  readonly type: ResourceType;
  /** Tells it from all other objects. */
  readonly id: string;
  readonly key: string;
  /** In messages: `Deployment default/web`. */
  readonly title: string;
  /** As it is applied: with apiVersion, kind, and the marks. */
  readonly configuration: KubeObject;
  /** Of the configuration. */
  readonly hash: string;
  /** Whether the garbage collector deletes it after its parent. */
  readonly byReference: boolean;
}

export interface Family {
  readonly parentType: ResourceType;
  readonly owns: readonly ResourceType[];
  readonly mark: string;
}

/** What was declared cannot be applied, whatever the cluster says. */
export class InvalidDeclarationError extends WindlassError {
  constructor(message: string, cause?: unknown) {
    super(message, { code: 'INVALID_DECLARATION', kind: 'bug', cause });
  }
}

export function idOf(type: ResourceType, key: string): string {
  return `${type.kind}.${type.group}/${key}`;
}

export function titleOf(type: ResourceType, key: string): string {
  return `${type.kind} ${key}`;
}

/**
 * The children of a parent, in an order in which each stands after those that it waits for. Otherwise the
 * order is that of the declaration.
 * @throws InvalidDeclarationError
 */
export function declare(
  parent: Cached<KubeObject>,
  children: Iterable<MaybeChild>,
  family: Family,
): Declared[] {
  const wanted = [...children].filter(isChild);
  const ordered = new Map<Child, Declared>();
  const ids = new Set<string>();
  const visit = (child: Child): void => {
    if (ordered.has(child)) return;
    const declared = resolve(parent, child, family);
    // A child exists before another can name it in `after`, so this ends.
    for (const earlier of child.after) {
      if (!wanted.includes(earlier))
        throw new InvalidDeclarationError(
          `${declared.title} waits for ${earlier.type.kind} ${earlier.configuration.metadata?.name ?? ''}, which is not declared; declare it, or take it out of after`,
        );
      visit(earlier);
    }
    if (ids.has(declared.id)) throw new InvalidDeclarationError(`${declared.title} is declared twice`);
    ids.add(declared.id);
    ordered.set(child, declared);
  };
  for (const child of wanted) visit(child);
  return [...ordered.values()];
}

function isChild(child: MaybeChild): child is Child {
  return typeof child === 'object' && child !== null;
}

function resolve(parent: Cached<KubeObject>, child: Child, { parentType, owns, mark }: Family): Declared {
  const type = owns.find((owned) => isSameKind(owned, child.type));
  const { name } = child.configuration.metadata ?? {};
  if (type === undefined)
    throw new InvalidDeclarationError(
      `${child.type.kind} ${name ?? ''} is of a kind that is not watched; add ${child.type.kind} to owns`,
    );
  if (name === undefined || name === '')
    throw new InvalidDeclarationError(`a child of kind ${type.kind} has no metadata.name; give it one`);
  const namespace = namespaceOf(parent, child, type, name);
  const key = joinKey(namespace, name);
  const byReference =
    !parentType.namespaced || (namespace !== undefined && namespace === parent.metadata.namespace);
  // JSON has no undefined fields, and a copy is ours to complete. A configuration is a part of an object.
  const { status: _, ...fields } = JSON.parse(JSON.stringify(child.configuration)) as KubeObject & {
    status?: unknown;
  };
  const metadata: ObjectMeta = {
    ...fields.metadata,
    name,
    labels: { ...fields.metadata?.labels, [mark]: parent.metadata.uid },
    annotations: { ...fields.metadata?.annotations, [mark]: nameTag(keyOf(parent), name) },
  };
  if (namespace !== undefined) metadata.namespace = namespace;
  if (byReference) metadata.ownerReferences = [controllerReferenceTo(parent, parentType)];
  const configuration: KubeObject = {
    ...fields,
    apiVersion: apiVersionOf(type),
    kind: type.kind,
    metadata,
  };
  const hash = createHash('sha256').update(JSON.stringify(configuration)).digest('base64');
  const title = titleOf(type, key);
  return { child, type, id: idOf(type, key), key, title, configuration, hash, byReference };
}

function namespaceOf(
  parent: Cached<KubeObject>,
  { configuration }: Child,
  type: ResourceType,
  name: string,
): string | undefined {
  if (!type.namespaced) return undefined;
  const namespace = configuration.metadata?.namespace ?? parent.metadata.namespace;
  if (namespace === undefined || namespace === '')
    throw new InvalidDeclarationError(
      `${type.kind} ${name} has no metadata.namespace, and its parent has none either; give it one`,
    );
  return namespace;
}
