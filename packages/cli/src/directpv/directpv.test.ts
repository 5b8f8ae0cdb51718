// Every administration command through its command line, against the embedded server: what it prints, to the
// letter, and what it leaves in the cluster.
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { decodeYaml } from '@windlass/apimachinery';
import { PersistentVolume, Pod } from '@windlass/apimachinery/api/core/v1';
import { nextTurn } from '@windlass/base';
import { DirectPVDrive, DirectPVInitRequest, DirectPVVolume, LABELS } from '@windlass/directpv';
import { buildDrive, buildVolume } from '@windlass/directpv/testing';
import { RecordingTerminal } from '../testing/recording-terminal.ts';
import { PluginBench } from './testing.ts';

const GI = 2 ** 30;
const id = (digit: string): string =>
  `${digit.repeat(8)}-${digit.repeat(4)}-4${digit.repeat(3)}-8${digit.repeat(3)}-${digit.repeat(12)}`;
const [A, B, C] = [id('a'), id('b'), id('c')];
const CLAIM = id('7');

let bench: PluginBench;
let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'windlass-directpv-'));
});
after(() => rm(folder, { recursive: true }));

/** One cluster for the tests of a group that only read. */
function once(prepare: () => Promise<void> = async () => {}): void {
  before(async () => {
    bench = await PluginBench.start();
    await prepare();
  });
  after(() => bench[Symbol.asyncDispose]());
}

/** A cluster for each test. */
function eachAnew(prepare: () => Promise<void> = async () => {}): void {
  beforeEach(async () => {
    bench = await PluginBench.start();
    await prepare();
  });
  afterEach(() => bench[Symbol.asyncDispose]());
}

/** Two drives on node-1, one of them with two volumes, and a lost one on node-2. */
async function threeDrives(): Promise<void> {
  const drives = bench.client.resource(DirectPVDrive);
  const volumes = bench.client.resource(DirectPVVolume);
  const a = buildDrive({ fsuuid: A, volumes: { 'pvc-1': GI, 'pvc-2': 2 * GI } });
  await drives.create({ ...a, status: { ...a.status, make: 'ACME Disk' } });
  await drives.create(
    buildDrive({
      fsuuid: B,
      labels: { [LABELS.driveName]: 'sdc', [LABELS.suspend]: 'true' },
      unschedulable: true,
    }),
  );
  await drives.create(buildDrive({ fsuuid: C, node: 'node-2', status: 'Lost' }));
  await volumes.create(
    withLabels(buildVolume({ name: 'pvc-1', fsuuid: A, stagingTargetPath: '/s', targetPath: '/t' }), {
      [LABELS.podName]: 'web-0',
      [LABELS.podNamespace]: 'shop',
    }),
  );
  await volumes.create(buildVolume({ name: 'pvc-2', fsuuid: A, totalCapacity: 2 * GI }));
}

function withLabels<T extends DirectPVDrive | DirectPVVolume>(object: T, labels: Record<string, string>): T {
  return { ...object, metadata: { ...object.metadata, labels: { ...object.metadata?.labels, ...labels } } };
}

const drive = (name: string): Promise<DirectPVDrive> => bench.client.resource(DirectPVDrive).get(name);
const volume = (name: string): Promise<DirectPVVolume> => bench.client.resource(DirectPVVolume).get(name);

describe('list drives', () => {
  once(threeDrives);

  it('shows those that are ready', async () => {
    const { code, output } = await bench.run('list', 'drives');
    assert.equal(
      output,
      `┌──────────────────────────────────────┬────────┬──────┬───────────┬────────┬─────────┬─────────┬────────────────────────────────────┐
│ DRIVE ID                             │ NODE   │ NAME │ MAKE      │ SIZE   │ FREE    │ VOLUMES │ STATUS                             │
├──────────────────────────────────────┼────────┼──────┼───────────┼────────┼─────────┼─────────┼────────────────────────────────────┤
│ ${A} │ node-1 │ sdb  │ ACME Disk │ 10 GiB │ 7.0 GiB │ 2       │ Ready                              │
│ ${B} │ node-1 │ sdc  │ -         │ 10 GiB │ 10 GiB  │ -       │ Ready,SchedulingDisabled,Suspended │
└──────────────────────────────────────┴────────┴──────┴───────────┴────────┴─────────┴─────────┴────────────────────────────────────┘
`,
    );
    assert.equal(code, 0);
  });

  for (const [args, ids] of [
    [['--all'], [A, B, C]],
    [[C], [C]],
    [
      [C, '--nodes', 'node-1'],
      [A, B, C],
    ],
    [
      ['--nodes=node-{1...3}', '--all'],
      [A, B, C],
    ],
    [['--drives', '/dev/sd{c...d}'], [B]],
    [['-n', 'node-1', '-d', 'sdb,sdx'], [A]],
    [['--status=LOST'], [C]],
    [['--labels', 'suspend=true'], [B]],
  ] as const)
    it(`takes ${args.join(' ')}`, async () => {
      const { output, code } = await bench.run('list', 'dr', ...args, '--no-headers');
      assert.deepEqual(
        output
          .trim()
          .split('\n')
          .map((line) => line.split(/\s+/)[0]),
        ids,
      );
      assert.equal(code, 0);
    });

  it('says so when nothing matches', async () => {
    assert.deepEqual(await bench.run('list', 'drives', '--nodes', 'node-9'), {
      code: 1,
      output: '',
      errors: 'no drive matches\n',
    });
    const { code, errors } = await bench.run('list', 'drives', A, 'none');
    assert.deepEqual([code, errors], [1, 'there is no drive none\n']);
  });

  it('weakness 30: -o wide shows more', async () => {
    const { output } = await bench.run('list', 'drives', A, '-o', 'wide', '--show-labels');
    const [, names = '', , row = ''] = output.split('\n');
    const cells = (line: string): string[] => line.split('│').map((cell) => cell.trim());
    assert.deepEqual(cells(names).slice(9, -1), [
      'ALLOCATED',
      'TIER',
      'RACK',
      'ZONE',
      'REGION',
      'PROBLEM',
      'LABELS',
    ]);
    assert.deepEqual(cells(row).slice(9, -2), ['3.0 GiB', 'Default', 'default', 'default', 'default', '-']);
    assert.match(row, /directpv\.min\.io\/access-tier=Default,directpv\.min\.io\/created-by=directpv-driver/);
  });

  it('says below the table why a drive is lost, and what it does not do', async () => {
    const problem = (type: string, message: string) => ({
      type,
      status: 'True' as const,
      reason: type,
      message,
      lastTransitionTime: '2026-01-01T00:00:00Z',
    });
    const drives = bench.client.resource(DirectPVDrive);
    await drives.patch(C, { status: { conditions: [problem('Lost', 'Device not found: it was on sdb')] } });
    await drives.patch(A, {
      status: {
        conditions: [problem('QuotaNotEnforced', 'no quotas'), problem('Overcommitted', 'too much')],
      },
    });
    await bench.client.resource(DirectPVVolume).patch('pvc-1', {
      status: {
        conditions: [problem('QuotaNotEnforced', 'no quotas'), problem('QuotaExceeded', 'too large')],
      },
    });
    const { output, errors } = await bench.run('list', 'drives', '--all');
    assert.match(output, /Ready,QuotaNotEnforced,Overcommitted/);
    assert.equal(
      errors,
      `Drive ${A} (node-1/sdb): no quotas\nDrive ${A} (node-1/sdb): too much\nDrive ${C} (node-2/sdb): Device not found: it was on sdb\n`,
    );
    assert.match(
      (await bench.run('list', 'drives', C, '-o', 'wide')).output,
      /Device not found: it was on sdb/,
    );
    const volumes = await bench.run('list', 'volumes', '--all');
    assert.match(volumes.output, /Bounded,QuotaNotEnforced,QuotaExceeded/);
    assert.match(volumes.errors, /^Volume pvc-1 \(node-1\/sdb\): no quotas\nVolume pvc-1 .*: too large\n$/);
    const { errors: summary } = await bench.run('info');
    assert.match(summary, /1 of the drives cannot be used now/);
    assert.match(summary, /1 of the drives have promised volumes more than they have/);
    assert.match(summary, /1 of the drives do not enforce quotas/);
  });

  it('prints whole objects as JSON and YAML', async () => {
    const json = JSON.parse((await bench.run('list', 'drives', A, '-o', 'json')).output) as {
      items: unknown[];
    };
    const yaml = decodeYaml((await bench.run('list', 'drives', A, '-o', 'yaml')).output).value;
    assert.deepEqual(json, yaml);
    assert.deepEqual(json, {
      apiVersion: 'directpv.min.io/v1beta1',
      kind: 'DirectPVDriveList',
      items: [{ ...(await drive(A)), apiVersion: 'directpv.min.io/v1beta1', kind: 'DirectPVDrive' }],
    });
  });
});

describe('list volumes', () => {
  eachAnew(threeDrives);

  it('shows all, with claims', async () => {
    await bench.client.resource(PersistentVolume).create({
      metadata: { name: 'pvc-1' },
      spec: {
        capacity: { storage: '1Gi' },
        accessModes: ['ReadWriteOnce'],
        csi: { driver: 'directpv-min-io', volumeHandle: 'pvc-1' },
        claimRef: { namespace: 'shop', name: 'data-web-0' },
      },
    });
    const { output, code } = await bench.run('list', 'volumes', '--all', '--pvc', '-o', 'wide');
    assert.equal(
      output,
      `┌────────┬──────────┬────────┬───────┬─────────┬──────────────┬─────────┬──────────────────────────────────────┬─────────────────┐
│ VOLUME │ CAPACITY │ NODE   │ DRIVE │ PODNAME │ PODNAMESPACE │ STATUS  │ DRIVE ID                             │ PVC             │
├────────┼──────────┼────────┼───────┼─────────┼──────────────┼─────────┼──────────────────────────────────────┼─────────────────┤
│ pvc-1  │ 1.0 GiB  │ node-1 │ sdb   │ web-0   │ shop         │ Bounded │ ${A} │ shop/data-web-0 │
│ pvc-2  │ 2.0 GiB  │ node-1 │ sdb   │ -       │ -            │ Pending │ ${A} │ -               │
└────────┴──────────┴────────┴───────┴─────────┴──────────────┴─────────┴──────────────────────────────────────┴─────────────────┘
`,
    );
    assert.equal(code, 0);
  });
});

describe('list volumes', () => {
  once(threeDrives);

  for (const [args, names] of [
    [[], ['pvc-1']],
    [['--status=pending'], ['pvc-2']],
    [
      ['--drive-id', A, '--all'],
      ['pvc-1', 'pvc-2'],
    ],
    [['--pod-names=web-{0...3}'], ['pvc-1']],
    [['--pod-namespaces=shop'], ['pvc-1']],
    [['pvc-{1...2}'], ['pvc-1', 'pvc-2']],
  ] as const)
    it(`takes ${args.join(' ')}`, async () => {
      const { output } = await bench.run('list', 'volumes', ...args, '--no-headers');
      assert.deepEqual(
        output
          .trim()
          .split('\n')
          .map((line) => line.split(/\s+/)[0]),
        names,
      );
    });

  it('says what becomes of a volume', async () => {
    const volumes = bench.client.resource(DirectPVVolume);
    const before = await volume('pvc-2');
    await volumes.replace({
      ...withLabels(before, { [LABELS.suspend]: 'true' }),
      metadata: {
        ...withLabels(before, { [LABELS.suspend]: 'true' }).metadata,
        finalizers: ['directpv.min.io/purge-protection'],
      },
    });
    await volumes.delete('pvc-2');
    const { output } = await bench.run('list', 'vol', 'pvc-2', '--no-headers');
    assert.match(output, /Released,Suspended,Deleting\n$/);
  });
});

describe('info', () => {
  eachAnew();

  it('counts drives and volumes of every node', async () => {
    await threeDrives();
    await bench.addNodes('node-1', 'node-3');
    const { output, code } = await bench.run('info');
    assert.equal(
      output,
      `┌────────┬──────────┬───────────┬─────────┬────────┐
│ NODE   │ CAPACITY │ ALLOCATED │ VOLUMES │ DRIVES │
├────────┼──────────┼───────────┼─────────┼────────┤
│ node-1 │ 20 GiB   │ 3.0 GiB   │ 2       │ 2      │
│ node-2 │ 10 GiB   │ -         │ -       │ 1      │
│ node-3 │ -        │ -         │ -       │ -      │
└────────┴──────────┴───────────┴─────────┴────────┘

3.0 GiB/30 GiB used, 2 volumes, 3 drives
`,
    );
    assert.equal(code, 0);
  });

  it('says so when there is nothing', async () => {
    const { code, errors } = await bench.run('info');
    assert.deepEqual(
      [code, errors],
      [1, 'no node runs the driver and there are no drives; install it first\n'],
    );
  });
});

describe('discover and init', () => {
  eachAnew();

  const devices = {
    'node-1': [
      {
        name: 'sdb',
        id: '8:16$bXkgZGlzaw+longer',
        majorMinor: '8:16',
        size: 512 * 2 ** 20,
        make: 'ACME Disk',
      },
      { name: 'sdc', id: '8:32$x', majorMinor: '8:32', size: GI, fsType: 'ext4' },
    ],
    'node-2': [{ name: 'sda', id: '8:0$y', majorMinor: '8:0', size: GI, deniedReason: 'Mounted; Swap' }],
  };

  it('writes what can be used, formats what is selected, and leaves no request behind', async () => {
    await bench.addNodes('node-1', 'node-2');
    bench.answerDiscovery(devices);
    const file = join(folder, 'drives.yaml');
    const found = await bench.run('discover', '--all', '--output-file', file);
    assert.equal(
      found.output,
      `┌─────────────────────┬────────┬───────┬─────────┬────────────┬───────────┬───────────┬───────────────┐
│ ID                  │ NODE   │ DRIVE │ SIZE    │ FILESYSTEM │ MAKE      │ AVAILABLE │ DESCRIPTION   │
├─────────────────────┼────────┼───────┼─────────┼────────────┼───────────┼───────────┼───────────────┤
│ 8:16$bXkgZGlzaw+... │ node-1 │ sdb   │ 512 MiB │ -          │ ACME Disk │ YES       │ -             │
│ 8:32$x              │ node-1 │ sdc   │ 1.0 GiB │ ext4       │ -         │ YES       │ -             │
│ 8:0$y               │ node-2 │ sda   │ 1.0 GiB │ -          │ -         │ NO        │ Mounted; Swap │
└─────────────────────┴────────┴───────┴─────────┴────────────┴───────────┴───────────┴───────────────┘
`,
    );
    assert.equal(found.code, 0);
    assert.match(
      found.errors,
      /^wrote .*drives\.yaml: 2 drives, all selected; init destroys what is on what is selected\n$/,
    );
    assert.equal(
      await readFile(file, 'utf8'),
      `version: v1
nodes:
- name: node-1
  drives:
  - id: 8:16$bXkgZGlzaw+longer
    name: sdb
    size: 536870912
    make: ACME Disk
    select: "yes"
  - id: 8:32$x
    name: sdc
    size: 1073741824
    make: ""
    fs: ext4
    select: "yes"
`,
    );

    const refused = await bench.run('init', file);
    assert.deepEqual(refused, {
      code: 2,
      output: '',
      errors: 'kubectl directpv: init destroys what is on the drives; add --dangerous if you mean it\n',
    });

    const requests: DirectPVInitRequest[] = [];
    const seen = new AbortController();
    const watching = (async () => {
      for await (const { type, object } of bench.client
        .resource(DirectPVInitRequest)
        .watch({ signal: seen.signal }))
        if (type === 'ADDED') requests.push(object);
    })().catch(() => {});
    bench.answerInit({ sdc: 'device state changed' });
    const { output, code } = await bench.run('init', file, '--dangerous');
    seen.abort();
    await watching;
    const [request] = requests;
    const requestId = request?.metadata?.labels?.[LABELS.requestId] ?? '';
    assert.equal(
      output,
      `┌──────────────────────────────────────┬────────┬───────┬─────────────────────────────┐
│ REQUEST_ID                           │ NODE   │ DRIVE │ MESSAGE                     │
├──────────────────────────────────────┼────────┼───────┼─────────────────────────────┤
│ ${requestId} │ node-1 │ sdb   │ Success                     │
│ ${requestId} │ node-1 │ sdc   │ ERROR; device state changed │
└──────────────────────────────────────┴────────┴───────┴─────────────────────────────┘
`,
    );
    assert.equal(code, 1);
    assert.deepEqual(request?.spec?.devices, [
      { id: '8:16$bXkgZGlzaw+longer', name: 'sdb', force: false },
      { id: '8:32$x', name: 'sdc', force: true },
    ]);
    assert.deepEqual((await bench.client.resource(DirectPVInitRequest).list()).items, []);
  });

  it('shows progress on a terminal, in a line that is gone at the end, and none in a pipe', async () => {
    await bench.addNodes('node-1');
    bench.answerDiscovery(devices);
    const args = ['discover', '--output-file', join(folder, 'progress.yaml')];
    const { errors } = await bench.runOn(new RecordingTerminal({ isTty: true }), ...args);
    assert.ok(errors.startsWith('\r\u001b[K1 of 1 nodes: node-1\r\u001b[Kwrote '), errors);
    const quiet = await bench.runOn(new RecordingTerminal({ isTty: true }), ...args, '--quiet');
    assert.equal(quiet.errors, '');
    assert.match((await bench.run(...args)).errors, /^wrote /);
  });

  it('says where it could not write', async () => {
    await bench.addNodes('node-1');
    bench.answerDiscovery(devices);
    const { code, errors } = await bench.run('discover', '--output-file', join(folder, 'no/such/x.yaml'));
    assert.equal(code, 2);
    assert.match(errors, /x\.yaml cannot be written: ENOENT.*; choose another with --output-file\n$/);
  });

  it('ends without the nodes that do not answer, and takes the requests back', async () => {
    await bench.addNodes('node-1');
    const found = await bench.run('discover', '--timeout', '50ms', '--nodes', 'node-{1...2}');
    assert.deepEqual(found, {
      code: 1,
      output: '',
      errors: 'node node-2 does not run the driver\nnode node-1 did not answer in time\n',
    });
    const file = join(folder, 'silent.yaml');
    const drives = (name: string): string =>
      `- {name: ${name}, drives: [{id: '8:16$a', name: sdb, select: yes}]}`;
    await writeFile(file, `version: v1\nnodes:\n${drives('node-1')}\n${drives('node-2')}\n`);
    const { output, code } = await bench.run('init', file, '--dangerous', '--timeout', '50ms');
    assert.equal(code, 1);
    assert.match(output, /node-1 │ sdb +│ ERROR; the node did not answer in time/);
    assert.match(output, /node-2 │ sdb +│ ERROR; the node does not run the driver/);
    assert.deepEqual((await bench.client.resource(DirectPVInitRequest).list()).items, []);
  });

  it('says why there is nothing to initialise', async () => {
    const none = await bench.run('discover');
    assert.match(none.errors, /^no node runs the driver; install it first/);
    assert.equal(none.code, 1);
    await bench.addNodes('node-2');
    bench.answerDiscovery(devices);
    const { code, errors } = await bench.run('discover', '--output-file', join(folder, 'none.yaml'));
    assert.deepEqual([code, errors], [1, 'no drive can be initialised; --all shows the others, and why\n']);
    await assert.rejects(readFile(join(folder, 'none.yaml')), { code: 'ENOENT' });
  });
});

describe('discover and init', () => {
  once();

  for (const [args, says] of [
    [['init'], 'name one file, such as drives.yaml; kubectl directpv discover makes it'],
    [['init', 'no-such.yaml', '--dangerous'], 'no-such.yaml cannot be read: ENOENT'],
    [['discover', '--timeout', 'soon'], '--timeout must be a time such as 90s or 2m, but it is "soon"'],
    [['discover', '--nodes', 'n{1..2}'], '"n{1..2}" is no name and no pattern'],
  ] as const)
    it(`refuses ${args.join(' ')}`, async () => {
      const { code, errors } = await bench.run(...args);
      assert.equal(code, 2);
      assert.ok(errors.startsWith(`kubectl directpv: ${says}`), errors);
    });
});

describe('cordon and uncordon', () => {
  eachAnew(threeDrives);

  it('changes drives, and says what it left alone', async () => {
    const { code, output, errors } = await bench.run('cordon', '--all');
    assert.equal(output, `Drive ${B} (node-1/sdc) was cordoned already\nDrive ${C} (node-2/sdb) cordoned\n`);
    assert.equal(
      errors,
      `Drive ${A} (node-1/sdb) was left alone: volume pvc-2 is pending on it; wait until its pod runs, or delete its claim\n`,
    );
    assert.equal(code, 1);
    assert.equal((await drive(C)).spec?.unschedulable, true);
    assert.equal((await bench.run('uncordon', C)).output, `Drive ${C} (node-2/sdb) uncordoned\n`);
    assert.equal((await drive(C)).spec?.unschedulable, undefined);
  });

  it('demands to be told which', async () => {
    const { code, errors } = await bench.run('cordon');
    assert.deepEqual(
      [code, errors],
      [
        2,
        'kubectl directpv: say which: by id, by flags, or --all; kubectl directpv cordon --help lists the flags\n',
      ],
    );
    assert.equal((await bench.run('cordon', A, '--all')).code, 2);
  });
});

describe('label', () => {
  eachAnew(threeDrives);

  it('sets and removes labels of drives and volumes', async () => {
    assert.equal(
      (await bench.run('label', 'drives', 'rank=fast', '--drives', 'sdb', '--nodes', 'node-1')).code,
      0,
    );
    assert.equal((await drive(A)).metadata?.labels?.['directpv.min.io/rank'], 'fast');
    const again = await bench.run('label', 'drives', 'rank=fast', '--ids', A);
    assert.equal(again.output, `Drive ${A} (node-1/sdb) has these labels already\n`);
    await bench.run('label', 'drives', 'rank-', '--labels', 'rank=fast');
    assert.equal((await drive(A)).metadata?.labels?.['directpv.min.io/rank'], undefined);
    await bench.run('label', 'volumes', 'tenant=a,example.com/x=y', '--pod-names', 'web-0');
    const { labels } = (await volume('pvc-1')).metadata ?? {};
    assert.deepEqual([labels?.['directpv.min.io/tenant'], labels?.['example.com/x']], ['a', 'y']);
  });

  it('weakness 6: sets the access tier of drives, which is otherwise the driver’s', async () => {
    assert.equal((await bench.run('label', 'drives', 'access-tier=hot', '--ids', A)).code, 0);
    assert.equal((await drive(A)).metadata?.labels?.[LABELS.accessTier], 'Hot');
    const { errors, code } = await bench.run('label', 'drives', 'access-tier=tepid', '--all');
    assert.deepEqual(
      [code, errors],
      [2, 'kubectl directpv: there is no access tier "tepid"; there are Default, Warm, Hot, Cold\n'],
    );
  });

  for (const label of [
    'node=x',
    'suspend=true',
    'volume-claim-id-x=true',
    'access-tier-',
    'a b=c',
    'a',
    '=',
    'a=!',
  ])
    it(`refuses ${label}`, async () => {
      const { code } = await bench.run('label', 'drives', label, '--all');
      assert.equal(code, 2);
      assert.deepEqual(bench.writes, []);
    });
});

describe('suspend and resume', () => {
  eachAnew(threeDrives);

  it('takes --dangerous to suspend, and none to resume', async () => {
    assert.equal((await bench.run('suspend', 'drives', A)).code, 2);
    assert.equal(
      (await bench.run('suspend', 'drives', A, '--dangerous')).output,
      `Drive ${A} (node-1/sdb) suspended\n`,
    );
    assert.equal((await drive(A)).metadata?.labels?.[LABELS.suspend], 'true');
    assert.equal((await bench.run('resume', 'drives', A)).output, `Drive ${A} (node-1/sdb) resumed\n`);
    assert.equal((await drive(A)).metadata?.labels?.[LABELS.suspend], undefined);
    assert.equal((await bench.run('suspend', 'volumes', '--pod-namespaces=shop', '--dangerous')).code, 0);
    assert.equal((await volume('pvc-1')).metadata?.labels?.[LABELS.suspend], 'true');
    assert.equal((await bench.run('resume', 'volumes', 'pvc-1')).code, 0);
    assert.equal((await volume('pvc-1')).metadata?.labels?.[LABELS.suspend], undefined);
  });
});

describe('remove', () => {
  eachAnew(threeDrives);

  it('gives back drives without volumes', async () => {
    const { code, output, errors } = await bench.run('remove', A, B, '--dangerous');
    assert.equal(output, `Drive ${B} (node-1/sdc) removed\n`);
    assert.equal(
      errors,
      `Drive ${A} (node-1/sdb) was left alone: it holds 2 volumes, pvc-1 among them; delete or move them first\n`,
    );
    assert.equal(code, 1);
    assert.deepEqual([(await drive(A)).status.status, (await drive(B)).status.status], ['Ready', 'Removed']);
  });
});

describe('move', () => {
  eachAnew(async () => {
    const drives = bench.client.resource(DirectPVDrive);
    const labels = { [LABELS.driveName]: 'sdc' };
    await drives.create(
      buildDrive({ fsuuid: A, volumes: { 'pvc-1': GI, 'pvc-2': 2 * GI }, unschedulable: true }),
    );
    await drives.create(buildDrive({ fsuuid: B, labels, totalCapacity: 4 * GI, unschedulable: true }));
    await drives.create(buildDrive({ fsuuid: C, labels, totalCapacity: 2 * GI, unschedulable: true }));
    await drives.create(buildDrive({ fsuuid: id('d'), node: 'node-2', unschedulable: true }));
    await drives.create(
      buildDrive({ fsuuid: id('e'), labels: { [LABELS.accessTier]: 'Hot' }, unschedulable: true }),
    );
    await drives.create(buildDrive({ fsuuid: id('f') }));
    const volumes = bench.client.resource(DirectPVVolume);
    await volumes.create(withLabels(buildVolume({ name: 'pvc-1', fsuuid: A }), { [LABELS.claimId]: CLAIM }));
    await volumes.create(buildVolume({ name: 'pvc-2', fsuuid: A, totalCapacity: 2 * GI }));
  });

  it('weakness 8: takes the room on the destination and keeps the source until the data is safe', async () => {
    const source = await drive(A);
    assert.equal(
      (await bench.run('mv', A, B, '--dry-run')).output.split('\n')[0],
      `Volume pvc-1 (node-1/sdb) would move to Drive ${B} (node-1/sdc)`,
    );
    assert.deepEqual(bench.writes, []);
    const { code, output } = await bench.run('move', A, B, '--dangerous');
    assert.equal(code, 0);
    assert.equal(
      output,
      `Volume pvc-1 (node-1/sdb) moves to Drive ${B} (node-1/sdc)\nVolume pvc-2 (node-1/sdb) moves to Drive ${B} (node-1/sdc)\n`,
    );
    const { metadata, status } = await drive(B);
    assert.equal(status.status, 'Moving');
    assert.deepEqual([status.freeCapacity, status.allocatedCapacity], [GI, 3 * GI]);
    assert.deepEqual(metadata?.finalizers, [
      'directpv.min.io/data-protection',
      'directpv.min.io.volume/pvc-1',
      'directpv.min.io.volume/pvc-2',
    ]);
    assert.equal(metadata?.labels?.[`directpv.min.io/volume-claim-id-${CLAIM}`], 'true');
    // One write does it: there is no moment in which only half of it is done.
    assert.deepEqual(bench.writes, [`PUT /apis/directpv.min.io/v1beta1/directpvdrives/${B}`]);
    assert.deepEqual(await drive(A), source);
  });

  for (const [from, to, says] of [
    [A, A, 'cannot be moved to itself'],
    [
      A,
      C,
      `drive ${C} has ${2 * GI} bytes free, but the volumes of ${A} need ${3 * GI}; choose a larger one`,
    ],
    [A, id('d'), `is on node node-1, drive ${id('d')} on node-2; choose two of one node`],
    [A, id('e'), `is of access tier Default, drive ${id('e')} of Hot; choose two of one tier`],
    [A, id('f'), `drive ${id('f')} still gets new volumes; cordon it first`],
    [B, A, `drive ${B} holds no volumes; there is nothing to move`],
    [A, id('9'), `"${id('9')}" not found`],
  ] as const)
    it(`is refused when ${says}`, async () => {
      const { code, errors } = await bench.run('move', from, to, '--dangerous');
      assert.equal(code, 1);
      assert.ok(errors.includes(says), errors);
      assert.deepEqual(bench.writes, []);
    });

  it('is refused while a pod uses a volume', async () => {
    const volumes = bench.client.resource(DirectPVVolume);
    const used = withLabels(await volume('pvc-2'), {
      [LABELS.podName]: 'web',
      [LABELS.podNamespace]: 'shop',
    });
    await volumes.replace({ ...used, status: { ...used.status, targetPath: '/t' } });
    const { code, errors } = await bench.run('move', A, B, '--dangerous');
    assert.equal(code, 1);
    assert.match(errors, /volume pvc-2 is used by pod shop\/web; delete the pods that use the drive first/);
  });
});

describe('clean', () => {
  eachAnew(threeDrives);

  it('deletes volumes that nobody needs, and only those', async () => {
    const volumes = bench.client.resource(DirectPVVolume);
    await volumes.create(buildVolume({ name: 'pvc-3', fsuuid: A }));
    await bench.client.resource(PersistentVolume).create({
      metadata: { name: 'pvc-3' },
      spec: {
        capacity: { storage: '1Gi' },
        accessModes: ['ReadWriteOnce'],
        csi: { driver: 'directpv-min-io', volumeHandle: 'pvc-3' },
      },
    });
    await bench.client
      .resource(Pod)
      .namespace('default')
      .create({
        metadata: { name: 'web-0' },
        spec: { containers: [{ name: 'a', image: 'a' }] },
      });
    const one = await volume('pvc-1');
    await volumes.replace(withLabels(one, { [LABELS.podNamespace]: 'default' }));
    const { code, output, errors } = await bench.run('clean', '--all', '--dangerous');
    assert.equal(output, 'Volume pvc-2 (node-1/sdb) cleaned\n');
    assert.equal(
      errors,
      'Volume pvc-1 (node-1/sdb) was left alone: pod default/web-0 still uses it; delete the pod first\n',
    );
    assert.equal(code, 1);
    const cleaned = await volume('pvc-2');
    assert.deepEqual(cleaned.metadata?.finalizers, ['directpv.min.io/purge-protection']);
    assert.notEqual(cleaned.metadata?.deletionTimestamp, undefined);
    assert.equal((await volume('pvc-3')).metadata?.deletionTimestamp, undefined);
  });

  it('says so when every volume is needed', async () => {
    await bench.client.resource(PersistentVolume).create({
      metadata: { name: 'pvc-2' },
      spec: {
        capacity: { storage: '1Gi' },
        accessModes: ['ReadWriteOnce'],
        csi: { driver: 'directpv-min-io', volumeHandle: 'pvc-2' },
      },
    });
    const { code, errors } = await bench.run('clean', 'pvc-2', '--dangerous');
    assert.equal(code, 1);
    assert.match(errors, /^no volume can be cleaned: each of them has a PersistentVolume that needs it\n$/);
  });
});

describe('repair', () => {
  eachAnew(threeDrives);

  it('asks the node, and refuses what pods use', async () => {
    assert.equal((await bench.run('repair', B)).code, 2);
    const { output, errors, code } = await bench.run('repair', A, B, C, '--force', '--dangerous');
    // A drive that is lost may only have lost the beginning of its file system.
    assert.equal(output, `Drive ${B} (node-1/sdc) being repaired\nDrive ${C} (node-2/sdb) being repaired\n`);
    assert.match(errors, /\(node-1\/sdb\) was left alone: a pod uses its volume pvc-1; delete the pods/);
    assert.equal(code, 1);
    const { metadata, status } = await drive(B);
    assert.equal(status.status, 'Repairing');
    assert.equal(
      metadata?.annotations?.['directpv.min.io/repair'],
      '{"force":true,"disablePrefetch":false,"checkOnly":false}',
    );
  });
});

describe('weakness 30', () => {
  once(threeDrives);

  const dry = [
    ['clean', '--all'],
    ['label', 'volumes', 'x=y', '--all'],
    ['label', 'drives', 'x=y', '--all'],
    ['cordon', '--all'],
    ['uncordon', '--all'],
    ['remove', '--all'],
    ['suspend', 'drives', A],
    ['suspend', 'volumes', 'pvc-1'],
    ['resume', 'drives', B],
    ['resume', 'volumes', 'pvc-1'],
    ['repair', B],
  ];
  for (const args of dry)
    it(`${args.join(' ')} --dry-run writes nothing, and needs no --dangerous`, async () => {
      const { output, code } = await bench.run(...args, '--dry-run');
      assert.notEqual(code, 2);
      assert.match(output, /would be|was not/);
      assert.deepEqual(bench.writes, []);
    });

  for (const args of [
    ['clean', '--all'],
    ['remove', '--all'],
    ['move', A, B],
    ['repair', B],
    ['init', '/dev/null'],
    ['suspend', 'volumes', 'pvc-1'],
  ])
    it(`${args.join(' ')} needs --dangerous`, async () => {
      const { code } = await bench.run(...args);
      assert.equal(code, 2);
      assert.deepEqual(bench.writes, []);
    });
});

describe('writes', () => {
  it('are tried again on what somebody else wrote in between', async () => {
    let others = 3;
    await using busy = await PluginBench.start(async ({ method }) => {
      if (method !== 'PUT' || others-- <= 0) return;
      const drives = busy.client.resource(DirectPVDrive);
      const now = await drives.get(A);
      await drives.replace(withLabels(now, { [`directpv.min.io/other-${others}`]: 'x' }));
    });
    await busy.client.resource(DirectPVDrive).create(buildDrive({ fsuuid: A }));
    const { code, errors } = await busy.run('label', 'drives', 'mine=yes', '--all');
    assert.equal(code, 0, errors);
    const { labels = {} } = (await busy.client.resource(DirectPVDrive).get(A)).metadata ?? {};
    assert.equal(labels['directpv.min.io/mine'], 'yes');
    assert.equal(Object.keys(labels).filter((key) => key.includes('other')).length, 3);
    await nextTurn();
  });
});

describe('the plugin', () => {
  once(threeDrives);

  for (const [args, says] of [
    [[], /^kubectl directpv: local storage on drives/],
    [['--help'], /^kubectl directpv: local storage on drives/],
    [['help', 'list', 'drives'], /^kubectl directpv list drives: show drives/],
    [['list', '--help'], /^kubectl directpv list: show drives or volumes/],
    [['--version'], /^kubectl directpv \d/],
  ] as const)
    it(`answers "${args.join(' ')}"`, async () => {
      const { code, output } = await bench.run(...args);
      assert.match(output, says);
      assert.equal(code, 0);
    });

  for (const [args, says] of [
    [['lst'], 'there is no command "lst"; did you mean "list"?'],
    [['list'], 'say what: kubectl directpv list drives, or volumes'],
    [['list', 'nodes'], 'there is no "kubectl directpv list nodes"; there are drives and volumes'],
    [['list', 'drives', '--wide'], 'there is no flag --wide'],
    [['list', 'drives', '-o', 'table5'], '--output must be json, yaml or wide, but it is "table5"'],
    [
      ['list', 'drives', '--status', 'odd'],
      '--status must be of ready, lost, error, removed, moving, repairing, but it is "odd"',
    ],
    [
      ['list', 'volumes', '--labels', 'x'],
      '--labels must be pairs such as tier=hot,disk=ssd, but it has "x"',
    ],
    [['info', 'more'], '"more" is too much here'],
    [['move', A, '--dangerous'], 'name two drives by their ids'],
    [['install', '--tolerations', 'x', '-o', 'yaml'], '--tolerations must be K=V:EFFECT or K:EFFECT'],
    [['install', '--legacy'], 'volumes of DirectCSI are not served'],
    [['install', '--quota', 'no', '-o', 'yaml'], '--quota must be required or preferred, but it is "no"'],
  ] as const)
    it(`refuses "${args.join(' ')}"`, async () => {
      const { code, errors } = await bench.run(...args);
      assert.equal(code, 2);
      assert.ok(errors.startsWith(`kubectl directpv: ${says}`), errors);
    });

  it('takes flags of the cluster before the command', async () => {
    const { code } = await bench.run('--context', 'x', '--quiet', 'list', 'drives');
    assert.equal(code, 0);
  });
});
