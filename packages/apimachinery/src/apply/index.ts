// Server-side apply: who owns which field, and how a configuration merges into what is there.

export { type CsaUpgradeOptions, upgradeManagedFields, upgradeManagedFieldsPatch } from './csa-upgrade.ts';
export { customResourceSchema } from './custom-resource-schema.ts';
export { emptyObject } from './empty-object.ts';
export { type DeepPartial, type ExtractOptions, extractApplied } from './extract.ts';
export { ANY, excludeFields, type FieldFilter, type FieldPattern, includeFields } from './field-filter.ts';
export { FieldManager } from './field-manager.ts';
export type { FieldManagerOptions, FieldManagerVersions } from './field-manager-options.ts';
export { FieldSet, type FieldSetEntry } from './field-set.ts';
export { formatFieldsV1, parseFieldsV1 } from './fields-v1.ts';
export { ApplyError } from './kind-types.ts';
export { LAST_APPLIED_ANNOTATION } from './last-applied.ts';
export { managerName } from './manager-name.ts';
export {
  decodeManagedFields,
  encodeManagedFields,
  ManagedFieldsError,
  type Manager,
  type Managers,
} from './managers.ts';
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
} from './path-element.ts';
export type { ApplyRequest, UpdateRequest, UpdateResult } from './requests.ts';
export { ownersOfParent, ownersOfScale, type ScaleOwners } from './scale.ts';
export { keepTimestamps } from './timestamps.ts';
export { ApplySchemaError, TypeCompiler } from './type-compiler.ts';
export { ApplyTypeError } from './validate.ts';
