// What the views promise, checked by the compiler: a line marked `@ts-expect-error` that compiles is an error.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  apiVersionOf,
  builtinResources,
  builtinSchemas,
  hasTypedForm,
  type Schema,
  schemaFor,
  toTypedForm,
} from '@windlass/apimachinery';
import type { Pod, ServicePort } from '@windlass/apimachinery/api/core/v1';
import type { NetworkPolicy } from '@windlass/apimachinery/api/networking/v1';
import type { Draft, Stored } from './strategy.ts';
import type { DraftOf, View } from './views.ts';

/** Only compiled. */
function reads(pod: View<Pod>, policy: View<NetworkPolicy>): unknown[] {
  // @ts-expect-error there is no such field
  const misspelt: unknown = pod.spec?.nodename;
  // @ts-expect-error a name that the API requires may be absent all the same
  const name: string | undefined = pod.spec?.containers?.[0].name;
  // @ts-expect-error a list that the API requires may be null
  const containers: readonly unknown[] | undefined = pod.spec?.containers;
  // @ts-expect-error a view is not for writing
  if (pod.spec !== undefined) pod.spec.nodeName = 'a';
  // @ts-expect-error nor are its lists
  pod.spec?.containers?.push({});
  // @ts-expect-error nor are its maps
  if (pod.spec?.nodeSelector) pod.spec.nodeSelector['a'] = 'b';

  const values: (string | undefined)[] = Object.values(pod.spec?.nodeSelector ?? {});
  const key: string | undefined = pod.spec?.nodeSelector?.['any key'];
  const protocol: 'TCP' | 'UDP' | 'SCTP' | (string & {}) | undefined =
    policy.spec?.ingress?.[0]?.ports?.[0]?.protocol;
  const port: number | string | undefined = policy.spec?.ingress?.[0]?.ports?.[0]?.port;
  const stored: Stored = pod;
  return [misspelt, name, containers, values, key, protocol, port, stored];
}

/** Only compiled. */
function writes(draft: DraftOf<Pod>, port: DraftOf<ServicePort>): unknown[] {
  draft.spec ??= {};
  draft.spec.containers ??= [];
  draft.spec.containers.push({ resources: {} });
  draft.spec.nodeSelector ??= {};
  draft.spec.nodeSelector['a'] = 'b';
  draft.spec.restartPolicy ||= 'Always';
  port.targetPort ??= port.port ?? 'http';
  // @ts-expect-error there is no such field
  draft.spec.nodename = 'a';
  // @ts-expect-error a port is a number
  port.port = '80';
  // @ts-expect-error what is absent is left out, never undefined
  draft.spec.nodeName = undefined;
  const view: View<Pod> = draft;
  const untyped: Draft = draft;
  return [view, untyped];
}

test('the typed form is what the views say: no null among objects, null for an empty list that is always shown', () => {
  assert.equal(typeof reads, typeof writes);
  const typed = (spec: object): unknown => toTypedForm('v1', 'Pod', { spec }).object['spec'];
  assert.deepEqual(typed({ containers: [null, { name: 'a', ports: [null] }], nodeSelector: {} }), {
    containers: [
      { name: '', resources: {} },
      { name: 'a', ports: [{ containerPort: 0 }], resources: {} },
    ],
  });
  assert.deepEqual(typed({}), { containers: null });
  assert.throws(() => typed({ containers: ['a'] }), { name: 'TypedFormError' });
  assert.throws(() => toTypedForm('v1', 'Pod', { status: { startTime: '' } }), { name: 'TypedFormError' });
});

/** Names of required fields that are null when they are absent, but for lists, maps and times. */
function nullsOfAllKinds(): Set<string> {
  const schemas = builtinSchemas();
  const found = new Set<string>();
  const resolve = (schema: Schema): Schema => {
    const name = schema.$ref ?? schema.allOf?.[0]?.$ref;
    return (name === undefined ? undefined : schemas.definition(name)) ?? schema;
  };
  /** An object in which everything is there and nothing is said, but for what is required at every second level. */
  const skeleton = (schema: Schema, depth: number, left: 'nothing' | 'even' | 'odd'): unknown => {
    const { items, properties, required = [], type } = resolve(schema);
    if (depth > 12) return undefined;
    if (type === 'array') return [skeleton(items ?? {}, depth, left) ?? null];
    if (properties === undefined) return undefined;
    const isLeft = left === (depth % 2 === 0 ? 'even' : 'odd');
    return Object.fromEntries(
      Object.entries(properties)
        .filter(([name]) => !(isLeft && required.includes(name)))
        .map(([name, below]) => [name, skeleton(below, depth + 1, left)] as const)
        .filter(([, value]) => value !== undefined),
    );
  };
  const look = (value: unknown, schema: Schema): void => {
    const { items, properties = {}, required = [] } = resolve(schema);
    if (Array.isArray(value)) for (const item of value) look(item, items ?? {});
    else if (typeof value === 'object' && value !== null)
      for (const [name, item] of Object.entries(value)) {
        const below = properties[name];
        if (below === undefined) continue;
        const { type, properties: fields, format } = resolve(below);
        const isMapOrAny = type === 'object' && fields === undefined;
        const isExpected = type === 'array' || isMapOrAny || format === 'date-time';
        if (item === null && required.includes(name) && !isExpected) found.add(name);
        else look(item, below);
      }
  };
  for (const { group, version, kind } of builtinResources().resources) {
    const schema = schemaFor({ group, version, kind });
    const apiVersion = apiVersionOf({ group, version });
    if (schema === undefined || !/^v[0-9]+$/.test(version) || !hasTypedForm(apiVersion, kind)) continue;
    for (const left of ['nothing', 'even', 'odd'] as const) {
      const made = { ...(skeleton(schema, 0, left) as object), metadata: {} };
      look(toTypedForm(apiVersion, kind, made).object, schema);
    }
  }
  return found;
}

test('the fields that the views call null when absent are all that are', () => {
  assert.deepEqual([...nullsOfAllKinds()].toSorted(), [
    'pathType',
    'request',
    'secretRef',
    'selector',
    'sideEffects',
  ]);
});
