import type { Condition, ObjectMeta, ResourceType } from '@windlass/apimachinery';
import type { CustomResourceDefinition } from '@windlass/apimachinery/api/apiextensions/v1';

/** A program behind an address: an image, and how many of it. */
export interface Function {
  apiVersion?: string;
  kind?: string;
  metadata?: ObjectMeta;
  spec: {
    image: string;
    /** The server fills in 1. */
    replicas?: number;
    /** The server fills in 8080. */
    port?: number;
    environment?: { [name: string]: string };
  };
  status?: { availableReplicas?: number; url?: string; conditions?: Condition[] };
}

export const Function: ResourceType<Function> = {
  group: 'functions.example.com',
  version: 'v1',
  kind: 'Function',
  plural: 'functions',
  namespaced: true,
};

/** What makes an API server serve it. */
export const functionDefinition: CustomResourceDefinition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'functions.functions.example.com' },
  spec: {
    group: Function.group,
    scope: 'Namespaced',
    names: {
      kind: 'Function',
      listKind: 'FunctionList',
      plural: 'functions',
      singular: 'function',
      shortNames: ['fn'],
    },
    versions: [
      {
        name: Function.version,
        served: true,
        storage: true,
        subresources: {
          status: {},
          scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.availableReplicas' },
        },
        additionalPrinterColumns: [
          { name: 'Image', type: 'string', jsonPath: '.spec.image' },
          { name: 'Ready', type: 'string', jsonPath: ".status.conditions[?(@.type=='Ready')].status" },
          { name: 'URL', type: 'string', jsonPath: '.status.url' },
        ],
        schema: {
          openAPIV3Schema: {
            type: 'object',
            required: ['spec'],
            properties: {
              spec: {
                type: 'object',
                required: ['image'],
                properties: {
                  image: { type: 'string', minLength: 1 },
                  replicas: { type: 'integer', minimum: 0, maximum: 100, default: 1 },
                  port: { type: 'integer', minimum: 1, maximum: 65_535, default: 8080 },
                  environment: { type: 'object', additionalProperties: { type: 'string' } },
                },
              },
              status: {
                type: 'object',
                properties: {
                  availableReplicas: { type: 'integer' },
                  url: { type: 'string' },
                  conditions: {
                    type: 'array',
                    'x-kubernetes-list-type': 'map',
                    'x-kubernetes-list-map-keys': ['type'],
                    items: {
                      type: 'object',
                      required: ['type', 'status'],
                      properties: {
                        type: { type: 'string' },
                        status: { type: 'string' },
                        reason: { type: 'string' },
                        message: { type: 'string' },
                        observedGeneration: { type: 'integer', format: 'int64' },
                        lastTransitionTime: { type: 'string', format: 'date-time' },
                      },
                    },
                  },
                },
              },
            },
          },
        },
      },
    ],
  },
};
