// A real kubelet on a machine of its own becomes a node with the printed command, runs containers, and leaves.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { isConditionTrue, isNotFound, Quantity } from '@windlass/apimachinery';
import { CertificateSigningRequest } from '@windlass/apimachinery/api/certificates/v1';
import { Node, Pod } from '@windlass/apimachinery/api/core/v1';
import { until } from '@windlass/base/testing/until';
import { busyboxImage } from './harness/image.ts';
import { JoinedNode } from './harness/joined-node.ts';
import { insideGet, startKubeProxy } from './harness/kube-proxy.ts';
import { NodeMachine } from './harness/node-machine.ts';
import { BUSYBOX, BUSYBOX_IMAGE, PAUSE_IMAGE } from './harness/runtime-config.ts';
import { type RunningUp, startUp, windlass } from './harness/windlass.ts';

const PROGRAMS = ['sh', 'sleep', 'cat', 'echo', 'ls', 'httpd', 'tar', 'nc'];
const PATIENCE = { timeoutMs: 180_000 };
const NAME = 'rack-1';

let machine: NodeMachine;
let up: RunningUp;
let joined: JoinedNode;
let folder: string;

before(async () => {
  folder = await mkdtemp('/tmp/wnt-');
  machine = await NodeMachine.make({ name: 'join', net: 199 }, [
    await busyboxImage(BUSYBOX_IMAGE, BUSYBOX, PROGRAMS),
    await busyboxImage(PAUSE_IMAGE, BUSYBOX, ['sleep']),
  ]);
  up = await startUp({
    dataDir: join(folder, 'up'),
    flags: ['--host', machine.hostAddress, '--port', '0', '--nodes', '0'],
  });
  joined = new JoinedNode({ machine, nodeName: NAME, logFile: join(folder, 'kubelet.log') });
});

after(async () => {
  await joined?.stop();
  await machine?.[Symbol.asyncDispose]();
  await up?.[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

const joinCommand = () => windlass('token', 'create', '--print-join-command', '--data-dir', up.dataDir);
const readyNode = () =>
  until(
    'the node is ready',
    () => up.client.resource(Node).get(NAME),
    ({ status }) => isConditionTrue(status?.conditions, 'Ready'),
    PATIENCE,
  );
const requests = async () => (await up.client.resource(CertificateSigningRequest).list()).items;
const podsOf = async (selector: string) =>
  (await up.client.resource(Pod).namespace('default').list({ labelSelector: selector })).items;

const LABELS = { app: 'web' };
const DEPLOYMENT = JSON.stringify({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', labels: LABELS },
  spec: {
    replicas: 2,
    selector: { matchLabels: LABELS },
    template: {
      metadata: { labels: LABELS },
      spec: {
        terminationGracePeriodSeconds: 1,
        containers: [
          {
            name: 'web',
            image: BUSYBOX_IMAGE,
            imagePullPolicy: 'Never',
            command: ['sh', '-c', 'echo serving; exec httpd -f -p 8080 -h /www'],
            readinessProbe: { httpGet: { path: '/index.html', port: 8080 }, periodSeconds: 1 },
          },
        ],
      },
    },
  },
});

/** The address on this machine that leads to a pod's port while `use` runs. */
async function withForward<T>(pod: string, port: number, use: (url: string) => Promise<T>): Promise<T> {
  const args = ['--kubeconfig', up.kubeconfig, 'port-forward', `pod/${pod}`, `:${port}`];
  const child = spawn('kubectl', args, { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    assert.ok(child.stdout);
    const [line] = await once(child.stdout, 'data');
    const [, local] = /127\.0\.0\.1:(\d+) ->/.exec(String(line)) ?? [];
    assert.ok(local, String(line));
    return await use(`http://127.0.0.1:${local}`);
  } finally {
    child.kill();
  }
}

describe('a real node', () => {
  it('joins with the printed command, and is ready', async () => {
    await joined.join(await joinCommand());
    const node = await readyNode();
    assert.match(node.status?.nodeInfo?.containerRuntimeVersion ?? '', /^containerd:/);
    const request = (await requests()).find(({ spec }) => spec.username?.startsWith('system:bootstrap:'));
    assert.equal(request?.spec.signerName, 'kubernetes.io/kube-apiserver-client-kubelet');
    assert.ok(isConditionTrue(request.status?.conditions, 'Approved'));
  });

  it('gets a serving certificate for its own addresses', async () => {
    const serving = await until(
      'its serving certificate is signed',
      async () => (await requests()).find(({ spec }) => spec.signerName === 'kubernetes.io/kubelet-serving'),
      (request) => (request?.status?.certificate ?? '') !== '',
      PATIENCE,
    );
    assert.equal(serving?.spec.username, `system:node:${NAME}`);
  });

  it('runs a Deployment whose pods become ready by what they answer', async () => {
    const file = join(folder, 'web.json');
    await writeFile(file, DEPLOYMENT);
    await up.kubectl('apply', '-f', file);
    await up.kubectl('rollout', 'status', 'deployment/web', '--timeout=100s');
    const pods = await podsOf('app=web');
    assert.equal(pods.length, 2);
    for (const { spec, status } of pods) {
      assert.equal(spec?.nodeName, NAME);
      assert.match(status?.podIP ?? '', /^10\.199\.64\./);
    }
  });

  it('shows what a container printed, and runs commands in it', async () => {
    assert.match(await up.kubectl('logs', 'deployment/web'), /^serving$/m);
    const said = await up.kubectl(
      'exec',
      'deployment/web',
      '--',
      'sh',
      '-c',
      'echo from $(cat /www/index.html)',
    );
    assert.equal(said, 'from hello\n');
  });

  it('takes and gives files, and leads to ports', async () => {
    const [pod] = await podsOf('app=web');
    const name = pod?.metadata.name ?? '';
    await up.kubectl('cp', join(folder, 'web.json'), `${name}:/tmp/web.json`);
    await up.kubectl('cp', `${name}:/tmp/web.json`, join(folder, 'back.json'));
    assert.equal(await readFile(join(folder, 'back.json'), 'utf8'), DEPLOYMENT);
    const answer = await withForward(name, 8080, async (url) => (await fetch(`${url}/index.html`)).text());
    assert.equal(answer, 'hello\n');
  });

  it("leads to services with the real kube-proxy, by its account's role alone", async () => {
    const logFile = join(folder, 'kube-proxy.log');
    await using _ = await startKubeProxy(machine, up, { nodeName: NAME, logFile });
    await up.kubectl('expose', 'deployment/web', '--port=80', '--target-port=8080');
    const address = await up.kubectl('get', 'service', 'web', '-o', 'jsonpath={.spec.clusterIP}');
    const answered = (text: string): boolean => text.endsWith('hello\n');
    const fromNode = () => insideGet(machine, `http://${address}/index.html`);
    await until('the node reaches the service', fromNode, answered);
    const ask = `printf 'GET /index.html HTTP/1.0\\r\\n\\r\\n' | nc ${address} 80`;
    const fromPod = () => up.kubectl('exec', 'deployment/web', '--', 'sh', '-c', ask);
    await until('a pod reaches the service', fromPod, answered);
  });

  it('is asked what it measures', async () => {
    const path = `/apis/metrics.k8s.io/v1beta1/nodes/${NAME}`;
    // More than what two small containers are simulated to use.
    const { usage } = await until(
      'its memory is measured',
      async () => JSON.parse(await up.kubectl('get', '--raw', path)) as { usage: { memory: string } }, // a NodeMetrics
      ({ usage: { memory } }) => Quantity.parse(memory).value() > 100 * 2 ** 20,
    );
    assert.match(usage.memory, /^\d+Ki$/);
  });

  it('keeps its containers when its kubelet is killed and started again', async () => {
    const idsOf = async () =>
      (await podsOf('app=web'))
        .map(({ status }) => status?.containerStatuses?.[0]?.containerID ?? '')
        .toSorted((a, b) => a.localeCompare(b));
    const before = await idsOf();
    await joined.kill();
    await joined.start();
    const said = await until(
      'it answers',
      () => up.kubectl('exec', 'deployment/web', '--', 'cat', '/www/index.html'),
      (text) => text !== '',
    );
    assert.equal(said, 'hello\n');
    assert.deepEqual(await idsOf(), before);
  });

  it('leaves: its pods wait for another node, and it is back only while it has its certificate', async () => {
    await up.kubectl('drain', NAME, '--ignore-daemonsets', '--delete-emptydir-data', '--timeout=60s');
    const pods = await podsOf('app=web');
    assert.ok(pods.length === 2 && pods.every(({ spec }) => (spec?.nodeName ?? '') === ''));
    await joined.stop();
    await up.kubectl('delete', 'node', NAME);
    await assert.rejects(up.client.resource(Node).get(NAME), isNotFound);
    // As with Kubernetes: a certificate counts until its end, whether there is a Node or not.
    await joined.start();
    await readyNode();
    await joined.stop();
    await up.kubectl('delete', 'node', NAME);
  });

  it('joins anew when its files were deleted', async () => {
    await joined.forget();
    await joined.join(await joinCommand());
    await readyNode();
    await up.kubectl('rollout', 'status', 'deployment/web', '--timeout=100s');
  });
});
