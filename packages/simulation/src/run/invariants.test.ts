import assert from 'node:assert/strict';
import { it } from 'node:test';
import { ConfigMap } from '@windlass/apimachinery/api/core/v1';
import type { SimulationOptions } from '../simulation.ts';
import { run } from './run.ts';

const ONE_MAP: SimulationOptions = {
  processes: {},
  workload: async ({ client }) => {
    await client
      .resource(ConfigMap)
      .namespace('default')
      .create({ metadata: { name: 'a' } });
  },
};

it('an invariant sees each write once as news, and all of them in the journal', async () => {
  const news: number[] = [];
  let journal: readonly { readonly revision: number }[] = [];
  const always = (state: { readonly news: typeof journal; readonly journal: typeof journal }): void => {
    news.push(...state.news.map(({ revision }) => revision));
    ({ journal } = state);
  };
  const { failure } = await run({ ...ONE_MAP, invariants: { watch: { always } } }, { seed: 1, plan: [] });
  assert.equal(failure, undefined);
  assert.ok(news.length >= 2);
  assert.deepEqual(
    news,
    journal.slice(0, news.length).map(({ revision }) => revision),
  );
});

it('what must hold after deletion is checked when the objects are gone, and not before', async () => {
  const left: number[] = [];
  const { failure } = await run(
    {
      ...ONE_MAP,
      invariants: {
        'no maps': {
          atRest: async (state) => void left.push(Number((await state.find(ConfigMap, 'a')) !== undefined)),
          afterDeletion: async (state) => {
            left.push(Number((await state.find(ConfigMap, 'a')) !== undefined));
            return 'as asked';
          },
        },
      },
    },
    { seed: 1, plan: [] },
  );
  assert.deepEqual(left, [1, 0]);
  assert.deepEqual([failure?.oracle, failure?.name, failure?.message], ['invariant', 'no maps', 'as asked']);
});
