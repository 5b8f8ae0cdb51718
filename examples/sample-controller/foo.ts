import type { ObjectMeta, ResourceType } from '@windlass/apimachinery';
import type { CustomResourceDefinition } from '@windlass/apimachinery/api/apiextensions/v1';

/** Asks for a Deployment of a name, with so many replicas. */
export interface Foo {
  apiVersion?: string;
  kind?: string;
  metadata?: ObjectMeta;
  spec: { deploymentName: string; replicas?: number };
  status?: { availableReplicas?: number };
}

export const Foo: ResourceType<Foo> = {
  group: 'samplecontroller.k8s.io',
  version: 'v1alpha1',
  kind: 'Foo',
  plural: 'foos',
  namespaced: true,
};

/** What makes an API server serve it. */
export const fooDefinition: CustomResourceDefinition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: {
    name: 'foos.samplecontroller.k8s.io',
    // Groups under k8s.io are the Kubernetes project's; this one is its sample's.
    annotations: { 'api-approved.kubernetes.io': 'unapproved, experimental-only' },
  },
  spec: {
    group: Foo.group,
    scope: 'Namespaced',
    names: { kind: 'Foo', listKind: 'FooList', plural: 'foos', singular: 'foo' },
    versions: [
      {
        name: Foo.version,
        served: true,
        storage: true,
        subresources: { status: {} },
        additionalPrinterColumns: [
          { name: 'Deployment', type: 'string', jsonPath: '.spec.deploymentName' },
          { name: 'Available', type: 'integer', jsonPath: '.status.availableReplicas' },
        ],
        schema: {
          openAPIV3Schema: {
            type: 'object',
            required: ['spec'],
            properties: {
              spec: {
                type: 'object',
                required: ['deploymentName'],
                properties: {
                  deploymentName: { type: 'string' },
                  replicas: { type: 'integer', minimum: 1, maximum: 10 },
                },
              },
              status: { type: 'object', properties: { availableReplicas: { type: 'integer' } } },
            },
          },
        },
      },
    ],
  },
};
