import { type Json, range, record, type Shape } from './shape.ts';

function crd(properties: Json, more: Json = {}): Json {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'growns.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'growns', kind: 'Grown' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: {
            openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties } } },
          },
          ...more,
        },
      ],
    },
  };
}

const CRD_PATH = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

export const DEFINITION_SHAPES: readonly Shape[] = [
  {
    name: 'definition: properties',
    path: CRD_PATH,
    most: 60_000,
    make: (count) => crd(record(count, (i) => [`p${i}`, { type: 'string', maxLength: 10 }])),
  },
  {
    name: 'definition: required and enum',
    path: CRD_PATH,
    most: 60_000,
    make: (count) =>
      crd({
        a: {
          type: 'object',
          properties: record(count, (i) => [`p${i}`, { type: 'string' }]),
          required: range(count, (i) => `p${i}`),
        },
        b: { type: 'string', enum: range(count, (i) => `e${i}`) },
      }),
  },
  {
    name: 'definition: depth',
    path: CRD_PATH,
    most: 200,
    make: (count) => {
      let schema: Json = { type: 'string' };
      for (let i = 0; i < count; i++) schema = { type: 'object', properties: { a: schema } };
      return crd({ a: schema });
    },
  },
  {
    name: 'definition: rules',
    path: CRD_PATH,
    most: 8_000,
    make: (count) =>
      crd(
        record(count, (i) => [
          `p${i}`,
          { type: 'string', maxLength: 10, 'x-kubernetes-validations': [{ rule: `self != 'n${i}'` }] },
        ]),
      ),
  },
  {
    name: 'definition: columns',
    path: CRD_PATH,
    most: 30_000,
    make: (count) =>
      crd(
        { a: { type: 'string' } },
        {
          additionalPrinterColumns: range(count, (i) => ({
            name: `C${i}`,
            type: 'string',
            jsonPath: '.spec.a',
          })),
        },
      ),
  },
  {
    name: 'definition: wrong properties',
    path: CRD_PATH,
    answers: 422,
    most: 60_000,
    make: (count) => crd(record(count, (i) => [`p${i}`, { type: 'nothing' }])),
  },
];
