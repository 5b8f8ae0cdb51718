import type { DeepReadonly, KubeObject, Schema } from '@windlass/apimachinery';

/** A CustomResourceDefinition of apiextensions.k8s.io/v1, in its typed form. */
export interface DefinitionObject extends KubeObject {
  spec: DefinitionSpec;
  status?: DefinitionStatus;
}

export interface DefinitionSpec {
  group: string;
  names: DefinitionNames;
  scope: string;
  versions: DefinitionVersion[];
  conversion?: DefinitionConversion;
  preserveUnknownFields?: boolean;
}

export interface DefinitionNames {
  plural: string;
  singular?: string;
  kind: string;
  listKind?: string;
  shortNames?: string[];
  categories?: string[];
}

export interface DefinitionVersion {
  name: string;
  served: boolean;
  storage: boolean;
  deprecated?: boolean;
  deprecationWarning?: string;
  schema?: { openAPIV3Schema?: Schema };
  subresources?: {
    status?: object;
    scale?: { specReplicasPath: string; statusReplicasPath: string; labelSelectorPath?: string };
  };
  additionalPrinterColumns?: PrinterColumn[];
  selectableFields?: { jsonPath: string }[];
}

export interface PrinterColumn {
  name: string;
  type: string;
  format?: string;
  description?: string;
  priority?: number;
  jsonPath: string;
}

export interface DefinitionConversion {
  strategy: string;
  webhook?: {
    clientConfig?: {
      url?: string;
      caBundle?: string;
      service?: { namespace: string; name: string; path?: string; port?: number };
    };
    conversionReviewVersions?: string[];
  };
}

export interface DefinitionCondition {
  type: string;
  status: 'True' | 'False' | 'Unknown';
  lastTransitionTime?: string;
  reason?: string;
  message?: string;
}

export interface DefinitionStatus {
  conditions?: DefinitionCondition[] | null;
  acceptedNames?: DefinitionNames;
  storedVersions?: string[];
}

export type StoredDefinition = DeepReadonly<DefinitionObject>;

export const DEFINITION_GROUP = 'apiextensions.k8s.io';
export const DEFINITION_PLURAL = 'customresourcedefinitions';
export const CLEANUP_FINALIZER = 'customresourcecleanup.apiextensions.k8s.io';

export function storageVersionOf(spec: DeepReadonly<DefinitionSpec>): string {
  return spec.versions.find(({ storage }) => storage)?.name ?? '';
}

export function hasCondition(
  { status }: Pick<StoredDefinition, 'status'>,
  type: string,
  value: 'True' | 'False' = 'True',
): boolean {
  return (
    status?.conditions?.some((condition) => condition.type === type && condition.status === value) ?? false
  );
}

export function schemaOf(version: DeepReadonly<DefinitionVersion>): Schema | undefined {
  // Schemas are read-only by themselves.
  return version.schema?.openAPIV3Schema as Schema | undefined;
}

/** An object of the store under the prefix of definitions: it went through their strategy. */
export function asDefinition(object: unknown): StoredDefinition {
  // Nothing else is kept under that prefix.
  return object as StoredDefinition;
}
