export * from './apply/index.ts';
export * from './bootstrap-tokens/bootstrap-token.ts';
export { type CronSchedule, parseCronSchedule } from './cron/cron-schedule.ts';
export * from './cron/errors.ts';
export { TimeZone } from './cron/time-zone.ts';
export * from './errors.ts';
export {
  type Decoded,
  type DecodeOptions,
  decodeJson,
  type EncodeJsonOptions,
  encodeJson,
  strictDecodingMessage,
} from './json/codec-json.ts';
export * from './json/deep-copy.ts';
export * from './json/deep-equal.ts';
export * from './json/deep-freeze.ts';
export { goMapJson } from './json/go-json.ts';
export { isJsonObject } from './json/json-object.ts';
export { anyFields, type KnownFields, type ScanOptions, scanFields } from './json/strict-fields.ts';
export { parseWideJson, wideJson } from './json/wide-json.ts';
export * from './metadata/conditions.ts';
export * from './metadata/finalizers.ts';
export * from './metadata/keys.ts';
export * from './metadata/object-meta-validation.ts';
export * from './metadata/owner-references.ts';
export * from './metadata/references.ts';
export * from './metadata/resource-version.ts';
export * from './names/generate-name.ts';
export * from './names/label-syntax.ts';
export * from './names/names.ts';
export * from './names/value-syntax.ts';
export * from './object.ts';
export * from './patches/json-patch.ts';
export * from './patches/json-patch-diff.ts';
export * from './patches/json-patch-errors.ts';
export { jsonPointer } from './patches/json-patch-pointer.ts';
export * from './patches/merge-patch.ts';
export * from './patches/merge-patch-three-way.ts';
export * from './patches/patch-status.ts';
export * from './patches/strategic-merge.ts';
export * from './placement/node-selection.ts';
export * from './placement/resource-claims.ts';
export * from './placement/tolerations.ts';
export * from './placement/volume-binding.ts';
export * from './protobuf/envelope.ts';
export * from './protobuf/errors.ts';
export * from './protobuf/watch-frames.ts';
export { WireWriter } from './protobuf/wire-writer.ts';
export * from './quantities/int-or-string.ts';
export * from './quantities/quantity.ts';
export type { QuantityFormat } from './quantities/quantity-text.ts';
export type { CountedResource } from './quota/counted-kinds.ts';
export { podRequests } from './quota/pod-resources.ts';
export { inQuotaScope } from './quota/scopes.ts';
export {
  countNameOf,
  countsOnly,
  type QuotaUsage,
  quotaUsageOf,
} from './quota/usage.ts';
export * from './resource.ts';
export * from './schema/builtin-descriptions.ts';
export * from './schema/builtin-schemas.ts';
export * from './schema/registry.ts';
export * from './schema/registry-builtin.ts';
export * from './schema/schema.ts';
export * from './schema/schema-fields.ts';
export * from './schema/semantic-equal.ts';
export * from './selectors/field-selector.ts';
export { type LabelOperator, LabelRequirement } from './selectors/label-requirement.ts';
export * from './selectors/label-selector.ts';
export * from './selectors/shard-selector.ts';
export * from './served.ts';
export * from './status/field-error.ts';
export * from './status/field-path.ts';
export * from './status/group-resource.ts';
export * from './status/status.ts';
export * from './status/status-access.ts';
export * from './status/status-constructors.ts';
export * from './status/status-error.ts';
export * from './status/status-guards.ts';
export * from './status/status-response.ts';
export { goQuote } from './text/go-text.ts';
export { parseInt32, parseInt64 } from './text/int64.ts';
export * from './time/duration.ts';
export * from './time/human-duration.ts';
export * from './time/time.ts';
export * from './transport.ts';
export {
  hasTypedForm,
  TypedFormError,
  type TypedObject as TypedFormResult,
  toTypedForm,
} from './typed-form/typed-form.ts';
export * from './yaml/codec-yaml.ts';
export { editNamedLists, type NamedListChange } from './yaml/edit-named-lists.ts';
export type { WriteYamlOptions } from './yaml/yaml-writer.ts';
