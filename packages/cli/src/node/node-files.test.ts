import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { thisMachine } from './machine.ts';
import { DEFAULT_KUBELET_DIR, kubeletArguments, type NodeSettings, nodeFiles } from './node-files.ts';

const CLUSTER = { server: 'https://192.0.2.7:7443', authority: 'PEM' };
const SETTINGS: NodeSettings = {
  kubernetesDir: '/etc/kubernetes',
  kubeletDir: DEFAULT_KUBELET_DIR,
  criSocket: 'unix:///run/containerd/containerd.sock',
  cgroupDriver: undefined,
  nodeName: undefined,
  nodeIp: undefined,
};
const machineWith = (...paths: string[]) => thisMachine((path) => paths.includes(path));
const MODERN = machineWith('/sys/fs/cgroup/cgroup.controllers', '/run/systemd/system');

function filesOf(more: Partial<NodeSettings> = {}, machine = MODERN, config = {}) {
  const files = nodeFiles(
    CLUSTER,
    { token: 'abcdef.0123456789abcdef', config, machine },
    { ...SETTINGS, ...more },
  );
  return new Map(files.map((file) => [file.path, file]));
}
function configOf(...args: Parameters<typeof filesOf>) {
  const { kubeletDir = DEFAULT_KUBELET_DIR } = args[0] ?? {};
  return JSON.parse(filesOf(...args).get(`${kubeletDir}/config.yaml`)?.text ?? '') as Record<string, unknown>; // our own
}

describe('the files of a node', () => {
  it('are where kubeadm has them, and the token is for root alone', () => {
    const modes = [...filesOf().values()].map(({ path, mode }) => [path, mode.toString(8)]);
    assert.deepEqual(modes, [
      ['/etc/kubernetes/bootstrap-kubelet.conf', '600'],
      ['/etc/kubernetes/pki/ca.crt', '644'],
      ['/var/lib/kubelet/config.yaml', '644'],
      ['/var/lib/kubelet/kubeadm-flags.env', '644'],
    ]);
    for (const { path, text } of filesOf().values())
      assert.equal(text.includes('0123456789abcdef'), path.endsWith('bootstrap-kubelet.conf'), path);
  });

  it('have the flags of the node', () => {
    const named = { nodeName: 'rack-1', nodeIp: '192.0.2.8' };
    assert.equal(
      filesOf(named).get('/var/lib/kubelet/kubeadm-flags.env')?.text,
      'KUBELET_KUBEADM_ARGS="--hostname-override=rack-1 --node-ip=192.0.2.8"\n',
    );
    assert.deepEqual(kubeletArguments({ ...SETTINGS, ...named }).slice(-2), [
      '--hostname-override=rack-1',
      '--node-ip=192.0.2.8',
    ]);
  });
});

describe("the kubelet's configuration", () => {
  it('is what the cluster says, with what the machine is', () => {
    const config = configOf({}, MODERN, {
      clusterDNS: ['10.0.0.10'],
      authentication: { webhook: { enabled: true, cacheTTL: '1m' }, x509: { clientCAFile: '/elsewhere' } },
    });
    assert.deepEqual(config['clusterDNS'], ['10.0.0.10']);
    assert.deepEqual(config['authentication'], {
      anonymous: { enabled: false },
      webhook: { enabled: true, cacheTTL: '1m' },
      x509: { clientCAFile: '/etc/kubernetes/pki/ca.crt' },
    });
    assert.equal(config['containerRuntimeEndpoint'], SETTINGS.criSocket);
    assert.ok(!('failCgroupV1' in config) && !('podLogsDir' in config) && !('resolvConf' in config));
  });

  for (const [what, settings, machine, config, driver] of [
    ['of systemd where it runs', {}, MODERN, {}, 'systemd'],
    ['cgroupfs without it', {}, machineWith('/sys/fs/cgroup/cgroup.controllers'), {}, 'cgroupfs'],
    ['what the cluster says', {}, MODERN, { cgroupDriver: 'cgroupfs' }, 'cgroupfs'],
    [
      'what the flag says',
      { cgroupDriver: 'systemd' },
      machineWith(),
      { cgroupDriver: 'cgroupfs' },
      'systemd',
    ],
  ] as const)
    it(`has as driver of control groups ${what}`, () =>
      assert.equal(configOf(settings, machine, config)['cgroupDriver'], driver));

  it('lets it run with control groups of version 1', () =>
    assert.equal(configOf({}, machineWith())['failCgroupV1'], false));

  it('names a resolver that pods can reach', () => {
    const resolved = '/run/systemd/resolve/resolv.conf';
    assert.equal(configOf({}, machineWith(resolved))['resolvConf'], resolved);
  });

  it('keeps a kubelet that is not in the usual folder to its own', () => {
    const config = configOf({ kubeletDir: '/srv/k' });
    assert.deepEqual(
      [config['podLogsDir'], config['volumePluginDir']],
      ['/srv/k/pod-logs', '/srv/k/volume-plugins'],
    );
  });
});
