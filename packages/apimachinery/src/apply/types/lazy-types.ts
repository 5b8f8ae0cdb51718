import { compareUtf8 } from '../../json/go-format.ts';
import type { JsonValue } from '../../object.ts';
import { fieldElement } from '../fields/path-element.ts';
import type { FieldType, ListKey, ListType, MapType, Type } from './type.ts';

export interface FieldSource {
  readonly type: () => Type;
  readonly default: JsonValue | undefined;
}

/** A list whose element type is made when it is first asked for. */
export class LazyListType implements ListType {
  readonly relationship: 'atomic' | 'associative';
  readonly keys: readonly string[];
  readonly #makeItems: () => Type;
  #items: Type | undefined;
  #sortedKeys: readonly ListKey[] | undefined;

  constructor(relationship: 'atomic' | 'associative', keys: readonly string[], items: () => Type) {
    this.relationship = relationship;
    this.keys = keys;
    this.#makeItems = items;
  }

  get items(): Type {
    this.#items ??= this.#makeItems();
    return this.#items;
  }

  get sortedKeys(): readonly ListKey[] {
    this.#sortedKeys ??= this.keys
      .toSorted(compareUtf8)
      .map((name) => ({ name, default: this.items.map?.field(name)?.default }));
    return this.#sortedKeys;
  }

  withRelationship(relationship: 'atomic' | 'associative'): ListType {
    return new LazyListType(relationship, this.keys, this.#makeItems);
  }
}

/** A map or struct whose fields' types are made when they are first asked for. */
export class LazyMapType implements MapType {
  readonly relationship: 'atomic' | 'separable';
  readonly freeForm: boolean;
  readonly #sources: ReadonlyMap<string, FieldSource>;
  readonly #fields = new Map<string, FieldType>();
  readonly #makeValues: (() => Type) | undefined;
  readonly #untypedValues: boolean;
  #values: Type | undefined;

  /** `untypedValues`: whether nothing is said about the values. */
  constructor(
    relationship: 'atomic' | 'separable',
    fields: ReadonlyMap<string, FieldSource>,
    values: (() => Type) | undefined,
    untypedValues: boolean,
  ) {
    this.relationship = relationship;
    this.freeForm = fields.size === 0 && untypedValues;
    this.#sources = fields;
    this.#makeValues = values;
    this.#untypedValues = untypedValues;
  }

  field(name: string): FieldType | undefined {
    const known = this.#fields.get(name);
    if (known !== undefined) return known;
    const source = this.#sources.get(name);
    if (source === undefined) return undefined;
    const field = { element: fieldElement(name), type: source.type(), default: source.default };
    this.#fields.set(name, field);
    return field;
  }

  get values(): Type | undefined {
    if (this.#makeValues !== undefined) this.#values ??= this.#makeValues();
    return this.#values;
  }

  withRelationship(relationship: 'atomic' | 'separable'): MapType {
    return new LazyMapType(relationship, this.#sources, this.#makeValues, this.#untypedValues);
  }
}
