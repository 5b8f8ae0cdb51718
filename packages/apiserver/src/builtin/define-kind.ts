import type { KubeObject, ResourceType } from '@windlass/apimachinery';
import type { TablePrinter } from '../resource/definition.ts';
import type { Stored } from '../resource/strategy.ts';
import type { DraftOf, View } from '../resource/views.ts';
import type { BuiltinServices } from './builtin-services.ts';
import { type KindRules, kindKey, type StorageRules } from './kind-rules.ts';
import type { KindValidation } from './shared/kind-validation.ts';

/** The rules of the kind `T`, written against its own types: a misspelt field does not compile. */
export type RulesOf<T extends KubeObject> = KindRules<DraftOf<T>, View<T>>;

export type ValidationOf<T extends KubeObject> = KindValidation<View<T>>;
export type PrinterOf<T extends KubeObject> = TablePrinter<View<T>>;

/** A built-in kind with its rules, as the lists of kinds have it. */
export interface BuiltinKind {
  /** `group/version/Kind`. */
  readonly key: string;
  readonly rules: (services: BuiltinServices) => KindRules;
}

/**
 * Gives a built-in kind its rules.
 *
 * @param rules the rules, or a function that makes them where they need something from outside
 */
export function defineKind<T extends KubeObject>(
  type: ResourceType<T>,
  rules: RulesOf<NoInfer<T>> | ((services: BuiltinServices) => RulesOf<NoInfer<T>>),
): BuiltinKind {
  const make = typeof rules === 'function' ? rules : (): RulesOf<NoInfer<T>> => rules;
  // The server knows objects as `Draft` and `Stored`. Rules are called only with those that the definition of
  // their own kind has decoded, or that the store has of that kind: these have the form of `T`.
  return { key: kindKey(type), rules: (services) => make(services) as unknown as KindRules };
}

/** For a kind that is kept in the form of another: which that is, and how one becomes the other. */
export function storedAs<Other extends KubeObject, D, S>(
  { group, plural, version }: ResourceType<Other>,
  conversion: {
    readonly fromStorage: (object: View<Other>) => S;
    /** The draft may be changed or taken over. */
    readonly toStorage: (draft: D) => DraftOf<Other>;
  },
): StorageRules<D, S> {
  return {
    group,
    plural,
    version,
    // What is stored there was decoded as the other kind, or converted to it.
    convertFromStorage: (object: Stored) => conversion.fromStorage(object as unknown as View<Other>),
    convertToStorage: conversion.toStorage,
  };
}

/** The rules of all these kinds, by their keys. Throws when a kind is there twice. */
export function rulesByKey<T>(entries: Iterable<readonly [key: string, rules: T]>): Map<string, T> {
  const rules = new Map<string, T>();
  for (const [key, value] of entries) {
    if (rules.has(key)) throw new Error(`the built-in kind ${key} is defined twice; remove one of its rules`);
    rules.set(key, value);
  }
  return rules;
}
