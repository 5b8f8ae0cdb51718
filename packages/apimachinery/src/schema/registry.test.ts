import assert from 'node:assert/strict';
import { test } from 'node:test';
import { apiVersionOf } from '../resource.ts';
import { ResourceRegistry, type ServedResource } from './registry.ts';
import { builtinResources, kubernetesRelease } from './registry-builtin.ts';

const registry = builtinResources();
const text = (resource: ServedResource): string => `${apiVersionOf(resource)} ${resource.plural}`;

test('the tables are those of one release', () => {
  assert.match(kubernetesRelease(), /^v1\.\d+\.\d+$/);
  assert.equal(builtinResources(), registry);
});

test('every resource is found by its kind and by its plural', () => {
  assert.ok(registry.resources.length >= 90);
  for (const resource of registry.resources) {
    assert.equal(registry.byKind(resource), resource, text(resource));
    assert.equal(registry.byPlural(resource), resource, text(resource));
    assert.ok(registry.named(resource.plural).includes(resource), text(resource));
    assert.ok(registry.named(resource.kind).includes(resource), text(resource));
  }
  assert.equal(registry.byKind({ group: 'apps', version: 'v2', kind: 'Deployment' }), undefined);
  assert.equal(registry.byPlural({ group: '', version: 'v1', plural: 'pod' }), undefined);
});

test('names that people use', () => {
  const rows: [string, string][] = [
    ['po', 'v1 pods'],
    ['Pod', 'v1 pods'],
    ['deploy', 'apps/v1 deployments'],
    ['deployment.apps', 'apps/v1 deployments'],
    ['deployments.v1.apps', 'apps/v1 deployments'],
    ['ds', 'apps/v1 daemonsets'],
    ['sts', 'apps/v1 statefulsets'],
    ['rs', 'apps/v1 replicasets'],
    ['cj', 'batch/v1 cronjobs'],
    ['svc', 'v1 services'],
    ['ep', 'v1 endpoints'],
    ['cm', 'v1 configmaps'],
    ['ns', 'v1 namespaces'],
    ['no', 'v1 nodes'],
    ['pv', 'v1 persistentvolumes'],
    ['pvc', 'v1 persistentvolumeclaims'],
    ['sa', 'v1 serviceaccounts'],
    ['quota', 'v1 resourcequotas'],
    ['limits', 'v1 limitranges'],
    ['ev', 'v1 events'],
    ['events.events.k8s.io', 'events.k8s.io/v1 events'],
    ['rc', 'v1 replicationcontrollers'],
    ['crd', 'apiextensions.k8s.io/v1 customresourcedefinitions'],
    ['sc', 'storage.k8s.io/v1 storageclasses'],
    ['pdb', 'policy/v1 poddisruptionbudgets'],
    ['hpa', 'autoscaling/v2 horizontalpodautoscalers'],
    ['horizontalpodautoscalers.v1.autoscaling', 'autoscaling/v1 horizontalpodautoscalers'],
    ['ing', 'networking.k8s.io/v1 ingresses'],
    ['netpol', 'networking.k8s.io/v1 networkpolicies'],
  ];
  for (const [name, expected] of rows) {
    const [first] = registry.named(name);
    assert.equal(first && text(first), expected, name);
  }
  assert.deepEqual(registry.named('nothing'), []);
  assert.deepEqual(registry.named('pods.apps'), []);
});

test('what `kubectl get all` shows', () => {
  assert.deepEqual(registry.inCategory('all').map(text), [
    'v1 pods',
    'v1 replicationcontrollers',
    'v1 services',
    'apps/v1 daemonsets',
    'apps/v1 deployments',
    'apps/v1 replicasets',
    'apps/v1 statefulsets',
    'autoscaling/v2 horizontalpodautoscalers',
    'batch/v1 cronjobs',
    'batch/v1 jobs',
  ]);
});

test('groups keep the order of the server, and the preferred version is the first', () => {
  assert.deepEqual(
    registry.groups.slice(0, 4).map(({ group }) => group),
    ['', 'apiregistration.k8s.io', 'apps', 'events.k8s.io'],
  );
  const versions = (name: string): string[] | undefined =>
    registry.groups.find(({ group }) => group === name)?.versions.map(({ version }) => version);
  assert.deepEqual(versions('autoscaling'), ['v2', 'v1']);
  assert.deepEqual(versions('storage.k8s.io'), ['v1', 'v1beta1']);
});

test('scope, verbs and subresources', () => {
  const pods = registry.byPlural({ group: '', version: 'v1', plural: 'pods' });
  assert.equal(pods?.namespaced, true);
  assert.equal(pods.listKind, 'PodList');
  assert.ok(pods.verbs.includes('deletecollection'));
  const sub = (name: string): unknown => pods.subresources.find((candidate) => candidate.name === name);
  assert.deepEqual(sub('eviction'), {
    name: 'eviction',
    group: 'policy',
    version: 'v1',
    kind: 'Eviction',
    verbs: ['create'],
  });
  assert.deepEqual(sub('status'), {
    name: 'status',
    group: '',
    version: 'v1',
    kind: 'Pod',
    verbs: ['get', 'patch', 'update'],
  });
  const namespaces = registry.byPlural({ group: '', version: 'v1', plural: 'namespaces' });
  assert.equal(namespaces?.namespaced, false);
  assert.equal(namespaces.verbs.includes('deletecollection'), false);
});

test('a registry of discovered resources answers in the same way', () => {
  const foo: ServedResource = {
    group: 'example.com',
    version: 'v1',
    kind: 'Foo',
    plural: 'foos',
    namespaced: true,
    singular: 'foo',
    listKind: 'FooList',
    shortNames: ['f'],
    categories: ['all'],
    verbs: ['get'],
    subresources: [],
  };
  const old = { ...foo, version: 'v1beta1' };
  const versions = [
    { version: 'v1', resources: [foo] },
    { version: 'v1beta1', resources: [old] },
  ];
  const discovered = new ResourceRegistry([{ group: 'example.com', versions }]);
  assert.deepEqual(discovered.named('f'), [foo, old]);
  assert.deepEqual(discovered.named('foos.v1beta1.example.com'), [old]);
  assert.deepEqual(discovered.inCategory('all'), [foo]);
});
