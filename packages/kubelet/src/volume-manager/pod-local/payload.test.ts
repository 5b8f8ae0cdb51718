import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Cached } from '@windlass/apimachinery';
import type { ConfigMap, Pod, Secret, Volume } from '@windlass/apimachinery/api/core/v1';
import { payloadOf } from './payload.ts';

const metadata = {
  namespace: 'default',
  uid: 'u',
  resourceVersion: '1',
  creationTimestamp: '2026-01-01T00:00:00Z',
};
const pod: Cached<Pod> = {
  metadata: { ...metadata, name: 'web', labels: { a: 'b' } },
  spec: { containers: [] },
};
const configMap: Cached<ConfigMap> = {
  metadata: { ...metadata, name: 'settings' },
  data: { color: 'blue', size: 'large' },
  binaryData: { raw: Buffer.from([0, 255]).toString('base64') },
};
const secret: Cached<Secret> = {
  metadata: { ...metadata, name: 'keys' },
  data: { password: Buffer.from('hush').toString('base64') },
};

async function filesOf(
  volume: Omit<Volume, 'name'>,
  name = 'v',
): Promise<Record<string, string> | undefined> {
  const payload = await payloadOf(
    pod,
    { name, ...volume },
    {
      objects: {
        allocatable: () => ({}),
        services: async () => [],
        configMap: async (_: string, wanted: string) => (wanted === 'settings' ? configMap : undefined),
        secret: async (_: string, wanted: string) => (wanted === 'keys' ? secret : undefined),
      } as unknown as Parameters<typeof payloadOf>[2]['objects'], // Only these two are asked for.
      tokens: {
        token: async () => ({ token: 'a-token' }),
      } as unknown as Parameters<typeof payloadOf>[2]['tokens'], // Nothing else is asked for.
    },
    new AbortController().signal,
  );
  return (
    payload &&
    Object.fromEntries(
      [...payload].map(([path, { data, mode }]) => [path, `${data.toString('latin1')} ${mode.toString(8)}`]),
    )
  );
}

const missing = { key: 'none', path: 'x' };

describe('the files of a volume', () => {
  const rows: readonly [
    what: string,
    volume: Omit<Volume, 'name'>,
    files: Record<string, string> | undefined,
  ][] = [
    [
      'every key of a config map',
      { configMap: { name: 'settings' } },
      { color: 'blue 644', size: 'large 644', raw: '\u0000ÿ 644' },
    ],
    [
      'the keys that are named, where and how it says',
      {
        configMap: {
          name: 'settings',
          defaultMode: 0o400,
          items: [
            { key: 'color', path: 'in/c' },
            { key: 'size', path: 's', mode: 0o600 },
          ],
        },
      },
      { 'in/c': 'blue 400', s: 'large 600' },
    ],
    [
      'every key of a secret',
      { secret: { secretName: 'keys', defaultMode: 0o440 } },
      { password: 'hush 440' },
    ],
    ['nothing of what is optional and not there', { configMap: { name: 'none', optional: true } }, {}],
    ['nothing of an optional secret', { secret: { secretName: 'none', optional: true } }, {}],
    [
      'nothing for a key that is optional and not there',
      { configMap: { name: 'settings', optional: true, items: [missing, { key: 'color', path: 'c' }] } },
      { c: 'blue 644' },
    ],
    [
      'nothing for a key of an optional secret that is not there',
      { secret: { secretName: 'keys', optional: true, items: [missing] } },
      {},
    ],
    [
      'fields of the pod',
      { downwardAPI: { items: [{ path: 'name', fieldRef: { fieldPath: 'metadata.name' } }] } },
      { name: 'web 644' },
    ],
    [
      'all of these together, the last one where paths are the same',
      {
        projected: {
          sources: [
            { configMap: { name: 'settings', items: [{ key: 'color', path: 'one' }] } },
            { secret: { name: 'keys', items: [{ key: 'password', path: 'one' }] } },
            { serviceAccountToken: { path: 'token' } },
          ],
        },
      },
      { one: 'hush 644', token: 'a-token 644' },
    ],
    ['not known here', { emptyDir: {} }, undefined],
  ];
  for (const [what, volume, files] of rows)
    test(what, async () => assert.deepEqual(await filesOf(volume), files));

  const refused: readonly [volume: Omit<Volume, 'name'>, message: string][] = [
    [{ configMap: { name: 'none' } }, 'configmap "none" not found'],
    [{ secret: { secretName: 'none' } }, 'secret "none" not found'],
    [
      { configMap: { name: 'settings', items: [missing] } },
      'configmap references non-existent config key: none',
    ],
    [{ secret: { secretName: 'keys', items: [missing] } }, 'references non-existent secret key: none'],
  ];
  for (const [volume, message] of refused)
    test(`are missing: ${message}`, () => assert.rejects(filesOf(volume), { message }));

  test('of a server without an authority: its own volume has none, others must', async () => {
    const sources = [{ configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } }];
    assert.deepEqual(await filesOf({ projected: { sources } }, 'kube-api-access-x7k2p'), {});
    await assert.rejects(filesOf({ projected: { sources } }), {
      message: 'configmap "kube-root-ca.crt" not found',
    });
  });
});
