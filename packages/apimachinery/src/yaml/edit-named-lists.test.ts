import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { decodeYaml } from './codec-yaml.ts';
import { editNamedLists } from './edit-named-lists.ts';

const WRITTEN = `# mine
apiVersion: v1
clusters:
- name: prod # do not touch
  cluster: {server: https://prod, unknown: 1}
contexts: []
users: null
current-context: prod
`;
const put = (list: string, name: string, server: string) => ({ list, name, entry: { cluster: { server } } });

describe('editNamedLists', () => {
  it('adds entries, also to lists that are empty, null or missing, and leaves the rest as it is written', () => {
    const edited = editNamedLists(WRITTEN, [
      put('clusters', 'dev', 'https://dev'),
      put('contexts', 'dev', 'a'),
      put('users', 'dev', 'b'),
      put('others', 'dev', 'c'),
    ]);
    assert.ok(edited.startsWith(WRITTEN.slice(0, WRITTEN.indexOf('contexts'))), edited);
    assert.deepEqual(decodeYaml(edited).value, {
      apiVersion: 'v1',
      clusters: [
        { name: 'prod', cluster: { server: 'https://prod', unknown: 1 } },
        { name: 'dev', cluster: { server: 'https://dev' } },
      ],
      contexts: [{ name: 'dev', cluster: { server: 'a' } }],
      users: [{ name: 'dev', cluster: { server: 'b' } }],
      'current-context': 'prod',
      others: [{ name: 'dev', cluster: { server: 'c' } }],
    });
  });

  it('replaces an entry with the same name, and takes one out', () => {
    const edited = editNamedLists(WRITTEN, [put('clusters', 'dev', '1'), put('clusters', 'dev', '2')]);
    assert.deepEqual(
      editNamedLists(edited, [{ list: 'clusters', name: 'dev', entry: undefined }]),
      editNamedLists(WRITTEN, []),
    );
    assert.ok(edited.includes("server: '2'") || edited.includes('server: "2"'), edited);
    assert.ok(!edited.includes("'1'") && !edited.includes('"1"'), edited);
    assert.equal(editNamedLists(WRITTEN, [{ list: 'none', name: 'dev', entry: undefined }]), WRITTEN);
  });

  it('sets fields, and begins with nothing', () => {
    const edited = editNamedLists('', [{ field: 'current-context', value: 'dev' }]);
    assert.equal(edited, 'current-context: dev\n');
  });

  for (const text of ['- a list', 'a: [', '"text"'])
    it(`refuses ${text}`, () => assert.throws(() => editNamedLists(text, []), { code: 'DECODE_FAILED' }));
});
