// What the types promise, checked by the compiler: a line marked `@ts-expect-error` that compiles is a
// failure of the type check.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SubjectAccessReview } from './generated/api/authorization/v1.ts';
import type { Node, Pod } from './generated/api/core/v1.ts';
import { deepCopy } from './json/deep-copy.ts';
import { keyOf } from './metadata/keys.ts';
import type { DeepReadonly, JsonValue, KubeObject, ObjectMeta } from './object.ts';
import type { Cached, Created, ScopeOf, Served, ServedMeta } from './served.ts';

const META = {
  name: 'a',
  uid: 'u',
  resourceVersion: '7',
  creationTimestamp: '2026-01-02T03:04:05Z',
} satisfies ServedMeta;

interface Widget extends KubeObject {
  spec?: { size: number };
}

test('what a server gives has a name, a uid, a version and the time of its creation', () => {
  const widget: Served<Widget> = { metadata: META };
  const texts: string[] = [
    widget.metadata.name,
    widget.metadata.uid,
    widget.metadata.resourceVersion,
    widget.metadata.creationTimestamp,
  ];
  assert.deepEqual(texts, ['a', 'u', '7', '2026-01-02T03:04:05Z']);
  // @ts-expect-error: nobody knows whether a widget lives in a namespace
  const namespace: string = widget.metadata.namespace;
  // @ts-expect-error: an object to be written may lack all of it
  const draft: Served<Widget> = { metadata: { name: 'a' } };
  // @ts-expect-error: a spec is as optional as before
  const size = (): number => widget.spec.size;
  assert.deepEqual([namespace, draft.metadata.uid, typeof size], [undefined, undefined, 'function']);
});

test('a kind that lives in namespaces has one, and one that does not has none', () => {
  const scopes: [ScopeOf<Pod>, ScopeOf<Node>, ScopeOf<SubjectAccessReview>, ScopeOf<Widget>] = [
    'Namespaced',
    'Cluster',
    'Unstored',
    'Unknown',
  ];
  // What is only for reading is of the same kind.
  const readonly: ScopeOf<DeepReadonly<Pod>> = 'Namespaced';
  assert.deepEqual(new Set([...scopes, readonly]).size, 4);
  const pod: Served<Pod> = { metadata: { ...META, namespace: 'n' } };
  const cached: Cached<Pod> = pod;
  const namespaces: string[] = [pod.metadata.namespace, cached.metadata.namespace];
  assert.deepEqual(namespaces, ['n', 'n']);
  // @ts-expect-error: a pod has a namespace
  const without: Served<Pod> = { metadata: META };
  const node: Served<Node> = { metadata: META };
  // @ts-expect-error: a node has none
  const none: string = node.metadata.namespace;
  assert.deepEqual([keyOf(without), none], ['a', undefined]);
});

interface Loose extends KubeObject {
  [field: string]: unknown;
}

interface LooseJson {
  apiVersion?: string;
  kind?: string;
  metadata?: ObjectMeta;
  [field: string]: JsonValue | ObjectMeta;
}

test('a kind of any fields has metadata, and its fields as they were', () => {
  type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;
  const isSame: Same<Served<LooseJson>, LooseJson & { metadata: ServedMeta }> = true;
  const loose: Served<Loose> = { metadata: META, spec: 1 };
  const json: Served<LooseJson> = { metadata: META, spec: { size: 1 } };
  const cached: Cached<LooseJson> = json;
  const names: string[] = [loose.metadata.name, json.metadata.name, cached.metadata.name];
  const spec: JsonValue | ObjectMeta | undefined = json['spec'];
  assert.deepEqual([isSame, names, spec], [true, ['a', 'a', 'a'], { size: 1 }]);
});

test('what was read can be used wherever the kind can', () => {
  const served: Served<Pod> = { metadata: { ...META, namespace: 'n' } };
  const pod: Pod = served;
  const cached: Cached<Pod> = served;
  const readonly: DeepReadonly<Pod> = cached;
  const same: Cached<Pod> = cached satisfies DeepReadonly<Served<Pod>>;
  const copy: Served<Pod> = deepCopy(cached);
  copy.metadata.labels = { app: 'web' };
  const change = (): void => {
    // @ts-expect-error: what a cache gives is not the reader's to change
    cached.metadata.labels = { app: 'web' };
  };
  assert.deepEqual([pod, readonly, same].map(keyOf), ['n/a', 'n/a', 'n/a']);
  assert.deepEqual([copy.metadata.labels, typeof change], [{ app: 'web' }, 'function']);
  assert.equal(served.metadata.labels, undefined);
});

test('code for any kind reads the same fields', () => {
  const describe = <T extends KubeObject>(served: Served<T>, cached: Cached<T>): string[] => {
    const objects: [T, DeepReadonly<T>] = [served, cached];
    const anyKind: [Served<KubeObject>, Cached<KubeObject>] = [served, cached];
    return [served.metadata.name, cached.metadata.uid, ...objects.map(keyOf), ...anyKind.map(keyOf)];
  };
  const node: Served<Node> = { metadata: META };
  assert.deepEqual(describe(node, node), ['a', 'u', 'a', 'a', 'a', 'a']);
});

test('a review is answered and not stored', () => {
  const review: Created<SubjectAccessReview> = { spec: { user: 'me' } };
  const pod: Created<Pod> = { metadata: { ...META, namespace: 'n' } };
  // @ts-expect-error: a review has no name
  const name = (): string => review.metadata.name;
  assert.throws(name, TypeError);
  assert.equal(pod.metadata.name, 'a');
});
