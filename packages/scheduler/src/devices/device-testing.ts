// Devices, classes and claims for tests of what is allocated.
import {
  type Device,
  type DeviceClaim,
  DeviceClass,
  type DeviceClassSpec,
  ResourceClaim,
  ResourceSlice,
  type ResourceSliceSpec,
} from '@windlass/apimachinery/api/resource/v1';
import { served } from '@windlass/apimachinery/testing';
import type { ReadonlyDeviceClass, ReadonlyResourceClaim, ReadonlySlice } from '../framework/device-view.ts';

export const DRIVER = 'gpu.example.com';

export function testClass(name: string, spec: DeviceClassSpec = {}): ReadonlyDeviceClass {
  return served(DeviceClass, { metadata: { name }, spec });
}

export const selectorsOf = (...expressions: readonly string[]) =>
  expressions.map((expression) => ({ cel: { expression } }));

export function testClaim(
  name: string,
  devices: DeviceClaim,
  status?: ResourceClaim['status'],
): ReadonlyResourceClaim {
  return served(ResourceClaim, {
    metadata: { name },
    spec: { devices },
    ...(status !== undefined && { status }),
  });
}

/** A request of one class and one device, unless it says otherwise. */
export function requestOf(
  name: string,
  more: Partial<NonNullable<DeviceRequestOf['exactly']>> = {},
): DeviceRequestOf {
  return { name, exactly: { deviceClassName: 'any', allocationMode: 'ExactCount', count: 1, ...more } };
}

type DeviceRequestOf = NonNullable<DeviceClaim['requests']>[number];

/** A whole pool of one slice, named as its node, unless it says otherwise. */
export function testSlice(
  name: string,
  devices: readonly (string | Device)[],
  more: Omit<Partial<ResourceSliceSpec>, 'pool'> & {
    readonly pool?: Partial<ResourceSliceSpec['pool']>;
  } = {},
): ReadonlySlice {
  const { pool, ...spec } = more;
  const isPlaced = ['nodeName', 'nodeSelector', 'allNodes', 'perDeviceNodeSelection'].some(
    (field) => field in spec,
  );
  return served(ResourceSlice, {
    metadata: { name },
    spec: {
      driver: DRIVER,
      pool: { name, generation: 1, resourceSliceCount: 1, ...pool },
      devices: devices.map((device) => (typeof device === 'string' ? { name: device } : device)),
      ...(!isPlaced && { nodeName: 'n1' }),
      ...spec,
    },
  });
}
