// The live console, over HTTP, of a cluster in this process: what it tells, to whom, and what it costs nobody.
import assert from 'node:assert/strict';
import { request as httpRequest } from 'node:http';
import { after, describe, it, test } from 'node:test';
import { Deployment } from '@windlass/apimachinery/api/apps/v1';
import { ConfigMap, Node, Pod, Secret } from '@windlass/apimachinery/api/core/v1';
import { realClock, silentLogger, systemRandom } from '@windlass/base';
import { until } from '@windlass/base/testing/until';
import { createClient } from '@windlass/client';
import { type RunningCluster, startCluster } from '@windlass/cluster';
import {
  type About,
  type ClusterChange,
  type LoopTick,
  liveConsole,
  type ObjectDetail,
  type RunDetail,
  type RunSummary,
  startConsole,
  type Tries,
  type WhyAnswer,
} from '@windlass/console';
import { Manager } from '@windlass/runtime';

const tried: unknown[] = [];
const lost = new Set<string>();
const tries: Tries = {
  async perform(request) {
    tried.push(request);
    if (request.action === 'lose-node') lost.add(request.node);
    return 'done';
  },
  lostNodes: () => lost,
};

const cluster: RunningCluster = await startCluster({ controllers: ['*'], nodes: 2 });
const client = createClient({ transport: cluster.transport(), fieldManager: 'test' });
const console = await startConsole({
  assets: async () =>
    new Map([['/', { body: Buffer.from('<!doctype html>'), type: 'text/html; charset=utf-8', etag: '"1"' }]]),
  title: 'test',
  server: undefined,
  client,
  controllers: () => cluster.inside.controllers(),
  peek: (kind, key) => cluster.inside.peek(kind, key),
  oldestVersion: () => cluster.inside.oldestVersion,
  tries,
  clock: realClock,
  random: systemRandom,
  logger: silentLogger,
});
after(async () => {
  await console[Symbol.asyncDispose]();
  await client.close();
  await cluster.stop();
});

const { origin, searchParams } = new URL(console.url);
const token = searchParams.get('token') ?? '';
const authorization = `Bearer ${token}`;

async function ask<T>(path: string, base = origin, bearer = authorization): Promise<T> {
  const response = await fetch(`${base}${path}`, { headers: { authorization: bearer } });
  const body: unknown = await response.json();
  assert.equal(response.status, 200, JSON.stringify(body));
  // The protocol says what each path answers.
  return body as T;
}

interface Told {
  readonly ticks: LoopTick[];
  readonly runs: RunSummary[];
  readonly changes: ClusterChange[];
}

/** Looks at the page, as a browser does, until it is left. */
function look(base = origin, bearer = authorization, query = ''): Disposable & Told {
  const told: Told = { ticks: [], runs: [], changes: [] };
  const leave = new AbortController();
  void (async () => {
    const response = await fetch(`${base}/api/stream${query}`, {
      headers: { authorization: bearer },
      signal: leave.signal,
    });
    let text = '';
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) {
      text += decoder.decode(chunk, { stream: true });
      const blocks = text.split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks) {
        const [, event, data = ''] = /^event: (\w+)\ndata: (.*)$/.exec(block) ?? [];
        if (event === 'loop') told.ticks.push(JSON.parse(data));
        if (event === 'runs') told.runs.push(...JSON.parse(data));
        if (event === 'cluster') told.changes.push(...JSON.parse(data));
      }
    }
  })().catch(() => {});
  return { ...told, [Symbol.dispose]: () => leave.abort() };
}

async function createDeployment(name: string, replicas: number): Promise<void> {
  const labels = { app: name };
  await client
    .resource(Deployment)
    .namespace('default')
    .create({
      metadata: { name },
      spec: {
        replicas,
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers: [{ name: 'main', image: 'nginx' }] } },
      },
    });
}

describe('who may look', () => {
  const answer = (path: string, headers: Record<string, string>, method = 'GET') =>
    new Promise<{ status: number; headers: NodeJS.Dict<string | string[]> }>((resolve, reject) => {
      // Not fetch, which does not let a caller say what host it wants.
      const sent = httpRequest(`${origin}${path}`, { method, headers }, (response) => {
        response.resume();
        resolve({ status: response.statusCode ?? 0, headers: response.headers });
      });
      sent.on('error', reject);
      sent.end();
    });

  for (const [what, path, headers, status] of [
    ['nobody without the token', '/api/about', {}, 401],
    ['nobody with a wrong one', '/api/about', { authorization: 'Bearer no' }, 401],
    ['nobody with a wrong one in the address', '/?token=no', {}, 401],
    [
      'nobody through a foreign name of this machine',
      '/api/about',
      { authorization, host: 'evil.example' },
      403,
    ],
    ['no page of another site', '/api/about', { authorization, origin: 'http://evil.example' }, 403],
    ['no page of another port', '/api/about', { authorization, origin: 'http://127.0.0.1:1' }, 403],
    ['nobody who sends no address', '//', { authorization }, 400],
    ['the page itself', '/api/about', { authorization, origin }, 200],
    ['who calls it localhost', '/api/about', { authorization, host: 'localhost:1' }, 200],
  ] as const)
    it(what, async () => {
      assert.equal((await answer(path, headers)).status, status);
    });

  it('who opens the address gets a cookie, and an address without the token', async () => {
    const first = await answer(`/?token=${token}`, {});
    assert.equal(first.status, 303);
    assert.equal(first.headers['location'], '/');
    const [cookie = ''] = first.headers['set-cookie'] ?? [];
    assert.match(cookie, /; HttpOnly; SameSite=Strict$/);
    const [pair = ''] = cookie.split(';');
    const page = await answer('/', { cookie: pair });
    assert.equal(page.status, 200);
    assert.match(String(page.headers['content-security-policy']), /default-src 'none'; script-src 'self'/);
    assert.equal((await answer('/', { cookie: pair.replace(/=.*/, '=no') })).status, 401);
  });

  it('nothing is written by a GET, and a POST must be JSON of this page', async () => {
    assert.equal((await answer('/api/try', { authorization })).status, 405);
    assert.equal((await answer('/api/about', { authorization }, 'POST')).status, 405);
    assert.equal(
      (await answer('/api/try', { authorization, 'content-type': 'text/plain' }, 'POST')).status,
      400,
    );
    const site = { authorization, 'content-type': 'application/json', 'sec-fetch-site': 'cross-site' };
    assert.equal((await answer('/api/try', site, 'POST')).status, 403);
    assert.deepEqual(tried, []);
  });
});

test('it says what it can do', async () => {
  const about = await ask<About>('/api/about');
  assert.deepEqual([about.title, about.canTry, about.hasHistory], ['test', true, true]);
});

test('a deployment, as a viewer sees it: runs with reasons, reads and what they wrote', async () => {
  using seen = look();
  await until('the first tick', () => seen.ticks.length > 0);
  await createDeployment('web', 3);
  await until('its pods run', async () => {
    const { items } = await client.resource(Pod).list({ labelSelector: 'app=web' });
    return items.length === 3 && items.every(({ status }) => status?.phase === 'Running');
  });
  const states = (): (string | undefined)[] => {
    const pods = new Map<string, string>();
    for (const change of seen.changes)
      if (change.type === 'set' && change.item.kind === 'Pod') pods.set(change.item.key, change.item.state);
    return [...pods.values()];
  };
  await until(
    'the tiles run',
    states,
    (all) => all.length === 3 && all.every((state) => state === 'Running'),
  );
  await until('the run is told', () =>
    seen.runs.some(({ controller }) => controller === 'deployment-controller'),
  );
  const runs = await ask<RunDetail[]>('/api/runs?controller=deployment-controller&key=default/web');
  const first = runs.at(-1);
  assert.equal(first?.reason.replace(/\d+$/, ''), 'add of deployments.apps default/web at ');
  assert.ok(first.reads.includes('deployments.apps default/web'), first.reads.join('\n'));
  const writes = runs.flatMap((run) => run.writes);
  assert.ok(
    writes.some(({ verb, resource }) => verb === 'create' && resource === 'replicasets.apps'),
    JSON.stringify(writes),
  );
  const status = writes.filter(({ resource }) => resource === 'deployments.apps/status');
  const lines = status.flatMap(({ diff }) => diff).map(({ path, after }) => `${path} ${after}`);
  assert.ok(lines.includes('status.readyReplicas 3'), lines.join('\n'));
  assert.ok(
    lines.every((line) => !line.startsWith('spec.')),
    'only what it changed is told',
  );
  assert.ok(runs.every(({ waitedMs }) => waitedMs !== undefined));
  const state = (await ask<LoopTick>('/api/loop')).controllers.find(
    ({ name }) => name === 'deployment-controller',
  );
  assert.equal(state?.errors, 0);
  assert.ok(state.writes >= status.length && state.runs >= runs.length);
  assert.ok(state.watchLagMs !== undefined, 'its own writes have come back');
  assert.deepEqual(state.hot, []);
  const owners = seen.changes.flatMap((change) =>
    change.type === 'set' && change.item.kind === 'Owner' ? [change.item] : [],
  );
  assert.ok(
    owners.some(
      ({ objectKind, ready, desired }) => objectKind === 'Deployment' && ready === 3 && desired === 3,
    ),
  );
});

test('an object has its history: what changed, and who wrote it', async () => {
  const maps = client.resource(ConfigMap).namespace('default');
  await maps.create({ metadata: { name: 'story' }, data: { a: '1' } });
  await maps.patch('story', { data: { a: '2' } }, { fieldManager: 'ann' });
  await maps.patch('story', { data: { b: 'x' } }, { fieldManager: 'bob' });
  const detail = await ask<ObjectDetail>('/api/object?resource=configmaps&key=default/story');
  assert.deepEqual(
    detail.history.map(({ by, diff }) => [
      by,
      diff.map(({ path, before, after }) => `${path} ${before}→${after}`),
    ]),
    [
      ['test', []],
      ['ann', ['data.a 1→2']],
      ['bob', ['data.b undefined→x']],
    ],
  );
  assert.match(detail.yaml, /^apiVersion: v1\ndata:\n {2}a: "2"\n {2}b: x\nkind: ConfigMap\nmetadata:\n/);
  assert.doesNotMatch(detail.yaml, /managedFields/);
  await maps.delete('story');
  const gone = await ask<ObjectDetail>('/api/object?kind=ConfigMap&key=default/story');
  assert.deepEqual([gone.exists, gone.history.length, gone.history.at(-1)?.deleted], [false, 4, true]);
});

test('why an object is as it is: the runs that were for it, that it caused or that wrote it, and its events', async () => {
  using seen = look();
  await until('the first tick', () => seen.ticks.length > 0);
  await createDeployment('reason', 1);
  const isThere = async (): Promise<string | undefined> =>
    (await client.resource(Pod).list({ labelSelector: 'app=reason' })).items[0]?.metadata.name;
  const pod = (await until('its pod', isThere, (name) => name !== undefined)) ?? '';
  const why = (): Promise<WhyAnswer> => ask<WhyAnswer>(`/api/why?kind=pod&key=default/${pod}`);
  const { runs, events, object } = await until('the kubelet has run it', why, ({ runs }) =>
    runs.some(({ controller }) => controller === 'kubelet'),
  );
  assert.deepEqual([object.kind, object.resource, object.exists], ['Pod', 'pods', true]);
  const made = runs.find(({ writes }) =>
    writes.some(({ verb, key }) => verb === 'create' && key === `default/${pod}`),
  );
  assert.equal(made?.controller, 'replicaset-controller', 'the run that made it has another key');
  assert.ok(events.some(({ reason, by }) => reason === 'Scheduled' && by === 'default-scheduler'));
});

test('a secret stays one, now and in its history', async () => {
  const secrets = client.resource(Secret).namespace('default');
  await secrets.create({ metadata: { name: 'hidden' }, stringData: { password: 'hunter2' } });
  await secrets.patch('hidden', { stringData: { password: 'hunter23' } });
  const text = JSON.stringify(await ask('/api/object?resource=secrets&key=default/hidden'));
  assert.doesNotMatch(text, /hunter|aHVudGVy/);
  assert.match(text, /<8 bytes>/);
});

test('what is not there is said so', async () => {
  const status = async (path: string): Promise<[number, unknown]> => {
    const response = await fetch(`${origin}${path}`, { headers: { authorization } });
    return [response.status, await response.json()];
  };
  assert.deepEqual(await status('/api/object?resource=pods&key=default/nobody'), [
    404,
    { error: 'there is no pods default/nobody, and none is remembered' },
  ]);
  assert.equal((await status('/api/object?resource=unicorns&key=a'))[0], 404);
  assert.equal((await status('/api/object?resource=pods'))[0], 400);
  assert.equal((await status('/api/nothing'))[0], 404);
});

test('a node that was taken away is marked at once', async () => {
  using seen = look();
  const [node] = (await client.resource(Node).list()).items;
  const name = node?.metadata.name ?? '';
  const send = (body: unknown): Promise<Response> =>
    fetch(`${origin}/api/try`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  await until('the nodes are told', () =>
    seen.changes.some((change) => change.type === 'set' && change.item.kind === 'Node'),
  );
  const answer = await send({ action: 'lose-node', node: name });
  assert.deepEqual([answer.status, await answer.json()], [200, { done: 'done' }]);
  await until('it is marked', () =>
    seen.changes.some(
      (change) =>
        change.type === 'set' && change.item.kind === 'Node' && change.item.key === name && change.item.lost,
    ),
  );
  assert.equal((await send({ action: 'lose-node' })).status, 400);
  assert.equal((await send({ action: 'hold-watches', seconds: 1e9 })).status, 400);
});

test('who comes back is told only what it has missed', async () => {
  const { runs } = { runs: await ask<RunDetail[]>('/api/runs') };
  const last = runs[0]?.id ?? 0;
  using seen = look(origin, authorization, `?after=${last}`);
  await client
    .resource(ConfigMap)
    .namespace('default')
    .create({ metadata: { name: 'after' } });
  await createDeployment('later', 1);
  await until('new runs are told', () => seen.runs.length > 0);
  assert.ok(seen.runs.every(({ id }) => id > last));
  const ids = seen.runs.map(({ id }) => id);
  assert.deepEqual(
    ids,
    ids.toSorted((a, b) => a - b),
  );
});

test("an operator's console shows the runs of its own manager, also beside one with the same controllers", async () => {
  const addresses = new Map<string, string>();
  const managerOf = (name: string): Manager => {
    const manager = new Manager({
      transport: cluster.transport(),
      namespaces: ['default'],
      console: liveConsole({ onReady: (url) => addresses.set(name, url) }),
    });
    manager
      .controller('twins')
      .for(ConfigMap, { labelSelector: `twin=${name}` })
      .reconcile(() => undefined);
    return manager;
  };
  const managers = ['a', 'b'].map(managerOf);
  await Promise.all(managers.map((manager) => manager.start()));
  try {
    for (const name of ['a', 'b'])
      await client
        .resource(ConfigMap)
        .namespace('default')
        .create({ metadata: { name: `twin-${name}`, labels: { twin: name } } });
    for (const name of ['a', 'b']) {
      const { origin: base, searchParams: query } = new URL(addresses.get(name) ?? '');
      const shown = async (): Promise<string[]> => {
        const runs = await ask<RunDetail[]>('/api/runs', base, `Bearer ${query.get('token')}`);
        return runs.map(({ controller, key }) => `${controller} ${key}`);
      };
      await until('the run', async () => (await shown()).length > 0);
      assert.deepEqual(await shown(), [`twins default/twin-${name}`]);
    }
  } finally {
    await Promise.all(managers.map((manager) => manager.stop()));
  }
});

test('an operator has a console too, and its hot loop is found', async () => {
  let url = '';
  const manager = new Manager({
    transport: cluster.transport(),
    namespaces: ['default'],
    console: liveConsole({ title: 'hot', onReady: (address) => (url = address) }),
  });
  const maps = manager.objects(ConfigMap);
  let isHealthy = false;
  manager
    // A name with a space, as that of a controller for each node has.
    .controller('planted bug')
    .for(ConfigMap, { labelSelector: 'planted=true' })
    .reconcile(async (key, { signal }) => {
      const map = await maps.find(key, { signal });
      if (map === undefined || isHealthy) return;
      // The bug: what is written differs each time, and wakes the next run.
      await maps.patch(key, { data: { at: String(Number(map.data?.['at'] ?? 0) + 1) } }, { signal });
    });
  await manager.start();
  try {
    const { origin: base, searchParams: query } = new URL(url);
    const bearer = `Bearer ${query.get('token')}`;
    const about = await ask<About>('/api/about', base, bearer);
    assert.deepEqual([about.title, about.canTry, about.hasHistory], ['hot', false, false]);
    using seen = look(base, bearer);
    await until('the first tick', () => seen.ticks.length > 0);
    await maps.create({ metadata: { name: 'hot', namespace: 'default', labels: { planted: 'true' } } });
    const isHot = (): boolean =>
      seen.ticks
        .at(-1)
        ?.controllers.find(({ name }) => name === 'planted bug')
        ?.hot.includes('default/hot') ?? false;
    await until('it is found', isHot);
    const [run] = await ask<RunDetail[]>('/api/runs?controller=planted%20bug&key=default/hot', base, bearer);
    assert.equal(run?.wokeItself, true);
    assert.deepEqual(
      run?.writes.map(({ diff }) => diff.map(({ path }) => path)),
      [['data.at']],
    );
    const refused = await fetch(`${base}/api/try`, {
      method: 'POST',
      headers: { authorization: bearer, 'content-type': 'application/json' },
      body: '{"action":"lose-node","node":"a"}',
    });
    assert.deepEqual(
      [refused.status, await refused.json()],
      [400, { error: 'this console is for looking only' }],
    );
    isHealthy = true;
    await until('it cools down', () => !isHot());
  } finally {
    await manager.stop();
  }
});
