import assert from 'node:assert/strict';
import { test } from 'node:test';
import { resourceFacts } from './discovery.ts';

test('subresources stand with their resource, and only what differs is written down', () => {
  const resource = { kind: 'Pod', singularName: '', namespaced: true, verbs: ['get'] };
  const facts = resourceFacts([
    { ...resource, name: 'pods', singularName: 'pod', shortNames: ['po'], storageVersionHash: 'x=' },
    {
      ...resource,
      name: 'pods/eviction',
      kind: 'Eviction',
      group: 'policy',
      version: 'v1',
      verbs: ['create'],
    },
    { ...resource, name: 'pods/status' },
    { ...resource, name: 'podtemplates', kind: 'PodTemplate', singularName: 'podtemplate' },
  ]);
  assert.deepEqual(facts, [
    {
      name: 'pods',
      kind: 'Pod',
      singular: 'pod',
      namespaced: true,
      verbs: ['get'],
      shortNames: ['po'],
      storageVersionHash: 'x=',
      subresources: [
        { name: 'eviction', kind: 'Eviction', group: 'policy', version: 'v1', verbs: ['create'] },
        { name: 'status', kind: 'Pod', verbs: ['get'] },
      ],
    },
    { name: 'podtemplates', kind: 'PodTemplate', singular: 'podtemplate', namespaced: true, verbs: ['get'] },
  ]);
});
