// `windlass scheduler` and `windlass kubelet`, each as a program of its own beside an API server.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { isConditionTrue } from '@windlass/apimachinery';
import { ConfigMap, Namespace, Node, Pod, ServiceAccount } from '@windlass/apimachinery/api/core/v1';
import { createClient, loadConfig } from '@windlass/client';
import { main } from '../main.ts';
import { RecordingTerminal } from '../testing/recording-terminal.ts';

describe('scheduler and kubelet', () => {
  for (const [args, says] of [
    [['kubelet', '--node-name'], '--node-name needs a value'],
    [['kubelet', '--capacity', 'cpu'], '--capacity must be pairs such as a=1,b=2, but it is "cpu"'],
    [['scheduler', '--metrics-port', 'x'], '--metrics-port must be a number from 0 to 65535, but it is "x"'],
    [['apiserver', '--nodes', '3'], '--nodes is for windlass up; an API server alone has none'],
    [
      ['apiserver', '--namespace-defaults=maybe'],
      '--namespace-defaults must be true or false, but it is "maybe"',
    ],
    [['up', '--nodes', 'many'], '--nodes must be a number from 0 to 10000, but it is "many"'],
  ] as const)
    it(`refuse "windlass ${args.join(' ')}"`, async () => {
      const terminal = new RecordingTerminal();
      assert.equal(await main(args, terminal, new AbortController().signal), 2);
      assert.ok(terminal.errors.includes(says), terminal.errors);
    });

  it('are not needed by an API server alone, which makes no service accounts', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'windlass-alone-'));
    const server = new AbortController();
    const terminal = new RecordingTerminal();
    const flags = ['--data-dir', directory, '--in-memory', '--port', '0', '--output', 'json'];
    const serving = main(['apiserver', ...flags], terminal, server.signal);
    await Promise.race([terminal.printed('ready'), serving]);
    const client = createClient({ config: await loadConfig({ path: join(directory, 'kubeconfig') }) });
    assert.deepEqual((await client.resource(ServiceAccount).list()).items, []);
    const maps = (await client.resource(ConfigMap).list()).items;
    assert.deepEqual(
      maps.filter(({ metadata }) => metadata.namespace !== 'kube-system'),
      [],
    );
    assert.ok((await client.resource(Namespace).list()).items.length > 0);
    await client.close();
    server.abort();
    assert.equal(await serving, 0);
    await rm(directory, { recursive: true, force: true });
  });

  it('run pods on any cluster', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'windlass-nodes-'));
    const [server, parts] = [new AbortController(), new AbortController()];
    const terminal = new RecordingTerminal();
    const flags = ['--data-dir', directory, '--in-memory', '--port', '0', '--output', 'json'];
    const serving = main(['apiserver', ...flags, '--namespace-defaults', 'true'], terminal, server.signal);
    await Promise.race([terminal.printed('ready'), serving]);
    const kubeconfig = ['--kubeconfig', join(directory, 'kubeconfig'), '--log-level', 'error'];
    const said = new RecordingTerminal();
    const kubelet = [
      'kubelet',
      ...kubeconfig,
      '--node-name',
      'edge',
      '--node-labels=site=a',
      '--capacity',
      'cpu=2',
    ];
    const running = [
      main(kubelet, said, parts.signal),
      main(['scheduler', ...kubeconfig], said, parts.signal),
    ];
    const client = createClient({ config: await loadConfig({ path: join(directory, 'kubeconfig') }) });
    const nodes = client.resource(Node);
    for await (const { type, object } of nodes.watch({
      sendInitialEvents: true,
      resourceVersionMatch: 'NotOlderThan',
    })) {
      if (type === 'BOOKMARK' || !isConditionTrue(object.status?.conditions, 'Ready')) continue;
      assert.equal(object.metadata?.labels?.['site'], 'a');
      assert.equal(object.status?.capacity?.['cpu'], '2');
      break;
    }
    // No controller is here that would say that the node takes pods.
    await nodes.patch('edge', { spec: { taints: [] } }, { type: 'merge' });
    const pods = client.resource(Pod).namespace('default');
    const { metadata } = await pods.create({
      metadata: { name: 'web' },
      spec: { containers: [{ name: 'web', image: 'nginx' }] },
    });
    for await (const { object } of pods.watch({ resourceVersion: metadata.resourceVersion }))
      if ('status' in object && object.status?.phase === 'Running') break;
    await client.close();
    parts.abort();
    assert.deepEqual(await Promise.all(running), [0, 0], said.errors);
    server.abort();
    assert.equal(await serving, 0);
    await rm(directory, { recursive: true, force: true });
  });
});
