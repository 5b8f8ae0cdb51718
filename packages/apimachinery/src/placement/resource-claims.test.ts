import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Pod } from '../generated/api/core/v1.ts';
import { resourceClaimsOfPod } from './resource-claims.ts';

describe('the claims of a pod', () => {
  const podOf = (statuses?: NonNullable<Pod['status']>['resourceClaimStatuses']): Pod => ({
    spec: {
      containers: [],
      resourceClaims: [
        { name: 'own', resourceClaimName: 'shared' },
        { name: 'made', resourceClaimTemplateName: 'template' },
      ],
    },
    ...(statuses !== undefined && { status: { resourceClaimStatuses: statuses } }),
  });
  const own = { name: 'own', claim: 'shared', template: undefined, isSettled: true };

  it('that are to be made have no names yet', () => {
    assert.deepEqual(resourceClaimsOfPod(podOf()), [
      own,
      { name: 'made', claim: undefined, template: 'template', isSettled: false },
    ]);
  });

  it('that were made are in the status', () => {
    assert.deepEqual(resourceClaimsOfPod(podOf([{ name: 'made', resourceClaimName: 'pod-made-x' }]))[1], {
      name: 'made',
      claim: 'pod-made-x',
      template: 'template',
      isSettled: true,
    });
  });

  it('that are not needed are settled without a name', () => {
    const [, made] = resourceClaimsOfPod(podOf([{ name: 'made' }]));
    assert.deepEqual([made?.claim, made?.isSettled], [undefined, true]);
  });
});
