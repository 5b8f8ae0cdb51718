import { deepCopy } from '@windlass/apimachinery';
import type { CustomResourceDefinition } from '@windlass/apimachinery/api/apiextensions/v1';
import {
  CLEANUP_FINALIZER,
  type DefinitionObject,
  type DefinitionStatus,
  type StoredDefinition,
  storageVersionOf,
} from '../../../custom/definition/definition-object.ts';
import {
  validateDefinition,
  validateDefinitionUpdate,
} from '../../../custom/definition/definition-validation.ts';
import { validateRules } from '../../../custom/rules/rule-definitions.ts';
import type { DraftOf, View } from '../../../resource/views.ts';
import type { RulesOf } from '../../define-kind.ts';

/** The rules of the kind CustomResourceDefinition. */
export const definitionRules = {
  defaults: (draft) => setDefaults(asDefinition(draft)),
  strategy: {
    allowUnconditionalUpdate: false,
    generation: 'spec',
    deletionFinalizers: [CLEANUP_FINALIZER],
    validatesUpdatesWhole: true,
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
} satisfies RulesOf<CustomResourceDefinition>;

function asDefinition(draft: DraftOf<CustomResourceDefinition>): DefinitionObject {
  draft.spec ??= {};
  const { spec } = draft;
  spec.versions ??= [];
  spec.names ??= {};
  spec.names.plural ??= '';
  spec.names.kind ??= '';
  spec.group ??= '';
  spec.scope ??= '';
  // Typed form makes sure of the shape; only what is required may be missing, and was given above.
  return draft as DefinitionObject;
}

function asStored(object: View<CustomResourceDefinition>): StoredDefinition {
  // What is stored went through `asDefinition`.
  return object as StoredDefinition;
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
