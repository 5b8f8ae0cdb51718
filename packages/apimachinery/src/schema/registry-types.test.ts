import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { test } from 'node:test';
import { Deployment, type DeploymentList } from '../generated/api/apps/v1.ts';
import type { Event, Pod } from '../generated/api/core/v1.ts';
import type { Role } from '../generated/api/rbac/v1.ts';
import type { KubeList, KubeObject } from '../object.ts';
import type { ResourceType } from '../resource.ts';
import { builtinResources } from './registry-builtin.ts';

test('every served kind has a constant, and it says what the registry says', async () => {
  const found = new Map<string, ResourceType>();
  for (const file of globSync('../generated/api/*/*.ts', { cwd: import.meta.dirname })) {
    // The modules export constants of this type and nothing else at run time.
    const module = (await import(new URL(file, import.meta.url).href)) as Record<string, ResourceType>;
    for (const [name, type] of Object.entries(module)) {
      assert.equal(type.kind, name, file);
      found.set(`${type.group}/${type.version}/${type.plural}`, type);
    }
  }
  const resources = builtinResources().resources;
  for (const { group, version, kind, plural, namespaced } of resources)
    assert.deepEqual(found.get(`${group}/${version}/${plural}`), {
      group,
      version,
      kind,
      plural,
      namespaced,
    });
  assert.equal(found.size, resources.length);
});

test('the types are those of the API', () => {
  const deployment: Deployment = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web' },
    spec: {
      selector: { matchLabels: { app: 'web' } },
      template: { spec: { containers: [{ name: 'web' }] } },
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%', maxUnavailable: 0 } },
    },
  };
  const list: DeploymentList = { metadata: {}, items: [deployment] };
  const [object, anyList, type]: [KubeObject, KubeList<Deployment>, ResourceType<Deployment>] = [
    deployment,
    list,
    Deployment,
  ];
  assert.deepEqual([object.kind, anyList.items.length, type.plural], ['Deployment', 1, 'deployments']);

  // @ts-expect-error: a kind has one name
  const wrongKind: Deployment = { kind: 'Pod' };
  // @ts-expect-error: containers are required
  const withoutContainers: Pod = { spec: {} };
  // @ts-expect-error: a time is a text
  const date: Pod = { metadata: { creationTimestamp: new Date(0) } };
  // Values that a newer server may have are allowed, and what is served as null may be null.
  const newValue: Pod = { spec: { containers: [], restartPolicy: 'Sometimes' } };
  const nulls: [Role, Pick<Event, 'eventTime' | 'lastTimestamp'>] = [
    { rules: null },
    { eventTime: null, lastTimestamp: null },
  ];
  assert.equal([wrongKind, withoutContainers, date, newValue, ...nulls].length, 6);
});
