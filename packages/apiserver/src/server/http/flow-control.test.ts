// API priority and fairness over HTTPS, in the shapes of Kubernetes' own end-to-end tests (test/e2e/apimachinery/
// flowcontrol.go of 1.36), and what must hold here besides.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { until } from '@windlass/base/testing/until';
import { type Answer, answerOf, HttpsApi, statusOf } from '../testing/https-api.ts';

const FLOW = '/apis/flowcontrol.apiserver.k8s.io/v1';
const MAPS = '/api/v1/namespaces/default/configmaps';
const JSON_BODY = { 'content-type': 'application/json' };
const HOLD = { timeout: 60_000 };

async function create(api: HttpsApi, kind: string, body: object): Promise<{ metadata: { uid: string } }> {
  const answer = await api.server.transport().request({ method: 'POST', path: `${FLOW}/${kind}`, body });
  assert.equal(answer.status, 201, JSON.stringify(answer.body));
  // What was just created has metadata.
  return answer.body as { metadata: { uid: string } };
}

/** A level of its own for these users, with one share, as the end-to-end tests make it. */
async function createOwnLevel(
  api: HttpsApi,
  name: string,
  users: readonly string[],
  limitResponse: object = {
    type: 'Queue',
    queuing: { queues: 128, handSize: 4, queueLengthLimit: 50 },
  },
): Promise<{ readonly level: string; readonly schema: string }> {
  const level = await create(api, 'prioritylevelconfigurations', {
    metadata: { name },
    spec: {
      type: 'Limited',
      limited: { nominalConcurrencyShares: 1, borrowingLimitPercent: 0, limitResponse },
    },
  });
  const schema = await create(api, 'flowschemas', {
    metadata: { name },
    spec: {
      matchingPrecedence: 1000,
      priorityLevelConfiguration: { name },
      distinguisherMethod: { type: 'ByUser' },
      rules: [
        {
          subjects: users.map((user) => ({ kind: 'User', user: { name: user } })),
          nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
          resourceRules: [
            { verbs: ['*'], apiGroups: ['*'], resources: ['*'], namespaces: ['*'], clusterScope: true },
          ],
        },
      ],
    },
  });
  await until(
    'the flow schema does not dangle',
    async () => (await api.ask(`${FLOW}/flowschemas/${name}`, { token: 'admin' })).body,
    (body) => body.includes('"type":"Dangling","status":"False"'),
  );
  return { level: level.metadata.uid, schema: schema.metadata.uid };
}

const uidsOf = ({ headers }: Answer) => ({
  level: headers['x-kubernetes-pf-prioritylevel-uid'],
  schema: headers['x-kubernetes-pf-flowschema-uid'],
});

function impersonating(user: string) {
  return {
    token: 'admin',
    headers: { 'impersonate-user': user, 'impersonate-group': 'system:authenticated' },
  };
}

describe('requests', () => {
  test('are classified by a flow schema and a priority level that somebody adds', HOLD, async () => {
    await using api = await HttpsApi.start();
    const uids = await createOwnLevel(api, 'e2e-testing', ['noxu']);
    assert.deepEqual(uidsOf(await api.ask('/version', impersonating('noxu'))), uids);
    const other = uidsOf(await api.ask('/version', impersonating('foo')));
    assert.ok(other.level && other.schema && other.level !== uids.level && other.schema !== uids.schema);
    const metrics = (await api.ask('/metrics', { token: 'admin' })).body;
    assert.match(metrics, /^apiserver_flowcontrol_nominal_limit_seats\{priority_level="e2e-testing"\} 3$/m);
    assert.match(
      metrics,
      /^apiserver_flowcontrol_dispatched_requests_total\{flow_schema="e2e-testing",priority_level="e2e-testing"\} 1$/m,
    );
    assert.doesNotMatch(metrics, /noxu/, 'users are no labels');
  });

  test('that are refused are told when to come back, and by which level', HOLD, async () => {
    // A server of 7 seats has one for the level.
    await using api = await HttpsApi.start({}, { maxRequestsInflight: 6, maxMutatingRequestsInflight: 1 });
    const uids = await createOwnLevel(api, 'narrow', ['bob'], { type: 'Reject' });
    const session = api.session();
    const asked = { method: 'POST', token: 'bob', headers: JSON_BODY };
    // Bodies that do not end hold the seat for a moment.
    const streams = Array.from({ length: 3 }, () => api.open(session, MAPS, asked));
    const refused = await Promise.race(streams.map(answerOf));
    assert.equal(refused.status, 429);
    assert.equal(refused.headers['retry-after'], '1');
    assert.equal(refused.headers['content-type'], 'text/plain; charset=utf-8');
    assert.equal(refused.body, 'Too many requests, please try again later.\n');
    assert.deepEqual(uidsOf(refused), uids);
    for (const stream of streams) stream.close();
  });

  test('of a greedy user do not drown those of another at the same level', HOLD, async () => {
    await using api = await HttpsApi.start({}, { maxRequestsInflight: 6, maxMutatingRequestsInflight: 1 });
    await createOwnLevel(api, 'shared', ['bob', 'carol']);
    const session = api.session();
    const over = new AbortController();
    const greedy = Array.from({ length: 60 }, async () => {
      while (!over.signal.aborted) await api.ask(MAPS, { token: 'bob' }, session);
    });
    const statuses: number[] = [];
    const carol = api.session();
    for (let at = 0; at < 20; at++) statuses.push((await api.ask(MAPS, { token: 'carol' }, carol)).status);
    over.abort();
    await Promise.all(greedy);
    assert.deepEqual(new Set(statuses), new Set([200]));
  });

  test('of a level without seats left do not harm those of another', HOLD, async () => {
    await using api = await HttpsApi.start({}, { maxRequestsInflight: 6, maxMutatingRequestsInflight: 1 });
    await createOwnLevel(api, 'crowded', ['bob'], { type: 'Reject' });
    const session = api.session();
    const over = new AbortController();
    const crowd = Array.from({ length: 60 }, async () => {
      while (!over.signal.aborted) await api.ask(MAPS, { token: 'bob' }, session);
    });
    const statuses: number[] = [];
    const carol = api.session();
    for (let at = 0; at < 20; at++) statuses.push((await api.ask(MAPS, { token: 'carol' }, carol)).status);
    assert.equal((await api.ask('/readyz')).status, 200);
    assert.equal((await api.ask('/api/v1/namespaces', { token: 'admin' })).status, 200);
    over.abort();
    await Promise.all(crowd);
    assert.deepEqual(new Set(statuses), new Set([200]));
  });
});

describe('clients that are slow', () => {
  const SMALL = { maxRequestsInflight: 6, maxMutatingRequestsInflight: 1 };

  test('do not keep their seats while their bodies are on their way', HOLD, async () => {
    await using api = await HttpsApi.start({}, SMALL);
    await createOwnLevel(api, 'shared', ['bob', 'carol']);
    const session = api.session();
    const streams = Array.from({ length: 20 }, () => {
      const stream = api.open(session, MAPS, { method: 'POST', token: 'bob', headers: JSON_BODY });
      stream.write('{"metadata":');
      return stream;
    });
    // The level has one seat: each of them has had it for a moment.
    assert.equal((await api.ask(MAPS, { token: 'carol' })).status, 200);
    assert.equal((await api.ask(MAPS, { token: 'bob' })).status, 200);
    const answers = streams.map(answerOf);
    for (const [index, stream] of streams.entries()) stream.end(`{"name":"slow-${index}"}}`);
    const statuses = (await Promise.all(answers)).map(({ status }) => status);
    assert.deepEqual(new Set(statuses), new Set([201]));
  });

  test('do not keep their seats while they do not read their answers', HOLD, async () => {
    await using api = await HttpsApi.start({}, SMALL);
    await createOwnLevel(api, 'shared', ['bob', 'carol']);
    const admin = api.server.transport();
    for (let at = 0; at < 40; at++)
      await admin.request({
        method: 'POST',
        path: MAPS,
        body: { metadata: { name: `map-${at}` }, data: { text: 'x'.repeat(20_000) } },
      });
    const session = api.session({ settings: { initialWindowSize: 1000 } });
    for (const path of [MAPS, MAPS, `${MAPS}?watch=true`, `${MAPS}?watch=true`]) {
      const stream = api.open(session, path, { token: 'bob' }).pause();
      assert.equal(await statusOf(stream), 200);
    }
    assert.equal((await api.ask('/version', { token: 'carol' })).status, 200);
    assert.equal((await api.ask('/version', { token: 'bob' })).status, 200);
  });

  test('that read none of their answers are given up when they are too many', HOLD, async () => {
    await using api = await HttpsApi.start({ limits: { maxClientWaits: 4 } });
    const admin = api.server.transport();
    await admin.request({
      method: 'POST',
      path: MAPS,
      body: { metadata: { name: 'large' }, data: { text: 'x'.repeat(500_000) } },
    });
    const session = api.session({ settings: { initialWindowSize: 1000 } });
    const streams = Array.from({ length: 6 }, () => api.open(session, MAPS, { token: 'bob' }).pause());
    await until(
      'those beyond the half of one user are gone',
      () => streams.filter(({ destroyed, aborted, closed }) => destroyed || aborted || closed).length,
      (gone) => gone >= 4,
    );
    assert.equal((await api.ask(MAPS, { token: 'carol' })).status, 200);
  });
});

describe('watches', () => {
  test('hold no seats once they have begun', HOLD, async () => {
    await using api = await HttpsApi.start({}, { maxRequestsInflight: 6, maxMutatingRequestsInflight: 1 });
    await createOwnLevel(api, 'narrow', ['bob'], { type: 'Reject' });
    const session = api.session();
    for (let at = 0; at < 10; at++) {
      const stream = api.open(session, `${MAPS}?watch=true`, { token: 'bob' });
      assert.equal(await statusOf(stream), 200, `watch ${at}`);
    }
    assert.equal((await api.ask(MAPS, { token: 'bob' }, session)).status, 200);
  });
});

describe('the dumps', () => {
  test('are for administrators, and show the levels, their queues and their requests', HOLD, async () => {
    await using api = await HttpsApi.start();
    const ask = (name: string, token: string) =>
      api.ask(`/debug/api_priority_and_fairness/${name}`, { token });
    assert.equal((await ask('dump_priority_levels', 'bob')).status, 403);
    const levels = (await ask('dump_priority_levels', 'admin')).body.split('\n');
    assert.match(
      levels[0] ?? '',
      /^PriorityLevelName, +ActiveQueues, +IsIdle, +IsQuiescing, +WaitingRequests, /,
    );
    assert.match(
      levels.find((line) => line.startsWith('exempt')) ?? '',
      /^exempt, +0, +false, +false, +0, +1, +\d+, +0, +0, +0$/,
    );
    assert.match((await ask('dump_queues', 'admin')).body, /^PriorityLevelName, +Index, +PendingRequests, /);
    const requests = (await ask('dump_requests?includeRequestDetails=1', 'admin')).body;
    assert.match(
      requests,
      /^exempt, +exempt, +-1, +-1, +, +\d{4}-.*, +admin, +get, +\/debug\/api_priority_and_fairness\/dump_requests, /m,
    );
    assert.equal((await ask('dump_nothing', 'admin')).status, 404);
  });
});
