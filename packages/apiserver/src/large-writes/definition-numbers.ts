import type { DefinitionOrigin, ResourceDefinition } from '../resource/definition.ts';

const numbers = new WeakMap<DefinitionOrigin, number>();
let last = 0;

/** A number for each state of a custom resource definition, by which another thread knows whether it has that state. */
export function definitionNumber(origin: DefinitionOrigin): number {
  let number = numbers.get(origin);
  if (number === undefined) {
    number = ++last;
    numbers.set(origin, number);
  }
  return number;
}

/** The origin of a resource, which the thread has asked for by its number. */
export function originOf({ madeOf, plural }: ResourceDefinition, number: number): DefinitionOrigin {
  if (madeOf === undefined || definitionNumber(madeOf) !== number)
    throw new TypeError(`${plural} is not made of definition ${number}`);
  return madeOf;
}
