import { type CelType, parseType, splitTypes } from './cel-type.ts';

/** One form of a function: by its types. */
export interface Overload {
  /** By which costs know it. */
  readonly id: string;
  readonly isMember: boolean;
  /** Of a member's receiver first. */
  readonly parameters: readonly CelType[];
  readonly typeParameters: readonly string[];
  readonly result: CelType;
  readonly run: (...args: never[]) => unknown;
}

type Run = Overload['run'];

/** A class, also one that only itself can construct. */
export interface ObjectClass {
  readonly prototype: object;
  [Symbol.hasInstance](value: unknown): boolean;
}

/** A type of objects. */
export interface ObjectType {
  readonly name: string;
  /** Undefined when nothing has fields. */
  readonly fields: ReadonlyMap<string, CelType> | undefined;
  /** Its values are instances of this; undefined for those that only expressions make. */
  readonly objectClass: ObjectClass | undefined;
  /** Makes one, for `Name{field: value}`. */
  readonly make?: (fields: ReadonlyMap<string, unknown>) => unknown;
}

/** Finds types by their names where there are too many to declare. */
export type TypeResolver = (
  name: string,
) => (Pick<ObjectType, 'make'> & { readonly fieldType: (field: string) => CelType | undefined }) | undefined;

const SIGNATURE = /^(?:([\w.<>, ]+)\.)?(\w+)\(([^)]*)\):\s*(.+)$/;
const BUILT_IN =
  /^(?:list|map|optional|type)<|^(?:bool|int|uint|double|string|bytes|list|map|dyn|type|timestamp|duration)$|^[A-Z]$/;

/** The variables, functions and types that expressions may use. */
export class Declarations {
  readonly #parent: Declarations | undefined;
  readonly #variables = new Map<string, CelType>();
  readonly #functions = new Map<string, readonly Overload[]>();
  readonly #objects = new Map<string, ObjectType>();
  readonly #opaque = new Set<string>();
  readonly #equal = new Map<unknown, (a: never, b: never) => boolean>();
  readonly #resolvers: TypeResolver[] = [];

  constructor(parent?: Declarations) {
    this.#parent = parent;
  }

  variable(name: string, type: string | CelType): this {
    this.#variables.set(name, this.type(type));
    return this;
  }

  /**
   * @param signature `string.find(string): string` for a member, `sets.contains(list<T>, list<T>): bool` for
   * a function with a name of several parts
   */
  function(signature: string, run: Run, id = signature): this {
    const [, prefix = '', last = '', parameters = '', result = 'dyn'] = SIGNATURE.exec(signature) ?? [];
    if (last === '') throw new Error(`"${signature}" is no signature of a function`);
    const isMember = prefix !== '' && (BUILT_IN.test(prefix) || this.object(prefix) !== undefined);
    const name = isMember || prefix === '' ? last : `${prefix}.${last}`;
    const types = [...(isMember ? [prefix] : []), ...splitTypes(parameters)];
    return this.overload(name, types, result.trim(), run, id, isMember);
  }

  /** A function whose name is no word: an operator. */
  overload(
    name: string,
    parameters: readonly string[],
    result: string,
    run: Run,
    id: string,
    isMember = false,
  ): this {
    const types = parameters.map((type) => this.type(type));
    const made: Overload = {
      id,
      isMember,
      parameters: types,
      typeParameters: [...new Set([...types, this.type(result)].flatMap(parametersOf))],
      result: this.type(result),
      run,
    };
    this.#functions.set(name, [...(this.functionNamed(name) ?? []), made]);
    return this;
  }

  object(name: string): ObjectType | undefined {
    return this.#objects.get(name) ?? this.#parent?.object(name);
  }

  /** Declares a type of objects. */
  declareObject(
    name: string,
    objectClass: ObjectClass,
    fields?: Readonly<Record<string, string | CelType>>,
    equal?: (a: never, b: never) => boolean,
  ): this {
    const types =
      fields === undefined
        ? undefined
        : new Map(Object.entries(fields).map(([field, type]) => [field, this.type(type)]));
    this.#objects.set(name, { name, fields: types, objectClass });
    if (equal !== undefined) this.#equal.set(objectClass, equal);
    return this;
  }

  /** A type that has parameters or none, and no fields. */
  declareOpaque(name: string, objectClass: ObjectClass, equal?: (a: never, b: never) => boolean): this {
    this.#opaque.add(name);
    return this.declareObject(name, objectClass, undefined, equal);
  }

  resolveTypes(resolver: TypeResolver): this {
    this.#resolvers.push(resolver);
    return this;
  }

  resolve(name: string): ReturnType<TypeResolver> {
    for (const resolver of this.#resolvers) {
      const found = resolver(name);
      if (found !== undefined) return found;
    }
    return this.#parent?.resolve(name);
  }

  /** The name of an object's type. */
  nameOf(value: unknown): string | undefined {
    for (const { name, objectClass } of this.#objects.values())
      if (objectClass?.[Symbol.hasInstance](value) === true) return name;
    return this.#parent?.nameOf(value);
  }

  equalityOf(objectClass: unknown): ((a: never, b: never) => boolean) | undefined {
    return this.#equal.get(objectClass) ?? this.#parent?.equalityOf(objectClass);
  }

  variableNamed(name: string): CelType | undefined {
    return this.#variables.get(name) ?? this.#parent?.variableNamed(name);
  }

  functionNamed(name: string): readonly Overload[] | undefined {
    return this.#functions.get(name) ?? this.#parent?.functionNamed(name);
  }

  type(type: string | CelType): CelType {
    if (typeof type !== 'string') return type;
    return parseType(type, (name) => this.#isOpaque(name));
  }

  #isOpaque(name: string): boolean {
    return this.#opaque.has(name) || (this.#parent !== undefined && this.#parent.#isOpaque(name));
  }
}

function parametersOf(type: CelType): string[] {
  return type.kind === 'parameter' ? [type.name] : type.parameters.flatMap(parametersOf);
}
