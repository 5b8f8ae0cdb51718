import { KubeconfigError } from '../errors.ts';
import { Secret } from '../secret.ts';

/** Reads the fields of one mapping by type. Every error names the file and the full path of the field. */
export class Fields {
  readonly file: string;
  /** Empty for the document itself. */
  readonly path: string;
  readonly #values: Readonly<Record<string, unknown>>;

  constructor(value: unknown, file: string, path: string) {
    this.file = file;
    this.path = path;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw this.#wrong(path === '' ? 'the document' : undefined, 'a mapping', value);
    }
    // An object that is no array has string keys.
    this.#values = value as Record<string, unknown>;
  }

  /** Undefined when absent, null or empty: a kubeconfig treats the three alike. */
  string(name: string): string | undefined {
    const value = this.#values[name];
    if (value === undefined || value === null || value === '') return undefined;
    if (typeof value !== 'string') throw this.#wrong(name, 'a string', value);
    return value;
  }

  secret(name: string): Secret | undefined {
    const value = this.string(name);
    return value === undefined ? undefined : new Secret(value);
  }

  boolean(name: string): boolean | undefined {
    const value = this.#values[name];
    if (value === undefined || value === null) return undefined;
    if (typeof value !== 'boolean') throw this.#wrong(name, 'true or false', value);
    return value;
  }

  strings(name: string): string[] {
    return this.#list(name).map((value, index) => {
      if (typeof value !== 'string') throw this.#wrong(`${name}[${index}]`, 'a string', value);
      return value;
    });
  }

  fields(name: string): Fields | undefined {
    const value = this.#values[name];
    if (value === undefined || value === null) return undefined;
    return new Fields(value, this.file, this.at(name));
  }

  list(name: string): Fields[] {
    return this.#list(name).map((value, index) => new Fields(value, this.file, this.at(`${name}[${index}]`)));
  }

  raw(name: string): unknown {
    return this.#values[name];
  }

  names(): string[] {
    return Object.keys(this.#values);
  }

  at(name: string): string {
    return this.path === '' ? name : `${this.path}.${name}`;
  }

  #list(name: string): readonly unknown[] {
    const value = this.#values[name];
    if (value === undefined || value === null) return [];
    if (!Array.isArray(value)) throw this.#wrong(name, 'a list', value);
    return value;
  }

  /** Says the type and never the value: the value may be a secret in the wrong place. */
  #wrong(name: string | undefined, expected: string, value: unknown): KubeconfigError {
    return new KubeconfigError(
      `must be ${expected}, but it is ${typeName(value)}`,
      { file: this.file, field: name === undefined ? this.path : this.at(name) },
      { code: 'KUBECONFIG_INVALID' },
    );
  }
}

function typeName(value: unknown): string {
  if (value === null || value === undefined) return 'empty';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'a mapping' : `a ${typeof value}`;
}
