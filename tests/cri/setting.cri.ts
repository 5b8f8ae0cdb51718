// What a container finds around it: variables, volumes, names, its user and its share of the machine.
import assert from 'node:assert/strict';
import { mkdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { ConfigMap, Secret } from '@windlass/apimachinery/api/core/v1';
import { until } from '@windlass/base/testing/until';
import { Containerd, IMAGE } from './harness/containerd.ts';
import { MachineCluster, NODE } from './harness/machine-cluster.ts';

let containerd: Containerd;
let cluster: MachineCluster;

before(async () => {
  containerd = await Containerd.start();
  cluster = await MachineCluster.start(containerd);
  await cluster.client
    .resource(ConfigMap)
    .namespace('default')
    .create({ metadata: { name: 'settings' }, data: { color: 'blue', 'app.conf': 'a=1\n' } });
  await cluster.client
    .resource(Secret)
    .namespace('default')
    .create({ metadata: { name: 'keys' }, stringData: { token: 'hunter2' } });
});

after(async () => {
  await cluster?.[Symbol.asyncDispose]();
  await containerd?.[Symbol.asyncDispose]();
});

/** What a script prints in a pod that ends with it. */
async function printed(name: string, script: string, ...rest: unknown[]): Promise<string> {
  const [container = {}, spec = {}] = rest as Parameters<MachineCluster['run']>[1][];
  await cluster.run(
    name,
    { command: ['sh', '-c', script], ...container },
    // The second one is of a pod.
    { restartPolicy: 'Never', ...(spec as object) },
  );
  const { status } = await cluster.ended(name);
  const text = await cluster.logs(name);
  assert.equal(status?.phase, 'Succeeded', text);
  return text;
}

describe('variables', () => {
  it('come from the spec, from the pod, from its resources, and from objects', async () => {
    const text = await printed(
      'variables',
      'echo $A-$B-$NAME-$IP-$CPU-$COLOR-$TOKEN-$FROM_IMAGE-$HOSTNAME-$1',
      {
        args: ['ignored', 'arg=$(A)'],
        resources: { limits: { cpu: '500m', memory: '64Mi' } },
        env: [
          { name: 'A', value: 'x' },
          { name: 'B', value: '$(A)y' },
          { name: 'NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
          { name: 'IP', valueFrom: { fieldRef: { fieldPath: 'status.podIP' } } },
          { name: 'CPU', valueFrom: { resourceFieldRef: { resource: 'limits.cpu', divisor: '1m' } } },
          { name: 'TOKEN', valueFrom: { secretKeyRef: { name: 'keys', key: 'token' } } },
          { name: 'COLOR', valueFrom: { configMapKeyRef: { name: 'settings', key: 'color' } } },
        ],
      },
    );
    assert.match(text, /^x-xy-variables-10\.223\.\d+\.\d+-500-blue-hunter2-yes-variables-arg=x\n$/);
  });
});

describe('volumes', () => {
  it('of objects, of the pod and of the machine are there', async () => {
    const folder = join(containerd.directory, 'shared');
    await mkdir(folder);
    await writeFile(join(folder, 'of-host'), 'from the machine\n');
    const text = await printed(
      'volumes',
      'cat /config/color; echo; cat /keys/token; echo; cat /info/name; echo; cat /all/color /all/token; echo; ls -ld /empty; echo x > /empty/y; cat /host/of-host; echo back > /host/back; mount | grep "on /memory"',
      {
        volumeMounts: [
          { name: 'config', mountPath: '/config' },
          { name: 'keys', mountPath: '/keys' },
          { name: 'info', mountPath: '/info' },
          { name: 'all', mountPath: '/all' },
          { name: 'empty', mountPath: '/empty' },
          { name: 'memory', mountPath: '/memory' },
          { name: 'host', mountPath: '/host' },
        ],
      },
      {
        volumes: [
          { name: 'config', configMap: { name: 'settings' } },
          { name: 'keys', secret: { secretName: 'keys' } },
          {
            name: 'info',
            downwardAPI: { items: [{ path: 'name', fieldRef: { fieldPath: 'metadata.name' } }] },
          },
          {
            name: 'all',
            projected: { sources: [{ configMap: { name: 'settings' } }, { secret: { name: 'keys' } }] },
          },
          { name: 'empty', emptyDir: {} },
          { name: 'memory', emptyDir: { medium: 'Memory', sizeLimit: '8Mi' } },
          { name: 'host', hostPath: { path: folder, type: 'Directory' } },
        ],
      },
    );
    const lines = text.split('\n');
    assert.deepEqual(lines.slice(0, 4), ['blue', 'hunter2', 'volumes', 'bluehunter2']);
    assert.match(lines[4] ?? '', /^drwxrwxrwx/);
    assert.equal(lines[5], 'from the machine');
    assert.match(lines[6] ?? '', /tmpfs .*size=8192k/);
    assert.equal(await readFile(join(folder, 'back'), 'utf8'), 'back\n');
    await cluster.pods.delete('volumes');
    await cluster.gone('volumes');
    assert.equal(await readFile(join(folder, 'of-host'), 'utf8'), 'from the machine\n');
  });

  it('are seen in part, also by what variables say, and never through a link that leads out', async () => {
    const folder = join(containerd.directory, 'parts');
    await mkdir(join(folder, 'inside'), { recursive: true });
    await symlink('/etc', join(folder, 'out'));
    const volumes = [
      { name: 'host', hostPath: { path: folder } },
      { name: 'config', configMap: { name: 'settings' } },
    ];
    await printed(
      'parts',
      'echo new > /made/file; cat /app.conf',
      {
        env: [{ name: 'NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }],
        volumeMounts: [
          { name: 'host', mountPath: '/made', subPathExpr: 'inside/$(NAME)' },
          { name: 'config', mountPath: '/app.conf', subPath: 'app.conf' },
        ],
      },
      { volumes },
    );
    assert.equal(await readFile(join(folder, 'inside/parts/file'), 'utf8'), 'new\n');
    await cluster.run(
      'escape',
      { volumeMounts: [{ name: 'host', mountPath: '/x', subPath: 'out' }] },
      { volumes },
    );
    const { status } = await cluster.when(
      'escape',
      'is refused',
      ({ status: seen }) => seen?.containerStatuses?.[0]?.state?.waiting?.message !== undefined,
    );
    assert.deepEqual(status?.containerStatuses?.[0]?.state?.waiting, {
      reason: 'CreateContainerConfigError',
      message: 'failed to prepare subPath for volumeMount "host": subpath "out" leads out of its volume',
    });
    await cluster.pods.delete('parts');
    await cluster.gone('parts');
    const table = await readFile('/proc/self/mountinfo', 'utf8');
    assert.ok(!table.includes('volume-subpaths'), 'nothing stays mounted');
  });

  it('of the machine must be what the pod says', async () => {
    const path = join(containerd.directory, 'config.toml');
    await cluster.run(
      'wrong-kind',
      { volumeMounts: [{ name: 'host', mountPath: '/x' }] },
      { volumes: [{ name: 'host', hostPath: { path, type: 'Directory' } }] },
    );
    const { status } = await cluster.when(
      'wrong-kind',
      'is refused',
      ({ status: seen }) => seen?.containerStatuses?.[0]?.state?.waiting?.message !== undefined,
    );
    assert.equal(
      status?.containerStatuses?.[0]?.state?.waiting?.message,
      `hostPath type check failed: ${path} is not a directory`,
    );
  });
});

describe('the user', () => {
  it('is the one that is said, with its groups, and no more rights', async () => {
    const text = await printed(
      'user',
      'id -u; id -g; id -G; touch /x 2>/dev/null || echo read-only; grep NoNewPrivs /proc/self/status; grep CapBnd /proc/self/status; echo f > /empty/f; ls -ln /empty | grep f',
      {
        securityContext: {
          runAsUser: 1000,
          runAsGroup: 3000,
          readOnlyRootFilesystem: true,
          allowPrivilegeEscalation: false,
          capabilities: { drop: ['ALL'] },
        },
        volumeMounts: [{ name: 'empty', mountPath: '/empty' }],
      },
      {
        securityContext: { fsGroup: 2000, supplementalGroups: [4000] },
        volumes: [{ name: 'empty', emptyDir: {} }],
      },
    );
    const lines = text.split('\n');
    assert.deepEqual(lines.slice(0, 2), ['1000', '3000']);
    assert.deepEqual(lines[2]?.split(' ').toSorted(), ['2000', '3000', '4000']);
    assert.match(text, /read-only/);
    assert.match(text, /NoNewPrivs:\s*1/);
    assert.match(text, /CapBnd:\s*0000000000000000/);
    assert.match(text, /1000 +2000 +2 /);
  });

  for (const [image, message] of [
    [IMAGE, /container has runAsNonRoot and image will run as root/],
    ['windlass.test/nobody:1', /image has non-numeric user \(nobody\), cannot verify user is non-root/],
  ] as const)
    it(`of ${image} is refused where root is forbidden`, async () => {
      const name = `nonroot-${image.split(/[/:]/)[1]}`;
      await cluster.run(name, { image, securityContext: { runAsNonRoot: true } });
      const { status } = await cluster.when(
        name,
        'is refused',
        ({ status: seen }) => seen?.containerStatuses?.[0]?.state?.waiting?.message !== undefined,
      );
      const waiting = status?.containerStatuses?.[0]?.state?.waiting;
      assert.equal(waiting?.reason, 'CreateContainerConfigError');
      assert.match(waiting?.message ?? '', message);
    });

  it('of an image that names a number may be one who is not root', async () => {
    const text = await printed('uid', 'id -u', {
      image: 'windlass.test/uid:1',
      securityContext: { runAsNonRoot: true },
    });
    assert.equal(text, '1234\n');
  });

  it('may be everything when it is privileged', async () => {
    const text = await printed('privileged', 'grep CapEff /proc/self/status; ls /dev | wc -l', {
      securityContext: { privileged: true },
    });
    assert.ok(Number(text.split('\n')[1]) > 20);
  });
});

describe('the share of the machine', () => {
  it('is that of its cgroup', async () => {
    const text = await printed(
      'share',
      'cd /sys/fs/cgroup; cat memory/memory.limit_in_bytes cpu/cpu.cfs_quota_us cpu/cpu.shares 2>/dev/null || cat memory.max cpu.max cpu.weight',
      { resources: { requests: { cpu: '250m' }, limits: { cpu: '500m', memory: '64Mi' } } },
    );
    const lines = text.trim().split('\n');
    assert.equal(lines[0], String(64 * 2 ** 20));
    assert.match(lines[1] ?? '', /^50000/);
  });

  it('may change while it runs', async () => {
    const resources = { requests: { cpu: '100m', memory: '32Mi' }, limits: { cpu: '200m', memory: '64Mi' } };
    await cluster.run('grows', { command: ['sleep', '1000'], resources });
    await cluster.running('grows');
    const more = { limits: { cpu: '400m', memory: '128Mi' } };
    await cluster.pods
      .subresource('resize')
      .patch('grows', { spec: { containers: [{ name: 'main', resources: more }] } }, { type: 'strategic' });
    await until(
      'the kernel knows',
      () =>
        cluster.exec(
          'grows',
          'sh',
          '-c',
          'cd /sys/fs/cgroup; cat memory/memory.limit_in_bytes 2>/dev/null || cat memory.max',
        ),
      (text) => text.trim() === String(128 * 2 ** 20),
    );
  });

  it('is ended by the kernel when it takes more memory', async () => {
    await cluster.run(
      'greedy',
      { command: ['sh', '-c', 'tail /dev/zero'], resources: { limits: { memory: '16Mi' } } },
      { restartPolicy: 'Never' },
    );
    const { status } = await cluster.ended('greedy');
    const end = status?.containerStatuses?.[0]?.state?.terminated;
    assert.equal(end?.reason, 'OOMKilled');
    assert.equal(end?.exitCode, 137);
  });
});

describe('names', () => {
  it('are found as the pod says', async () => {
    const text = await printed(
      'names',
      'cat /etc/resolv.conf; hostname; cat /etc/hosts',
      {},
      {
        hostname: 'web',
        subdomain: 'site',
        dnsPolicy: 'None',
        dnsConfig: {
          nameservers: ['192.0.2.53'],
          searches: ['example.test'],
          options: [{ name: 'ndots', value: '2' }],
        },
        hostAliases: [{ ip: '192.0.2.1', hostnames: ['one', 'two'] }],
      },
    );
    assert.match(text, /search example\.test\nnameserver 192\.0\.2\.53\noptions ndots:2\n/);
    assert.match(text, /\nweb\n/);
    assert.match(text, /10\.223\.\d+\.\d+\tweb\.site\.default\.svc\.cluster\.local\tweb\n/);
    assert.match(text, /192\.0\.2\.1\tone\ttwo\n/);
  });
});

describe('the network', () => {
  it('of the node is that of the machine', async () => {
    const text = await printed('on-node', 'hostname; cat /etc/hosts', {}, { hostNetwork: true });
    const hostname = (await readFile('/proc/sys/kernel/hostname', 'utf8')).trim();
    assert.ok(text.startsWith(`${hostname}\n`));
    const { status, spec } = await cluster.pods.get('on-node');
    assert.equal(status?.podIP, status?.hostIP);
    assert.equal(spec?.nodeName, NODE);
  });

  it('has ports of the node that lead to the pod', async () => {
    const hostPort = 20_000 + (process.pid % 10_000);
    await cluster.run('ports', {
      command: ['sh', '-c', 'mkdir /www; echo served > /www/index.html; exec httpd -f -p 80 -h /www'],
      ports: [{ containerPort: 80, hostPort }],
    });
    const { status } = await cluster.running('ports');
    const page = await until(
      'the node serves the page',
      async () => {
        const answer = await fetch(`http://${status?.hostIP}:${hostPort}/`);
        return answer.text();
      },
      (seen) => seen === 'served\n',
    );
    assert.equal(page, 'served\n');
  });
});

it('leaves nothing in the node’s folder', async () => {
  await cluster.run('left', { command: ['true'] }, { restartPolicy: 'Never' });
  const { metadata } = await cluster.ended('left');
  await cluster.pods.delete('left');
  await cluster.gone('left');
  const folder = join(containerd.directory, 'data/nodes', NODE);
  await until('its folders are removed', async () => {
    const found = await Promise.all(
      [`pods/${metadata.uid}`, `logs/default_left_${metadata.uid}`].map((path) =>
        stat(join(folder, path)).then(
          () => path,
          () => undefined,
        ),
      ),
    );
    return found.every((path) => path === undefined);
  });
  await rm(join(containerd.directory, 'shared'), { recursive: true, force: true });
});
