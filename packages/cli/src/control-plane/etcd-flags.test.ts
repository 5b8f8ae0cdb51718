import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UsageError } from '../command-line/exit.ts';
import { etcdFlags, etcdOptions } from './etcd-flags.ts';

test('without --etcd-servers there is no etcd', () => assert.equal(etcdFlags({}), undefined));

test('servers, prefix and files are taken as they are meant', () => {
  assert.deepEqual(
    etcdFlags({
      'etcd-servers': 'https://10.0.0.1:2379, https://[::1]:2379/',
      'etcd-prefix': 'clusters/one/',
      'etcd-cafile': 'ca.pem',
      'etcd-certfile': 'client.pem',
      'etcd-keyfile': 'client-key.pem',
    }),
    {
      servers: ['https://10.0.0.1:2379', 'https://[::1]:2379'],
      prefix: '/clusters/one',
      caFile: 'ca.pem',
      certFile: 'client.pem',
      keyFile: 'client-key.pem',
      encryptionFile: undefined,
    },
  );
});

for (const [name, values, message] of [
  [
    'a prefix alone',
    { 'etcd-prefix': '/x' },
    '--etcd-prefix needs --etcd-servers, which says where the etcd is',
  ],
  [
    'a server without a scheme',
    { 'etcd-servers': '127.0.0.1:2379' },
    '--etcd-servers must be addresses such as https://10.0.0.1:2379, with commas between them, but it has "127.0.0.1:2379"',
  ],
  [
    'a server with a path',
    { 'etcd-servers': 'http://a:2379,http://b:2379/v3' },
    '--etcd-servers must be addresses such as https://10.0.0.1:2379, with commas between them, but it has "http://b:2379/v3"',
  ],
  [
    'a certificate without its key',
    { 'etcd-servers': 'http://a:2379', 'etcd-certfile': 'a' },
    '--etcd-certfile and --etcd-keyfile belong together; give both or neither',
  ],
  [
    'an empty prefix',
    { 'etcd-servers': 'http://a:2379', 'etcd-prefix': '/' },
    '--etcd-prefix must be a path such as /registry, but it is "/"',
  ],
] as const)
  test(`refused: ${name}`, () => {
    assert.throws(() => etcdFlags(values), new UsageError(message));
  });

test('a file that cannot be read is named', async () => {
  const flags = etcdFlags({ 'etcd-servers': 'https://a:2379', 'etcd-cafile': '/none/ca.pem' });
  assert.ok(flags);
  await assert.rejects(etcdOptions(flags), /--etcd-cafile \/none\/ca.pem cannot be read: ENOENT/);
});
