// A pod on this machine: a sandbox and containers in a real runtime.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { until } from '@windlass/base/testing/until';
import { Containerd } from './harness/containerd.ts';
import { MachineCluster } from './harness/machine-cluster.ts';

describe('a pod in a container runtime', () => {
  let containerd: Containerd;
  let cluster: MachineCluster;
  before(async () => {
    containerd = await Containerd.start();
    cluster = await MachineCluster.start(containerd);
  });
  after(async () => {
    await cluster?.[Symbol.asyncDispose]();
    await containerd?.[Symbol.asyncDispose]();
  });

  it('runs, has an address, prints, and is gone with all that it had', async () => {
    await cluster.run('first', { command: ['sh', '-c', 'echo hello; exec sleep 1000'] });
    const { status } = await cluster.running('first');
    assert.match(status?.podIP ?? '', /^10\.223\./);
    const [container] = status?.containerStatuses ?? [];
    assert.match(container?.containerID ?? '', /^containerd:\/\/[0-9a-f]{64}$/);
    assert.equal(container?.image, 'windlass.test/busybox:1');
    assert.equal((await containerd.running()).length, 2, 'a sandbox and a container');
    await until(
      'the log is written',
      () => cluster.logs('first'),
      (text) => text === 'hello\n',
    );
    await cluster.pods.delete('first');
    await cluster.gone('first');
    await until('nothing runs', async () => (await containerd.running()).length === 0);
  });

  it('ends with the codes of its containers', async () => {
    await cluster.run('good', { command: ['true'] }, { restartPolicy: 'Never' });
    await cluster.run('bad', { command: ['sh', '-c', 'exit 3'] }, { restartPolicy: 'Never' });
    assert.equal((await cluster.ended('good')).status?.phase, 'Succeeded');
    const bad = await cluster.ended('bad');
    assert.equal(bad.status?.phase, 'Failed');
    const end = bad.status?.containerStatuses?.[0]?.state?.terminated;
    assert.deepEqual([end?.exitCode, end?.reason], [3, 'Error']);
  });

  it('is started again, and waits longer each time', async () => {
    await cluster.run('again', { command: ['sh', '-c', 'echo run; exit 1'] });
    const { status } = await cluster.when(
      'again',
      'waits to be started',
      ({ status: seen }) => seen?.containerStatuses?.[0]?.state?.waiting?.reason === 'CrashLoopBackOff',
    );
    const [container] = status?.containerStatuses ?? [];
    assert.ok((container?.restartCount ?? 0) >= 1);
    assert.equal(container?.lastState?.terminated?.exitCode, 1);
    await cluster.pods.delete('again');
    await cluster.gone('again');
  });
});
