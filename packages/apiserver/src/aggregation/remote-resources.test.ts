import assert from 'node:assert/strict';
import { test } from 'node:test';
import { resourcesFromGroups, resourcesFromList } from './remote-resources.ts';

test('an older list becomes the newer form, with parts in their resources', () => {
  const list = {
    kind: 'APIResourceList',
    resources: [
      {
        name: 'things',
        singularName: 'thing',
        namespaced: true,
        kind: 'Thing',
        verbs: ['get'],
        shortNames: ['th'],
      },
      {
        name: 'things/scale',
        namespaced: true,
        group: 'autoscaling',
        version: 'v1',
        kind: 'Scale',
        verbs: ['get'],
      },
      { name: 'areas', namespaced: false, kind: 'Area', verbs: ['list'] },
      { verbs: ['get'] },
      'nonsense',
    ],
  };
  assert.deepEqual(resourcesFromList(list, 'example.com', 'v1'), [
    {
      resource: 'things',
      responseKind: { group: 'example.com', version: 'v1', kind: 'Thing' },
      scope: 'Namespaced',
      singularResource: 'thing',
      verbs: ['get'],
      shortNames: ['th'],
      subresources: [
        {
          subresource: 'scale',
          responseKind: { group: 'autoscaling', version: 'v1', kind: 'Scale' },
          verbs: ['get'],
        },
      ],
    },
    {
      resource: 'areas',
      responseKind: { group: 'example.com', version: 'v1', kind: 'Area' },
      scope: 'Cluster',
      singularResource: '',
      verbs: ['list'],
    },
  ]);
});

test('of a newer document only what is named is taken, and every resource has a kind', () => {
  const document = {
    kind: 'APIGroupDiscoveryList',
    items: [
      { metadata: { name: 'other.com' }, versions: [{ version: 'v1', resources: [{ resource: 'x' }] }] },
      {
        metadata: { name: 'example.com' },
        versions: [
          { version: 'v2', resources: [{ resource: 'y' }] },
          {
            version: 'v1',
            resources: [{ resource: 'z', subresources: [{ subresource: 's' }] }, { scope: 'Cluster' }],
          },
        ],
      },
    ],
  };
  const none = { group: '', version: '', kind: '' };
  assert.deepEqual(resourcesFromGroups(document, 'example.com', 'v1'), [
    { resource: 'z', responseKind: none, subresources: [{ subresource: 's', responseKind: none }] },
  ]);
  assert.equal(resourcesFromGroups(document, 'example.com', 'v3'), undefined);
  assert.equal(resourcesFromGroups({ kind: 'APIGroupList' }, 'example.com', 'v1'), undefined);
  assert.equal(resourcesFromGroups(undefined, 'example.com', 'v1'), undefined);
});
