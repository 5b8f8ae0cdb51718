// Types whose JSON is not an object with their fields.
import type { JsonValue } from '../object.ts';
import { formatMicros, formatSeconds, parseTimestamp, ZERO_TIME_SECONDS } from '../protobuf/timestamp.ts';
import { Quantity } from '../quantity.ts';
import { TypedFormError, wrongType } from './errors.ts';
import { copyJson, type Form, isObject } from './form.ts';

export function timeForm(goType: string, precision: 'seconds' | 'micros'): Form {
  return {
    goType,
    zero: () => null,
    isNilable: false,
    apply(value, path, struct) {
      if (value === null || value === '') return null;
      if (typeof value !== 'string') throw wrongType(value, path, struct, 'string');
      const time = parseTimestamp(value);
      if (time === undefined) {
        const layout =
          precision === 'seconds' ? '2006-01-02T15:04:05Z07:00' : '2006-01-02T15:04:05.000000Z07:00';
        throw new TypedFormError(
          `parsing time ${JSON.stringify(value)} as ${JSON.stringify(layout)}: cannot parse ${JSON.stringify(value)} as "2006"`,
        );
      }
      if (time.seconds === ZERO_TIME_SECONDS && time.nanos === 0) return null;
      return precision === 'seconds' ? formatSeconds(time.seconds) : formatMicros(time.seconds, time.nanos);
    },
  };
}

export const quantityForm: Form = {
  goType: 'resource.Quantity',
  zero: () => '0',
  isNilable: false,
  apply(value, path, struct) {
    if (value === null || value === '') return '0';
    if (typeof value !== 'string' && typeof value !== 'number')
      throw wrongType(value, path, struct, 'resource.Quantity');
    try {
      return Quantity.parse(String(value).trim()).toString();
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
