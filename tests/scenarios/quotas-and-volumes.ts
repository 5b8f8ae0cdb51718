// Quotas, volumes, mirrored endpoints, cron jobs and taints.
import { formatTime, isNotFound } from '@windlass/apimachinery';
import { CronJob, Job } from '@windlass/apimachinery/api/batch/v1';
import {
  ConfigMap,
  Endpoints,
  Node,
  PersistentVolume,
  PersistentVolumeClaim,
  Pod,
  ResourceQuota,
  Service,
} from '@windlass/apimachinery/api/core/v1';
import { EndpointSlice } from '@windlass/apimachinery/api/discovery/v1';
import {
  livePods,
  MAIN,
  of,
  type Scenario,
  scenario,
  template,
  untilGone,
  untilIs,
  untilNone,
  type World,
} from './scenario.ts';

const bare = (name: string, more: Partial<NonNullable<Pod['spec']>> = {}): Pod => ({
  metadata: { name },
  spec: { ...template({}).spec, containers: [MAIN], ...more },
});

const untilUsed = (world: World, what: string, used: string) =>
  untilIs(
    world,
    ResourceQuota,
    'quota',
    `${used} ${what} used`,
    ({ status }) => status?.used?.[what] === used,
  );

const volume = ({ namespace }: World, policy: string): PersistentVolume => ({
  metadata: { name: `${namespace}-volume` },
  spec: {
    capacity: { storage: '5Gi' },
    accessModes: ['ReadWriteOnce'],
    persistentVolumeReclaimPolicy: policy,
    storageClassName: namespace,
    hostPath: { path: '/tmp/none' },
  },
});

const claim = ({ namespace }: World): PersistentVolumeClaim => ({
  metadata: { name: 'data' },
  spec: {
    accessModes: ['ReadWriteOnce'],
    resources: { requests: { storage: '1Gi' } },
    storageClassName: namespace,
  },
});

const untilVolume = (world: World, phase: string) =>
  world.until(`the volume is ${phase}`, async () => {
    const { status } = await world.client.resource(PersistentVolume).get(`${world.namespace}-volume`);
    return status?.phase === phase || status;
  });

const untilAddress = (world: World, address: string) =>
  world.until(`the mirror has ${address}`, async () => {
    const { items } = await of(world, EndpointSlice).list();
    return (
      items.some(({ endpoints }) => endpoints?.some(({ addresses }) => addresses.includes(address))) || items
    );
  });

const cron = (more: Partial<NonNullable<CronJob['spec']>>): CronJob => ({
  metadata: { name: 'tick' },
  spec: {
    schedule: '*/1 * * * *',
    suspend: true,
    jobTemplate: {
      spec: { template: { spec: { ...template({}).spec, containers: [MAIN], restartPolicy: 'Never' } } },
    },
    ...more,
  },
});

/** As if it had been due a while ago, and nobody had looked. */
async function missOne(world: World, lastMs: number): Promise<void> {
  await of(world, CronJob).status.patch(
    'tick',
    { status: { lastScheduleTime: formatTime(lastMs) } },
    { type: 'merge' },
  );
  await of(world, CronJob).patch('tick', { spec: { suspend: false } });
}

const createdAt = async (world: World): Promise<number> =>
  Date.parse((await of(world, CronJob).get('tick')).metadata.creationTimestamp);

export const quotasAndVolumes: readonly Scenario[] = [
  scenario(
    'a quota counts what there is, and what goes again',
    async (world) => {
      await of(world, ResourceQuota).create({
        metadata: { name: 'quota' },
        spec: { hard: { pods: '5', 'requests.cpu': '2', services: '3', 'count/configmaps': '10' } },
      });
      await untilUsed(world, 'pods', '0');
      const resources = { requests: { cpu: '500m' } };
      await of(world, Pod).create(bare('one', { containers: [{ ...MAIN, resources }] }));
      await of(world, Service).create({ metadata: { name: 'svc' }, spec: { ports: [{ port: 80 }] } });
      await of(world, ConfigMap).create({ metadata: { name: 'map' } });
      await untilUsed(world, 'requests.cpu', '500m');
      await untilUsed(world, 'services', '1');
      await world.rest();
      await of(world, Service).delete('svc');
      await of(world, Pod).delete('one');
      await untilUsed(world, 'pods', '0');
      await untilUsed(world, 'services', '0');
    },
    'ResourceQuota should create a ResourceQuota and ensure its status is promptly calculated.',
    'ResourceQuota should create a ResourceQuota and capture the life of a service.',
  ),
  scenario('a claim gets the volume that fits, and a volume that is kept is released', async (world) => {
    await world.client.resource(PersistentVolume).create(volume(world, 'Retain'));
    await untilVolume(world, 'Available');
    await of(world, PersistentVolumeClaim).create(claim(world));
    await untilIs(world, PersistentVolumeClaim, 'data', 'bound', ({ status }) => status?.phase === 'Bound');
    await untilVolume(world, 'Bound');
    await of(world, PersistentVolumeClaim).delete('data');
    await untilGone(world, PersistentVolumeClaim, 'data');
    await untilVolume(world, 'Released');
  }),
  scenario('a claim waits for a volume, and gets it when it comes', async (world) => {
    await of(world, PersistentVolumeClaim).create(claim(world));
    await world.rest();
    await world.client.resource(PersistentVolume).create(volume(world, 'Retain'));
    await untilIs(world, PersistentVolumeClaim, 'data', 'bound', ({ status }) => status?.phase === 'Bound');
  }),
  scenario(
    'custom endpoints are mirrored, changed and gone',
    async (world) => {
      await of(world, Service).create({ metadata: { name: 'svc' }, spec: { ports: [{ port: 80 }] } });
      const subsets = (ip: string) => [{ addresses: [{ ip }], ports: [{ name: 'http', port: 80 }] }];
      await of(world, Endpoints).create({
        metadata: { name: 'svc', labels: { own: 'yes' } },
        subsets: subsets('203.0.113.1'),
      });
      await untilAddress(world, '203.0.113.1');
      await of(world, Endpoints).patch('svc', { subsets: subsets('203.0.113.2') });
      await untilAddress(world, '203.0.113.2');
      await world.rest();
      await of(world, Endpoints).delete('svc');
      await untilNone(world, EndpointSlice);
    },
    'EndpointSliceMirroring should mirror a custom Endpoints resource through create update and delete',
  ),
  scenario(
    'a cron job that is suspended creates nothing',
    async (world) => {
      await of(world, CronJob).create(cron({}));
      await world.rest();
    },
    'CronJob should not schedule jobs when suspended [Slow]',
  ),
  scenario('a cron job makes up for a start that it missed', async (world) => {
    world.podsDo(() => 'succeeds');
    await of(world, CronJob).create(cron({ schedule: '0 0 1 1 *' }));
    await missOne(world, (await createdAt(world)) - 400 * 86_400_000);
    await world.until('a job is done', async () => {
      const { items } = await of(world, Job).list();
      return (items.length === 1 && items[0]?.status?.succeeded === 1) || items;
    });
    await untilIs(
      world,
      CronJob,
      'tick',
      'success is noted',
      ({ status }) => status?.lastSuccessfulTime !== undefined,
    );
  }),
  scenario(
    'a cron job that replaces ends the job before',
    async (world) => {
      await of(world, CronJob).create(cron({ schedule: '0 0 1 1 *', concurrencyPolicy: 'Replace' }));
      const created = await createdAt(world);
      await missOne(world, created - 800 * 86_400_000);
      await world.until('a job is there', async () => (await of(world, Job).list()).items.length === 1);
      await world.rest();
      const [first] = (await of(world, Job).list()).items;
      await of(world, CronJob).patch('tick', { spec: { suspend: true } });
      await of(world, Job).delete(first?.metadata?.name ?? '', { propagationPolicy: 'Background' });
      await missOne(world, created - 400 * 86_400_000);
      await world.until('another is there', async () => {
        const { items } = await of(world, Job).list();
        return (items.length === 1 && items[0]?.metadata.uid !== first?.metadata.uid) || items.length;
      });
    },
    'CronJob should replace jobs when ReplaceConcurrent',
  ),
  scenario(
    'a taint ends pods that do not tolerate it',
    async (world) => {
      const name = await world.makeNode('a');
      const tolerates = { key: 'example.com/evict', operator: 'Exists', effect: 'NoExecute' };
      await of(world, Pod).create(bare('not', { nodeName: name }));
      await of(world, Pod).create(
        bare('short', { nodeName: name, tolerations: [{ ...tolerates, tolerationSeconds: 2 }] }),
      );
      await of(world, Pod).create(bare('always', { nodeName: name, tolerations: [tolerates] }));
      await world.rest();
      await world.client
        .resource(Node)
        .patch(name, { spec: { taints: [{ key: 'example.com/evict', effect: 'NoExecute' }] } });
      await world.until('only one is left', async () => {
        const names = (await livePods(world)).map(({ metadata }) => metadata?.name);
        return names.join() === 'always' || names;
      });
    },
    'NoExecuteTaintManager Multiple Pods [Serial] evicts pods with minTolerationSeconds [Disruptive]',
  ),
  scenario(
    'a taint that goes again ends nobody',
    async (world) => {
      const name = await world.makeNode('a');
      const tolerations = [
        { key: 'example.com/evict', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 8 },
      ];
      await of(world, Pod).create(bare('pod', { nodeName: name, tolerations }));
      await world.rest();
      const taint = (taints: { key: string; effect: string }[]) =>
        world.client.resource(Node).patch(name, { spec: { taints } }, { type: 'merge' });
      await taint([{ key: 'example.com/evict', effect: 'NoExecute' }]);
      await world.until('the taint is there', async () => true);
      await taint([]);
      await world.rest();
      try {
        await of(world, Pod).get('pod');
      } catch (error) {
        if (isNotFound(error)) throw new Error('the pod was ended', { cause: error });
        throw error;
      }
    },
    'NoExecuteTaintManager Single Pod [Serial] removing taint cancels eviction [Disruptive]',
  ),
];
