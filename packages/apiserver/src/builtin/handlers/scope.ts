import { AdmissionChain } from '../../admission/chain.ts';
import type { RequestContext } from '../../request/context.ts';
import type { ResourceDefinition } from '../../resource/definition.ts';
import type { Draft, Stored } from '../../resource/strategy.ts';
import { getObject } from '../../verbs/get.ts';
import type { VerbRuntime } from '../../verbs/runtime.ts';
import type { Target } from '../../verbs/target.ts';
import { updateObject } from '../../verbs/update.ts';

/** For what the server does by itself, after what the client sent was admitted. */
export const NO_ADMISSION = new AdmissionChain([]);

/** The objects that handlers work on, through the same checks as every other write. */
export class Scope {
  readonly #runtime: VerbRuntime;
  readonly #context: RequestContext;

  constructor(runtime: VerbRuntime, context: RequestContext) {
    // What the client sent has passed admission; what follows from it is the server's own doing.
    this.#runtime = { ...runtime, admission: NO_ADMISSION };
    this.#context = context;
  }

  target(group: string, plural: string, namespace: string, name: string): Target {
    return { definition: this.#definition(group, plural), namespace, name, context: this.#context };
  }

  async get(target: Target): Promise<Stored> {
    return (await getObject(this.#runtime, target)).object;
  }

  /** Tries again when somebody else wrote; `change` gets a copy of its own each time. */
  async change(target: Target, subresource: string, change: (draft: Draft) => void): Promise<Stored> {
    const { object } = await updateObject(this.#runtime, {
      target,
      subresource,
      options: {},
      change: (live) => {
        const draft = structuredClone(live) as Draft;
        change(draft);
        // Where and whether a pod runs is nobody's to own: the server writes it, whoever asked.
        if (target.definition.kind === 'Pod') return draft;
        return this.#runtime
          .fieldManager(target.definition, subresource)
          .update<Draft>({ live: live as Draft, updated: draft, manager: this.#context.fieldManager }).object;
      },
    });
    return object;
  }

  #definition(group: string, plural: string): ResourceDefinition {
    const found = this.#runtime.catalog.findResource(group, plural);
    if (found === undefined)
      throw new TypeError(`${plural} of the group ${JSON.stringify(group)} are not served`);
    return found;
  }
}

export const SUCCESS = Object.freeze({
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Success',
  code: 201,
});
