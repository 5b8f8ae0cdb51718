// `windlass directpv controller` and `node`, each as a program of its own, from an empty cluster to a volume.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { Node, PersistentVolume, PersistentVolumeClaim } from '@windlass/apimachinery/api/core/v1';
import { CSINode } from '@windlass/apimachinery/api/storage/v1';
import { until } from '@windlass/base/testing/until';
import { createClient } from '@windlass/client';
import { startCluster } from '@windlass/cluster';
import { CsiClient, RegistrationClient } from '@windlass/csi';
import { DirectPVDrive, DirectPVVolume, DRIVER_NAME, TOPOLOGY_KEYS } from '@windlass/directpv';
import { main } from '../main.ts';
import { RecordingTerminal } from '../testing/recording-terminal.ts';

const never = new AbortController().signal;

describe('directpv controller and node', () => {
  let place: Awaited<ReturnType<typeof temporaryCluster>>;
  before(async () => {
    place = await temporaryCluster();
  });
  after(() => place[Symbol.asyncDispose]());

  for (const [args, says] of [
    [['node'], '--kube-node-name is missing: say which node this is'],
    [['controller', '--csi-endpoint', 'tcp://x'], '--csi-endpoint must be such as unix:///csi/csi.sock'],
    [['controller', '--readiness-port', 'x'], '--readiness-port must be a number from 0 to 65535'],
    [
      ['node', '--node', 'n', '--loop-devices', 'loop1,sdb'],
      '--loop-devices must be none, all, or such as loop3,loop4, but it has "sdb"',
    ],
    [['controller', '--snapshots', 'some'], '--snapshots must be all, contents, none, but it is "some"'],
    [['node', '--node', 'n', '--quota', 'none'], '--quota must be required or preferred, but it is "none"'],
    [
      ['node', '--node', 'n', '--directory', 'd', '--drives', 'sda=much'],
      '--drives must be such as sda=10Gi',
    ],
    [['controller', '--nonsense'], '--nonsense is no flag'],
  ] as const)
    it(`refuse "windlass directpv ${args.join(' ')}"`, async () => {
      const terminal = new RecordingTerminal();
      assert.equal(await main(['directpv', ...args, ...place.kubeconfig], terminal, never), 2);
      assert.ok(terminal.errors.includes(says), terminal.errors);
    });

  it('make a volume for a claim, and stop cleanly', async () => {
    const { client, directory, kubeconfig } = place;
    const directpv = async (...args: string[]): Promise<string> => {
      const terminal = new RecordingTerminal();
      const code = await main(['directpv', ...args, ...kubeconfig], terminal, never);
      assert.equal(code, 0, terminal.errors);
      return terminal.output;
    };
    await directpv('install');
    await client.resource(Node).create({
      metadata: { name: 'n1', labels: { 'example.com/zone': 'east' } },
    });

    const stop = new AbortController();
    const said = new RecordingTerminal();
    const start = (process: string, args: readonly string[]): Promise<number> => {
      const common = [
        `--csi-endpoint=unix://${directory}/${process}.sock`,
        '--kube-node-name=n1',
        '--bind-address=127.0.0.1',
        '--readiness-port=0',
        '--metrics-port=0',
        '--log-level=warn',
      ];
      return main(['directpv', process, ...kubeconfig, ...common, ...args], said, stop.signal);
    };
    const running = [
      start('controller', ['--leader-elect']),
      start('node', [
        '--zone=label:example.com/zone',
        '--rack=r1',
        `--directory=${join(directory, 'disks')}`,
        '--drives=sdb=2Gi,sdc=1Gi',
        `--root=${join(directory, 'root')}`,
        `--registration-dir=${join(directory, 'reg')}`,
        '--kubelet-registration-path=/seen/by/kubelet.sock',
      ]),
    ];
    const early = Promise.race(running).then(() => assert.fail(`a process ended: ${said.errors}`));
    const scenario = async (): Promise<void> => {
      // What a kubelet would do with the registration.
      await appears(join(directory, 'reg', `${DRIVER_NAME}-reg.sock`));
      const registration = new RegistrationClient({
        socketPath: join(directory, 'reg', `${DRIVER_NAME}-reg.sock`),
      });
      const info = await registration.getInfo({});
      assert.deepEqual(
        [info.type, info.name, info.endpoint],
        ['CSIPlugin', DRIVER_NAME, '/seen/by/kubelet.sock'],
      );
      await registration[Symbol.asyncDispose]();
      await using driver = new CsiClient({ socketPath: join(directory, 'node.sock') });
      const { nodeId, accessibleTopology } = await driver.nodeGetInfo({});
      assert.equal(accessibleTopology?.segments['directpv.min.io/zone'], 'east');
      assert.equal(accessibleTopology.segments['directpv.min.io/rack'], 'r1');
      await client.resource(CSINode).create({
        metadata: { name: 'n1' },
        spec: { drivers: [{ name: DRIVER_NAME, nodeID: nodeId, topologyKeys: [...TOPOLOGY_KEYS] }] },
      });
      await client
        .resource(Node)
        .patch('n1', { metadata: { labels: accessibleTopology.segments } }, { type: 'merge' });

      const file = join(directory, 'drives.yaml');
      assert.match(await directpv('discover', '--output-file', file), /n1 +│ sdb +│ 2.0 GiB/);
      assert.match(await readFile(file, 'utf8'), /name: sdc/);
      assert.match(await directpv('init', file, '--dangerous'), /sdb +│ Success[\s\S]*sdc +│ Success/);
      assert.match(await directpv('info'), /2 drives\n$/);

      await client
        .resource(PersistentVolumeClaim)
        .namespace('default')
        .create({
          metadata: { name: 'my-app-pvc', annotations: { 'volume.kubernetes.io/selected-node': 'n1' } },
          spec: {
            accessModes: ['ReadWriteOnce'],
            storageClassName: 'directpv-min-io',
            resources: { requests: { storage: '512Mi' } },
          },
        });
      // A controller of the control plane says so once a pod wants the claim.
      const claims = client.resource(PersistentVolumeClaim).namespace('default');
      await claims.patch(
        'my-app-pvc',
        { metadata: { annotations: { 'volume.kubernetes.io/storage-provisioner': DRIVER_NAME } } },
        { type: 'merge' },
      );
      for await (const { type, object } of client.resource(PersistentVolume).watch({ signal: stop.signal })) {
        if (type !== 'ADDED') continue;
        assert.equal(object.spec?.csi?.driver, DRIVER_NAME);
        break;
      }
      const [volume] = (await client.resource(DirectPVVolume).list()).items;
      assert.equal(volume?.status.totalCapacity, 512 * 2 ** 20);
      const drive = await client.resource(DirectPVDrive).get(volume.status.fsuuid);
      assert.equal(drive.status.allocatedCapacity, 512 * 2 ** 20);
      assert.equal(drive.status.topology['directpv.min.io/zone'], 'east');
      assert.match(await directpv('list', 'volumes', '--all', '--pvc'), /Pending +│ default\/my-app-pvc/);
    };
    await Promise.race([scenario(), early]);
    stop.abort();
    assert.deepEqual(await Promise.all(running), [0, 0], said.errors);
    early.catch(() => {});
    for (const socket of ['controller.sock', 'node.sock', `reg/${DRIVER_NAME}-reg.sock`])
      assert.ok(!existsSync(join(directory, socket)), `${socket} is gone`);
  });
});

/** Sockets are made without anybody being told. */
async function appears(path: string): Promise<void> {
  await until(`${path} is there`, () => existsSync(path));
}

async function temporaryCluster() {
  const directory = await mkdtemp(join(tmpdir(), 'wdp-'));
  const cluster = await startCluster({ dataDir: directory, inMemory: true, port: 0 });
  return {
    directory,
    kubeconfig: ['--kubeconfig', cluster.kubeconfigPath ?? ''],
    client: createClient({ transport: cluster.transport() }),
    async [Symbol.asyncDispose]() {
      await cluster.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
