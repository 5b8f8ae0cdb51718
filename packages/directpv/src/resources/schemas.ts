import type { JSONSchemaProps } from '@windlass/apimachinery/api/apiextensions/v1';
import { DRIVE_STATUSES } from './drive.ts';
import { INIT_STATUSES } from './init-request.ts';
import { SNAPSHOT_STATUSES } from './snapshot.ts';
import { VOLUME_STATUSES } from './volume.ts';

const text: JSONSchemaProps = { type: 'string' };
const flag: JSONSchemaProps = { type: 'boolean' };
const bytes: JSONSchemaProps = { type: 'integer', format: 'int64' };

/** Unknown fields are kept at every level: what a newer version wrote is written back. */
function object(
  properties: Record<string, JSONSchemaProps>,
  required: readonly string[] = [],
): JSONSchemaProps {
  return {
    type: 'object',
    properties,
    ...(required.length === 0 ? {} : { required: [...required] }),
    'x-kubernetes-preserve-unknown-fields': true,
  };
}

/** Go writes null for a list that was never set. */
function atomicList(items: JSONSchemaProps): JSONSchemaProps {
  return { type: 'array', nullable: true, items, 'x-kubernetes-list-type': 'atomic' };
}

function oneOf(values: readonly string[]): JSONSchemaProps {
  return { type: 'string', enum: [...values] };
}

const conditions: JSONSchemaProps = {
  type: 'array',
  items: object(
    {
      lastTransitionTime: { type: 'string', format: 'date-time' },
      message: text,
      observedGeneration: { type: 'integer', format: 'int64' },
      reason: text,
      status: text,
      type: text,
    },
    ['type', 'status'],
  ),
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': ['type'],
};

function kind(properties: Record<string, JSONSchemaProps>, required: readonly string[]): JSONSchemaProps {
  return object({ apiVersion: text, kind: text, metadata: { type: 'object' }, ...properties }, required);
}

export const driveSchema = kind(
  {
    spec: object({ unschedulable: flag, relabel: flag }),
    status: object(
      {
        totalCapacity: bytes,
        allocatedCapacity: bytes,
        freeCapacity: bytes,
        fsuuid: text,
        status: oneOf(DRIVE_STATUSES),
        topology: { type: 'object', additionalProperties: text },
        make: text,
        conditions,
      },
      ['totalCapacity', 'allocatedCapacity', 'freeCapacity', 'fsuuid', 'status', 'topology'],
    ),
  },
  ['status'],
);

export const volumeSchema = kind(
  {
    status: object(
      {
        dataPath: text,
        stagingTargetPath: text,
        targetPath: text,
        fsuuid: text,
        totalCapacity: bytes,
        availableCapacity: bytes,
        usedCapacity: bytes,
        status: oneOf(VOLUME_STATUSES),
        conditions,
      },
      [
        'dataPath',
        'stagingTargetPath',
        'targetPath',
        'fsuuid',
        'totalCapacity',
        'availableCapacity',
        'usedCapacity',
        'status',
      ],
    ),
  },
  ['status'],
);

export const snapshotSchema = kind(
  {
    status: object(
      {
        volume: text,
        fsuuid: text,
        totalCapacity: bytes,
        restoreSize: bytes,
        status: oneOf(SNAPSHOT_STATUSES),
        takenAt: { type: 'string', format: 'date-time' },
        pausedMs: { type: 'integer', format: 'int64' },
        reason: text,
        message: text,
        conditions,
      },
      ['volume', 'fsuuid', 'totalCapacity', 'restoreSize', 'status'],
    ),
  },
  ['status'],
);

const device = object(
  {
    name: text,
    id: text,
    majorMinor: text,
    size: bytes,
    make: text,
    fsType: text,
    fsuuid: text,
    deniedReason: text,
  },
  ['name', 'id', 'majorMinor', 'size'],
);

export const nodeSchema = kind(
  {
    spec: object({ refresh: flag }),
    status: object({ devices: atomicList(device), conditions }),
  },
  [],
);

export const initRequestSchema = kind(
  {
    spec: object({
      devices: atomicList(object({ id: text, name: text, force: flag }, ['id', 'name', 'force'])),
    }),
    status: object(
      {
        status: oneOf(INIT_STATUSES),
        results: atomicList(object({ name: text, error: text }, ['name'])),
      },
      ['status'],
    ),
  },
  ['status'],
);
