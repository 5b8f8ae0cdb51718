// Services, their endpoints and slices; and disruption budgets.
import { findCondition, isTooManyRequests } from '@windlass/apimachinery';
import { ReplicaSet } from '@windlass/apimachinery/api/apps/v1';
import { Endpoints, Pod, Service } from '@windlass/apimachinery/api/core/v1';
import { EndpointSlice } from '@windlass/apimachinery/api/discovery/v1';
import { PodDisruptionBudget } from '@windlass/apimachinery/api/policy/v1';
import {
  livePods,
  of,
  type Scenario,
  scenario,
  template,
  untilIs,
  untilNone,
  untilPods,
  type World,
} from './scenario.ts';

const labels = { app: 'web' };

const pod = (name: string, more: Partial<NonNullable<Pod['spec']>> = {}): Pod => ({
  metadata: { name, labels },
  spec: { ...template({}).spec, containers: [{ name: 'main', image: 'web:1' }], hostname: name, ...more },
});

const service = (more: Partial<NonNullable<Service['spec']>> = {}): Service => ({
  metadata: { name: 'svc', labels: { tier: 'front' } },
  spec: { selector: labels, ports: [{ name: 'http', port: 80, targetPort: 8080 }], ...more },
});

/** So many addresses are ready, and so many are not. */
const untilAddresses = (world: World, ready: number, unready: number) =>
  world.until(`${ready} addresses are ready and ${unready} are not`, async () => {
    const { items } = await of(world, EndpointSlice).list();
    const endpoints = items.flatMap((slice) => slice.endpoints ?? []);
    const count = endpoints.filter(({ conditions }) => conditions?.ready === true).length;
    const older = (await of(world, Endpoints).list()).items.flatMap(({ subsets }) => subsets ?? []);
    const olderReady = older.reduce((sum, { addresses = [] }) => sum + addresses.length, 0);
    const olderUnready = older.reduce((sum, { notReadyAddresses = [] }) => sum + notReadyAddresses.length, 0);
    return (
      (count === ready &&
        endpoints.length === ready + unready &&
        olderReady === ready &&
        olderUnready === unready) || {
        endpoints,
        older,
      }
    );
  });

async function guarded(
  world: World,
  replicas: number,
  spec: NonNullable<PodDisruptionBudget['spec']>,
): Promise<Pod[]> {
  await of(world, ReplicaSet).create({
    metadata: { name: 'web' },
    spec: { replicas, selector: { matchLabels: labels }, template: template(labels) },
  });
  await untilPods(world, replicas);
  await of(world, PodDisruptionBudget).create({
    metadata: { name: 'guard' },
    spec: { selector: { matchLabels: labels }, ...spec },
  });
  await untilIs(
    world,
    PodDisruptionBudget,
    'guard',
    'all are healthy',
    ({ status }) => status?.currentHealthy === replicas,
  );
  return livePods(world);
}

export const services: readonly Scenario[] = [
  scenario(
    'a service finds its pods, ready or not, and loses them',
    async (world) => {
      world.podsDo(({ metadata }) => (metadata?.name === 'b' ? 'unready' : 'ready'));
      await of(world, Service).create(service());
      await of(world, Pod).create(pod('a'));
      await of(world, Pod).create(pod('b', { subdomain: 'svc' }));
      await untilAddresses(world, 1, 1);
      world.podsDo(() => 'ready');
      await untilAddresses(world, 2, 0);
      await of(world, Pod).delete('a');
      await untilAddresses(world, 1, 0);
    },
    'EndpointSlice should create Endpoints and EndpointSlices for Pods matching a Service',
    'Services should serve a basic endpoint from pods',
  ),
  scenario(
    'the endpoints of a service go with it',
    async (world) => {
      await of(world, Service).create(service());
      await world.until('they are there', async () => {
        const slices = (await of(world, EndpointSlice).list()).items.length;
        const older = (await of(world, Endpoints).list()).items.length;
        return (slices === 1 && older === 1) || { slices, older };
      });
      await world.rest();
      await of(world, Service).delete('svc');
      await untilNone(world, EndpointSlice);
      await untilNone(world, Endpoints);
    },
    'EndpointSlice should create and delete Endpoints and EndpointSlices for a Service with a selector specified',
  ),
  scenario(
    'ports of a service have names, and protocols',
    async (world) => {
      const ports = [
        { name: 'web', containerPort: 8080 },
        { name: 'dns', containerPort: 53, protocol: 'UDP' },
      ];
      await of(world, Service).create(
        service({
          ports: [
            { name: 'http', port: 80, targetPort: 'web' },
            { name: 'dns', port: 53, protocol: 'UDP', targetPort: 'dns' },
            { name: 'dns-tcp', port: 53, protocol: 'TCP', targetPort: 5353, appProtocol: 'example.com/dns' },
          ],
        }),
      );
      const addressesAre = (count: number): Promise<void> =>
        untilIs(
          world,
          Endpoints,
          'svc',
          `${count} addresses`,
          ({ subsets }) =>
            new Set(subsets?.flatMap(({ addresses }) => addresses?.map(({ ip }) => ip) ?? [])).size === count,
        );
      await of(world, Pod).create(pod('a', { containers: [{ name: 'main', image: 'web:1', ports }] }));
      await addressesAre(1);
      // One after the other: which of two changes is published last, and so gives its time, would be chance.
      await world.rest();
      await of(world, Pod).create(pod('b'));
      await addressesAre(2);
    },
    'Services should serve multiport endpoints from pods',
    'Services should serve endpoints on same port and different protocols',
  ),
  scenario('a headless service publishes addresses that are not ready, where it says so', async (world) => {
    world.podsDo(() => 'unready');
    await of(world, Service).create(service({ clusterIP: 'None', publishNotReadyAddresses: true }));
    await of(world, Pod).create(pod('a', { subdomain: 'svc' }));
    await untilAddresses(world, 1, 0);
  }),
  scenario(
    'a service changes what it selects, and what it is',
    async (world) => {
      await of(world, Service).create(service({ selector: { app: 'other' } }));
      await of(world, Pod).create(pod('a'));
      await world.rest();
      await of(world, Service).patch('svc', { spec: { selector: labels } });
      await untilAddresses(world, 1, 0);
      await of(world, Service).patch('svc', {
        spec: { ports: [{ name: 'http', port: 80, targetPort: 9090 }] },
      });
      await world.until('the port has changed', async () => {
        const { items } = await of(world, EndpointSlice).list();
        return items[0]?.ports?.[0]?.port === 9090 || items;
      });
      await of(world, Service).patch('svc', { metadata: { labels: { tier: 'back' } } });
      await world.until('the label has followed', async () => {
        const { items } = await of(world, EndpointSlice).list();
        return items[0]?.metadata?.labels?.['tier'] === 'back' || items;
      });
    },
    'Services should be able to change the type from ExternalName to ClusterIP',
  ),
  scenario('pods that ended are no endpoints', async (world) => {
    world.podsDo(({ metadata }) => (metadata?.name === 'a' ? 'succeeds' : 'ready'));
    await of(world, Service).create(service());
    await of(world, Pod).create(pod('a', { restartPolicy: 'Never' }));
    await world.until(
      'one has ended',
      async () => (await of(world, Pod).get('a')).status?.phase === 'Succeeded',
    );
    // One after the other: which of two changes is published last, and so gives its time, would be chance.
    await world.rest();
    await of(world, Pod).create(pod('b'));
    await untilAddresses(world, 1, 0);
  }),
  scenario(
    'a budget refuses an eviction until it is changed to allow it',
    async (world) => {
      const [first] = await guarded(world, 3, { minAvailable: 3 });
      const name = first?.metadata?.name ?? '';
      try {
        await of(world, Pod).evict(name);
        throw new Error('the eviction was allowed');
      } catch (error) {
        if (!isTooManyRequests(error)) throw error;
      }
      await of(world, PodDisruptionBudget).patch('guard', { spec: { minAvailable: 2 } });
      await untilIs(
        world,
        PodDisruptionBudget,
        'guard',
        'allows one',
        ({ metadata, status }) =>
          status?.disruptionsAllowed === 1 && status.observedGeneration === metadata?.generation,
      );
      await of(world, Pod).evict(name);
      await world.until('the pod is gone', async () =>
        (await livePods(world)).every((one) => one.metadata?.name !== name),
      );
      await untilIs(
        world,
        PodDisruptionBudget,
        'guard',
        'healthy again',
        ({ status }) => status?.currentHealthy === 3,
      );
    },
    'DisruptionController should block an eviction until the PDB is updated to allow it',
    'DisruptionController should observe PodDisruptionBudget status updated',
  ),
  scenario('a budget in percent follows the number of replicas', async (world) => {
    await guarded(world, 4, { maxUnavailable: '25%' });
    await of(world, ReplicaSet).scale.set('web', 8);
    await untilIs(
      world,
      PodDisruptionBudget,
      'guard',
      'allows two',
      ({ status }) => status?.disruptionsAllowed === 2,
    );
  }),
  scenario('a budget over pods that nobody owns says that it cannot count', async (world) => {
    await of(world, Pod).create(pod('a'));
    await of(world, PodDisruptionBudget).create({
      metadata: { name: 'guard' },
      spec: { selector: { matchLabels: labels }, maxUnavailable: 1 },
    });
    await untilIs(
      world,
      PodDisruptionBudget,
      'guard',
      'failed',
      ({ status }) => findCondition(status?.conditions, 'DisruptionAllowed') !== undefined,
    );
  }),
];
