import type { JsonObject } from '../../json/json-object.ts';
import type { FieldSet } from '../fields/field-set.ts';
import type { Type } from './type.ts';

/** An object in one version, which has been validated. */
export interface TypedObject {
  readonly value: JsonObject;
  readonly type: Type;
  readonly apiVersion: string;
}

/** What an update needs to know beyond the objects. */
export interface UpdateContext {
  /** The object in another version; undefined when there is no such version any more. */
  convert(object: TypedObject, apiVersion: string): TypedObject | undefined;
  /** The fields without those that the endpoint never persists. */
  filter(fields: FieldSet, apiVersion: string): FieldSet;
}
