// Changes an object in one place or a few, led by its schema: what comes of it is nearly right.
import type { Schema, SchemaSource } from '@windlass/apimachinery';
import { SeededRandom } from '@windlass/base';
import type { Json } from './kinds.ts';
import { type Choice, leafValue, mapKey, quantity } from './value-pools.ts';

/** Chance that can be handed on as a number: the same number makes the same changes to the same object. */
export class Dice extends SeededRandom implements Choice {
  pick<T>(values: readonly T[]): T {
    const value = values[this.int(values.length)];
    if (value === undefined && values.length === 0) throw new RangeError('there is nothing to pick from');
    return value as T;
  }

  oneIn(count: number): boolean {
    return this.int(count) === 0;
  }
}

export interface Subject {
  readonly schema: Schema;
  readonly schemas: SchemaSource;
  /** Dotted paths, without indexes, that stay as they are. */
  readonly frozen: (path: string) => boolean;
}

const DEEP = 9;

/** A copy with up to three changes below `field`, or below any field but the status. */
export function mutate(object: Json, subject: Subject, dice: Dice, field?: string): Json {
  const copy = structuredClone(object);
  const walker = new Walker(subject, dice);
  const changes = 1 + (dice.oneIn(3) ? 1 : 0) + (dice.oneIn(6) ? 1 : 0);
  for (let change = 0; change < changes; change++) walker.changeRoot(copy, field);
  return copy;
}

class Walker {
  readonly #subject: Subject;
  readonly #dice: Dice;

  constructor(subject: Subject, dice: Dice) {
    this.#subject = subject;
    this.#dice = dice;
  }

  changeRoot(object: Json, field: string | undefined): void {
    const dice = this.#dice;
    const properties = this.#resolve(this.#subject.schema).properties ?? {};
    if (field === undefined && dice.oneIn(10)) {
      changeMetadata(object, dice);
      return;
    }
    const names = Object.keys(properties).filter(
      (name) => !['apiVersion', 'kind', 'metadata', 'status'].includes(name) && !this.#subject.frozen(name),
    );
    const name = field ?? (names.length === 0 ? undefined : this.#name(object, names));
    const below = name === undefined ? undefined : properties[name];
    if (name === undefined || below === undefined) changeMetadata(object, dice);
    else set(object, name, this.#change(object[name], below, name, name, 0));
  }

  /** Fields that are there are chosen more often than those that could be. */
  #name(value: Json, names: readonly string[]): string {
    const present = names.filter((name) => value[name] !== undefined);
    return this.#dice.pick(present.length > 0 && !this.#dice.oneIn(3) ? present : names);
  }

  #change(value: unknown, given: Schema, name: string, path: string, depth: number): unknown {
    const dice = this.#dice;
    if (isQuantity(given)) return dice.oneIn(5) ? undefined : quantity(dice);
    if (isMicroTime(given)) return '2024-02-29T12:00:00.123456Z';
    const schema = this.#resolve(given);
    if (Array.isArray(value)) return this.#changeList(value, schema, name, path, depth);
    if (schema.type === 'array')
      return dice.oneIn(5) ? [] : [this.#fresh(schema.items ?? {}, name, path, depth + 1)];
    if (schema.properties !== undefined) return this.#changeObject(value, schema, path, depth);
    if (typeof schema.additionalProperties === 'object')
      return this.#changeMap(value, schema, name, path, depth);
    if (schema.type === 'object') return dice.pick([{}, { a: 1 }, { a: { b: ['c', null] } }, undefined]);
    return value !== undefined && dice.oneIn(4) ? undefined : leafValue(name, schema, dice);
  }

  #changeObject(value: unknown, schema: Schema, path: string, depth: number): unknown {
    const dice = this.#dice;
    if (value !== undefined && depth > 0 && dice.oneIn(12)) return dice.oneIn(2) ? undefined : {};
    if (depth > DEEP) return {};
    if (!isObject(value)) return this.#freshObject(schema, path, depth);
    const names = Object.keys(schema.properties ?? {}).filter(
      (name) => !this.#subject.frozen(`${path}.${name}`),
    );
    if (names.length === 0) return value;
    const name = this.#name(value, names);
    set(
      value,
      name,
      this.#change(value[name], schema.properties?.[name] ?? {}, name, `${path}.${name}`, depth + 1),
    );
    return value;
  }

  #changeList(value: unknown[], schema: Schema, name: string, path: string, depth: number): unknown {
    const dice = this.#dice;
    const items = schema.items ?? {};
    if (value.length === 0 || dice.oneIn(6)) return [...value, this.#fresh(items, name, path, depth + 1)];
    const index = dice.int(value.length);
    if (dice.oneIn(10)) return [...value, structuredClone(value[index])];
    if (dice.oneIn(10)) return value.filter((_, at) => at !== index);
    const changed = this.#change(value[index], items, name, path, depth + 1);
    return value.map((item, at) => (at === index ? (changed ?? item) : item));
  }

  #changeMap(value: unknown, schema: Schema, name: string, path: string, depth: number): unknown {
    const dice = this.#dice;
    const map = isObject(value) ? value : {};
    // The two servers need not write them in the same order.
    const keys = Object.keys(map).toSorted();
    const key = keys.length > 0 && dice.oneIn(2) ? dice.pick(keys) : mapKey(name, dice);
    const below = typeof schema.additionalProperties === 'object' ? schema.additionalProperties : {};
    set(map, key, this.#change(map[key], below, name, path, depth + 1));
    return map;
  }

  #fresh(given: Schema, name: string, path: string, depth: number): unknown {
    const schema = this.#resolve(given);
    if (isQuantity(given)) return quantity(this.#dice);
    if (schema.properties !== undefined) return this.#freshObject(schema, path, depth);
    return this.#change(undefined, given, name, path, depth) ?? 'a';
  }

  #freshObject(schema: Schema, path: string, depth: number): unknown {
    const dice = this.#dice;
    const made: Json = {};
    if (depth > DEEP || dice.oneIn(8)) return made;
    const properties = schema.properties ?? {};
    const names = Object.keys(properties).filter((name) => !this.#subject.frozen(`${path}.${name}`));
    const chosen = new Set((schema.required ?? []).filter(() => !dice.oneIn(8)));
    for (let more = dice.int(3); more > 0 && names.length > 0; more--) chosen.add(dice.pick(names));
    for (const name of chosen)
      set(made, name, this.#fresh(properties[name] ?? {}, name, `${path}.${name}`, depth + 1));
    return made;
  }

  #resolve(schema: Schema): Schema {
    const reference = schema.$ref ?? schema.allOf?.find(({ $ref }) => $ref !== undefined)?.$ref;
    return (reference === undefined ? undefined : this.#subject.schemas.definition(reference)) ?? schema;
  }
}

function isQuantity({ $ref, allOf }: Schema): boolean {
  return ($ref ?? allOf?.[0]?.$ref ?? '').endsWith('resource.Quantity');
}

function isMicroTime({ $ref, allOf }: Schema): boolean {
  return ($ref ?? allOf?.[0]?.$ref ?? '').endsWith('.MicroTime');
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function set(object: Json, name: string, value: unknown): void {
  if (value === undefined) delete object[name];
  else object[name] = value;
}

const OWNER = { apiVersion: 'v1', kind: 'ConfigMap', name: 'o', uid: '6f1c2a4e-8b1d-4c1f-9a2b-000000000000' };

function changeMetadata(object: Json, dice: Dice): void {
  if (!isObject(object['metadata'])) object['metadata'] = {};
  const metadata = object['metadata'] as Json;
  const field = dice.pick([
    'labels',
    'annotations',
    'finalizers',
    'ownerReferences',
    'generation',
    'uid',
    'deletionTimestamp',
    'unknown',
  ]);
  switch (field) {
    case 'labels':
    case 'annotations': {
      const map = isObject(metadata[field]) ? metadata[field] : {};
      map[mapKey(field, dice)] = dice.pick(['', 'b', 'B.c_d', '-', 'x'.repeat(64), 'a b']);
      metadata[field] = map;
      break;
    }
    case 'finalizers':
      metadata[field] = [dice.pick(['example.com/a', 'a', 'orphan', 'A b', 'foregroundDeletion', ''])];
      break;
    case 'ownerReferences':
      metadata[field] = dice.pick([
        [OWNER],
        [{ ...OWNER, controller: true, blockOwnerDeletion: true }],
        [{ ...OWNER, name: '' }],
        [{ ...OWNER, apiVersion: 'a/b/c' }],
        [OWNER, OWNER],
        [
          { ...OWNER, controller: true },
          { ...OWNER, uid: 'other', controller: true },
        ],
        [{ ...OWNER, kind: 'Event', apiVersion: 'v1' }],
      ]);
      break;
    case 'generation':
      metadata[field] = dice.pick([7, -1]);
      break;
    case 'uid':
      metadata[field] = dice.pick([OWNER.uid, '']);
      break;
    case 'deletionTimestamp':
      metadata[field] = '2024-02-29T12:00:00Z';
      break;
    default:
      ((object['spec'] as Json | undefined) ?? object)['bogus'] = 1;
  }
}
