// The conformance tests of the two kinds, in the shape of Kubernetes' own: test/e2e/apimachinery/flowcontrol.go of 1.36,
// "should support FlowSchema API operations" and "should support PriorityLevelConfiguration API operations".
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ApiRequest } from '@windlass/apimachinery';
import { ApiServer } from '../../api-server.ts';
import { createMemoryStore } from '../../storage/index.ts';

const GROUP = 'flowcontrol.apiserver.k8s.io';
const MERGE = { 'content-type': 'application/merge-patch+json' };

interface Condition {
  readonly type: string;
}
/** What the test looks at in objects of both kinds. */
interface Seen {
  readonly metadata: {
    readonly name: string;
    readonly uid: string;
    readonly resourceVersion: string;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly spec: Readonly<Record<string, unknown>>;
  readonly status?: { readonly conditions?: readonly Condition[] };
}

interface Kind {
  readonly kind: string;
  readonly plural: string;
  readonly spec: object;
  readonly patched: object;
  readonly updated: object;
}

const KINDS: readonly Kind[] = [
  {
    kind: 'FlowSchema',
    plural: 'flowschemas',
    spec: {
      matchingPrecedence: 10_000,
      priorityLevelConfiguration: { name: 'global-default' },
      distinguisherMethod: { type: 'ByUser' },
      rules: [
        {
          subjects: [{ kind: 'User', user: { name: 'example-e2e-non-existent-user' } }],
          nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
        },
      ],
    },
    patched: { matchingPrecedence: 9999 },
    updated: { matchingPrecedence: 9000 },
  },
  {
    kind: 'PriorityLevelConfiguration',
    plural: 'prioritylevelconfigurations',
    spec: {
      type: 'Limited',
      limited: {
        nominalConcurrencyShares: 2,
        limitResponse: { type: 'Queue', queuing: { queues: 2, handSize: 1, queueLengthLimit: 2 } },
      },
    },
    patched: {
      limited: {
        nominalConcurrencyShares: 4,
        lendablePercent: 0,
        limitResponse: { type: 'Queue', queuing: { queues: 2, handSize: 1, queueLengthLimit: 2 } },
      },
    },
    updated: {
      type: 'Limited',
      limited: { nominalConcurrencyShares: 3, lendablePercent: 0, limitResponse: { type: 'Reject' } },
    },
  },
];

for (const { kind, plural, spec, patched, updated } of KINDS)
  describe(`the API of ${kind}`, () => {
    test('supports every operation', async () => {
      await using server = new ApiServer({ store: createMemoryStore({}) });
      const api = server.transport();
      const path = `/apis/${GROUP}/v1/${plural}`;
      const call = async <T = Seen>(request: ApiRequest, expected = 200): Promise<T> => {
        const { status, body } = await api.request(request);
        assert.equal(status, expected, `${request.method} ${request.path}: ${JSON.stringify(body)}`);
        // The caller knows what it asked for.
        return body as T;
      };
      const list = async () =>
        call<{ readonly items: readonly Seen[]; readonly metadata: { readonly resourceVersion: string } }>({
          method: 'GET',
          path,
          query: { labelSelector: 'e2e=1' },
        });

      const resources = await call<{ readonly resources: readonly { readonly name: string }[] }>({
        method: 'GET',
        path: `/apis/${GROUP}/v1`,
      });
      const names = resources.resources.map(({ name }) => name);
      assert.ok(names.includes(plural) && names.includes(`${plural}/status`), names.join());

      const template = { metadata: { generateName: 'e2e-example-', labels: { e2e: '1' } }, spec };
      for (let made = 0; made < 2; made++) await call({ method: 'POST', path, body: template }, 201);
      const created = await call({ method: 'POST', path, body: template }, 201);
      const own = `${path}/${created.metadata.name}`;
      assert.equal((await call({ method: 'GET', path: own })).metadata.uid, created.metadata.uid);
      const listed = await list();
      assert.equal(listed.items.length, 3);

      const ending = new AbortController();
      const watch = await api.watch({
        method: 'GET',
        path,
        query: { watch: 'true', labelSelector: 'e2e=1', resourceVersion: listed.metadata.resourceVersion },
        signal: ending.signal,
      });

      const body = { metadata: { annotations: { patched: 'true' } }, spec: patched };
      const afterPatch = await call({ method: 'PATCH', path: own, headers: MERGE, body });
      assert.equal(afterPatch.metadata.annotations?.['patched'], 'true');
      for (const [field, value] of Object.entries(patched)) assert.deepEqual(afterPatch.spec[field], value);
      assert.ok(Number(afterPatch.metadata.resourceVersion) > Number(created.metadata.resourceVersion));

      // The server writes the status of flow schemas meanwhile.
      const update = async (at: string, change: (current: Seen) => object): Promise<Seen> => {
        for (;;) {
          const current = await call({ method: 'GET', path: own });
          const answer = await api.request({ method: 'PUT', path: at, body: change(current) });
          if (answer.status === 409) continue;
          assert.equal(answer.status, 200, JSON.stringify(answer.body));
          // It is the object that was written.
          return answer.body as Seen;
        }
      };
      const afterUpdate = await update(own, (current) => ({
        ...current,
        metadata: { ...current.metadata, annotations: { ...current.metadata.annotations, updated: 'true' } },
        spec: { ...current.spec, ...updated },
      }));
      assert.equal(afterUpdate.metadata.annotations?.['updated'], 'true');
      for (const [field, value] of Object.entries(updated)) assert.deepEqual(afterUpdate.spec[field], value);

      assert.ok(watch.events !== undefined);
      let sawPatch = false;
      for await (const events of watch.events) {
        for (const { type, object } of events) {
          assert.equal(type, 'MODIFIED');
          // Events of a kind have objects of it.
          sawPatch ||= (object as Seen).metadata.annotations?.['patched'] === 'true';
        }
        if (sawPatch) break;
      }
      ending.abort();

      assert.equal((await call({ method: 'GET', path: `${own}/status` })).metadata.uid, created.metadata.uid);
      const condition = { type: 'PatchStatusFailed', status: 'False', reason: 'e2e' };
      const afterStatus = await call({
        method: 'PATCH',
        path: `${own}/status`,
        headers: MERGE,
        body: { status: { conditions: [condition] } },
      });
      const has = ({ status }: Seen, type: string) =>
        status?.conditions?.some((known) => known.type === type) === true;
      assert.ok(has(afterStatus, 'PatchStatusFailed'));
      const failed = {
        type: 'StatusUpdateFailed',
        status: 'False',
        reason: 'E2E',
        message: 'Set from a test',
      };
      const statusUpdated = await update(`${own}/status`, (current) => ({
        ...current,
        status: { conditions: [...(current.status?.conditions ?? []), failed] },
      }));
      assert.ok(has(statusUpdated, 'StatusUpdateFailed'));

      await call({ method: 'DELETE', path: own });
      await call({ method: 'GET', path: own }, 404);
      assert.equal((await list()).items.length, 2);
      await call({ method: 'DELETE', path, query: { labelSelector: 'e2e=1' } });
      assert.equal((await list()).items.length, 0);
    });
  });
