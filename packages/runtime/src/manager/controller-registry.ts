import { InvalidArgumentError, onAbort } from '@windlass/base';
import type { Controller } from '../controller.ts';
import type { ControllerOptions } from '../controller-options.ts';
import type { GroupName, Runnable, RunnableContext } from '../runnable.ts';
import type { ManagedControllerOptions } from '../watch-options.ts';

export interface ControllerRegistryOptions {
  /** What each controller gets that does not say otherwise. */
  readonly defaults: (name: string) => Partial<ControllerOptions>;
  /** Makes a part of the program start and stop with the manager. */
  readonly add: (runnable: Runnable, group: GroupName) => void;
}

/** The controllers of a manager, by name. */
export class ControllerRegistry {
  readonly #options: ControllerRegistryOptions;
  readonly #controllers = new Map<string, Controller>();

  constructor(options: ControllerRegistryOptions) {
    this.#options = options;
  }

  get byName(): ReadonlyMap<string, Controller> {
    return this.#controllers;
  }

  /** Whether no controller has anything to do now. Delayed keys do not count. */
  get isIdle(): boolean {
    return this.#controllers.values().every((controller) => controller.isIdle);
  }

  /** Makes a controller, which runs with the manager. */
  register(
    name: string,
    make: (defaults: Partial<ControllerOptions>) => Controller,
    options: ManagedControllerOptions,
  ): Controller {
    const { defaults, add } = this.#options;
    if (this.#controllers.has(name))
      throw new InvalidArgumentError('name', name, 'unlike that of every other controller of the manager');
    const controller = make(defaults(name));
    this.#controllers.set(name, controller);
    const runnable: Runnable = {
      name: `controller ${name}`,
      signalsReady: true,
      run: (context) => runController(controller, context),
    };
    add(runnable, options.needsLeadership === false ? 'always' : 'leader');
    if (options.warmUp === true) {
      const run = ({ signal }: RunnableContext): Promise<void> => controller.warmUp(signal);
      add({ name: `warm-up of ${name}`, run }, 'warmup');
    }
    return controller;
  }

  /** Tells all runs that are under way to end. */
  abortRuns(reason: Error): void {
    for (const controller of this.#controllers.values()) controller.abortRuns(reason);
  }
}

async function runController(
  controller: Controller,
  { signal, deadline, ready }: RunnableContext,
): Promise<void> {
  try {
    await controller.start(signal);
    ready();
    await new Promise<void>((resolve) => void onAbort(signal, resolve));
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  await controller.stop({ deadline });
}
