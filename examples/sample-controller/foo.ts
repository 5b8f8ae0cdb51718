import { customResourceDefinition, defineResource, fields, type ObjectOfKind } from '@windlass/codegen';

/** Asks for a Deployment of a name, with so many replicas. */
export const Foo = defineResource({
  group: 'samplecontroller.k8s.io',
  version: 'v1alpha1',
  kind: 'Foo',
  spec: fields.object({
    deploymentName: fields.string(),
    replicas: fields.optional(fields.integer({ minimum: 1, maximum: 10 })),
  }),
  status: fields.object({ availableReplicas: fields.optional(fields.integer()) }),
  columns: [
    { name: 'Deployment', type: 'string', jsonPath: '.spec.deploymentName' },
    { name: 'Available', type: 'integer', jsonPath: '.status.availableReplicas' },
  ],
});
export type Foo = ObjectOfKind<typeof Foo>;

const definition = customResourceDefinition(Foo);

/** What makes an API server serve it. */
export const fooDefinition = {
  ...definition,
  metadata: {
    ...definition.metadata,
    // Groups under k8s.io are the Kubernetes project's; this one is its sample's.
    annotations: { 'api-approved.kubernetes.io': 'unapproved, experimental-only' },
  },
};
