import { apiVersionOf, type KubeObject } from '@windlass/apimachinery';
import type { CustomResourceDefinition } from '@windlass/apimachinery/api/apiextensions/v1';
import { InvalidArgumentError, realClock, silentLogger, systemRandom } from '@windlass/base';
import { ANONYMOUS } from '../access/user.ts';
import { asDefinition } from '../custom/definition/definition-object.ts';
import { customDefinitions } from '../custom/resource/custom-definition.ts';
import { checkKind } from '../request/body.ts';
import type { RequestContext } from '../request/context.ts';
import { reportProblems, type WriteParameters } from '../request/write-options.ts';
import type { ResourceDefinition } from '../resource/definition.ts';
import type { Draft, Stored } from '../resource/strategy.ts';
import { fillNew, validateNew } from '../verbs/create-rules.ts';
import { setDefaults } from '../verbs/defaults.ts';
import { dedupeOwners, metadataOf } from '../verbs/metadata.ts';
import { keepSystemFields, prepareUpdate, validateUpdate } from '../verbs/update-rules.ts';

/** What custom resources are checked by. */
export interface CustomResourceValidatorOptions {
  /** Which version of the definition. @default the one that is stored */
  readonly version?: string;
  /** What becomes of fields that the schema does not know. @default Warn, as with a server */
  readonly fieldValidation?: 'Ignore' | 'Warn' | 'Strict';
}

/** What a server would store, and what it would note beside its answer. */
export interface ValidatedResource<T> {
  /** With defaults, and without fields that the schema does not know. */
  readonly object: T;
  readonly warnings: readonly string[];
}

/**
 * Says what a server would say of an object, before it is sent: schema, formats, list types, CEL rules, metadata. What only
 * the server knows, it cannot say: admission, quotas, whether the name is taken.
 */
export class CustomResourceValidator<T extends KubeObject> {
  readonly #definition: ResourceDefinition;
  readonly #fieldValidation: WriteParameters['fieldValidation'];

  /** @throws InvalidArgumentError when the definition has no such version */
  constructor(definition: CustomResourceDefinition, options: CustomResourceValidatorOptions = {}) {
    const { version = definition.spec.versions.find(({ storage }) => storage)?.name } = options;
    const served = customDefinitions(asDefinition(definition), {
      converter: undefined,
      isTerminating: false,
    });
    const found = served.find((each) => each.version === version);
    if (found === undefined)
      throw new InvalidArgumentError(
        'version',
        version,
        `one that ${definition.metadata?.name ?? 'the definition'} serves: ${served.map((each) => each.version).join(', ')}`,
      );
    this.#definition = found;
    this.#fieldValidation = options.fieldValidation ?? 'Warn';
  }

  /** As for a create. @throws StatusError as the server's, with everything that is wrong */
  create(object: T): ValidatedResource<T> {
    return this.#judge(object, (draft, context) => {
      const definition = this.#definition;
      dedupeOwners(draft, context, false);
      fillNew(definition, draft, context);
      validateNew({ definition, context, ...placeOf(draft) }, draft);
    });
  }

  /** As for a replace of `old`, so that transition rules are checked too. @throws StatusError */
  update(object: T, old: T): ValidatedResource<T> {
    return this.#judgeUpdate(object, old, '');
  }

  /** As for a write to the status of `old`. @throws StatusError */
  updateStatus(object: T, old: T): ValidatedResource<T> {
    return this.#judgeUpdate(object, old, 'status');
  }

  #judgeUpdate(object: T, old: T, subresource: string): ValidatedResource<T> {
    return this.#judge(object, (draft, context) => {
      const live = this.#live(old);
      const target = { definition: this.#definition, context, ...placeOf(draft) };
      setDefaults(this.#definition, draft, live);
      dedupeOwners(draft, context, true);
      keepSystemFields(draft, live);
      prepareUpdate(target, subresource, draft, live);
      validateUpdate(target, subresource, draft, live);
    });
  }

  #judge(object: T, validate: (draft: Draft, context: RequestContext) => void): ValidatedResource<T> {
    const warnings: string[] = [];
    const context = contextOf((text) => void warnings.push(text));
    const definition = this.#definition;
    const typed = { apiVersion: apiVersionOf(definition), kind: definition.kind, ...object };
    const { draft, problems } = definition.decode(checkKind(definition, typed));
    reportProblems(problems, this.#fieldValidation, definition, context);
    definition.strategy.setDefaults?.(draft);
    const metadata = metadataOf(draft);
    // Which namespace it goes to, the call says and not the object.
    if (definition.namespaced) metadata.namespace ??= 'default';
    else delete metadata.namespace;
    validate(draft, context);
    // It has the form of its kind: the schema holds.
    return { object: draft as unknown as T, warnings };
  }

  /** As it would have been stored. */
  #live(old: T): Stored {
    const definition = this.#definition;
    const typed = { apiVersion: apiVersionOf(definition), kind: definition.kind, ...old };
    const { draft } = definition.decode(checkKind(definition, typed));
    definition.strategy.setDefaults?.(draft);
    if (definition.namespaced) metadataOf(draft).namespace ??= 'default';
    return draft;
  }
}

function placeOf({ metadata }: Draft): { readonly name: string; readonly namespace: string } {
  return { name: metadata?.name ?? '', namespace: metadata?.namespace ?? '' };
}

/** Nobody asks, and nothing is stored. */
function contextOf(warn: (text: string) => void): RequestContext {
  return {
    user: ANONYMOUS,
    clock: realClock,
    random: systemRandom,
    logger: silentLogger,
    signal: undefined,
    isDryRun: true,
    fieldManager: '',
    userAgent: '',
    warn,
    annotate: () => {},
  };
}
