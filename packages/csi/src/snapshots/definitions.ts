import type { ResourceType } from '@windlass/apimachinery';
import type {
  CustomResourceColumnDefinition,
  CustomResourceDefinition,
  JSONSchemaProps,
  ValidationRule,
} from '@windlass/apimachinery/api/apiextensions/v1';
import {
  SNAPSHOT_GROUP,
  VolumeSnapshot,
  VolumeSnapshotClass,
  VolumeSnapshotContent,
} from './volume-snapshot.ts';

type Properties = Record<string, JSONSchemaProps>;

const text = (description: string): JSONSchemaProps => ({ type: 'string', description });
const flag = (description: string): JSONSchemaProps => ({ type: 'boolean', description });
const bytes = (description: string): JSONSchemaProps => ({
  type: 'integer',
  format: 'int64',
  minimum: 0,
  description,
});
const rule = (expression: string, message: string): ValidationRule => ({ rule: expression, message });

/** A text that cannot be changed once it is there. */
const fixed = (name: string, description: string): JSONSchemaProps => ({
  ...text(description),
  'x-kubernetes-validations': [rule('self == oldSelf', `${name} is immutable`)],
});

const object = (properties: Properties, required: readonly string[] = []): JSONSchemaProps => ({
  type: 'object',
  properties,
  ...(required.length > 0 && { required: [...required] }),
});

const keptOnceSet = (name: string): ValidationRule =>
  rule(`!has(oldSelf.${name}) || has(self.${name})`, `${name} is required once set`);

const deletionPolicy: JSONSchemaProps = {
  ...text(
    'Whether the snapshot itself goes with its VolumeSnapshot (Delete) or stays with the driver (Retain).',
  ),
  enum: ['Delete', 'Retain'],
};

const error: JSONSchemaProps = {
  ...object({
    message: text('What went wrong. Everybody who may see the object sees it.'),
    time: { ...text('When that was.'), format: 'date-time' },
  }),
  description: 'What went wrong last. It is taken back when the snapshot is made after all.',
};

/** One of two texts, neither of which can be changed or taken away. */
function eitherOf(one: string, ofOne: string, other: string, ofOther: string): JSONSchemaProps {
  return {
    ...object({ [one]: fixed(one, ofOne), [other]: fixed(other, ofOther) }),
    'x-kubernetes-validations': [
      keptOnceSet(one),
      keptOnceSet(other),
      rule(
        `(has(self.${one}) && !has(self.${other})) || (!has(self.${one}) && has(self.${other}))`,
        `exactly one of ${one} and ${other} must be set`,
      ),
    ],
  };
}

const snapshotSchema: Properties = {
  spec: {
    ...object(
      {
        source: {
          ...eitherOf(
            'persistentVolumeClaimName',
            'The claim, of the same namespace, whose volume a snapshot is made of.',
            'volumeSnapshotContentName',
            'A VolumeSnapshotContent that stands for a snapshot which is there already.',
          ),
          description: 'Where the snapshot comes from.',
        },
        volumeSnapshotClassName: {
          ...text("How it is made. Without it the default class of the volume's driver is used."),
          'x-kubernetes-validations': [
            rule('size(self) > 0', 'volumeSnapshotClassName must not be the empty string when set'),
          ],
        },
      },
      ['source'],
    ),
    description: 'What is asked for.',
  },
  status: {
    ...object({
      boundVolumeSnapshotContentName: text(
        'The VolumeSnapshotContent that stands for the snapshot. It counts only if that names this object, too.',
      ),
      creationTime: { ...text('The moment that the snapshot shows.'), format: 'date-time' },
      error,
      readyToUse: flag('Whether volumes can be made of it.'),
      restoreSize: {
        type: 'string',
        pattern:
          '^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?$',
        description: 'The least size of a volume that is made of it.',
      },
      volumeGroupSnapshotName: text('The group snapshot that it is a part of.'),
    }),
    description: 'What has become of it.',
  },
};

const contentSchema: Properties = {
  spec: {
    ...object(
      {
        deletionPolicy,
        driver: fixed('driver', 'The CSI driver that has the snapshot, or is to make it.'),
        source: {
          ...eitherOf(
            'volumeHandle',
            'The id of the volume that a snapshot is made of.',
            'snapshotHandle',
            'The id of a snapshot that the driver has already.',
          ),
          description: 'Where the snapshot comes from.',
        },
        sourceVolumeMode: fixed(
          'sourceVolumeMode',
          'The mode of the volume that it is of: Filesystem or Block.',
        ),
        volumeSnapshotClassName: text(
          'The class that it was made by. The class may be gone or another by now.',
        ),
        volumeSnapshotRef: {
          ...object({
            apiVersion: text('Of the VolumeSnapshot.'),
            fieldPath: text('Not used.'),
            kind: text('VolumeSnapshot.'),
            name: text('Of the VolumeSnapshot.'),
            namespace: text('Of the VolumeSnapshot.'),
            resourceVersion: text('Not used.'),
            uid: text('Of the VolumeSnapshot. Filled in when the two are bound.'),
          }),
          description: 'The VolumeSnapshot that this is for.',
          'x-kubernetes-map-type': 'atomic',
          'x-kubernetes-validations': [
            rule(
              'has(self.name) && has(self.__namespace__)',
              'both spec.volumeSnapshotRef.name and spec.volumeSnapshotRef.namespace must be set',
            ),
          ],
        },
      },
      ['deletionPolicy', 'driver', 'source', 'volumeSnapshotRef'],
    ),
    description: 'Which snapshot this stands for.',
    'x-kubernetes-validations': [keptOnceSet('sourceVolumeMode')],
  },
  status: {
    ...object({
      creationTime: {
        type: 'integer',
        format: 'int64',
        description: 'The moment that the snapshot shows, in nanoseconds since 1970.',
      },
      error,
      readyToUse: flag('Whether volumes can be made of it.'),
      restoreSize: bytes('The least size of a volume that is made of it, in bytes.'),
      snapshotHandle: text('What the driver calls the snapshot.'),
      volumeGroupSnapshotHandle: text('What the driver calls the group that it is a part of.'),
    }),
    description: 'What the driver says.',
  },
};

const classSchema: Properties = {
  deletionPolicy,
  driver: text('The CSI driver that the class is for.'),
  parameters: {
    type: 'object',
    additionalProperties: { type: 'string' },
    description: 'For the driver.',
  },
};

const AGE: CustomResourceColumnDefinition = {
  name: 'Age',
  type: 'date',
  jsonPath: '.metadata.creationTimestamp',
};

const column = (name: string, jsonPath: string, type = 'string'): CustomResourceColumnDefinition => ({
  name,
  type,
  jsonPath,
});

/** The definitions of snapshots, with the fields, rules and columns that clusters have them with. */
export const snapshotDefinitions: readonly CustomResourceDefinition[] = [
  definition(VolumeSnapshot, {
    shortNames: ['vs'],
    schema: {
      ...object(withKind(snapshotSchema), ['spec']),
      description: "A claim's volume as it was at one moment.",
    },
    columns: [
      column('ReadyToUse', '.status.readyToUse', 'boolean'),
      column('SourcePVC', '.spec.source.persistentVolumeClaimName'),
      column('SourceSnapshotContent', '.spec.source.volumeSnapshotContentName'),
      column('RestoreSize', '.status.restoreSize'),
      column('SnapshotClass', '.spec.volumeSnapshotClassName'),
      column('SnapshotContent', '.status.boundVolumeSnapshotContentName'),
      column('CreationTime', '.status.creationTime', 'date'),
      AGE,
    ],
    hasStatus: true,
  }),
  definition(VolumeSnapshotContent, {
    shortNames: ['vsc', 'vscs'],
    schema: {
      ...object(withKind(contentSchema), ['spec']),
      description: 'A snapshot as a CSI driver has it.',
    },
    columns: [
      column('ReadyToUse', '.status.readyToUse', 'boolean'),
      column('RestoreSize', '.status.restoreSize', 'integer'),
      column('DeletionPolicy', '.spec.deletionPolicy'),
      column('Driver', '.spec.driver'),
      column('VolumeSnapshotClass', '.spec.volumeSnapshotClassName'),
      column('VolumeSnapshot', '.spec.volumeSnapshotRef.name'),
      column('VolumeSnapshotNamespace', '.spec.volumeSnapshotRef.namespace'),
      AGE,
    ],
    hasStatus: true,
  }),
  definition(VolumeSnapshotClass, {
    shortNames: ['vsclass', 'vsclasses'],
    schema: {
      ...object(withKind(classSchema), ['deletionPolicy', 'driver']),
      description: 'How a CSI driver makes snapshots.',
    },
    columns: [column('Driver', '.driver'), column('DeletionPolicy', '.deletionPolicy'), AGE],
    hasStatus: false,
  }),
];

function withKind(properties: Properties): Properties {
  return {
    apiVersion: { type: 'string' },
    kind: { type: 'string' },
    metadata: { type: 'object' },
    ...properties,
  };
}

interface Parts {
  readonly shortNames: readonly string[];
  readonly schema: JSONSchemaProps;
  readonly columns: readonly CustomResourceColumnDefinition[];
  readonly hasStatus: boolean;
}

function definition(
  { kind, plural, namespaced }: ResourceType,
  { shortNames, schema, columns, hasStatus }: Parts,
): CustomResourceDefinition {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {
      name: `${plural}.${SNAPSHOT_GROUP}`,
      // Groups that end in k8s.io are refused without it.
      annotations: {
        'api-approved.kubernetes.io': 'https://github.com/kubernetes-csi/external-snapshotter/pull/814',
      },
    },
    spec: {
      group: SNAPSHOT_GROUP,
      scope: namespaced ? 'Namespaced' : 'Cluster',
      names: {
        kind,
        listKind: `${kind}List`,
        plural,
        singular: kind.toLowerCase(),
        shortNames: [...shortNames],
      },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: schema },
          additionalPrinterColumns: [...columns],
          ...(hasStatus && { subresources: { status: {} } }),
        },
      ],
    },
  };
}
