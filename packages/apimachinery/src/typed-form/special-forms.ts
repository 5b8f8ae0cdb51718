// Types whose JSON is not an object with their fields.
import type { JsonValue } from '../object.ts';
import { formatMicros, formatSeconds, parseTimestamp, ZERO_TIME_SECONDS } from '../protobuf/timestamp.ts';
import { Quantity } from '../quantities/quantity.ts';
import { TypedFormError, wrongType } from './errors.ts';
import { copyJson, type Form, isObject } from './form.ts';
import { type TimePrecision, timeProblem } from './time-problem.ts';

/** What a MicroTime must have after its second. */
const SIX_DIGITS = /[.,]\d{6}(?:Z|[+-])/;

/**
 * Times that are in their form already, which nearly all are: a look is a twentieth of what it takes to read and write
 * one. Days that not every month has, and the year of Go's zero time, are looked at closely.
 */
const IN_FORM: Readonly<Record<TimePrecision, RegExp>> = {
  seconds: /^[1-9]\d{3}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\dZ$/,
  micros: /^[1-9]\d{3}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{6}Z$/,
};

export function timeForm(goType: string, precision: TimePrecision): Form {
  const inForm = IN_FORM[precision];
  return {
    goType,
    zero: () => null,
    isNilable: false,
    apply(value, path, struct) {
      if (value === null) return null;
      if (typeof value !== 'string') throw wrongType(value, path, struct, 'string');
      if (inForm.test(value)) return value;
      const time = parseTimestamp(value);
      if (time === undefined || (precision === 'micros' && !SIX_DIGITS.test(value)))
        throw new TypedFormError(timeProblem(value, precision));
      if (time.seconds === ZERO_TIME_SECONDS && time.nanos === 0) return null;
      return precision === 'seconds' ? formatSeconds(time.seconds) : formatMicros(time.seconds, time.nanos);
    },
  };
}

/** Kubernetes reads the JSON as it stands: what is escaped there, or is no text and no number, is no quantity. */
function quantityText(value: unknown): string {
  if (typeof value === 'number' || typeof value === 'bigint') return String(value);
  return typeof value === 'string' && !/[\p{Cc}"\\]/u.test(value) ? value.trim() : '';
}

export const quantityForm: Form = {
  goType: 'resource.Quantity',
  zero: () => '0',
  isNilable: false,
  apply(value) {
    if (value === null) return '0';
    try {
      return Quantity.parse(quantityText(value)).toString();
    } catch (error) {
      throw new TypedFormError(error instanceof Error ? error.message : String(error));
    }
  },
};

export const intOrStringForm: Form = {
  goType: 'intstr.IntOrString',
  zero: () => 0,
  isNilable: false,
  apply(value, path, struct) {
    if (value === null) return 0;
    if (typeof value === 'string') return value;
    if (typeof value === 'number' && Number.isInteger(value) && Math.abs(value) < 2 ** 31) return value;
    throw wrongType(value, path, struct, 'int32');
  },
};

/** Any JSON, as it is. */
export const jsonForm: Form = {
  goType: 'runtime.RawExtension',
  zero: () => null,
  isNilable: false,
  apply: (value) => copyJson(value),
};

export const stringListForm: Form = {
  goType: '[]string',
  zero: () => null,
  isNilable: true,
  apply(value, path, struct) {
    if (!Array.isArray(value)) throw wrongType(value, path, struct, '[]string');
    return value.map((item: unknown): JsonValue => {
      if (typeof item !== 'string') throw wrongType(item, path, struct, 'string');
      return item;
    });
  },
};

/** A schema, or what else may stand in its place. */
export function schemaOr(schema: () => Form, isOther: (value: unknown) => boolean): Form {
  return {
    goType: 'v1.JSONSchemaProps',
    zero: () => null,
    isNilable: true,
    apply(value, path, struct, context) {
      if (isObject(value)) return schema().apply(value, path, struct, context);
      if (Array.isArray(value) && value.some(isObject))
        return value.map((item, index) => schema().apply(item, `${path}[${index}]`, struct, context));
      if (isOther(value)) return copyJson(value);
      throw wrongType(value, path, struct, 'v1.JSONSchemaProps');
    },
  };
}
