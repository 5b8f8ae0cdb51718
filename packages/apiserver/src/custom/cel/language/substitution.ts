import { type CelType, DYN, parameter, parameterOf, sameType } from './cel-type.ts';

/**
 * What the parameters of types stand for. Checking whether types fit binds parameters; when they do not fit,
 * nothing is bound.
 */
export class Substitution {
  readonly #bound = new Map<string, CelType>();
  /** What to undo, latest last. */
  readonly #undo: { readonly name: string; readonly before: CelType | undefined }[] = [];
  #count = 0;

  /** A parameter that nobody else has. */
  fresh(): CelType {
    return parameterOf(`_var${this.#count++}`);
  }

  /** Whether all `given` are good for `wanted`. */
  fit(given: readonly CelType[], wanted: readonly CelType[]): boolean {
    const mark = this.#undo.length;
    if (
      given.length === wanted.length &&
      given.every((type, index) => this.#fits(type, parameterAt(wanted, index)))
    )
      return true;
    while (this.#undo.length > mark) {
      const last = this.#undo.pop();
      if (last === undefined) break;
      if (last.before === undefined) this.#bound.delete(last.name);
      else this.#bound.set(last.name, last.before);
    }
    return false;
  }

  fits(a: CelType, b: CelType): boolean {
    return this.fit([a], [b]);
  }

  /** The type without the parameters that are bound; with `isFinal` without any. */
  apply(type: CelType, isFinal = false): CelType {
    if (type.kind === 'parameter') {
      const bound = this.#bound.get(type.name);
      if (bound !== undefined) return this.apply(bound, isFinal);
      return isFinal ? DYN : type;
    }
    if (type.parameters.length === 0) return type;
    return { ...type, parameters: type.parameters.map((one) => this.apply(one, isFinal)) };
  }

  #bind(name: string, type: CelType): void {
    this.#undo.push({ name, before: this.#bound.get(name) });
    this.#bound.set(name, type);
  }

  #fits(a: CelType, b: CelType): boolean {
    if (b.kind === 'parameter') {
      const { isValid, isBound } = this.#binds(a, b);
      if (isValid) return true;
      if (isBound) return false;
    }
    if (a.kind === 'parameter') return this.#binds(b, a).isValid;
    if (isOpen(a) || isOpen(b)) return true;
    if (a.kind === 'null') return isNullable(b);
    if (b.kind === 'null') return isNullable(a);
    if (a.kind !== b.kind) return false;
    switch (a.kind) {
      case 'type':
        return true;
      case 'list':
      case 'map':
      case 'opaque':
        return (
          a.name === b.name &&
          a.parameters.length === b.parameters.length &&
          a.parameters.every((one, index) => this.#fits(one, parameter(b, index)))
        );
      default:
        return a.name === b.name;
    }
  }

  #binds(type: CelType, to: CelType): { readonly isValid: boolean; readonly isBound: boolean } {
    if (sameType(type, to)) return { isValid: true, isBound: true };
    const bound = this.#bound.get(to.name);
    if (bound !== undefined) {
      if (sameType(type, bound)) return { isValid: true, isBound: true };
      if (!this.#fits(type, bound)) return { isValid: false, isBound: true };
      const general = mostGeneral(type, bound);
      if (this.#isFree(to, general)) this.#bind(to.name, general);
      return { isValid: true, isBound: true };
    }
    if (!this.#isFree(to, type)) return { isValid: false, isBound: false };
    this.#bind(to.name, type);
    return { isValid: true, isBound: false };
  }

  /** Whether a parameter does not occur within a type. */
  #isFree(of: CelType, within: CelType): boolean {
    if (sameType(of, within)) return false;
    if (within.kind === 'parameter') {
      const bound = this.#bound.get(within.name);
      return bound === undefined || this.#isFree(of, bound);
    }
    return within.parameters.every((one) => this.#isFree(of, one));
  }
}

function parameterAt(types: readonly CelType[], index: number): CelType {
  return types[index] ?? DYN;
}

function isOpen({ kind }: CelType): boolean {
  return kind === 'dyn' || kind === 'error';
}

function isNullable({ kind }: CelType): boolean {
  return ['null', 'opaque', 'object', 'duration', 'timestamp'].includes(kind);
}

export function mostGeneral(a: CelType, b: CelType): CelType {
  return isNoMoreSpecific(a, b) ? a : b;
}

function isNoMoreSpecific(a: CelType, b: CelType): boolean {
  if (a.kind === 'dyn' || a.kind === 'parameter') return true;
  if (b.kind === 'dyn' || b.kind === 'parameter') return false;
  if (a.kind !== b.kind) return false;
  if (a.kind === 'type') return true;
  if (a.kind !== 'list' && a.kind !== 'map' && a.kind !== 'opaque') return sameType(a, b);
  return (
    a.name === b.name &&
    a.parameters.length === b.parameters.length &&
    a.parameters.every((one, index) => isNoMoreSpecific(one, parameter(b, index)))
  );
}
