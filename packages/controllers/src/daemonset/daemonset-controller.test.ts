// Daemon sets, as one sees them through the API.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { controllerOf } from '@windlass/apimachinery';
import { ControllerRevision, DaemonSet } from '@windlass/apimachinery/api/apps/v1';
import { Node, Pod, type Taint } from '@windlass/apimachinery/api/core/v1';
import type { TestCluster } from '@windlass/cluster/testing';
import { all, eventsOf } from '@windlass/cluster/testing/objects';
import { Scheduler } from '@windlass/scheduler';
import { addControllers } from '../controllers.ts';
import {
  addManager,
  labels,
  podsOf,
  runPods,
  setReady,
  startControllers,
  template,
} from '../testing/controlled-cluster.ts';

const DAEMONS = ['daemonset', 'garbagecollector'];
const HASH = 'controller-revision-hash';

type Spec = Partial<NonNullable<DaemonSet['spec']>>;

const sets = (cluster: TestCluster) => cluster.client.resource(DaemonSet).namespace('default');
const pods = (cluster: TestCluster) => cluster.client.resource(Pod).namespace('default');
const revisions = (cluster: TestCluster) => cluster.client.resource(ControllerRevision).namespace('default');
const nodes = (cluster: TestCluster) => cluster.client.resource(Node);
const daemonSet = (more: Spec = {}): DaemonSet => ({
  metadata: { name: 'agent' },
  spec: { selector: { matchLabels: labels }, template: template(labels), ...more },
});
async function addNodes(cluster: TestCluster, ...names: readonly string[]): Promise<void> {
  for (const name of names) {
    await nodes(cluster).create({ metadata: { name, labels: { 'kubernetes.io/hostname': name } } });
    // What admission puts there until somebody says that the node is ready.
    await nodes(cluster).patch(name, { spec: { taints: null } });
  }
}
const taint = (cluster: TestCluster, name: string, ...taints: readonly Taint[]): Promise<Node> =>
  nodes(cluster).patch(name, { spec: { taints: [...taints] } });
const nodeOf = ({ spec }: Pod): string | undefined =>
  spec?.nodeName ??
  spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms[0]
    ?.matchFields?.[0]?.values?.[0];
const places = async (cluster: TestCluster): Promise<string[]> =>
  (await podsOf(cluster)).map((pod) => `${nodeOf(pod)} ${pod.spec?.containers[0]?.image}`).toSorted();
const setImage = (cluster: TestCluster, image: string): Promise<DaemonSet> =>
  sets(cluster).patch('agent', { spec: { template: template(labels, image) } });
async function counts(cluster: TestCluster): Promise<Record<string, number>> {
  const { metadata, status } = await sets(cluster).get('agent');
  assert.equal(status?.observedGeneration, metadata?.generation);
  return {
    desired: status?.desiredNumberScheduled ?? 0,
    current: status?.currentNumberScheduled ?? 0,
    ready: status?.numberReady ?? 0,
    available: status?.numberAvailable ?? 0,
    unavailable: status?.numberUnavailable ?? 0,
    updated: status?.updatedNumberScheduled ?? 0,
    misscheduled: status?.numberMisscheduled ?? 0,
  };
}
const full = (count: number, more: Record<string, number> = {}): Record<string, number> => ({
  desired: count,
  current: count,
  ready: count,
  available: count,
  unavailable: 0,
  updated: count,
  misscheduled: 0,
  ...more,
});

describe('a daemon set', () => {
  it('has a pod on each node, also on one that comes later', async () => {
    await using test = await startControllers(DAEMONS);
    const { cluster } = test;
    await addNodes(cluster, 'a', 'b');
    const made = await sets(cluster).create(daemonSet());
    await cluster.settled();
    assert.deepEqual(await counts(cluster), full(2, { ready: 0, available: 0, unavailable: 2 }));
    await runPods(cluster);
    assert.deepEqual(await places(cluster), ['a web:1', 'b web:1']);
    assert.deepEqual(await counts(cluster), full(2));
    const [pod] = await podsOf(cluster);
    const [revision] = (await revisions(cluster).list()).items;
    assert.equal(controllerOf(pod ?? {})?.uid, made.metadata.uid);
    assert.equal(controllerOf(revision ?? {})?.uid, made.metadata.uid);
    assert.equal(revision?.metadata.name, `agent-${pod?.metadata?.labels?.[HASH]}`);
    assert.deepEqual(pod?.metadata?.labels, {
      ...labels,
      [HASH]: revision?.metadata?.labels?.[HASH],
      'pod-template-generation': '1',
    });
    assert.deepEqual(pod?.spec?.tolerations?.map(({ key }) => key).toSorted(), [
      'node.kubernetes.io/disk-pressure',
      'node.kubernetes.io/memory-pressure',
      'node.kubernetes.io/not-ready',
      'node.kubernetes.io/pid-pressure',
      'node.kubernetes.io/unreachable',
      'node.kubernetes.io/unschedulable',
    ]);
    await addNodes(cluster, 'c');
    await runPods(cluster);
    assert.deepEqual(await places(cluster), ['a web:1', 'b web:1', 'c web:1']);
    assert.deepEqual(await counts(cluster), full(3));
    const [first] = await podsOf(cluster);
    const events = await eventsOf(cluster, 'agent');
    assert.ok(events.includes(`SuccessfulCreate: Created pod: ${first?.metadata?.name}`), events.join('\n'));
    await sets(cluster).delete('agent', { propagationPolicy: 'Foreground' });
    await cluster.settled();
    assert.deepEqual(await podsOf(cluster), []);
    assert.deepEqual((await revisions(cluster).list()).items, []);
  });

  it('leaves it to the scheduler to bind each pod to its node', async () => {
    await using test = await startControllers(DAEMONS);
    const { cluster } = test;
    const { manager } = cluster.manager();
    await manager.add(new Scheduler(manager));
    await manager.start();
    await addNodes(cluster, 'a', 'b', 'c');
    for (const name of ['a', 'b', 'c'])
      await nodes(cluster).status.patch(name, {
        status: { allocatable: { cpu: '4', memory: '8Gi', pods: '10' } },
      });
    await taint(cluster, 'c', { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' });
    await sets(cluster).create(daemonSet());
    await cluster.settled();
    assert.deepEqual((await podsOf(cluster)).map(({ spec }) => spec?.nodeName ?? '').toSorted(), [
      'a',
      'b',
      'c',
    ]);
  });

  it('follows the labels of nodes', async () => {
    await using test = await startControllers(DAEMONS);
    const { cluster } = test;
    await addNodes(cluster, 'a', 'b');
    const { spec, metadata } = template(labels);
    const nodeSelector = { color: 'blue' };
    await sets(cluster).create(
      daemonSet({ template: { metadata: metadata ?? {}, spec: { containers: [], ...spec, nodeSelector } } }),
    );
    await cluster.settled();
    assert.deepEqual(await places(cluster), []);
    await nodes(cluster).patch('b', { metadata: { labels: { color: 'blue' } } });
    await runPods(cluster);
    assert.deepEqual(await places(cluster), ['b web:1']);
    assert.deepEqual(await counts(cluster), full(1));
    await nodes(cluster).patch('b', { metadata: { labels: { color: 'green' } } });
    await cluster.settled();
    assert.deepEqual(await places(cluster), []);
    await sets(cluster).patch('agent', {
      spec: { template: { spec: { nodeSelector: { color: 'green' } } } },
    });
    await runPods(cluster);
    assert.deepEqual(await places(cluster), ['b web:1']);
  });

  it('stays where a taint only keeps pods from coming, and leaves where it drives them away', async () => {
    await using test = await startControllers(DAEMONS);
    const { cluster } = test;
    await addNodes(cluster, 'a', 'b');
    await taint(cluster, 'b', { key: 'x', effect: 'NoSchedule' });
    await sets(cluster).create(daemonSet());
    await runPods(cluster);
    assert.deepEqual(await places(cluster), ['a web:1']);
    await taint(cluster, 'a', { key: 'x', effect: 'NoSchedule' });
    await cluster.settled();
    assert.deepEqual(await places(cluster), ['a web:1']);
    await sets(cluster).patch('agent', { metadata: { labels: { look: 'again' } } });
    await cluster.settled();
    assert.deepEqual(
      await counts(cluster),
      full(0, { misscheduled: 1, ready: 0, available: 0, updated: 0 }),
      'it is there, and would not come',
    );
    await taint(cluster, 'a');
    await cluster.settled();
    assert.deepEqual(await counts(cluster), full(1));
    await taint(cluster, 'a', { key: 'x', effect: 'NoExecute' });
    await cluster.settled();
    assert.deepEqual(await places(cluster), []);
    await sets(cluster).patch('agent', {
      spec: { template: { spec: { tolerations: [{ key: 'x', operator: 'Exists' }] } } },
    });
    await runPods(cluster);
    assert.deepEqual(await places(cluster), ['a web:1', 'b web:1']);
  });

  it('replaces pods that have ended, ever more slowly where they fail', async () => {
    await using test = await startControllers(DAEMONS);
    const { cluster } = test;
    await addNodes(cluster, 'a');
    await sets(cluster).create(daemonSet());
    await cluster.settled();
    const end = async (phase: string): Promise<string> => {
      const [pod] = await podsOf(cluster);
      await pods(cluster).status.patch(pod?.metadata?.name ?? '', { status: { phase } });
      await cluster.settled();
      return pod?.metadata?.uid ?? '';
    };
    const isReplaced = async (uid: string): Promise<boolean> =>
      (await podsOf(cluster)).every(({ metadata }) => metadata?.uid !== uid);
    assert.ok(await isReplaced(await end('Succeeded')));
    assert.ok(await isReplaced(await end('Failed')), 'the first one at once');
    for (const seconds of [1, 2, 4]) {
      const uid = await end('Failed');
      await cluster.advance(seconds * 1000 - 200);
      assert.ok(!(await isReplaced(uid)), `not before ${seconds} s`);
      await cluster.advance(200);
      assert.ok(await isReplaced(uid), `after ${seconds} s`);
    }
    const events = await eventsOf(cluster, 'agent');
    assert.ok(events.some((text) => text.startsWith('SucceededDaemonPod: Found succeeded daemon pod')));
    assert.ok(events.some((text) => /^FailedDaemonPod: .* on node a, will try to kill it$/.test(text)));
  });

  it('deletes what waits for a node that is gone', async () => {
    await using test = await startControllers(DAEMONS);
    const { cluster } = test;
    await addNodes(cluster, 'a', 'b');
    await sets(cluster).create(daemonSet());
    await cluster.settled();
    await nodes(cluster).delete('b');
    await cluster.settled();
    assert.deepEqual(await places(cluster), ['a web:1']);
    assert.equal((await counts(cluster))['desired'], 1);
  });

  it('adopts pods and lets go of them', async () => {
    await using test = await startControllers(DAEMONS);
    const { cluster } = test;
    await addNodes(cluster, 'a', 'b');
    const stray = { ...template(labels).spec, containers: [{ name: 'main', image: 'web:1' }], nodeName: 'a' };
    await pods(cluster).create({ metadata: { name: 'stray', labels }, spec: stray });
    const { metadata } = await sets(cluster).create(daemonSet({ updateStrategy: { type: 'OnDelete' } }));
    await cluster.settled();
    assert.equal(controllerOf(await pods(cluster).get('stray'))?.uid, metadata.uid);
    assert.deepEqual(await places(cluster), ['a web:1', 'b web:1']);
    await pods(cluster).patch('stray', { metadata: { labels: { app: 'other' } } });
    await cluster.settled();
    assert.equal(controllerOf(await pods(cluster).get('stray')), undefined);
    assert.deepEqual(await places(cluster), ['a web:1', 'a web:1', 'b web:1']);
    await sets(cluster).delete('agent', { propagationPolicy: 'Orphan' });
    await cluster.settled();
    const left = await podsOf(cluster);
    assert.equal(left.length, 3);
    assert.ok(left.every((pod) => controllerOf(pod) === undefined));
    // Another one of the same kind takes over pods and history.
    await sets(cluster).create({ ...daemonSet(), metadata: { name: 'agent' } });
    await cluster.settled();
    assert.deepEqual(await places(cluster), ['a web:1', 'a web:1', 'b web:1']);
    assert.equal((await revisions(cluster).list()).items.length, 1);
  });

  it('makes no pods when it is being deleted', async () => {
    await using test = await startControllers(DAEMONS);
    const { cluster } = test;
    await addNodes(cluster, 'a');
    await sets(cluster).create({
      ...daemonSet(),
      metadata: { name: 'agent', finalizers: ['example.com/hold'] },
    });
    await cluster.settled();
    await sets(cluster).delete('agent', { propagationPolicy: 'Orphan' });
    await cluster.settled();
    await addNodes(cluster, 'b');
    await cluster.settled();
    assert.deepEqual(await places(cluster), ['a web:1']);
  });

  it('says why pods cannot be made, and counts what there is', async () => {
    await using test = await startControllers(DAEMONS);
    const { cluster, controllers } = test;
    await addNodes(cluster, 'a', 'b', 'c', 'd');
    controllers.faults.fail({
      method: 'POST',
      path: '/api/v1/namespaces/default/pods',
      answer: { code: 403, reason: 'Forbidden', message: 'exceeded quota' },
      // The written status brings a second run at once.
      times: 2,
    });
    await sets(cluster).create(daemonSet());
    await cluster.settled();
    assert.deepEqual(await places(cluster), [], 'each run tried one, and no other');
    assert.equal((await counts(cluster))['desired'], 4);
    await cluster.advance(100);
    assert.equal((await places(cluster)).length, 4);
    const events = await eventsOf(cluster, 'agent');
    assert.ok(
      events.some((text) => text.includes('FailedCreate: Error creating: ')),
      events.join('\n'),
    );
  });
});

describe('an update of a daemon set', () => {
  it('replaces so many at a time as may be missing', async () => {
    await using test = await startControllers(DAEMONS);
    const { cluster } = test;
    await addNodes(cluster, 'a', 'b', 'c');
    await sets(cluster).create(
      daemonSet({ updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1 } } }),
    );
    await runPods(cluster);
    await setImage(cluster, 'web:2');
    await cluster.settled();
    assert.deepEqual(await places(cluster), ['a web:2', 'b web:1', 'c web:1']);
    assert.deepEqual(await counts(cluster), full(3, { ready: 2, available: 2, unavailable: 1, updated: 1 }));
    await runPods(cluster);
    assert.deepEqual(await places(cluster), ['a web:2', 'b web:2', 'c web:2']);
    assert.deepEqual(await counts(cluster), full(3));
  });

  it('waits until a new pod has been ready for long enough', async () => {
    await using test = await startControllers(DAEMONS);
    const { cluster } = test;
    await addNodes(cluster, 'a', 'b');
    await sets(cluster).create(daemonSet({ minReadySeconds: 30 }));
    await runPods(cluster);
    assert.deepEqual(await counts(cluster), full(2, { available: 0, unavailable: 2 }));
    await cluster.advance(31_000);
    assert.deepEqual(await counts(cluster), full(2));
    await setImage(cluster, 'web:2');
    await cluster.settled();
    await setReady(
      cluster,
      (await podsOf(cluster)).filter((pod) => nodeOf(pod) === 'a'),
    );
    await cluster.advance(29_000);
    assert.deepEqual(await places(cluster), ['a web:2', 'b web:1']);
    await cluster.advance(2000);
    assert.deepEqual(await places(cluster), ['a web:2', 'b web:2']);
  });

  it('with surge starts the new pod first, and keeps the old one until it works', async () => {
    await using test = await startControllers(DAEMONS);
    const { cluster } = test;
    await addNodes(cluster, 'a', 'b');
    await sets(cluster).create(
      daemonSet({
        updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
      }),
    );
    await runPods(cluster);
    // Of two pods of a node the older one counts; of the same second it would be the one with the lesser name.
    await cluster.advance(1000);
    await setImage(cluster, 'web:2');
    await cluster.settled();
    assert.deepEqual(await places(cluster), ['a web:1', 'a web:2', 'b web:1']);
    assert.equal((await counts(cluster))['available'], 2);
    await setReady(
      cluster,
      (await podsOf(cluster)).filter(({ spec }) => spec?.containers[0]?.image === 'web:2'),
    );
    await cluster.settled();
    assert.deepEqual(await places(cluster), ['a web:2', 'b web:1', 'b web:2']);
    await runPods(cluster);
    assert.deepEqual(await places(cluster), ['a web:2', 'b web:2']);
    assert.deepEqual(await counts(cluster), full(2));
  });

  it('on delete waits for people', async () => {
    await using test = await startControllers(DAEMONS);
    const { cluster } = test;
    await addNodes(cluster, 'a', 'b');
    await sets(cluster).create(daemonSet({ updateStrategy: { type: 'OnDelete' } }));
    await runPods(cluster);
    await setImage(cluster, 'web:2');
    await cluster.settled();
    assert.deepEqual(await places(cluster), ['a web:1', 'b web:1']);
    const pod = (await podsOf(cluster)).find((one) => nodeOf(one) === 'b');
    await pods(cluster).delete(pod?.metadata?.name ?? '');
    await runPods(cluster);
    assert.deepEqual(await places(cluster), ['a web:1', 'b web:2']);
    assert.deepEqual(await counts(cluster), full(2, { updated: 1 }));
  });

  it('that is undone leaves pods alone that have the old template still', async () => {
    await using test = await startControllers(DAEMONS);
    const { cluster } = test;
    await addNodes(cluster, 'a', 'b', 'c');
    await sets(cluster).create(daemonSet());
    await runPods(cluster);
    const before = await podsOf(cluster);
    await setImage(cluster, 'broken:1');
    await cluster.settled();
    const [first] = (await revisions(cluster).list()).items.toSorted((x, y) => x.revision - y.revision);
    assert.equal(first?.revision, 1);
    // As `kubectl rollout undo` does: the data of the revision is a patch.
    await sets(cluster).patch('agent', (first.data ?? {}) as object, { type: 'strategic' });
    await runPods(cluster);
    assert.deepEqual(await places(cluster), ['a web:1', 'b web:1', 'c web:1']);
    const after = await podsOf(cluster);
    const kept = before.filter(({ metadata }) =>
      after.some((one) => one.metadata?.uid === metadata?.uid),
    ).length;
    assert.equal(kept, 2, 'only one had been replaced');
    const now = (await revisions(cluster).list()).items.toSorted((x, y) => x.revision - y.revision);
    assert.deepEqual(
      now.map(({ revision }) => revision),
      [2, 3],
    );
    assert.equal(now[1]?.metadata.name, first.metadata.name);
  });

  it('keeps as much history as is wanted, and what pods have', async () => {
    await using test = await startControllers(DAEMONS);
    const { cluster } = test;
    await addNodes(cluster, 'a');
    await sets(cluster).create(daemonSet({ revisionHistoryLimit: 1 }));
    for (const image of ['web:2', 'web:3', 'web:4']) {
      await runPods(cluster);
      await setImage(cluster, image);
    }
    await runPods(cluster);
    const kept = (await revisions(cluster).list()).items.map(({ revision }) => `${revision}`).toSorted();
    assert.deepEqual(kept, ['3', '4']);
  });
});

describe('the history of a daemon set', () => {
  it('finds another name where two templates share one', async () => {
    await using test = await startControllers(DAEMONS);
    const { cluster } = test;
    await addNodes(cluster, 'a');
    await sets(cluster).create(daemonSet());
    await cluster.settled();
    const [made] = (await revisions(cluster).list()).items;
    const name = made?.metadata.name ?? '';
    await sets(cluster).delete('agent', { propagationPolicy: 'Foreground' });
    await cluster.settled();
    // Somebody else has the name that the template would get.
    await revisions(cluster).create({ metadata: { name }, revision: 1, data: { other: 'thing' } });
    await sets(cluster).create(daemonSet());
    await runPods(cluster);
    await cluster.advance(1000);
    await runPods(cluster);
    assert.equal((await sets(cluster).get('agent')).status?.collisionCount, 1);
    assert.deepEqual(await places(cluster), ['a web:1']);
    const { items } = await revisions(cluster).list();
    assert.equal(items.length, 2);
    const [pod] = await podsOf(cluster);
    assert.ok(items.some(({ metadata }) => metadata.name === `agent-${pod?.metadata?.labels?.[HASH]}`));
    assert.notEqual(`agent-${pod?.metadata?.labels?.[HASH]}`, name);
  });

  it('is one for one template: pods of a duplicate are relabelled, not replaced', async () => {
    await using test = await startControllers(DAEMONS);
    const { cluster, controllers } = test;
    await addNodes(cluster, 'a', 'b');
    await sets(cluster).create(daemonSet());
    await runPods(cluster);
    await controllers.manager.stop();
    const before = await podsOf(cluster);
    const [made] = (await revisions(cluster).list()).items;
    await revisions(cluster).create({
      ...made,
      metadata: {
        name: 'agent-twin',
        labels: { ...labels, [HASH]: 'twin' },
        ownerReferences: made?.metadata?.ownerReferences ?? [],
      },
      revision: 5,
    });
    await addManager(cluster, DAEMONS);
    await cluster.settled();
    const after = await podsOf(cluster);
    assert.deepEqual(
      after.map(({ metadata }) => [metadata?.uid, metadata?.labels?.[HASH]]),
      before.map(({ metadata }) => [metadata?.uid, 'twin']),
    );
    assert.deepEqual(
      (await revisions(cluster).list()).items.map(({ metadata, revision }) => [metadata.name, revision]),
      [['agent-twin', 5]],
    );
  });

  it('stays as somebody has made it until there is something to do', async () => {
    await using test = await startControllers(DAEMONS);
    const { cluster } = test;
    await addNodes(cluster, 'a');
    await sets(cluster).create(daemonSet());
    await runPods(cluster);
    const [made] = (await revisions(cluster).list()).items;
    const ownerReferences = made?.metadata?.ownerReferences ?? [];
    const metadata = { name: 'agent-twin', labels: { ...labels, [HASH]: 'twin' }, ownerReferences };
    await revisions(cluster).create({ ...made, metadata, revision: 2 });
    await cluster.settled();
    assert.equal((await revisions(cluster).list()).items.length, 2);
    await sets(cluster).patch('agent', { metadata: { labels: { something: 'new' } } });
    await cluster.settled();
    assert.deepEqual(
      (await revisions(cluster).list()).items.map(({ metadata: { name } }) => name),
      ['agent-twin'],
    );
  });
});

it('a daemon set is whole again after its controller died between any two writes', async () => {
  for (let writes = 0; writes < 8; writes++) {
    await using test = await startControllers([]);
    const { cluster } = test;
    await addNodes(cluster, 'a', 'b', 'c');
    await sets(cluster).create(daemonSet());
    const first = cluster.manager();
    addControllers(first.manager, { controllers: DAEMONS });
    first.faults.crashAfterWrites(writes);
    await first.manager.start();
    await cluster.settled();
    await addManager(cluster, DAEMONS);
    await runPods(cluster);
    assert.deepEqual(await places(cluster), ['a web:1', 'b web:1', 'c web:1'], `after ${writes} writes`);
    assert.equal((await all(cluster, ControllerRevision)).length, 1);
    assert.deepEqual(await counts(cluster), full(3));
  }
});
