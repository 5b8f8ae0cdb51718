export * from './apply/index.ts';
export * from './builtin-schemas.ts';
export {
  type Decoded,
  type DecodeOptions,
  decodeJson,
  type EncodeJsonOptions,
  encodeJson,
  strictDecodingMessage,
} from './codec-json.ts';
export * from './codec-yaml.ts';
export * from './conditions.ts';
export { type CronSchedule, parseCronSchedule } from './cron/cron-schedule.ts';
export * from './cron/errors.ts';
export { TimeZone } from './cron/time-zone.ts';
export * from './deep-copy.ts';
export * from './deep-equal.ts';
export * from './deep-freeze.ts';
export * from './duration.ts';
export * from './errors.ts';
export * from './field-error.ts';
export * from './field-path.ts';
export * from './field-selector.ts';
export * from './finalizers.ts';
export * from './generate-name.ts';
export { goQuote } from './go-text.ts';
export * from './group-resource.ts';
export * from './human-duration.ts';
export * from './int-or-string.ts';
export * from './json-patch.ts';
export * from './json-patch-diff.ts';
export * from './json-patch-errors.ts';
export { jsonPointer } from './json-patch-pointer.ts';
export * from './keys.ts';
export { type LabelOperator, LabelRequirement } from './label-requirement.ts';
export * from './label-selector.ts';
export * from './label-syntax.ts';
export * from './merge-patch.ts';
export * from './merge-patch-three-way.ts';
export * from './names.ts';
export * from './node-selection.ts';
export * from './object.ts';
export * from './object-meta-validation.ts';
export * from './owner-references.ts';
export * from './patch-status.ts';
export * from './protobuf/envelope.ts';
export * from './protobuf/errors.ts';
export * from './protobuf/watch-frames.ts';
export { WireReader } from './protobuf/wire-reader.ts';
export { WireWriter } from './protobuf/wire-writer.ts';
export * from './quantity.ts';
export type { QuantityFormat } from './quantity-text.ts';
export { podRequests } from './quota/pod-resources.ts';
export { inQuotaScope } from './quota/scopes.ts';
export {
  type CountedResource,
  countNameOf,
  countsOnly,
  type QuotaUsage,
  quotaUsageOf,
} from './quota/usage.ts';
export * from './references.ts';
export * from './registry.ts';
export * from './registry-builtin.ts';
export * from './resource.ts';
export * from './resource-version.ts';
export * from './schema.ts';
export * from './schema-fields.ts';
export * from './semantic-equal.ts';
export * from './status.ts';
export * from './status-access.ts';
export * from './status-constructors.ts';
export * from './status-error.ts';
export * from './status-guards.ts';
export * from './status-response.ts';
export * from './strategic-merge.ts';
export { anyFields, type KnownFields, type ScanOptions, scanFields } from './strict-fields.ts';
export * from './time.ts';
export * from './tolerations.ts';
export * from './transport.ts';
export {
  hasTypedForm,
  TypedFormError,
  type TypedObject as TypedFormResult,
  toTypedForm,
} from './typed-form.ts';
export * from './value-syntax.ts';
export * from './volume-binding.ts';
export type { WriteYamlOptions } from './yaml-writer.ts';
