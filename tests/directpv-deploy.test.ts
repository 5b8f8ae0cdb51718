// deploy/: the manifests, the kustomization, the chart and the image's recipe are what `install` applies.
import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { decodeYaml, decodeYamlDocuments, isNotFound } from '@windlass/apimachinery';
import { CustomResourceDefinition } from '@windlass/apimachinery/api/apiextensions/v1';
import { DaemonSet, type Deployment } from '@windlass/apimachinery/api/apps/v1';
import type { PodDisruptionBudget } from '@windlass/apimachinery/api/policy/v1';
import type { PolicyRule } from '@windlass/apimachinery/api/rbac/v1';
import { CSIDriver, StorageClass } from '@windlass/apimachinery/api/storage/v1';
import { main } from '@windlass/cli';
import { startTestCluster } from '@windlass/cluster/testing';
import {
  DirectPVDrive,
  type InstallObject,
  type InstallOptions,
  installDriver,
  installObjects,
  snapshotObjects,
  uninstallDriver,
} from '@windlass/directpv';
import { buildDrive } from '@windlass/directpv/testing';
import { deployFiles, GENERATED } from '../tools/deploy/files.ts';
import { renderChart } from './support/render-chart.ts';

const root = new URL('..', import.meta.url).pathname;
const deploy = join(root, 'deploy');
const read = (path: string): string => readFileSync(join(deploy, path), 'utf8');
const objectsIn = (text: string): unknown[] => decodeYamlDocuments(text).map(({ value }) => value);
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
const byName = (objects: readonly unknown[]): Map<string, unknown> =>
  new Map(
    objects.map((object) => {
      const { kind, metadata } = object as InstallObject;
      return [`${kind} ${metadata?.name}`, object];
    }),
  );

describe('deploy/', () => {
  it('is what the generator makes: node tools/deploy.ts', () => {
    const wanted = new Map(deployFiles());
    const there = globSync(
      GENERATED.map((folder) => `${folder}**/*`),
      { cwd: deploy, withFileTypes: true },
    )
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(deploy.length + 1));
    assert.deepEqual(there.sort(), [...wanted.keys()].sort());
    for (const [path, text] of wanted) assert.equal(read(path), text, path);
  });

  it('has the objects of install, in manifests and in the kustomization', () => {
    const objects = plain(installObjects());
    assert.deepEqual(objectsIn(read('manifests/directpv.yaml')), objects);
    assert.deepEqual(objectsIn(read('manifests/snapshots.yaml')), plain(snapshotObjects()));
    const { resources } = decodeYaml(read('kustomize/kustomization.yaml')).value as { resources: string[] };
    assert.deepEqual(
      resources.flatMap((file) => objectsIn(read(`kustomize/${file}`))),
      objects,
    );
  });

  it('install -o yaml prints the same', async () => {
    let output = '';
    const terminal = { isTty: false, out: (text: string) => void (output += text), err: () => {} };
    const never = new AbortController().signal;
    assert.equal(await main(['directpv', 'install', '-o', 'yaml'], terminal, never), 0);
    assert.equal(read('manifests/directpv.yaml').replace(/^#.*\n/, ''), output);
  });
});

describe('the chart', () => {
  const rows: readonly (readonly [name: string, values: Record<string, unknown>, options: InstallOptions])[] =
    [
      ['by default', {}, {}],
      [
        'with everything set',
        {
          image: 'example.com/us/windlass:1.2.3',
          imagePullSecrets: [{ name: 'pull' }],
          nodeSelector: { disks: 'many', 'example.com/x': 'y' },
          tolerations: [{ key: 'storage', operator: 'Exists', effect: 'NoSchedule' }, { key: 'a' }],
          kubeletDir: '/data/kubelet',
          topology: { rack: 'r7', zone: 'label:topology.kubernetes.io/zone', region: 'eu' },
          quota: 'preferred',
          replicas: 2,
          openshift: true,
          appArmorProfile: 'mine',
          seccompProfile: 'profiles/mine.json',
        },
        {
          image: 'example.com/us/windlass:1.2.3',
          imagePullSecrets: ['pull'],
          nodeSelector: { disks: 'many', 'example.com/x': 'y' },
          tolerations: [{ key: 'storage', operator: 'Exists', effect: 'NoSchedule' }, { key: 'a' }],
          kubeletDir: '/data/kubelet',
          topology: { rack: 'r7', zone: 'label:topology.kubernetes.io/zone', region: 'eu' },
          quota: 'preferred',
          replicas: 2,
          openshift: true,
          appArmorProfile: 'mine',
          seccompProfile: 'profiles/mine.json',
        },
      ],
    ];
  for (const [name, values, options] of rows)
    it(`renders to the objects of install ${name}`, () => {
      const defaults = decodeYaml(read('helm/directpv/values.yaml')).value as Record<string, unknown>;
      for (const key of Object.keys(values)) assert.ok(key in defaults, `values.yaml names ${key}`);
      const templates = globSync('helm/directpv/templates/*.yaml', { cwd: deploy }).sort();
      const rendered = templates.flatMap((path) =>
        objectsIn(renderChart(read(path), { values: { ...defaults, ...values }, namespace: 'directpv' })),
      );
      const definitions = ['definitions', 'snapshots'].flatMap((file) =>
        objectsIn(read(`helm/directpv/crds/${file}.yaml`)),
      );
      const wanted = byName(plain([...installObjects(options), ...snapshotObjects()]) as unknown[]);
      // The namespace is for Helm to make.
      wanted.delete('Namespace directpv');
      assert.deepEqual(byName([...rendered, ...definitions]), wanted);
    });

  it('puts everything where the release is', () => {
    for (const path of globSync('helm/directpv/templates/*.yaml', { cwd: deploy }))
      assert.doesNotMatch(
        renderChart(read(path), {
          values: decodeYaml(read('helm/directpv/values.yaml')).value as Record<string, unknown>,
          namespace: 'elsewhere',
        }),
        /namespace: '?directpv/,
      );
  });
});

describe('the image', () => {
  const dockerfile = read('Dockerfile').replaceAll(/\\\n/g, ' ');
  const steps = dockerfile
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.split(/\s+/));

  it('copies what is there', () => {
    const sources = steps
      .filter(([step, flag]) => step === 'COPY' && flag?.startsWith('--') !== true)
      .flatMap((words) => words.slice(1, -1));
    assert.ok(sources.length > 4);
    for (const source of sources) assert.ok(existsSync(join(root, source)), source);
    const ignored = read('Dockerfile.dockerignore').trim().split('\n');
    for (const source of sources) assert.ok(!ignored.includes(source), source);
  });

  it('names no platform but that of the machine that builds', () => {
    const from = steps.filter(([step]) => step === 'FROM');
    assert.deepEqual(from[0], ['FROM', '--platform=$BUILDPLATFORM', '${NODE_IMAGE}', 'AS', 'build']);
    assert.deepEqual(from[1], ['FROM', '${NODE_IMAGE}']);
    assert.doesNotMatch(steps.flat().join(' '), /amd64|x64|x86/);
  });

  it('has the programs that the node server runs', () => {
    const packages: Readonly<Record<string, string>> = {
      'mkfs.xfs': 'xfsprogs',
      xfs_repair: 'xfsprogs',
      xfs_growfs: 'xfsprogs',
      xfs_quota: 'xfsprogs',
      xfs_io: 'xfsprogs',
      mount: 'mount',
      umount: 'mount',
      udevadm: 'udev',
      cp: 'in every image',
      find: 'in every image',
      sync: 'in every image',
    };
    const sources = globSync('packages/directpv/src/os/**/*.ts', { cwd: root }).filter(
      (path) => !path.endsWith('.test.ts'),
    );
    const programs = new Set(
      sources.flatMap((path) =>
        [...readFileSync(join(root, path), 'utf8').matchAll(/[#.]run\('([\w.]+)'/g)].map(
          ([, name = '']) => name,
        ),
      ),
    );
    assert.ok(programs.has('mkfs.xfs'));
    const installed = steps.find((words) => words.includes('apt-get'));
    for (const program of programs) {
      const from = packages[program];
      assert.ok(from !== undefined, `${program} is in a package that the Dockerfile installs`);
      if (from !== 'in every image') assert.ok(installed?.includes(from), from);
    }
  });
});

describe('weakness 31', () => {
  const objects = byName(installObjects());
  const deployment = objects.get('Deployment controller') as Deployment;
  const pod = deployment.spec?.template.spec;

  it('each controller has a socket of its own, and no part of the host', () => {
    assert.deepEqual(pod?.volumes, [{ name: 'socket-dir', emptyDir: {} }]);
    assert.deepEqual([pod.hostNetwork, pod.hostPID, pod.hostIPC], [undefined, undefined, undefined]);
  });

  it('no container of the controller has a privilege, and each has resources', () => {
    assert.equal(pod?.securityContext?.runAsNonRoot, true);
    for (const { securityContext, resources } of pod.containers) {
      assert.deepEqual(securityContext, {
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      assert.notEqual(resources?.requests?.['cpu'], undefined);
      assert.notEqual(resources?.limits?.['memory'], undefined);
    }
  });

  it('replicas keep apart, and one at a time may go', () => {
    const [term] = pod?.affinity?.podAntiAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [];
    assert.equal(term?.podAffinityTerm.topologyKey, 'kubernetes.io/hostname');
    const budget = objects.get('PodDisruptionBudget controller') as PodDisruptionBudget;
    assert.equal(budget.spec?.maxUnavailable, 1);
    assert.deepEqual(budget.spec?.selector, deployment.spec?.selector);
  });

  it('no account reads secrets, and none touches definitions', () => {
    const roles = installObjects().filter(({ kind }) => kind === 'ClusterRole' || kind === 'Role');
    assert.equal(roles.length, 3);
    for (const role of roles) {
      const { rules } = role as unknown as { rules: PolicyRule[] };
      for (const { resources = [], verbs, apiGroups = [] } of rules) {
        assert.ok(![...resources, ...verbs, ...apiGroups].includes('*'));
        assert.ok(!resources.includes('secrets'));
        assert.ok(!resources.includes('customresourcedefinitions'));
      }
    }
  });
});

it('weakness 10: the driver does not claim volumes in line, which it cannot serve', () => {
  const driver = installObjects().find(({ kind }) => kind === 'CSIDriver') as CSIDriver | undefined;
  assert.deepEqual(driver?.spec.volumeLifecycleModes, ['Persistent']);
});

describe('install and uninstall', () => {
  it('make and take everything, and keep drives until they are told to forget them', async () => {
    await using cluster = await startTestCluster();
    const { client } = cluster;
    const seen: string[] = [];
    await installDriver(client, {}, { onProgress: ({ kind }) => void seen.push(kind) });
    assert.equal(seen.length, installObjects().length);
    const { volumeBindingMode, allowVolumeExpansion } = await client
      .resource(StorageClass)
      .get('directpv-min-io');
    assert.deepEqual([volumeBindingMode, allowVolumeExpansion], ['WaitForFirstConsumer', true]);
    await client.resource(DirectPVDrive).create(buildDrive({ fsuuid: 'a', volumes: { 'pvc-1': 1 } }));

    const daemonSets = client.resource(DaemonSet).namespace('directpv');
    const before = await daemonSets.get('node-server');
    await installDriver(client);
    assert.equal(
      (await daemonSets.get('node-server')).metadata.resourceVersion,
      before.metadata.resourceVersion,
      'the second time there is nothing to do',
    );
    await installDriver(client, { image: 'windlass:2' });
    assert.equal(
      (await daemonSets.get('node-server')).spec?.template.spec?.containers[0]?.image,
      'windlass:2',
    );

    await uninstallDriver(client);
    await assert.rejects(daemonSets.get('node-server'), isNotFound);
    assert.equal((await client.resource(DirectPVDrive).list()).items.length, 1);
    // Nobody is here who would end a namespace.
    assert.deepEqual(
      (await uninstallDriver(client)).map(({ kind }) => kind),
      ['Namespace'],
    );

    await uninstallDriver(client, { forget: true });
    await cluster.settled();
    const { items } = await client.resource(CustomResourceDefinition).list();
    assert.deepEqual(
      items.filter(({ metadata }) => metadata?.deletionTimestamp === undefined).map(({ spec }) => spec.group),
      // Other drivers may use these.
      ['snapshot.storage.k8s.io', 'snapshot.storage.k8s.io', 'snapshot.storage.k8s.io'],
    );
  });

  it('leaves the workloads of another DirectPV alone, and says what to do', async () => {
    await using cluster = await startTestCluster({ namespaces: ['directpv'] });
    const template = {
      metadata: { labels: { app: 'theirs' } },
      spec: { containers: [{ name: 'a', image: 'a' }] },
    };
    await cluster.client
      .resource(DaemonSet)
      .namespace('directpv')
      .create({
        metadata: { name: 'node-server' },
        spec: { selector: { matchLabels: { app: 'theirs' } }, template },
      });
    await assert.rejects(installDriver(cluster.client), {
      code: 'REFUSED',
      message: /another DirectPV is installed: DaemonSet directpv\/node-server is not ours; run .* uninstall/,
    });
    await assert.rejects(cluster.client.resource(CSIDriver).get('directpv-min-io'), isNotFound);
  });
});
