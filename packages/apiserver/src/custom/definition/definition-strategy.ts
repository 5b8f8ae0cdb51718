import { deepCopy } from '@windlass/apimachinery';
import type { KindRules } from '../../builtin/kind-rules.ts';
import { objectIn } from '../../builtin/values.ts';
import type { Draft, Stored } from '../../resource/strategy.ts';
import { validateRules } from '../rules/rule-definitions.ts';
import {
  CLEANUP_FINALIZER,
  type DefinitionObject,
  type DefinitionStatus,
  type StoredDefinition,
  storageVersionOf,
} from './definition-object.ts';
import { validateDefinition, validateDefinitionUpdate } from './definition-validation.ts';

/** The rules of the kind CustomResourceDefinition. */
export const definitionRules: KindRules = {
  strategy: {
    allowUnconditionalUpdate: false,
    generation: 'spec',
    deletionFinalizers: [CLEANUP_FINALIZER],
    validatesUpdatesWhole: true,
    setDefaults: (draft) => setDefaults(asDefinition(draft)),
    prepareForCreate(draft) {
      const definition = asDefinition(draft);
      definition.status = { storedVersions: [] };
      keepStorageVersion(definition, definition.status);
    },
    prepareForUpdate(draft, old) {
      const definition = asDefinition(draft);
      const status = deepCopy(asStored(old).status);
      definition.status = status ?? {};
      keepStorageVersion(definition, definition.status);
    },
    validate: (object) => validateDefinition(asStored(object), validateRules),
    validateUpdate: (object, old) => validateDefinitionUpdate(asStored(object), asStored(old), validateRules),
  },
};

// Typed form makes sure of the shape; only what is required may be missing, and is given here.
function asDefinition(draft: Draft): DefinitionObject {
  const spec = objectIn(draft, 'spec');
  spec['versions'] ??= [];
  const names = objectIn(spec, 'names');
  names['plural'] ??= '';
  names['kind'] ??= '';
  spec['group'] ??= '';
  spec['scope'] ??= '';
  return draft as unknown as DefinitionObject;
}

function asStored(object: Stored): StoredDefinition {
  return object as unknown as StoredDefinition;
}

function setDefaults({ spec }: DefinitionObject): void {
  const { names } = spec;
  if ((names.singular ?? '') === '' && names.kind !== '') names.singular = names.kind.toLowerCase();
  if ((names.listKind ?? '') === '' && names.kind !== '') names.listKind = `${names.kind}List`;
  spec.conversion ??= { strategy: 'None' };
  const service = spec.conversion.webhook?.clientConfig?.service;
  if (service !== undefined) service.port ??= 443;
}

/** Whatever was ever the storage version may still be in the store. */
function keepStorageVersion({ spec }: DefinitionObject, status: DefinitionStatus): void {
  const version = storageVersionOf(spec);
  const stored = status.storedVersions ?? [];
  status.storedVersions = version === '' || stored.includes(version) ? stored : [...stored, version];
}
