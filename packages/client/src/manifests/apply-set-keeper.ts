import type { ServedResource } from '@windlass/apimachinery';
import { CustomResourceDefinition } from '@windlass/apimachinery/api/apiextensions/v1';
import { toError } from '@windlass/base';
import type { Client } from '../client.ts';
import type { KindQuery } from '../discovery/discovery.ts';
import { NoMatchError } from '../errors.ts';
import type { PartialObjectMetadata } from '../resource/metadata-format.ts';
import type { PropagationPolicy } from '../resource/options.ts';
import { inApplyOrder } from './apply-order.ts';
import type { ManifestResult } from './apply-results.ts';
import {
  APPLY_SET_LABELS,
  type ApplySetContents,
  ApplySetError,
  type ApplySetParent,
  applySetId,
  contentsOf,
  DEFAULT_TOOLING,
  parentMetadata,
  sorted,
  unionOf,
} from './apply-set.ts';
import { groupKind } from './manifest.ts';
import { callOptions, clientOf, orUndefined } from './server-objects.ts';

/** Which ApplySet the manifests belong to, and who keeps it. */
export interface ApplySetOptions {
  readonly name: string;
  /** @default that of the call */
  readonly namespace?: string;
  /**
   * A custom resource must be there already, and its definition must have the label
   * `applyset.kubernetes.io/is-parent-type: "true"`.
   * @default a Secret, as kubectl has it
   */
  readonly kind?: 'Secret' | 'ConfigMap' | KindQuery;
  /**
   * Which program keeps the set. Two programs refuse each other's sets; `kubectl/v1.32.0` is for one that kubectl shall
   * keep as well.
   * @default DEFAULT_TOOLING: `windlass/v…`
   */
  readonly tooling?: string;
  /** What becomes of the objects that pruned ones own. @default Background */
  readonly propagationPolicy?: PropagationPolicy;
}

export interface KeeperContext {
  readonly client: Client;
  /** Of the call. */
  readonly namespace: string;
  readonly fieldManager: string;
  readonly dryRun: boolean;
  readonly signal: AbortSignal | undefined;
}

interface Member {
  readonly type: ServedResource;
  readonly object: PartialObjectMetadata;
}

/** Keeps the parent of a set, and deletes the members that are no longer in it. */
export class ApplySetKeeper {
  readonly #context: KeeperContext;
  readonly #options: ApplySetOptions;
  readonly #type: ServedResource;
  readonly #parent: ApplySetParent;
  readonly #tooling: string;
  #contents: ApplySetContents = { groupKinds: [], namespaces: [] };
  #isThere = false;

  private constructor(context: KeeperContext, options: ApplySetOptions, type: ServedResource) {
    this.#context = context;
    this.#options = options;
    this.#type = type;
    this.#tooling = options.tooling ?? DEFAULT_TOOLING;
    const namespace = type.namespaced ? (options.namespace ?? context.namespace) : undefined;
    this.#parent = { group: type.group, kind: type.kind, name: options.name, namespace };
  }

  /** Reads the parent. @throws ApplySetError when it cannot be one */
  static async open(context: KeeperContext, options: ApplySetOptions): Promise<ApplySetKeeper> {
    const { client, signal } = context;
    const { kind = 'Secret' } = options;
    const query = typeof kind === 'string' ? { group: '', version: 'v1', kind } : kind;
    const type = await client.discovery.kind(query, callOptions(signal));
    const keeper = new ApplySetKeeper(context, options, type);
    await keeper.#read();
    return keeper;
  }

  /** The label that makes an object a member. */
  get label(): Readonly<Record<string, string>> {
    return { [APPLY_SET_LABELS.partOf]: applySetId(this.#parent) };
  }

  /** The namespace of the parent. */
  get namespace(): string | undefined {
    return this.#parent.namespace;
  }

  /** Names what will be in the set beside what was, before any of it is written: whatever happens then, it is found. */
  async widen(contents: ApplySetContents): Promise<void> {
    this.#contents = unionOf(this.#contents, this.#withoutOwn(contents));
    await this.#write(this.#contents);
  }

  /** Names what is in the set, and no more. */
  async narrow(contents: ApplySetContents): Promise<void> {
    await this.#write(this.#withoutOwn(contents));
  }

  /** Deletes the members whose uids are not these. */
  async prune(kept: ReadonlySet<string>): Promise<ManifestResult[]> {
    const members = await this.#members();
    const gone = members.filter(({ object }) => !kept.has(object.metadata.uid ?? ''));
    const results: ManifestResult[] = [];
    const named = gone.map(({ type, object }) => ({ type, object, group: type.group, kind: type.kind }));
    for (const member of inApplyOrder(named).reverse()) results.push(await this.#delete(member));
    return results;
  }

  async #read(): Promise<void> {
    const { client, signal } = this.#context;
    const { kind, name, namespace } = this.#parent;
    const parent = await orUndefined(
      clientOf(client, this.#type, namespace).metadata.get(name, callOptions(signal)),
    );
    this.#isThere = parent !== undefined;
    const isBuiltIn = this.#type.group === '';
    if (!isBuiltIn) await this.#checkDefinition();
    if (parent !== undefined) {
      // One that a user made and no set was kept in yet is nobody's.
      const isFresh = !isBuiltIn && parent.metadata.labels?.[APPLY_SET_LABELS.id] === undefined;
      if (!isFresh) this.#contents = contentsOf(this.#parent, this.#tooling, parent.metadata);
    } else if (!isBuiltIn)
      throw new ApplySetError(
        `the ${kind} ${name}, which is to be the parent of the ApplySet, is not there; create it first`,
      );
  }

  async #checkDefinition(): Promise<void> {
    const { client, signal } = this.#context;
    const { group, plural, kind } = this.#type;
    const name = `${plural}.${group}`;
    const definition = await orUndefined(
      client.resource(CustomResourceDefinition).metadata.get(name, callOptions(signal)),
    );
    if (definition?.metadata.labels?.[APPLY_SET_LABELS.isParentType] === 'true') return;
    throw new ApplySetError(
      `a ${kind} cannot be the parent of an ApplySet: the definition ${name} has no label ${APPLY_SET_LABELS.isParentType}=true`,
    );
  }

  #withoutOwn({ groupKinds, namespaces }: ApplySetContents): ApplySetContents {
    return {
      groupKinds: sorted(groupKinds),
      namespaces: sorted(namespaces).filter((name) => name !== this.#parent.namespace),
    };
  }

  async #write(contents: ApplySetContents): Promise<void> {
    const { client, fieldManager, dryRun, signal } = this.#context;
    // The namespace of a parent that is not there yet may not be there either.
    if (dryRun && !this.#isThere) return;
    const { name, namespace } = this.#parent;
    const metadata = {
      name,
      ...(namespace === undefined ? {} : { namespace }),
      ...parentMetadata(this.#parent, this.#tooling, contents),
    };
    await clientOf(client, this.#type, namespace).apply(
      { metadata },
      // The tooling was checked: it is ours.
      { fieldManager: `${fieldManager}-applyset`, force: true, dryRun, ...callOptions(signal) },
    );
    this.#isThere = true;
  }

  async #members(): Promise<Member[]> {
    const { client, signal } = this.#context;
    const { namespace } = this.#parent;
    const namespaces = [...(namespace === undefined ? [] : [namespace]), ...this.#contents.namespaces];
    const labelSelector = `${APPLY_SET_LABELS.partOf}=${applySetId(this.#parent)}`;
    const members: Member[] = [];
    for (const name of this.#contents.groupKinds) {
      const type = await this.#typeOf(name);
      if (type === undefined) continue;
      for (const place of type.namespaced ? namespaces : [undefined])
        for await (const object of clientOf(client, type, place).metadata.items({
          labelSelector,
          ...callOptions(signal),
        }))
          members.push({ type, object });
    }
    return members;
  }

  /** Undefined for a kind that is no longer served: its objects are gone with it. */
  async #typeOf(name: string): Promise<ServedResource | undefined> {
    const { client, signal } = this.#context;
    const dot = name.indexOf('.');
    const query =
      dot === -1 ? { group: '', kind: name } : { group: name.slice(dot + 1), kind: name.slice(0, dot) };
    try {
      return await client.discovery.kind(query, callOptions(signal));
    } catch (error) {
      if (error instanceof NoMatchError) return undefined;
      throw error;
    }
  }

  async #delete({ type, object }: Member): Promise<ManifestResult> {
    const { client, dryRun, signal } = this.#context;
    const { name = '', namespace, uid } = object.metadata;
    const result = {
      group: type.group,
      kind: type.kind,
      name,
      namespace,
      from: undefined,
      object: undefined,
    };
    try {
      await orUndefined(
        clientOf(client, type, namespace).delete(name, {
          dryRun,
          propagationPolicy: this.#options.propagationPolicy ?? 'Background',
          ...(uid === undefined ? {} : { preconditions: { uid } }),
          ...callOptions(signal),
        }),
      );
      return { ...result, action: 'pruned', error: undefined };
    } catch (error) {
      return { ...result, action: 'failed', error: toError(error) };
    }
  }
}

/** What these are, as a parent names it. */
export function contentsOfObjects(
  objects: readonly {
    readonly group: string;
    readonly kind: string;
    readonly namespace: string | undefined;
  }[],
): ApplySetContents {
  return {
    groupKinds: sorted(objects.map(groupKind)),
    namespaces: sorted(objects.flatMap(({ namespace }) => namespace ?? [])),
  };
}
