// Jobs.
import { Job } from '@windlass/apimachinery/api/batch/v1';
import { Pod } from '@windlass/apimachinery/api/core/v1';
import {
  of,
  type Scenario,
  scenario,
  template,
  untilCondition,
  untilGone,
  untilIs,
  untilNone,
  untilPods,
  type World,
} from './scenario.ts';

type Spec = NonNullable<Job['spec']>;

const work = (more: Partial<Spec> = {}): Job => ({
  metadata: { name: 'work' },
  spec: {
    template: {
      spec: { ...template({}).spec, containers: [{ name: 'main', image: 'work:1' }], restartPolicy: 'Never' },
    },
    ...more,
  },
});

const create = (world: World, more: Partial<Spec> = {}) => of(world, Job).create(work(more));

const untilComplete = (world: World) => untilCondition(world, Job, 'work', 'Complete');
const untilFailed = (world: World) => untilCondition(world, Job, 'work', 'Failed');

const indexOf = ({ metadata }: Pod) => Number(metadata?.labels?.['batch.kubernetes.io/job-completion-index']);

export const jobs: readonly Scenario[] = [
  scenario('a job of one pod is complete', async (world) => {
    world.podsDo(() => 'succeeds');
    await create(world);
    await untilComplete(world);
  }),
  scenario('a job runs so many at a time until so many succeeded', async (world) => {
    await create(world, { completions: 4, parallelism: 2 });
    await untilPods(world, 2);
    await untilIs(world, Job, 'work', 'two are ready', ({ status }) => status?.ready === 2);
    world.podsDo(() => 'succeeds');
    await untilComplete(world);
  }),
  scenario('a job without completions is complete with the first', async (world) => {
    await create(world, { parallelism: 2 });
    await untilPods(world, 2);
    const [first] = (await of(world, Pod).list()).items;
    world.podsDo(({ metadata }) => (metadata?.uid === first?.metadata?.uid ? 'succeeds' : 'ready'));
    await untilIs(world, Job, 'work', 'one succeeded', ({ status }) => status?.succeeded === 1);
    world.podsDo(() => 'succeeds');
    await untilComplete(world);
  }),
  scenario(
    'an indexed job gives each pod its index and host name',
    async (world) => {
      world.podsDo(() => 'succeeds');
      await create(world, { completions: 3, parallelism: 2, completionMode: 'Indexed' });
      await untilComplete(world);
    },
    'Job should create pods for an Indexed job with completion indexes and specified hostname',
  ),
  scenario('an indexed job is made larger and smaller', async (world) => {
    await create(world, { completions: 2, parallelism: 2, completionMode: 'Indexed' });
    await untilPods(world, 2);
    await of(world, Job).patch('work', { spec: { completions: 3, parallelism: 3 } });
    await untilPods(world, 3);
    await of(world, Job).patch('work', { spec: { completions: 1, parallelism: 1 } });
    await untilPods(world, 1);
    world.podsDo(() => 'succeeds');
    await untilComplete(world);
  }),
  scenario('a job gives up after so many failures', async (world) => {
    world.podsDo(() => ({ exitCode: 1 }));
    await create(world, { backoffLimit: 0 });
    await untilFailed(world);
  }),
  scenario('a job tries again', async (world) => {
    let first: string | undefined;
    world.podsDo(({ metadata }) => {
      first ??= metadata?.uid;
      return metadata?.uid === first ? { exitCode: 1 } : 'succeeds';
    });
    await create(world, { backoffLimit: 2 });
    await untilComplete(world);
  }),
  scenario('a job may not take longer than it says', async (world) => {
    await create(world, { activeDeadlineSeconds: 2 });
    await untilFailed(world);
    await untilPods(world, 0);
  }),
  scenario(
    'an exit code that means the end ends a job',
    async (world) => {
      world.podsDo(() => ({ exitCode: 42 }));
      await create(world, {
        parallelism: 1,
        backoffLimit: 6,
        podFailurePolicy: { rules: [{ action: 'FailJob', onExitCodes: { operator: 'In', values: [42] } }] },
      });
      await untilFailed(world);
    },
    'Job should allow to use the pod failure policy on exit code to fail the job early',
  ),
  scenario(
    'a disruption does not count as a failure where the policy says so',
    async (world) => {
      let first: string | undefined;
      world.podsDo(({ metadata }) => {
        first ??= metadata?.uid;
        return metadata?.uid === first ? { disrupted: 'EvictionByEvictionAPI' } : 'succeeds';
      });
      await create(world, {
        backoffLimit: 0,
        podFailurePolicy: {
          rules: [{ action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget', status: 'True' }] }],
        },
      });
      await untilComplete(world);
    },
    'Job should allow to use a pod failure policy to ignore failure matching on DisruptionTarget condition',
  ),
  scenario('each index of a job may fail so often', async (world) => {
    world.podsDo((pod) => (indexOf(pod) === 1 ? { exitCode: 1 } : 'succeeds'));
    await create(world, {
      completions: 3,
      parallelism: 3,
      completionMode: 'Indexed',
      backoffLimitPerIndex: 0,
    });
    await untilFailed(world);
  }),
  scenario('a job fails when too many of its indexes do', async (world) => {
    world.podsDo((pod) => (indexOf(pod) === 0 ? 'ready' : { exitCode: 1 }));
    await create(world, {
      completions: 3,
      parallelism: 3,
      completionMode: 'Indexed',
      backoffLimitPerIndex: 0,
      maxFailedIndexes: 1,
    });
    await untilFailed(world);
  }),
  scenario('a job is complete when those that count have succeeded', async (world) => {
    world.podsDo((pod) => (indexOf(pod) === 0 ? 'succeeds' : 'ready'));
    await create(world, {
      completions: 3,
      parallelism: 3,
      completionMode: 'Indexed',
      successPolicy: { rules: [{ succeededIndexes: '0' }] },
    });
    await untilComplete(world);
  }),
  scenario('a job is suspended and goes on', async (world) => {
    await create(world, { suspend: true });
    await untilCondition(world, Job, 'work', 'Suspended');
    await of(world, Job).patch('work', { spec: { suspend: false } });
    await untilPods(world, 1);
    await untilIs(world, Job, 'work', 'one is ready', ({ status }) => status?.ready === 1);
    await of(world, Job).patch('work', { spec: { suspend: true } });
    await untilPods(world, 0);
    await untilCondition(world, Job, 'work', 'Suspended');
    world.podsDo(() => 'succeeds');
    await of(world, Job).patch('work', { spec: { suspend: false } });
    await untilComplete(world);
  }),
  scenario(
    'a job adopts a pod that matches, and lets go one that does not any more',
    async (world) => {
      await create(world, { parallelism: 2 });
      await untilPods(world, 2);
      const [pod] = (await of(world, Pod).list()).items;
      const name = pod?.metadata?.name ?? '';
      await of(world, Pod).patch(name, { metadata: { ownerReferences: null } });
      await world.until('it is adopted', async () => {
        const { metadata } = await of(world, Pod).get(name);
        return metadata?.ownerReferences?.length === 1;
      });
      await of(world, Pod).patch(name, { metadata: { labels: null } });
      await world.until('it is let go', async () => {
        const { metadata } = await of(world, Pod).get(name);
        return (metadata?.ownerReferences === undefined && metadata?.finalizers === undefined) || metadata;
      });
      await untilPods(world, 3);
    },
    'Job should adopt matching orphans and release non-matching pods',
  ),
  scenario(
    'a job is deleted with its pods',
    async (world) => {
      await create(world, { parallelism: 2, completions: 2 });
      await untilPods(world, 2);
      await of(world, Job).delete('work', { propagationPolicy: 'Background' });
      await untilGone(world, Job, 'work');
      await untilNone(world, Pod);
    },
    'Job should delete a job',
  ),
  scenario(
    'a job is created, suspended, patched and deleted',
    async (world) => {
      await create(world, { parallelism: 2, completions: 4, suspend: true });
      await untilCondition(world, Job, 'work', 'Suspended');
      await of(world, Job).patch('work', { metadata: { labels: { note: 'patched' } } });
      await of(world, Job).patch('work', { spec: { suspend: false } });
      world.podsDo(() => 'succeeds');
      await untilComplete(world);
      await of(world, Job).deleteCollection({
        labelSelector: 'note=patched',
        propagationPolicy: 'Foreground',
      });
      await untilGone(world, Job, 'work');
      await untilNone(world, Pod);
    },
    'Job should manage the lifecycle of a job',
  ),
  scenario('a job goes some time after its end', async (world) => {
    world.podsDo(() => 'succeeds');
    await create(world, { ttlSecondsAfterFinished: 1 });
    await untilGone(world, Job, 'work');
    await untilNone(world, Pod);
  }),
  scenario('a job that somebody else manages is left alone', async (world) => {
    await create(world, { managedBy: 'example.com/other' });
    await world.rest();
  }),
  scenario('a job replaces a pod that goes only when it has gone', async (world) => {
    await create(world, { podReplacementPolicy: 'Failed' });
    await untilPods(world, 1);
    const [pod] = (await of(world, Pod).list()).items;
    await of(world, Pod).delete(pod?.metadata?.name ?? '');
    await world.until('another is there', async () => {
      const { items } = await of(world, Pod).list();
      return items.some(
        ({ metadata, status }) => metadata.uid !== pod?.metadata.uid && status?.phase === 'Running',
      );
    });
    world.podsDo(() => 'succeeds');
    await untilComplete(world);
  }),
];
