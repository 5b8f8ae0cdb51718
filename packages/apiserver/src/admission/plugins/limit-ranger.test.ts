// What a namespace's limit ranges fill in, and what they refuse.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ApiResponse, Status } from '@windlass/apimachinery';
import type { Pod } from '@windlass/apimachinery/api/core/v1';
import { TestCluster } from '@windlass/cluster/testing';

type Amounts = Readonly<Record<string, string>>;
interface Resources {
  readonly requests?: Amounts;
  readonly limits?: Amounts;
}

const pod = (...containers: readonly Resources[]): object => ({
  metadata: { name: 'p' },
  spec: { containers: containers.map((resources, at) => ({ name: `c${at}`, image: 'i', resources })) },
});
const claim = (storage: string): object => ({
  metadata: { name: 'p' },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage } } },
});

async function post(
  limit: object,
  kind: 'pods' | 'persistentvolumeclaims',
  body: object,
): Promise<ApiResponse> {
  await using cluster = new TestCluster();
  const send = (path: string, object: object): Promise<ApiResponse> =>
    cluster.transport().request({ method: 'POST', path: `/api/v1/namespaces/default/${path}`, body: object });
  const made = await send('limitranges', { metadata: { name: 'l' }, spec: { limits: [limit] } });
  assert.equal(made.status, 201, JSON.stringify(made.body));
  return await send(kind, body);
}

describe('a container gets', () => {
  const rows: readonly [what: string, limit: object, given: Resources, has: Resources][] = [
    [
      'the defaults',
      { type: 'Container', default: { cpu: '2' }, defaultRequest: { cpu: '1' } },
      {},
      { limits: { cpu: '2' }, requests: { cpu: '1' } },
    ],
    [
      'what it says itself, and the defaults for the rest',
      {
        type: 'Container',
        default: { cpu: '2', memory: '1Gi' },
        defaultRequest: { cpu: '1', memory: '1Mi' },
      },
      { limits: { cpu: '3' }, requests: { memory: '2Mi' } },
      { limits: { cpu: '3', memory: '1Gi' }, requests: { cpu: '3', memory: '2Mi' } },
    ],
    [
      'the default limit as its request, where there is no other default',
      { type: 'Container', default: { cpu: '2' } },
      {},
      { limits: { cpu: '2' }, requests: { cpu: '2' } },
    ],
    [
      'nothing of what is for pods',
      { type: 'Pod', max: { memory: '1Gi' } },
      { limits: { memory: '1Mi' } },
      { limits: { memory: '1Mi' }, requests: { memory: '1Mi' } },
    ],
  ];
  for (const [what, limit, given, has] of rows)
    test(what, async () => {
      const { status, body } = await post(limit, 'pods', pod(given));
      assert.equal(status, 201, JSON.stringify(body));
      assert.deepEqual((body as Pod).spec?.containers?.[0]?.resources, has);
    });
});

describe('refused is', () => {
  const both = (request: string, limit: string): Resources => ({
    requests: { cpu: request },
    limits: { cpu: limit },
  });
  const rows: readonly [what: string, limit: object, body: object, problem: string | undefined][] = [
    [
      'nothing within the bounds',
      { type: 'Container', min: { cpu: '1' }, max: { cpu: '2' } },
      pod(both('1', '2')),
      undefined,
    ],
    [
      'a container below',
      { type: 'Container', min: { cpu: '1' } },
      pod(both('500m', '2')),
      'minimum cpu usage per Container is 1, but request is 500m',
    ],
    [
      'a container below with both',
      { type: 'Container', min: { cpu: '1' } },
      pod(both('500m', '600m')),
      '[minimum cpu usage per Container is 1, but request is 500m, minimum cpu usage per Container is 1, but limit is 600m]',
    ],
    [
      'a container above',
      { type: 'Container', max: { cpu: '2' } },
      pod(both('1', '3')),
      'maximum cpu usage per Container is 2, but limit is 3',
    ],
    [
      'any of several containers',
      { type: 'Container', max: { cpu: '2' } },
      pod(both('1', '1'), both('1', '3')),
      'maximum cpu usage per Container is 2, but limit is 3',
    ],
    [
      'a ratio',
      { type: 'Container', maxLimitRequestRatio: { cpu: '2' } },
      pod(both('1', '3')),
      'cpu max limit to request ratio per Container is 2, but provided ratio is 3.000000',
    ],
    [
      'nothing within the ratio',
      { type: 'Container', maxLimitRequestRatio: { cpu: '2' } },
      pod(both('1', '2')),
      undefined,
    ],
    [
      'a pod whose containers are too much together',
      { type: 'Pod', max: { cpu: '2' } },
      pod(both('1', '2'), both('1', '1')),
      'maximum cpu usage per Pod is 2, but limit is 3',
    ],
    [
      'a pod that is too small',
      { type: 'Pod', min: { cpu: '2' } },
      pod(both('1', '3')),
      'minimum cpu usage per Pod is 2, but request is 1',
    ],
    [
      'nothing of a pod for a claim’s bounds',
      { type: 'PersistentVolumeClaim', max: { storage: '1Gi' } },
      pod({}),
      undefined,
    ],
  ];
  for (const [what, limit, body, problem] of rows)
    test(what, async () => told(await post(limit, 'pods', body), problem));

  const claims: readonly [what: string, limit: object, storage: string, problem: string | undefined][] = [
    ['no claim within the bounds', { min: { storage: '1Gi' }, max: { storage: '2Gi' } }, '1Gi', undefined],
    [
      'a claim below',
      { min: { storage: '1Gi' } },
      '1Mi',
      'minimum storage usage per PersistentVolumeClaim is 1Gi, but request is 1Mi',
    ],
    [
      'a claim above',
      { max: { storage: '1Gi' } },
      '2Gi',
      'maximum storage usage per PersistentVolumeClaim is 1Gi, but request is 2Gi',
    ],
  ];
  for (const [what, limit, storage, problem] of claims)
    test(what, async () =>
      told(
        await post({ type: 'PersistentVolumeClaim', ...limit }, 'persistentvolumeclaims', claim(storage)),
        problem,
      ),
    );
});

function told({ status, body }: ApiResponse, problem: string | undefined): void {
  if (problem === undefined) return assert.equal(status, 201, JSON.stringify(body));
  assert.equal(status, 403);
  assert.ok(((body as Status).message ?? '').endsWith(`is forbidden: ${problem}`), JSON.stringify(body));
}
