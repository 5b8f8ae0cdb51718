// Server-side apply: who owns which field, and how a configuration merges into what is there.

export { type CsaUpgradeOptions, upgradeManagedFields, upgradeManagedFieldsPatch } from './csa-upgrade.ts';
export { emptyObject } from './empty-object.ts';
export { type DeepPartial, type ExtractOptions, extractApplied } from './extract.ts';
export { FieldManager } from './field-manager.ts';
export type { FieldManagerOptions, FieldManagerVersions } from './field-manager-options.ts';
export {
  ANY,
  excludeFields,
  type FieldFilter,
  type FieldPattern,
  includeFields,
} from './fields/field-filter.ts';
export { FieldSet, type FieldSetEntry } from './fields/field-set.ts';
export { formatFieldsV1, parseFieldsV1 } from './fields/fields-v1.ts';
export {
  type ElementPath,
  FieldsV1Error,
  fieldElement,
  formatPath,
  indexElement,
  keyElement,
  type PathElement,
  pathOf,
  valueElement,
} from './fields/path-element.ts';
export { ApplyError } from './kind-types.ts';
export { LAST_APPLIED_ANNOTATION } from './last-applied.ts';
export { managerName } from './managers/manager-name.ts';
export {
  decodeManagedFields,
  encodeManagedFields,
  ManagedFieldsError,
  type Manager,
  type Managers,
} from './managers/managers.ts';
export { keepTimestamps } from './managers/timestamps.ts';
export type { ApplyRequest, UpdateRequest, UpdateResult } from './requests.ts';
export { ownersOfParent, ownersOfScale, type ScaleOwners } from './scale.ts';
export { mergeStructuralPatch } from './structural-patch.ts';
export { customResourceSchema } from './types/custom-resource-schema.ts';
export { ApplySchemaError, TypeCompiler } from './types/type-compiler.ts';
export { ApplyTypeError } from './types/validate.ts';
