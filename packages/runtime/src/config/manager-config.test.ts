import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { ConfigMap } from '@windlass/apimachinery/api/core/v1';
import { validate } from '../webhooks/declaration.ts';
import { loadManagerConfig, type ManagerConfig, managerConfigHelp } from './manager-config.ts';

let folder: string;
let kubeconfig: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'windlass-config-'));
  kubeconfig = join(folder, 'kubeconfig');
  await writeFile(
    kubeconfig,
    JSON.stringify({
      clusters: [{ name: 'c', cluster: { server: 'https://127.0.0.1:6443' } }],
      users: [{ name: 'u', user: { token: 't' } }],
      contexts: [{ name: 'x', context: { cluster: 'c', user: 'u', namespace: 'ops' } }],
      'current-context': 'x',
    }),
  );
});
after(() => rm(folder, { recursive: true }));

const load = (argv: readonly string[], env: Record<string, string> = {}): Promise<ManagerConfig> =>
  loadManagerConfig({ name: 'my-operator', argv, env: { KUBECONFIG: kubeconfig, ...env } });

const file = async (content: string): Promise<string> => {
  const path = join(folder, 'settings.yaml');
  await writeFile(path, content);
  return path;
};

describe('settings', () => {
  it('have defaults: everything on, nothing listens, nobody is elected', async () => {
    const { options, rest } = await load([]);
    assert.equal(options.config?.server, 'https://127.0.0.1:6443');
    assert.deepEqual(options.controllerDefaults, {});
    for (const option of [
      'leaderElection',
      'metricsAddress',
      'healthAddress',
      'namespaces',
      'cache',
    ] as const)
      assert.equal(option in options, false, option);
    assert.deepEqual(rest, []);
  });

  it('come from flags', async () => {
    const { options, rest } = await load([
      '--concurrency=4',
      '--namespaces',
      'a, b',
      '--leader-elect',
      '--leader-elect-lease-duration',
      '30s',
      '--metrics-address=:8080',
      '--resync=10h',
      'serve',
      '--',
      '--not-ours',
    ]);
    assert.deepEqual(options.controllerDefaults, { concurrency: 4 });
    assert.deepEqual(options.namespaces, ['a', 'b']);
    assert.deepEqual(options.leaderElection, {
      name: 'my-operator',
      namespace: 'ops',
      leaseDurationMs: 30_000,
    });
    assert.equal(options.metricsAddress, ':8080');
    assert.deepEqual(options.cache, { resyncMs: 36_000_000 });
    assert.deepEqual(rest, ['serve', '--not-ours']);
  });

  it('a flag goes before a variable, a variable before the file', async () => {
    const path = await file(
      'concurrency: 1\nmetricsAddress: 127.0.0.1:1\nhealthAddress: 127.0.0.1:2\nleaderElect: true\n',
    );
    const { options } = await load(['--concurrency', '3', '--no-leader-elect'], {
      MY_OPERATOR_CONFIG: path,
      MY_OPERATOR_CONCURRENCY: '2',
      MY_OPERATOR_METRICS_ADDRESS: '127.0.0.1:3',
    });
    assert.equal(options.controllerDefaults?.concurrency, 3);
    assert.equal(options.metricsAddress, '127.0.0.1:3');
    assert.equal(options.healthAddress, '127.0.0.1:2');
    assert.equal('leaderElection' in options, false);
  });

  it('a list in a file may be one', async () => {
    const { options } = await load(['--config', await file('namespaces: [a, b]\n')]);
    assert.deepEqual(options.namespaces, ['a', 'b']);
  });

  const bad: readonly [
    what: string,
    argv: string[],
    env: Record<string, string>,
    yaml: string,
    message: RegExp,
  ][] = [
    ['an unknown flag', ['--concurency=4'], {}, '', /^--concurency is no flag; --help lists/],
    ['a flag without its value', ['--concurrency'], {}, '', /^--concurrency needs a value: NUMBER/],
    ['no- before what is no switch', ['--no-concurrency'], {}, '', /^--no-concurrency is no flag/],
    [
      'a bad number',
      ['--concurrency=0'],
      {},
      '',
      /^--concurrency is "0": must be a whole number of at least 1/,
    ],
    [
      'a bad duration',
      [],
      { MY_OPERATOR_RESYNC: '10' },
      '',
      /^MY_OPERATOR_RESYNC is "10": time: missing unit/,
    ],
    ['a bad level', ['--log-level', 'loud'], {}, '', /must be one of debug, info, warn, error/],
    ['a bad format', ['--log-format', 'xml'], {}, '', /log-format must be text or json/],
    [
      'a bad switch',
      [],
      {},
      'leaderElect: perhaps',
      /settings.yaml: leaderElect is "perhaps": must be true or false/,
    ],
    ['an unknown field', [], {}, 'colour: red', /settings.yaml: colour is no setting/],
    ['a field with fields', [], {}, 'concurrency: {a: 1}', /concurrency must be a single value/],
    ['a file that is no object', [], {}, '- 1', /must hold an object with settings/],
    [
      'a file that is not there',
      ['--config', '/does/not/exist'],
      {},
      '',
      /--config names \/does\/not\/exist, which cannot be read/,
    ],
  ];
  for (const [what, argv, env, yaml, message] of bad) {
    it(`${what} is refused, and named`, async () => {
      const args = yaml === '' ? argv : [...argv, '--config', await file(yaml)];
      await assert.rejects(load(args, env), { code: 'INVALID_SETTING', message });
    });
  }

  it('of webhooks follow from their names', async () => {
    const webhooks = [validate(ConfigMap, () => {})];
    const loaded = async (...argv: string[]) =>
      (await loadManagerConfig({ name: 'my-operator', webhooks, argv, env: { KUBECONFIG: kubeconfig } }))
        .options.webhooks;
    const { certificates: _, ...options } = (await loaded()) ?? {};
    assert.deepEqual(options, {
      serve: webhooks,
      address: '127.0.0.1:9443',
      hosts: [
        'my-operator-webhooks.ops.svc',
        'my-operator-webhooks.ops.svc.cluster.local',
        'localhost',
        '127.0.0.1',
      ],
      publishTo: { validating: ['my-operator'], mutating: [], conversion: [] },
    });
    const other = await loaded('--webhook-service=a/b', '--webhook-address=:1', '--webhook-hosts=c');
    assert.deepEqual(other?.hosts, ['b.a.svc', 'b.a.svc.cluster.local', 'c']);
    assert.equal(other?.address, ':1');
    await assert.rejects(loaded('--webhook-service=a'), {
      code: 'INVALID_SETTING',
      message: 'webhook-service must be NAMESPACE/NAME, but it is "a"',
    });
  });

  it('the help has a line for each', () => {
    const help = managerConfigHelp('my-operator');
    assert.match(help, /^ {2}--leader-elect +let one replica lead \(MY_OPERATOR_LEADER_ELECT\)$/m);
    assert.match(help, /^ {2}--resync DURATION +remind controllers/m);
  });

  it('the log goes where it is told, in the format that is asked for', async () => {
    const lines: string[] = [];
    const { options } = await loadManagerConfig({
      name: 'my-operator',
      argv: ['--log-format=json', '--log-level=warn'],
      env: { KUBECONFIG: kubeconfig },
      write: (line) => lines.push(line),
    });
    options.logger?.info('not this');
    options.logger?.warn('this');
    assert.equal(lines.length, 1);
    assert.equal(JSON.parse(lines[0] ?? '').msg, 'this');
  });
});
