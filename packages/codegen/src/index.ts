export {
  type AccessManifestOptions,
  AccessRecorder,
  type AccessRecorderOptions,
} from './access/access-recorder.ts';
export { type RoleManifestOptions, roleManifests } from './access/role-manifests.ts';
export * from './declare/collections.ts';
export type { ConditionValue } from './declare/conditions.ts';
export * from './declare/custom-resource-definition.ts';
export * from './declare/define-resource.ts';
export * from './declare/definitions-in.ts';
export type { Default, DefaultedField, Field, FieldOptions, OptionalField, TypeOf } from './declare/field.ts';
export * from './declare/fields.ts';
export type { IntegerOptions, NumberOptions, StringFormat, StringOptions } from './declare/scalars.ts';
export * from './errors.ts';
export { checkDefinition } from './generate/check-definition.ts';
export { type GeneratedModule, generateModules, type ModuleOptions } from './generate/resource-module.ts';
export * from './manifests.ts';
