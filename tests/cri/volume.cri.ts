// A container that writes to a claim, and what the node tidies up by itself.
import assert from 'node:assert/strict';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, it } from 'node:test';
import { PersistentVolumeClaim } from '@windlass/apimachinery/api/core/v1';
import { realClock, silentLogger } from '@windlass/base';
import { until } from '@windlass/base/testing/until';
import { CriRuntime } from '@windlass/kubelet';
import { Containerd, IMAGE } from './harness/containerd.ts';
import { MachineCluster, NODE } from './harness/machine-cluster.ts';

let containerd: Containerd;
let cluster: MachineCluster;

before(async () => {
  containerd = await Containerd.start();
  cluster = await MachineCluster.start(containerd, { drives: { perNode: 1, backend: 'directory' } });
});

after(async () => {
  await cluster?.[Symbol.asyncDispose]();
  await containerd?.[Symbol.asyncDispose]();
});

it('a claim is a volume in a container, and keeps what was written for the next one', async () => {
  await cluster.client
    .resource(PersistentVolumeClaim)
    .namespace('default')
    .create({
      metadata: { name: 'data' },
      spec: {
        storageClassName: 'directpv-min-io',
        accessModes: ['ReadWriteOnce'],
        resources: { requests: { storage: '16Mi' } },
      },
    });
  const spec = {
    restartPolicy: 'Never',
    volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }],
  };
  const volumeMounts = [{ name: 'data', mountPath: '/data' }];
  await cluster.run('writes', { command: ['sh', '-c', 'echo kept > /data/file'], volumeMounts }, spec);
  assert.equal((await cluster.ended('writes')).status?.phase, 'Succeeded');
  await cluster.pods.delete('writes');
  await cluster.gone('writes');
  await cluster.run('reads', { command: ['cat', '/data/file'], volumeMounts }, spec);
  await cluster.ended('reads');
  assert.equal(await cluster.logs('reads'), 'kept\n');
  await cluster.pods.delete('reads');
  await cluster.gone('reads');
});

it('what has ended is removed but for the last two runs, and their logs with it', async () => {
  await cluster.run('fails', { image: IMAGE, command: ['sh', '-c', 'exit 1'] });
  const { metadata } = await cluster.when(
    'fails',
    'was started twice again',
    ({ status }) => (status?.containerStatuses?.[0]?.restartCount ?? 0) >= 2,
  );
  const logs = join(containerd.directory, 'data/nodes', NODE, `logs/default_fails_${metadata.uid}/main`);
  await until('the oldest run is removed', async () =>
    (await readdir(logs)).every((name) => name !== '0.log'),
  );
  assert.ok((await readdir(logs)).length >= 1);
  await cluster.pods.delete('fails');
  await cluster.gone('fails');
});

it('a long log is put aside, and the container goes on in a new one', async () => {
  await cluster.run('prints', {
    command: ['sh', '-c', 'i=0; while true; do i=$((i+1)); echo $i; sleep 0.05; done'],
  });
  const { metadata } = await cluster.running('prints');
  const root = join(containerd.directory, 'data/nodes', NODE);
  await using runtime = await CriRuntime.connect({
    endpoint: containerd.endpoint,
    node: NODE,
    address: '127.0.0.1',
    root,
    clock: realClock,
    logger: silentLogger,
    maxLogBytes: 200,
  });
  const folder = join(root, `logs/default_prints_${metadata.uid}/main`);
  const path = join(folder, '0.log');
  await until('it is long', async () => (await stat(path)).size > 400);
  await runtime.tidyUp();
  const names = await readdir(folder);
  assert.equal(names.length, 2, names.join());
  await until('it goes on', async () => (await stat(path)).size > 0);
  // It may print more while it is read.
  assert.match(await cluster.logs('prints', { tailLines: 1 }), /^(\d+\n)+$/);
});

it('a pod that forks without end stays in its cgroup', async () => {
  await cluster.run('forks', { command: ['sh', '-c', 'for i in 1 2 3; do sleep 1000 & done; wait'] });
  const { metadata } = await cluster.running('forks');
  const ofPod = (name: string): Promise<string | undefined> => cgroupFile(metadata.uid, name);
  assert.equal(await ofPod('pids.max'), '8192');
  await until('its processes are counted there', async () => Number(await ofPod('pids.current')) >= 4);
  await cluster.pods.delete('forks');
  await cluster.gone('forks');
  await until('its cgroup is removed', async () => (await ofPod('pids.max')) === undefined);
});

/** What the kernel says of a pod's processes; undefined when it has no cgroup. Of either version of cgroups. */
async function cgroupFile(uid: string, name: string): Promise<string | undefined> {
  for (const hierarchy of ['pids', '.'])
    try {
      const path = join('/sys/fs/cgroup', hierarchy, 'windlass/besteffort', `pod${uid}`, name);
      return (await readFile(path, 'utf8')).trim();
    } catch {
      // The other version, or the pod is gone.
    }
  return undefined;
}
