import type { KubeObject, ResourceType } from '@windlass/apimachinery';
import { AdmissionChain } from '../../admission/chain.ts';
import type { RequestContext } from '../../request/context.ts';
import { type Draft, draftOf, type Stored } from '../../resource/strategy.ts';
import type { Target } from '../../resource/target.ts';
import type { DraftOf, View } from '../../resource/views.ts';
import { getObject } from '../../verbs/get.ts';
import type { VerbRuntime } from '../../verbs/runtime.ts';
import { updateObject } from '../../verbs/update.ts';

/** For what the server does by itself, after what the client sent was admitted. */
export const NO_ADMISSION = new AdmissionChain([]);

/** One object of a built-in kind. */
export interface TargetOf<T extends KubeObject> extends Target {
  readonly type: ResourceType<T>;
}

/** The objects that handlers work on, through the same checks as every other write. */
export class Scope {
  readonly #runtime: VerbRuntime;
  readonly #context: RequestContext;

  constructor(runtime: VerbRuntime, context: RequestContext) {
    // What the client sent has passed admission; what follows from it is the server's own doing.
    this.#runtime = { ...runtime, admission: NO_ADMISSION };
    this.#context = context;
  }

  /** Throws when the kind is not served. */
  target<T extends KubeObject>(type: ResourceType<T>, namespace: string, name: string): TargetOf<T> {
    const { group, plural } = type;
    const definition = this.#runtime.catalog.findResource(group, plural);
    if (definition === undefined)
      throw new TypeError(`${plural} of the group ${JSON.stringify(group)} are not served`);
    return { type, definition, namespace, name, context: this.#context };
  }

  async get<T extends KubeObject>(target: TargetOf<T>): Promise<View<T>> {
    const { object } = await getObject(this.#runtime, target);
    // What is stored went through this server as an object of the kind.
    return object as unknown as View<T>;
  }

  /** Tries again when somebody else wrote; `change` gets a copy of its own each time. */
  async change<T extends KubeObject>(
    target: TargetOf<T>,
    subresource: string,
    change: (draft: DraftOf<T>) => void,
  ): Promise<void> {
    await updateObject(this.#runtime, {
      target,
      subresource,
      options: {},
      change: (live) => this.#changed(target, subresource, live, change),
    });
  }

  #changed<T extends KubeObject>(
    { definition }: TargetOf<T>,
    subresource: string,
    live: Stored | undefined,
    change: (draft: DraftOf<T>) => void,
  ): Draft {
    if (live === undefined) throw new TypeError('a write to a subresource never creates');
    const draft = draftOf(live);
    // The copy is of the kind, as whatever is stored under its name.
    change(draft as unknown as DraftOf<T>);
    // Where and whether a pod runs is nobody's to own: the server writes it, whoever asked.
    if (definition.kind === 'Pod') return draft;
    return this.#runtime
      .fieldManager(definition, subresource)
      .update<Draft>({ live, updated: draft, manager: this.#context.fieldManager }).object;
  }
}

export const SUCCESS = Object.freeze({
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Success',
  code: 201,
});
