import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ApiStreamResponse, Transport } from '@windlass/apimachinery';
import { readKubeletVia } from './read-kubelet.ts';

const { signal } = new AbortController();

async function* bytes(...texts: string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text);
}
const answering = (response: Pick<ApiStreamResponse, 'status' | 'bytes'>): Pick<Transport, 'stream'> => ({
  stream: async ({ path }) => {
    assert.equal(path, '/api/v1/nodes/rack-1/proxy/metrics/resource');
    return { headers: {}, ...response };
  },
});

describe('what a kubelet measures', () => {
  it('is read through the API server', async () => {
    const read = readKubeletVia(() => answering({ status: 200, bytes: bytes('a ', '1') }), new Set());
    assert.equal(await read('rack-1', signal), 'a 1');
  });
  it('is not asked of a simulated node', async () => {
    const read = readKubeletVia(() => assert.fail(), new Set(['node-1']));
    assert.equal(await read('node-1', signal), undefined);
  });
  it('is an error when there is none', () =>
    assert.rejects(
      readKubeletVia(() => answering({ status: 503 }), new Set())('rack-1', signal),
      /answered 503/,
    ));
  it('has an end', () => {
    const large = 'x'.repeat(9 * 2 ** 20);
    const read = readKubeletVia(() => answering({ status: 200, bytes: bytes(large, large) }), new Set());
    return assert.rejects(read('rack-1', signal), /answers more than/);
  });
});
