// The agent is killed, or the runtime is: containers are neither restarted, nor lost, nor doubled.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { Node, Pod } from '@windlass/apimachinery/api/core/v1';
import { testSeed } from '@windlass/base/testing';
import { until } from '@windlass/base/testing/until';
import { Containerd } from './harness/containerd.ts';
import { MachineCluster, NODE } from './harness/machine-cluster.ts';
import { WindlassProcess } from './harness/windlass-process.ts';

const PODS = 8;
const ROUNDS = Number(process.env['WINDLASS_CRI_ROUNDS'] ?? 5);
let containerd: Containerd;
let cluster: MachineCluster;
let agent: WindlassProcess;

function startAgent(): WindlassProcess {
  return new WindlassProcess(
    'kubelet',
    '--kubeconfig',
    cluster.cluster.kubeconfigPath ?? '',
    '--node-name',
    NODE,
    '--root-dir',
    join(containerd.directory, 'node'),
    '--runtime-endpoint',
    containerd.endpoint,
  );
}

before(async () => {
  containerd = await Containerd.start();
  cluster = await MachineCluster.startWithoutNode(containerd);
  agent = startAgent();
});

after(async () => {
  await agent?.[Symbol.asyncDispose]();
  await cluster?.[Symbol.asyncDispose]();
  await containerd?.[Symbol.asyncDispose]();
});

interface Running {
  readonly id: string;
  readonly restarts: number;
}

async function containers(): Promise<Map<string, Running>> {
  const { items } = await cluster.pods.list();
  return new Map(
    items.map(({ metadata, status }) => {
      const [container] = status?.containerStatuses ?? [];
      return [metadata.name, { id: container?.containerID ?? '', restarts: container?.restartCount ?? 0 }];
    }),
  );
}

describe('an agent that is killed', () => {
  it(`finds what it has started, ${ROUNDS} times`, async () => {
    for (let index = 0; index < PODS; index++)
      await cluster.run(`stays-${index}`, { command: ['sh', '-c', 'echo up; exec sleep 100000'] });
    for (let index = 0; index < PODS; index++) await cluster.running(`stays-${index}`);
    const before = await containers();
    const running = await containerd.running();
    assert.equal(running.length, 2 * PODS, 'a sandbox and a container each');
    for (let round = 0; round < ROUNDS; round++) {
      await agent.kill('SIGKILL');
      agent = startAgent();
      // A pod that comes meanwhile says that the new one works.
      await cluster.run(`round-${round}`, { command: ['true'] }, { restartPolicy: 'Never' });
      await cluster.ended(`round-${round}`);
      await cluster.pods.delete(`round-${round}`);
      await cluster.gone(`round-${round}`);
      assert.deepEqual(await containers(), before, `round ${round}`);
    }
    await until(
      'only those run',
      async () => (await containerd.running()).length,
      (count) => count === 2 * PODS,
    );
    assert.deepEqual((await containerd.running()).toSorted(), running.toSorted());
  });

  it('doubles and loses nothing when it is killed while pods start and end', async () => {
    const seed = testSeed();
    let state = seed;
    const chance = (below: number): number => {
      state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
      return state % below;
    };
    for (let round = 0; round < ROUNDS; round++) {
      const names = Array.from({ length: 4 }, (_, index) => `storm-${round}-${index}`);
      for (const name of names) await cluster.run(name, { command: ['sleep', '100000'] });
      if (round > 0)
        for (const { metadata } of await stormOf(round - 1)) await cluster.pods.delete(metadata.name);
      await new Promise((resolve) => setTimeout(resolve, chance(1500)));
      await agent.kill('SIGKILL');
      agent = startAgent();
      for (const name of names) await cluster.running(name);
      if (round > 0) await until('the former are gone', async () => (await stormOf(round - 1)).length === 0);
    }
    const { items } = await cluster.pods.list();
    await until(
      `exactly what is wanted runs (seed ${seed})`,
      async () => (await containerd.running()).length,
      (count) => count === 2 * items.length,
    );
    assert.ok([...(await containers()).values()].every(({ restarts }) => restarts === 0));
  });

  it('removes what is of pods that went while it was away', async () => {
    await cluster.run('forgotten', { command: ['sleep', '100000'] });
    await cluster.running('forgotten');
    const before = (await containerd.running()).length;
    await agent.kill('SIGKILL');
    await cluster.pods.delete('forgotten', { gracePeriodSeconds: 0 });
    await cluster.gone('forgotten');
    agent = startAgent();
    await until(
      'it runs no more',
      async () => (await containerd.running()).length,
      (count) => count === before - 2,
    );
  });

  it('sees how containers ended while it was away', async () => {
    await cluster.run('ends', { command: ['sh', '-c', 'sleep 3; exit 7'] }, { restartPolicy: 'Never' });
    await cluster.running('ends');
    await agent.kill('SIGKILL');
    await until('it has ended', async () => (await containerd.ctr('tasks', 'list')).includes('STOPPED'));
    agent = startAgent();
    const { status } = await cluster.ended('ends');
    const end = status?.containerStatuses?.[0]?.state?.terminated;
    assert.deepEqual([end?.exitCode, end?.reason], [7, 'Error']);
  });
});

describe('a runtime that is killed', () => {
  it('takes nothing along, and its node says so until it is back', async () => {
    const before = await containers();
    await containerd.kill();
    const nodes = cluster.client.resource(Node);
    const ready = async (): Promise<string> => {
      const { status } = await nodes.get(NODE);
      const found = status?.conditions?.find(({ type }) => type === 'Ready');
      return `${found?.status} ${found?.message}`;
    };
    await until('the node is not ready', ready, (said) =>
      /^False the container runtime at .* does not answer/.test(said),
    );
    await containerd.boot();
    await until('the node is ready', ready, (said) => said.startsWith('True'));
    await cluster.run('after', { command: ['sleep', '1000'] });
    await cluster.running('after');
    const after = await containers();
    after.delete('after');
    assert.deepEqual(after, before);
  });
});

async function stormOf(round: number) {
  const { items } = await cluster.client.resource(Pod).namespace('default').list();
  return items.filter(({ metadata }) => metadata.name.startsWith(`storm-${round}-`));
}
