// When the last finalizer of a deleted object goes, as in Kubernetes 1.36 (ShouldDeleteDuringUpdate): the object goes
// with it, unless its grace period still runs.
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { ApiRequest, KubeObject } from '@windlass/apimachinery';
import { ApiServer } from '../api-server.ts';
import { createMemoryStore } from '../storage/memory-store.ts';

const server = new ApiServer({ store: createMemoryStore() });
const transport = server.transport();
after(() => server.close());

const PODS = '/api/v1/namespaces/default/pods';
const MERGE = { 'content-type': 'application/merge-patch+json' };

const call = (method: ApiRequest['method'], path: string, body?: unknown, headers = {}) =>
  transport.request({ method, path, headers, ...(body !== undefined && { body }) });

/** A pod on a node, which holds its deletion for two reasons: its grace period, and a finalizer. */
async function deletedPod(name: string, gracePeriodSeconds: number): Promise<void> {
  await call('POST', PODS, {
    metadata: { name, finalizers: ['example.com/hold', 'example.com/hold-too'] },
    spec: { nodeName: 'n', containers: [{ name: 'c', image: 'i' }] },
  });
  const { body } = await call('DELETE', `${PODS}/${name}`, { gracePeriodSeconds });
  assert.equal((body as KubeObject).metadata?.deletionGracePeriodSeconds, gracePeriodSeconds);
}

const setFinalizers = (path: string, finalizers: string[] | null) =>
  call('PATCH', path, { metadata: { finalizers } }, MERGE);
const statusOf = async (path: string): Promise<number> => (await call('GET', path)).status;

describe('a deleted pod whose last finalizer goes', () => {
  // Its node still ends its containers, and deletes it with a grace period of 0 when they have ended. Without the pod
  // nobody would know that they run, and another one with the same name could start beside them.
  for (const seconds of [1, 30])
    it(`stays while its grace period of ${seconds} s runs, and goes when its node says so`, async () => {
      const path = `${PODS}/graceful-${seconds}`;
      await deletedPod(`graceful-${seconds}`, seconds);
      assert.equal((await setFinalizers(path, null)).status, 200);
      assert.equal(await statusOf(path), 200);
      assert.equal((await call('DELETE', path, { gracePeriodSeconds: 0 })).status, 200);
      assert.equal(await statusOf(path), 404);
    });

  it('goes at once without a grace period, but not before the last one', async () => {
    const path = `${PODS}/forced`;
    await deletedPod('forced', 0);
    await setFinalizers(path, ['example.com/hold']);
    assert.equal(await statusOf(path), 200);
    await setFinalizers(path, []);
    assert.equal(await statusOf(path), 404);
  });
});

describe('another object whose last finalizer goes', () => {
  const MAPS = '/api/v1/namespaces/default/configmaps';

  it('goes when it was deleted', async () => {
    await call('POST', MAPS, { metadata: { name: 'deleted', finalizers: ['example.com/hold'] } });
    await call('DELETE', `${MAPS}/deleted`);
    assert.equal(await statusOf(`${MAPS}/deleted`), 200);
    await setFinalizers(`${MAPS}/deleted`, null);
    assert.equal(await statusOf(`${MAPS}/deleted`), 404);
  });

  it('stays when nobody deleted it', async () => {
    await call('POST', MAPS, { metadata: { name: 'wanted', finalizers: ['example.com/hold'] } });
    await setFinalizers(`${MAPS}/wanted`, null);
    assert.equal(await statusOf(`${MAPS}/wanted`), 200);
  });
});
