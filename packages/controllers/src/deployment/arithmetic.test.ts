import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { IntOrString } from '@windlass/apimachinery';
import { Deployment, ReplicaSet } from '@windlass/apimachinery/api/apps/v1';
import { served } from '@windlass/apimachinery/testing';
import * as fc from 'fast-check';
import {
  fenceposts,
  isSaturated,
  maxUnavailableOf,
  newSetSize,
  onlySet,
  type ReadonlyDeployment,
  type ReadonlyReplicaSet,
  replicasOf,
  scaleDownOld,
  scaleInProportion,
  specReplicas,
} from './arithmetic.ts';

const deploy = (
  replicas: number,
  maxSurge: IntOrString = 0,
  maxUnavailable: IntOrString = 0,
): ReadonlyDeployment =>
  served(Deployment, {
    spec: {
      replicas,
      selector: {},
      template: {},
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge, maxUnavailable } },
    },
  });

let created = 0;
/** Later ones are newer. */
const set = (replicas: number, available = replicas, max?: number): ReadonlyReplicaSet => {
  created++;
  const time = new Date(Date.UTC(2026, 0, 1) + created * 1000).toISOString().slice(0, 19);
  return served(ReplicaSet, {
    metadata: {
      name: `set-${created}`,
      creationTimestamp: `${time}Z`,
      ...(max !== undefined && { annotations: { 'deployment.kubernetes.io/max-replicas': String(max) } }),
    },
    spec: { replicas, selector: {} },
    status: { replicas, availableReplicas: available },
  });
};

describe('surge and unavailability', () => {
  const rows: readonly (readonly [number, IntOrString, IntOrString, number, number])[] = [
    [10, '25%', '25%', 3, 2],
    [10, 0, 0, 0, 1],
    [1, '0%', '25%', 0, 1],
    [3, '50%', '50%', 2, 1],
    [10, 5, '100%', 5, 10],
  ];
  for (const [replicas, surge, unavailable, wantedSurge, wantedUnavailable] of rows)
    it(`of ${replicas} with ${surge} and ${unavailable} are ${wantedSurge} and ${wantedUnavailable}`, () => {
      assert.deepEqual(fenceposts(deploy(replicas, surge, unavailable)), {
        surge: wantedSurge,
        unavailable: wantedUnavailable,
      });
    });
});

describe('the new set', () => {
  const rows: readonly (readonly [
    replicas: number,
    surge: number,
    all: readonly number[],
    current: number,
    next: number,
  ])[] = [
    // Not more than surge allows over all, and not more than wanted.
    [10, 0, [10, 0], 0, 0],
    [10, 2, [10, 0], 0, 2],
    [10, 2, [5, 0], 0, 7],
    [10, 2, [10, 2], 2, 2],
    [10, 2, [2, 9], 9, 10],
    [10, 20, [10, 0], 0, 10],
  ];
  for (const [replicas, surge, all, current, next] of rows)
    it(`grows from ${current} to ${next} of ${replicas} with surge ${surge} beside ${all[0]}`, () => {
      assert.equal(
        newSetSize(
          deploy(replicas, surge),
          all.map((size) => set(size)),
          current,
        ),
        next,
      );
    });

  it('gets all at once when pods are recreated', () => {
    const recreate: ReadonlyDeployment = served(Deployment, {
      spec: { replicas: 4, selector: {}, template: {}, strategy: { type: 'Recreate' } },
    });
    assert.equal(newSetSize(recreate, [set(9)], 0), 4);
  });
});

describe('old sets', () => {
  const sizes = (
    deployment: ReadonlyDeployment,
    old: readonly ReadonlyReplicaSet[],
    current: ReadonlyReplicaSet,
  ): number[] => {
    const plan = scaleDownOld(deployment, old, current);
    return old.map((one) => plan.find((step) => step.set === one)?.replicas ?? replicasOf(one));
  };

  it('shrink by what may be missing', () => {
    assert.deepEqual(sizes(deploy(10, 0, 2), [set(10)], set(0)), [8]);
    assert.deepEqual(sizes(deploy(10, 0, 2), [set(8)], set(2)), [6]);
  });

  it('do not shrink while the new one is not available', () => {
    assert.deepEqual(sizes(deploy(10, 0, 2), [set(8)], set(2, 0)), [8]);
  });

  it('lose what does not work first, the oldest first', () => {
    assert.deepEqual(sizes(deploy(10, 0, 2), [set(4, 0), set(6, 6)], set(0)), [2, 6]);
    assert.deepEqual(sizes(deploy(10, 2, 0), [set(3, 1), set(7, 7)], set(2, 2)), [1, 7]);
  });

  it('lose no more in all than may go, however many sets do not work', () => {
    // Ten are wanted and two may be missing: of the ten that do not work, two go, and all of the oldest set.
    assert.deepEqual(sizes(deploy(10, 0, 2), [set(5, 0), set(5, 0)], set(0)), [3, 5]);
    assert.deepEqual(sizes(deploy(10, 0, 7), [set(5, 0), set(5, 0)], set(0)), [0, 3]);
  });

  it('lose no more in all that work than may be missing', () => {
    assert.deepEqual(sizes(deploy(10, 0, 4), [set(3), set(7)], set(0)), [0, 6]);
  });

  it('shrink when the new set is not there yet', () => {
    const old = set(10);
    assert.deepEqual(scaleDownOld(deploy(10, 0, 2), [old], undefined), [{ set: old, replicas: 8 }]);
  });

  it('that are empty are not named', () => {
    assert.deepEqual(scaleDownOld(deploy(10, 0, 2), [set(0)], set(10)), []);
  });
});

describe('how many may be missing', () => {
  const recreate: ReadonlyDeployment = served(Deployment, {
    spec: { replicas: 4, selector: {}, template: {}, strategy: { type: 'Recreate' } },
  });
  for (const [what, deployment, wanted] of [
    ['never more than there are to be', deploy(2, 0, 5), 2],
    ['none of none', deploy(0, 0, 5), 0],
    ['as many as the strategy says', deploy(10, 0, '30%'), 3],
    ['none that the strategy counts when pods are recreated', recreate, 0],
  ] as const)
    it(what, () => {
      assert.equal(maxUnavailableOf(deployment), wanted);
    });
});

describe('the new set has taken over', () => {
  const current = (replicas: number, available: number, desired?: number): ReadonlyReplicaSet => {
    const one = set(replicas, available);
    const annotations =
      desired === undefined ? {} : { 'deployment.kubernetes.io/desired-replicas': `${desired}` };
    return { ...one, metadata: { ...one.metadata, annotations } };
  };
  for (const [what, each, wanted] of [
    ['when it has the size, was made for it, and all are available', current(3, 3, 3), true],
    ['not while some are not available', current(3, 2, 3), false],
    ['not while it is too small', current(2, 3, 3), false],
    ['not when it was sized for another number', current(3, 3, 4), false],
    ['not when nobody says for which number it was sized', current(3, 3), false],
    ['not when it is not there', undefined, false],
  ] as const)
    it(what, () => {
      assert.equal(isSaturated(deploy(3), each), wanted);
    });
});

describe('in proportion', () => {
  const scaled = (deployment: ReadonlyDeployment, sets: readonly ReadonlyReplicaSet[]): number[] => {
    const plan = scaleInProportion(deployment, sets);
    return sets.map((one) => plan.find((step) => step.set === one)?.replicas ?? replicasOf(one));
  };
  // Old sets first, as they were made. `max` is what the deployment could have before.
  it('every set grows', () => {
    assert.deepEqual(scaled(deploy(12), [set(5, 5, 10), set(5, 5, 10)]), [6, 6]);
    assert.deepEqual(scaled(deploy(20), [set(5, 5, 10), set(3, 3, 10), set(2, 2, 10)]), [10, 6, 4]);
    assert.deepEqual(scaled(deploy(30, 3), [set(8, 8, 13), set(5, 5, 13)]), [20, 13]);
  });

  it('what rounding leaves goes to the largest, and of equals to the newer one', () => {
    assert.deepEqual(scaled(deploy(11), [set(5, 5, 10), set(5, 5, 10)]), [5, 6]);
    assert.deepEqual(scaled(deploy(6), [set(3, 3, 5), set(1, 1, 5), set(1, 1, 5)]), [4, 1, 1]);
  });

  it('every set shrinks, and to nothing when nothing is wanted', () => {
    assert.deepEqual(scaled(deploy(5), [set(8, 8, 10), set(2, 2, 10)]), [4, 1]);
    assert.deepEqual(scaled(deploy(9), [set(5, 5, 10), set(5, 5, 10)]), [4, 5], 'of equals the older one');
    assert.deepEqual(scaled(deploy(0), [set(8, 8, 10), set(2, 2, 10)]), [0, 0]);
  });

  it('the sum is what the deployment may have, and no set is below nothing', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 2, maxLength: 5 }),
        fc.nat(200),
        fc.nat(10),
        (before, replicas, surge) => {
          const max = before.reduce((total, size) => total + size, 0);
          const sets = before.map((size) => set(size, size, max));
          const plan = scaleInProportion(deploy(replicas, surge), sets);
          const total = plan.reduce((sum, step) => sum + step.replicas, 0);
          const wanted = replicas === 0 ? 0 : replicas + surge;
          // What rounding leaves may be more than the first set has, as upstream's; the next sync goes on.
          if (plan[0]?.replicas === 0) assert.ok(total >= wanted);
          else assert.equal(total, wanted);
          assert.ok(plan.every((step) => step.replicas >= 0));
        },
      ),
    );
  });

  it('the first set gives no more than it has to what rounding leaves', () => {
    const sets = [4, 4, 4, 4, 4].map((size) => set(size, size, 20));
    assert.deepEqual(scaled(deploy(3), sets), [0, 1, 1, 1, 1]);
  });
});

describe('the set that has the size of the deployment', () => {
  it('is the only active one, or else the new one, or else the newest', () => {
    const [old, older, current] = [set(0), set(0), set(0)];
    assert.equal(onlySet(current, [old, older]), current);
    assert.equal(onlySet(undefined, [old, older]), older, 'the one that was made last');
    const active = set(3);
    assert.equal(onlySet(current, [old, active]), active);
    assert.equal(onlySet(set(1), [active]), undefined);
    assert.equal(onlySet(undefined, []), undefined);
  });
});

it('no step of a rolling update leaves the bounds, whatever is available', () => {
  const step = fc.record({
    old: fc.nat(20),
    oldAvailable: fc.nat(20),
    now: fc.nat(20),
    nowAvailable: fc.nat(20),
  });
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 20 }),
      fc.nat(5),
      fc.nat(5),
      step,
      (replicas, surge, unavailable, at) => {
        const deployment = deploy(replicas, surge, unavailable);
        const posts = fenceposts(deployment);
        const old = set(at.old, Math.min(at.old, at.oldAvailable));
        const current = set(Math.min(at.now, replicas), Math.min(at.now, replicas, at.nowAvailable));
        const size = newSetSize(deployment, [old, current], replicasOf(current));
        if (size !== replicasOf(current)) assert.ok(replicasOf(old) + size <= replicas + posts.surge);
        const [down] = scaleDownOld(deployment, [old], current);
        if (down === undefined) return;
        const available = (old.status?.availableReplicas ?? 0) + (current.status?.availableReplicas ?? 0);
        const lost = Math.max(0, (old.status?.availableReplicas ?? 0) - down.replicas);
        const least = replicas - Math.min(posts.unavailable, replicas);
        if (lost > 0) assert.ok(available - lost >= Math.min(least, available), 'pods that work stay');
        assert.ok(specReplicas([old]) > down.replicas);
      },
    ),
  );
});
