import { CORE, type Json, range, record, type Shape } from './shape.ts';

const configMap = (metadata: Json, rest: Json = {}): Json => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'grown', ...metadata },
  ...rest,
});

/** Config maps: what they hold, and the metadata that every kind has. */
export const METADATA_SHAPES: readonly Shape[] = [
  {
    name: 'config map: keys',
    path: `${CORE}configmaps`,
    most: 40_000,
    make: (count, at) => configMap({}, { data: record(count, (i) => [`key-${i}`, `v${at}`]) }),
  },
  {
    name: 'config map: one long text',
    path: `${CORE}configmaps`,
    most: 1_000_000,
    make: (count, at) => configMap({}, { data: { text: `${at}`.repeat(count) } }),
  },
  {
    name: 'labels',
    path: `${CORE}configmaps`,
    most: 120_000,
    make: (count, at) => configMap({ labels: record(count, (i) => [`example.com/l${i}`, `v${at}`]) }),
  },
  {
    name: 'annotations',
    path: `${CORE}configmaps`,
    most: 12_000,
    make: (count, at) => configMap({ annotations: record(count, (i) => [`example.com/a${i}`, `v${at}`]) }),
  },
  {
    name: 'finalizers',
    path: `${CORE}configmaps`,
    most: 120_000,
    make: (count, at) => configMap({ finalizers: range(count, (i) => `example.com/f${i + at}`) }),
  },
  {
    name: 'owners',
    path: `${CORE}configmaps`,
    most: 30_000,
    make: (count, at) =>
      configMap({
        ownerReferences: range(count, (i) => ({
          apiVersion: 'v1',
          kind: 'Pod',
          name: `p${i}`,
          uid: `u-${i + at}`,
        })),
      }),
  },
  {
    name: 'the same owner',
    path: `${CORE}configmaps`,
    most: 30_000,
    make: (count, at) =>
      configMap({
        ownerReferences: range(count, () => ({ apiVersion: 'v1', kind: 'Pod', name: 'p', uid: `u-${at}` })),
      }),
  },
  {
    name: 'managers',
    path: `${CORE}configmaps`,
    most: 12_000,
    make: (count, at) =>
      configMap(
        {
          managedFields: range(count, (i) => ({
            manager: `m${i}`,
            operation: i % 2 === 0 ? 'Apply' : 'Update',
            apiVersion: 'v1',
            time: '2026-01-01T00:00:00Z',
            fieldsType: 'FieldsV1',
            fieldsV1: { 'f:data': { [`f:key-${i % 100}`]: {} } },
          })),
        },
        { data: record(100, (i) => [`key-${i}`, `v${at}`]) },
      ),
  },
  {
    name: 'managers of many fields',
    path: `${CORE}configmaps`,
    most: 600,
    make: (count, at) =>
      configMap(
        {
          managedFields: range(count, (m) => ({
            manager: `m${m}`,
            operation: 'Apply',
            apiVersion: 'v1',
            time: '2026-01-01T00:00:00Z',
            fieldsType: 'FieldsV1',
            fieldsV1: { 'f:data': record(200, (i) => [`f:key-${i}`, {}]) },
          })),
        },
        { data: record(200, (i) => [`key-${i}`, `v${at}`]) },
      ),
  },
  {
    name: 'unknown fields',
    path: `${CORE}configmaps`,
    most: 150_000,
    make: (count) =>
      configMap(
        {},
        record(count, (i) => [`unknown${i}`, 1]),
      ),
  },
  {
    name: 'keys that are wrong',
    path: `${CORE}configmaps`,
    answers: 422,
    most: 40_000,
    make: (count) => configMap({}, { data: record(count, (i) => [`key ${i}`, 'v']) }),
  },
  {
    name: 'labels that are wrong',
    path: `${CORE}configmaps`,
    answers: 422,
    most: 100_000,
    make: (count) => configMap({ labels: record(count, (i) => [`/l${i}`, ' v']) }),
  },
];
