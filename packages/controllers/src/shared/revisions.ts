// What stateful sets and daemon sets keep of the templates that they have had: objects of kind ControllerRevision.
import {
  type Cached,
  controllerReferenceTo,
  type DeepReadonly,
  goMapJson,
  type JsonValue,
  type KubeObject,
  type ResourceType,
  safeEncode,
} from '@windlass/apimachinery';
import type { ControllerRevision } from '@windlass/apimachinery/api/apps/v1';
import type { PodTemplateSpec } from '@windlass/apimachinery/api/core/v1';
import { annotationsOf, byCreation } from './meta.ts';

export type ReadonlyRevision = Cached<ControllerRevision>;

/** On pods: the revision that they were made from. Daemon sets label their revisions with it, too. */
export const REVISION_HASH = 'controller-revision-hash';

/** Oldest first. */
export const byRevision = (a: ReadonlyRevision, b: ReadonlyRevision): number =>
  a.revision - b.revision || byCreation(a, b);

/** The template as a revision keeps it: as a patch that replaces the whole of it. */
export function templateIn(revision: ReadonlyRevision): DeepReadonly<PodTemplateSpec> {
  // What a revision holds is free in the API; ours and the real controller's have this shape.
  const data = revision.data as
    | DeepReadonly<{ spec?: { template?: PodTemplateSpec & { $patch?: string } } }>
    | undefined;
  const { $patch: _, ...template } = data?.spec?.template ?? {};
  return template;
}

export interface NewRevision<O extends KubeObject> {
  readonly owner: Cached<O>;
  readonly ownerType: ResourceType<O>;
  readonly name: string;
  /** Added to those of the template. */
  readonly labels: Readonly<Record<string, string>>;
  readonly template: DeepReadonly<PodTemplateSpec>;
  readonly data: JsonValue;
  /** Its number: the newest revision has the highest. */
  readonly revision: number;
}

/**
 * The template as a patch. The real controllers compare its bytes with those that they write themselves, which Go
 * sorts; with another order they would take a set over with a new revision, and with it all pods.
 */
export function revisionData(template: DeepReadonly<PodTemplateSpec>): JsonValue {
  const text = goMapJson({ spec: { template: { ...template, $patch: 'replace' } } });
  // JSON.parse gives nothing but JSON.
  return JSON.parse(text) as JsonValue;
}

/** The name of a stateful set's revision: of the bytes of its data, as the real controller computes it. */
export function revisionHash(data: JsonValue, collisionCount: number): string {
  return safeEncode(String(fnv32(goMapJson(data) + collisionCount)));
}

/** Go's `fnv.New32`, which is not the variant with an `a`. */
function fnv32(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) hash = (Math.imul(hash, 0x01000193) ^ byte) >>> 0;
  return hash;
}

export function newRevision<O extends KubeObject>(input: NewRevision<O>): ControllerRevision {
  const { owner, ownerType, name, labels, template, data, revision } = input;
  return {
    metadata: {
      name,
      namespace: owner.metadata.namespace ?? '',
      labels: { ...template.metadata?.labels, ...labels },
      // `kubectl rollout history` shows the cause of a change from here.
      annotations: { ...annotationsOf(owner) },
      ownerReferences: [controllerReferenceTo(owner, ownerType)],
    },
    data,
    revision,
  };
}
