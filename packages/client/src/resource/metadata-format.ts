import type { KubeObject, ObjectMeta } from '@windlass/apimachinery';
import type { ReadFormat } from './resource-reader.ts';

/** Any object with nothing but its metadata. */
export interface PartialObjectMetadata extends KubeObject {
  apiVersion?: 'meta.k8s.io/v1';
  kind?: 'PartialObjectMetadata';
  metadata: ObjectMeta;
}

const as = (kind: string): string => `application/json;as=${kind};g=meta.k8s.io;v=v1`;

export const METADATA_FORMAT: ReadFormat = {
  object: as('PartialObjectMetadata'),
  list: as('PartialObjectMetadataList'),
};
