import { apiVersionOf, type ResourceType } from '@windlass/apimachinery';
import type {
  CustomResourceColumnDefinition,
  CustomResourceDefinition,
  JSONSchemaProps,
} from '@windlass/apimachinery/api/apiextensions/v1';
import { APP_NAME, GROUP, VERSION } from './constants.ts';
import { DirectPVDrive } from './drive.ts';
import { DirectPVInitRequest } from './init-request.ts';
import { LABELS } from './labels.ts';
import { DirectPVNode } from './node.ts';
import { driveSchema, initRequestSchema, nodeSchema, snapshotSchema, volumeSchema } from './schemas.ts';
import { DirectPVSnapshot } from './snapshot.ts';
import { DirectPVVolume } from './volume.ts';

interface Declaration {
  readonly type: ResourceType;
  readonly shortNames: readonly string[];
  readonly schema: JSONSchemaProps;
  readonly columns: readonly CustomResourceColumnDefinition[];
}

/** The path of a label in an object, for a column. */
function labelPath(key: string): string {
  return `.metadata.labels.${key.replaceAll('.', '\\.')}`;
}

const NODE = { name: 'Node', type: 'string', jsonPath: labelPath(LABELS.node) } as const;
const AGE = { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' } as const;
const STATUS = { name: 'Status', type: 'string', jsonPath: '.status.status' } as const;

const declarations: readonly Declaration[] = [
  {
    type: DirectPVDrive,
    shortNames: ['dpvd'],
    schema: driveSchema,
    columns: [
      NODE,
      { name: 'Name', type: 'string', jsonPath: labelPath(LABELS.driveName), description: 'The device.' },
      { name: 'Make', type: 'string', jsonPath: '.status.make', priority: 1 },
      { name: 'Total', type: 'integer', jsonPath: '.status.totalCapacity', description: 'Bytes.' },
      { name: 'Free', type: 'integer', jsonPath: '.status.freeCapacity', description: 'Bytes.' },
      STATUS,
      { name: 'Unschedulable', type: 'boolean', jsonPath: '.spec.unschedulable', priority: 1 },
      AGE,
    ],
  },
  {
    type: DirectPVVolume,
    shortNames: ['dpvv'],
    schema: volumeSchema,
    columns: [
      { name: 'Capacity', type: 'integer', jsonPath: '.status.totalCapacity', description: 'Bytes.' },
      NODE,
      { name: 'Drive', type: 'string', jsonPath: labelPath(LABELS.driveName) },
      { name: 'Pod', type: 'string', jsonPath: labelPath(LABELS.podName) },
      { name: 'Pod Namespace', type: 'string', jsonPath: labelPath(LABELS.podNamespace), priority: 1 },
      { name: 'Drive ID', type: 'string', jsonPath: '.status.fsuuid', priority: 1 },
      STATUS,
      AGE,
    ],
  },
  {
    type: DirectPVSnapshot,
    shortNames: ['dpvs'],
    schema: snapshotSchema,
    columns: [
      { name: 'Volume', type: 'string', jsonPath: '.status.volume' },
      { name: 'Capacity', type: 'integer', jsonPath: '.status.totalCapacity', description: 'Bytes.' },
      { name: 'Restore Size', type: 'integer', jsonPath: '.status.restoreSize', description: 'Bytes.' },
      NODE,
      { name: 'Drive', type: 'string', jsonPath: labelPath(LABELS.driveName) },
      { name: 'Drive ID', type: 'string', jsonPath: '.status.fsuuid', priority: 1 },
      STATUS,
      { name: 'Reason', type: 'string', jsonPath: '.status.reason', priority: 1 },
      AGE,
    ],
  },
  {
    type: DirectPVNode,
    shortNames: ['dpvn'],
    schema: nodeSchema,
    columns: [
      {
        name: 'Refresh',
        type: 'boolean',
        jsonPath: '.spec.refresh',
        description: 'Its devices are looked at.',
      },
      AGE,
    ],
  },
  {
    type: DirectPVInitRequest,
    shortNames: ['dpvi'],
    schema: initRequestSchema,
    columns: [NODE, STATUS, AGE],
  },
];

/**
 * The definitions of the custom resources: DirectPV's four, and our snapshots. They accept every object that DirectPV wrote and keep fields that
 * they do not know. Like DirectPV's they have no status subresource: whole objects are written, by compare-and-swap
 * on their resourceVersion, which is what lets one write move capacity and a finalizer together.
 */
export const resourceDefinitions: readonly CustomResourceDefinition[] = declarations.map(definition);

function definition({ type, shortNames, schema, columns }: Declaration): CustomResourceDefinition {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${type.plural}.${GROUP}`, labels: { [LABELS.version]: VERSION } },
    spec: {
      group: GROUP,
      scope: 'Cluster',
      conversion: { strategy: 'None' },
      names: {
        kind: type.kind,
        listKind: `${type.kind}List`,
        plural: type.plural,
        singular: type.kind.toLowerCase(),
        shortNames: [...shortNames],
        categories: [APP_NAME],
      },
      versions: [
        {
          name: VERSION,
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { ...schema, description: `${type.kind} of ${apiVersionOf(type)}.` } },
          additionalPrinterColumns: [...columns],
        },
      ],
    },
  };
}
