import {
  type DeepReadonly,
  deepEqual,
  isConflict,
  isNotFound,
  type ResourceType,
} from '@windlass/apimachinery';
import { FlowSchema, PriorityLevelConfiguration } from '@windlass/apimachinery/api/flowcontrol/v1';
import type { Clock, Logger, Timer } from '@windlass/base';
import {
  AUTOUPDATE,
  type DefaultFlowSchema,
  type DefaultPriorityLevel,
  MANDATORY_LEVELS,
  MANDATORY_SCHEMAS,
  SUGGESTED_LEVELS,
  SUGGESTED_SCHEMAS,
} from '../flowcontrol/configuration/default-objects.ts';
import type { Store } from '../storage/store.ts';
import { listOfKind } from '../storage/stored-kinds.ts';
import type { OwnCalls } from './own-calls.ts';

export interface FlowObjectsOptions {
  readonly store: Store;
  readonly calls: OwnCalls;
  readonly clock: Clock;
  readonly logger: Logger;
}

type Kept = FlowSchema | PriorityLevelConfiguration;
type Default = DefaultFlowSchema | DefaultPriorityLevel;

const EVERY_MS = 60_000;

/**
 * What is to be written in place of a default object that is there; undefined when it may stay. The spec of mandatory
 * objects is always put back. That of others is when their annotation says so, or, if it says nothing, when nobody has
 * changed it yet. The annotation then says which it is.
 */
export function revised(
  current: DeepReadonly<Kept>,
  wanted: Default,
  isMandatory: boolean,
): DeepReadonly<Kept> | undefined {
  const said = booleanOf(current.metadata?.annotations?.[AUTOUPDATE]);
  const keepsSpec = isMandatory || (said ?? current.metadata?.generation === 1);
  const isSpecRight = !keepsSpec || isSpecAsWanted(current, wanted);
  if (isSpecRight && said === keepsSpec) return undefined;
  const annotations = { ...current.metadata?.annotations, [AUTOUPDATE]: String(keepsSpec) };
  const metadata = { ...current.metadata, annotations };
  // Both are of one kind: they were found by it.
  return { ...current, metadata, ...(!isSpecRight && { spec: wanted.spec }) } as DeepReadonly<Kept>;
}

/** Objects of a release before, which the server made and would have kept, and which are no longer wanted. */
export function isUnwanted(current: DeepReadonly<Kept>, wanted: readonly Default[]): boolean {
  const name = current.metadata?.name;
  return (
    booleanOf(current.metadata?.annotations?.[AUTOUPDATE]) === true &&
    !wanted.some(({ metadata }) => metadata.name === name)
  );
}

/** The administrator may say what exempt requests take from the others. */
function isSpecAsWanted(current: DeepReadonly<Kept>, wanted: Default): boolean {
  const { spec } = current;
  const isExempt = spec !== undefined && 'exempt' in spec && 'exempt' in wanted.spec;
  return deepEqual(
    isExempt ? { ...spec, exempt: {} } : spec,
    isExempt ? { ...wanted.spec, exempt: {} } : wanted.spec,
  );
}

function booleanOf(text: string | undefined): boolean | undefined {
  if (['1', 't', 'T', 'TRUE', 'true', 'True'].includes(text ?? '')) return true;
  return ['0', 'f', 'F', 'FALSE', 'false', 'False'].includes(text ?? '') ? false : undefined;
}

/** Makes the default flow schemas and priority levels, at the start and every minute. */
export class FlowObjects implements AsyncDisposable {
  readonly #options: FlowObjectsOptions;
  #timer: Timer | undefined = undefined;
  #running: Promise<void> = Promise.resolve();
  #isStopped = false;

  constructor(options: FlowObjectsOptions) {
    this.#options = options;
  }

  /** Resolves when all of them are there. */
  async start(): Promise<void> {
    await this.#ensureAll();
    this.#schedule();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#timer?.cancel();
    await this.#running;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  #schedule(): void {
    if (this.#isStopped) return;
    this.#timer = this.#options.clock.setTimeout(
      () => {
        this.#running = this.#ensureAll()
          .catch((error: unknown) =>
            this.#options.logger.warn(
              'the default flow schemas could not be kept; trying again in a minute',
              {
                error,
              },
            ),
          )
          .then(() => this.#schedule());
      },
      EVERY_MS,
      { keepAlive: false },
    );
  }

  async #ensureAll(): Promise<void> {
    // Levels before schemas, so that no schema dangles.
    await this.#ensure(PriorityLevelConfiguration, MANDATORY_LEVELS, SUGGESTED_LEVELS);
    await this.#ensure(FlowSchema, MANDATORY_SCHEMAS, SUGGESTED_SCHEMAS);
  }

  async #ensure<T extends Kept>(
    type: ResourceType<T>,
    mandatory: readonly Default[],
    suggested: readonly Default[],
  ): Promise<void> {
    const { store, calls } = this.#options;
    const collection = `/apis/${type.group}/${type.version}/${type.plural}`;
    const pathOf = (name: string): string => `${collection}/${encodeURIComponent(name)}`;
    const there = new Map((await listOfKind(store, type)).map((object) => [object.metadata?.name, object]));
    const ensureOne = async (wanted: Default, isMandatory: boolean): Promise<void> => {
      const name = wanted.metadata.name ?? '';
      const current = there.get(name);
      if (current === undefined) return calls.ensure(collection, wanted);
      const next = revised(current, wanted, isMandatory);
      if (next !== undefined) await unlessChanged(calls.update(pathOf(name), next));
    };
    const all = [...mandatory, ...suggested];
    await Promise.all([
      ...mandatory.map((wanted) => ensureOne(wanted, true)),
      ...suggested.map((wanted) => ensureOne(wanted, false)),
      ...[...there.values()]
        .filter((current) => isUnwanted(current, all))
        .map((current) => unlessChanged(calls.remove(pathOf(current.metadata?.name ?? '')))),
    ]);
  }
}

/** Somebody who changed or deleted it meanwhile is as good: it is looked at again in a minute. */
async function unlessChanged(write: Promise<unknown>): Promise<void> {
  try {
    await write;
  } catch (error) {
    if (!isConflict(error) && !isNotFound(error)) throw error;
  }
}
