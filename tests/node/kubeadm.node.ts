// kubeadm's own join, with the arguments of our printed command, on a machine whose folders are its own.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, it } from 'node:test';
import { isConditionTrue } from '@windlass/apimachinery';
import { Node } from '@windlass/apimachinery/api/core/v1';
import { until } from '@windlass/base/testing/until';
import { ensureKubernetesProgram } from '../real/harness/kubernetes-program.ts';
import { ServerProcess } from '../real/harness/server-process.ts';
import { busyboxImage } from './harness/image.ts';
import { NodeMachine } from './harness/node-machine.ts';
import { BUSYBOX, PAUSE_IMAGE } from './harness/runtime-config.ts';
import { type RunningUp, startUp, windlass } from './harness/windlass.ts';

let machine: NodeMachine;
let up: RunningUp;
let folder: string;

before(async () => {
  folder = await mkdtemp('/tmp/wnt-');
  machine = await NodeMachine.make({ name: 'adm', net: 198 }, [
    await busyboxImage(PAUSE_IMAGE, BUSYBOX, ['sleep']),
  ]);
  up = await startUp({
    dataDir: join(folder, 'up'),
    flags: ['--host', machine.hostAddress, '--port', '0', '--nodes', '0'],
  });
});

after(async () => {
  await machine?.[Symbol.asyncDispose]();
  await up?.[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

it('kubeadm join takes the arguments of the printed command', async () => {
  const printed = await windlass('token', 'create', '--print-join-command', '--data-dir', up.dataDir);
  const words = printed.trim().replace('windlass node join ', '').split(' ');
  const kubelet = await ensureKubernetesProgram('kubelet', console.error);
  const kubeadm = await ensureKubernetesProgram('kubeadm', console.error);
  const script = join(folder, 'join.sh');
  await writeFile(
    script,
    `set -eu
for folder in etc var/lib; do
  mkdir -p "$1/$folder/upper" "$1/$folder/work"
  mount -t overlay overlay -o "lowerdir=/$folder,upperdir=$1/$folder/upper,workdir=$1/$folder/work" "/$folder"
done
mkdir -p /etc/kubernetes /var/lib/kubelet
# As the unit of kubeadm's package: it starts as soon as there is something to start with.
(
  until [ -e /var/lib/kubelet/config.yaml ] && [ -e /var/lib/kubelet/kubeadm-flags.env ]; do sleep 0.2; done
  . /var/lib/kubelet/kubeadm-flags.env
  sed -i 's/^failCgroupV1:.*//' /var/lib/kubelet/config.yaml
  echo 'failCgroupV1: false' >> /var/lib/kubelet/config.yaml
  exec "$KUBELET" --bootstrap-kubeconfig=/etc/kubernetes/bootstrap-kubelet.conf \\
    --kubeconfig=/etc/kubernetes/kubelet.conf --config=/var/lib/kubelet/config.yaml \\
    --cgroup-driver=cgroupfs --cgroup-root="$CGROUP" $KUBELET_KUBEADM_ARGS > "$1/kubelet.log" 2>&1
) &
shift
"$KUBEADM" join "$@"
touch "$DONE"
sleep infinity
`,
  );
  await mkdir(join(machine.folder, 'tree'));
  await machine.makeCgroups();
  const [program = '', ...args] = machine.inside(
    'unshare',
    '--mount',
    '--propagation=private',
    'sh',
    script,
    join(machine.folder, 'tree'),
    ...words,
    '--node-name=adm-1',
    `--cri-socket=${machine.criSocket}`,
    '--ignore-preflight-errors=all',
    '--v=1',
  );
  const logFile = join(folder, 'kubeadm.log');
  const done = join(folder, 'done');
  await using running = new ServerProcess({
    name: 'kubeadm join',
    program,
    args,
    logFile,
    env: { ...process.env, KUBELET: kubelet, KUBEADM: kubeadm, CGROUP: machine.cgroupRoot, DONE: done },
    isReady: async () => existsSync(done),
    readyTimeoutMs: 240_000,
  });
  await running.start();
  assert.match(await readFile(logFile, 'utf8'), /This node has joined the cluster/);
  const node = await until(
    'the node is ready',
    () => up.client.resource(Node).get('adm-1'),
    ({ status }) => isConditionTrue(status?.conditions, 'Ready'),
  );
  assert.ok(node.status?.nodeInfo?.kubeletVersion);
});
