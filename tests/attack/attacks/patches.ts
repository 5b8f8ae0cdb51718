import { ANSWER_WITHIN_MS, type Attack } from '../attack.ts';
import { ATTACK_NAMESPACE } from '../people.ts';

const MAPS = `/api/v1/namespaces/${ATTACK_NAMESPACE}/configmaps`;
const NAME = 'patched';
const many = <T>(count: number, make: (at: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => make(at));

type PatchType = 'json-patch+json' | 'merge-patch+json' | 'strategic-merge-patch+json' | 'apply-patch+yaml';

/** Patches that are short and ask for much work. */
const PATCHES: readonly (readonly [what: string, type: PatchType, body: () => unknown])[] = [
  [
    '10,000 copies',
    'json-patch+json',
    () => many(10_000, (at) => ({ op: 'copy', from: '/data', path: `/x${at}` })),
  ],
  [
    'copies of copies',
    'json-patch+json',
    () => many(60, (at) => ({ op: 'copy', from: '', path: `/c${at}` })),
  ],
  [
    '10,000 tests of all data',
    'json-patch+json',
    () => many(10_000, () => ({ op: 'test', path: '/data/k0', value: 'v' })),
  ],
  [
    '10,000 moves',
    'json-patch+json',
    () => many(10_000, (at) => ({ op: 'move', from: `/data/m${at}`, path: `/data/m${at + 1}` })),
  ],
  [
    '10,000 insertions at the front',
    'json-patch+json',
    () => [
      { op: 'add', path: '/metadata/finalizers', value: [] },
      ...many(9998, (at) => ({ op: 'add', path: '/metadata/finalizers/0', value: `a.b/f${at}` })),
    ],
  ],
  ['100,000 operations', 'json-patch+json', () => many(100_000, () => ({ op: 'remove', path: '/data/k0' }))],
  ['a long pointer', 'json-patch+json', () => [{ op: 'add', path: '/a'.repeat(1_000_000), value: 1 }]],
  ['a deep merge', 'merge-patch+json', () => `${'{"data":'.repeat(300_000)}1${'}'.repeat(300_000)}`],
  [
    '100,000 removed fields',
    'merge-patch+json',
    () => ({ data: Object.fromEntries(many(100_000, (at) => [`k${at}`, null])) }),
  ],
  [
    '20,000 list directives',
    'strategic-merge-patch+json',
    () => ({ metadata: { ownerReferences: many(20_000, (at) => ({ uid: `u${at}`, $patch: 'delete' })) } }),
  ],
  [
    '20,000 ordered items',
    'strategic-merge-patch+json',
    () => ({
      metadata: {
        '$setElementOrder/ownerReferences': many(20_000, (at) => ({ uid: `u${at}` })),
        ownerReferences: many(20_000, (at) => ({
          uid: `u${at}`,
          apiVersion: 'v1',
          kind: 'Pod',
          name: `p${at}`,
        })),
      },
    }),
  ],
  [
    'an apply of 50,000 fields',
    'apply-patch+yaml',
    () => ({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: NAME },
      data: Object.fromEntries(many(50_000, (at) => [`a${at}`, 'v'])),
    }),
  ],
];

export const patches: Attack = {
  name: 'patches',
  summary:
    'sends patches with 10,000 copies, moves, tests, insertions and directives, and an apply of 50,000 fields',
  async start(stage, signal) {
    const caller = stage.caller(stage.people.writer);
    const found: string[] = [];
    for (const [what, type, body] of PATCHES) {
      if (signal.aborted) break;
      await caller.ask({ method: 'DELETE', path: `${MAPS}/${NAME}` });
      const data = { m0: 'v', ...Object.fromEntries(many(200, (at) => [`k${at}`, 'v'])) };
      await caller.ask({ method: 'POST', path: MAPS, body: { metadata: { name: NAME }, data } });
      const headers = { 'content-type': `application/${type}` };
      const path = `${MAPS}/${NAME}?fieldManager=attack&force=${type.startsWith('apply')}`;
      for (let time = 0; time < 2; time++) {
        const { status, ms } = await caller.ask({ method: 'PATCH', path, headers, body: body() });
        if (status === 0 && !signal.aborted) found.push(`${what} got no answer`);
        if (ms > ANSWER_WITHIN_MS) found.push(`${what} took ${ms.toFixed(0)} ms`);
      }
      await caller.ask({
        method: 'PATCH',
        path: `${MAPS}/${NAME}`,
        headers: { 'content-type': 'application/merge-patch+json' },
        body: { metadata: { finalizers: null } },
      });
    }
    await caller.ask({ method: 'DELETE', path: `${MAPS}/${NAME}` });
    return found;
  },
};
