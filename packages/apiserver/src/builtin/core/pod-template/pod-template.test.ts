import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { PodTemplate } from '@windlass/apimachinery/api/core/v1';
import { cellsOf } from '../../testing/cells.ts';
import { inDefault, KindApi } from '../../testing/kind-api.ts';
import { podTemplate } from './index.ts';

const api = new KindApi();
const TEMPLATES = inDefault('podtemplates');
const template = {
  metadata: { labels: { a: 'b' } },
  spec: { containers: [{ name: 'c', image: 'i' }] },
};

describe('a pod template', () => {
  it('is shown with its containers, their images and the labels of the pods', () => {
    const cells = cellsOf(podTemplate, { metadata: { name: 'x' }, template });
    assert.deepEqual(cells, { Name: 'x', Containers: 'c', Images: 'i', 'Pod Labels': 'a=b' });
  });

  // Upstream's store of pod templates has ReturnDeletedObject, as those of pods, services and a few more.
  it('is what its deletion answers', async () => {
    const path = await api.create(TEMPLATES, { template });
    const { status, body } = await api.request('DELETE', path);
    assert.deepEqual([status, (body as PodTemplate).kind], [200, 'PodTemplate']);
  });

  it('has the defaults of a pod', async () => {
    const made = await api.defaulted<PodTemplate>(TEMPLATES, { template });
    assert.equal(made.template?.spec?.restartPolicy, 'Always');
  });
});
