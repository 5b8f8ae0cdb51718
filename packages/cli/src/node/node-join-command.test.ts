// windlass token and windlass node join, against a cluster of this process.
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type RunningCluster, startCluster } from '@windlass/cluster';
import { main } from '../main.ts';
import { RecordingTerminal } from '../testing/recording-terminal.ts';

const { signal } = new AbortController();
const HASH = `sha256:${'0'.repeat(64)}`;
const TOKEN = 'abcdef.0123456789abcdef';
let folder: string;
let cluster: RunningCluster;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'windlass-join-'));
  cluster = await startCluster({
    dataDir: join(folder, 'data'),
    inMemory: true,
    port: 0,
    controllers: ['bootstrapsigner', 'tokencleaner'],
    acceptsNodes: true,
  });
});

after(async () => {
  await cluster?.stop();
  await rm(folder, { recursive: true, force: true });
});

async function windlass(...args: string[]): Promise<{ code: number; output: string; errors: string }> {
  const terminal = new RecordingTerminal();
  const code = await main(args, terminal, signal);
  return { code, output: terminal.output, errors: terminal.errors };
}
const token = (...args: string[]) => windlass('token', ...args, '--data-dir', join(folder, 'data'));
const places = (name: string): string[] => [
  '--kubernetes-dir',
  join(folder, name, 'etc'),
  '--kubelet-dir',
  join(folder, name, 'kubelet'),
];

describe('a token', () => {
  it('is made, shown and deleted', async () => {
    const made = await token('create', TOKEN, '--description', 'rack one', '--ttl', '0');
    assert.deepEqual([made.code, made.output], [0, `${TOKEN}\n`]);
    const listed = await token('list');
    assert.match(
      listed.output,
      /^abcdef\.0123456789abcdef +forever +never +signing,authentication +rack one +system:bootstrappers:kubeadm:default-node-token$/m,
    );
    const again = await token('create', TOKEN);
    assert.deepEqual([again.code, again.errors.includes('there is a token abcdef already')], [2, true]);
    const [first] = JSON.parse((await token('list', '--output', 'json')).output) as [{ token: string }]; // as it prints
    assert.equal(first.token, TOKEN);
    assert.equal((await token('delete', 'abcdef')).output, 'deleted the token abcdef\n');
    assert.match((await token('list')).output, /there are no tokens/);
    assert.match((await token('delete', TOKEN)).errors, /there is no token abcdef/);
  });

  for (const [args, says] of [
    [['create', 'short'], 'a token must be 6 and 16 of a-z and 0-9'],
    [
      ['create', '--ttl', '-1h'],
      '--ttl must be a time of at least 1s, such as 24h, or 0 for ever, but it is "-1h"',
    ],
    [['create', '--ttl', 'soon'], '--ttl must be a time of at least 1s'],
    [['create', '--usages', 'fly'], '--usages must name some of signing,authentication, but it has "fly"'],
    [['create', '--groups', 'system:masters'], 'but it has "system:masters"'],
    [['create', '--context', 'x'], '--context needs --kubeconfig'],
    [['create', TOKEN, TOKEN], 'takes one token'],
    [['delete'], 'takes a token, or its first half'],
    [['crate'], 'there is no command windlass token crate; did you mean windlass token create?'],
  ] as const)
    it(`is refused: ${args.join(' ')}`, async () => {
      const { code, errors } = await token(...args);
      assert.deepEqual([code, errors.includes(says)], [2, true], errors);
    });
});

describe('a machine', () => {
  it('becomes a node by the printed command, once', async () => {
    const { output, errors } = await token('create', '--print-join-command');
    assert.match(
      output,
      /^windlass node join 127\.0\.0\.1:\d+ --token \S+ --discovery-token-ca-cert-hash sha256:[0-9a-f]{64}\n$/,
    );
    assert.match(errors, /only this machine reaches 127\.0\.0\.1:\d+; for others/);
    const command = output.trim().split(' ').slice(1);
    const done = await windlass(...command, '--node-name', 'rack-1', ...places('one'));
    assert.equal(done.code, 0, done.errors);
    assert.match(done.output, /--hostname-override=rack-1/);
    const bootstrap = join(folder, 'one/etc/bootstrap-kubelet.conf');
    assert.equal((await stat(bootstrap)).mode & 0o777, 0o600);
    const config = JSON.parse(await readFile(join(folder, 'one/kubelet/config.yaml'), 'utf8')) as {
      clusterDNS: string[];
    }; // our own
    // What the cluster has for all kubelets was read with the token.
    assert.deepEqual(config.clusterDNS, ['10.0.0.10']);
    await writeFile(join(folder, 'one/etc/kubelet.conf'), '');
    const second = await windlass(...command, ...places('one'));
    assert.deepEqual([second.code, /is a node already/.test(second.errors)], [2, true]);
  });

  it('runs the kubelet when it is told to, and ends as it does', async () => {
    const { output } = await token('create', '--print-join-command');
    const kubelet = join(folder, 'kubelet.sh');
    await writeFile(kubelet, `#!/bin/sh\necho "$@" > ${folder}/said\nexit 7\n`, { mode: 0o755 });
    const command = [...output.trim().split(' ').slice(1), ...places('two'), '--run', '--kubelet', kubelet];
    assert.equal((await windlass(...command, '--', '--v=4')).code, 7);
    assert.match(await readFile(join(folder, 'said'), 'utf8'), /^--bootstrap-kubeconfig=\S+ .* --v=4\n$/);
    const missing = await windlass(...command.slice(0, -1), join(folder, 'nowhere'));
    assert.match(missing.errors, /the kubelet cannot be started: .*ENOENT; --kubelet says where it is/);
  });

  it('is told when the token may sign but not authenticate', async () => {
    const { output } = await token('create', '--print-join-command', '--usages', 'signing');
    const { errors } = await windlass(...output.trim().split(' ').slice(1), ...places('three'));
    assert.match(errors, /the token is not one to authenticate with/);
  });

  it('says which file it may not write', async () => {
    const { output } = await token('create', '--print-join-command');
    await mkdir(join(folder, 'four'), { recursive: true });
    await writeFile(join(folder, 'four/etc'), '');
    const { code, errors } = await windlass(...output.trim().split(' ').slice(1), ...places('four'));
    assert.deepEqual([code, errors.includes('four/etc')], [1, true], errors);
  });

  const good = ['192.0.2.7:7443', '--token', TOKEN];
  for (const [args, says] of [
    [[], 'takes one address, such as 192.0.2.7:7443'],
    [['192.0.2.7'], 'the address must be one with a port, such as 192.0.2.7:7443, but it is "192.0.2.7"'],
    [['https://192.0.2.7:7443', '--token', TOKEN], 'the address must be one with a port'],
    [['192.0.2.7:7443'], '--token is needed'],
    [good, '--discovery-token-ca-cert-hash is needed'],
    [[...good, '--discovery-token-ca-cert-hash', 'md5:1'], 'but it is "md5:1"'],
    [[...good, '--discovery-token-ca-cert-hash', HASH, '--node-name', 'A B'], '--node-name must be'],
    [[...good, '--discovery-token-ca-cert-hash', HASH, '--node-ip', 'x'], '--node-ip must be an address'],
    [
      [...good, '--discovery-token-ca-cert-hash', HASH, '--cri-socket', '/run/x'],
      '--cri-socket must be a path such as',
    ],
    [[...good, '--discovery-token-ca-cert-hash', HASH, '--cgroup-driver', 'v2'], '--cgroup-driver must be'],
    [[...good, '--discovery-token-ca-cert-hash', HASH, '--kubelet', 'k'], '--kubelet needs --run'],
    [[...good, '--discovery-token-ca-cert-hash', HASH, '--', '--v=2'], 'flags for the kubelet need --run'],
  ] as const)
    it(`is refused: ${args.join(' ')}`, async () => {
      const { code, errors } = await windlass('node', 'join', ...args);
      assert.deepEqual([code, errors.includes(says)], [2, true], errors);
    });
});
