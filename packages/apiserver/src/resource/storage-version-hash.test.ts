import assert from 'node:assert/strict';
import { test } from 'node:test';
import { builtinResources } from '@windlass/apimachinery';
import { storageVersionHash } from './storage-version-hash.ts';

test('the hash of a built-in kind is the one that Kubernetes publishes for it', () => {
  const published = (group: string, plural: string): string | undefined =>
    builtinResources().resources.find(
      (one) => one.group === group && one.plural === plural && one.version === 'v1',
    )?.storageVersionHash;
  assert.equal(storageVersionHash({ group: '', version: 'v1', kind: 'Pod' }), published('', 'pods'));
  assert.equal(
    storageVersionHash({ group: 'apps', version: 'v1', kind: 'Deployment' }),
    published('apps', 'deployments'),
  );
});
