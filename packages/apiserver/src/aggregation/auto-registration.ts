import { isConflict, isNotFound } from '@windlass/apimachinery';
import { type Clock, type Logger, toError } from '@windlass/base';
import type { OwnCalls } from '../bootstrap/own-calls.ts';
import { TryLater } from '../bootstrap/try-later.ts';
import type { Catalog } from '../resource/catalog.ts';
import { StoreClosedError } from '../storage/errors.ts';
import type { ApiServices } from './api-services.ts';
import { builtinPriority, CUSTOM_PRIORITY } from './priorities.ts';
import {
  ALWAYS,
  AUTOMANAGED,
  ON_START,
  planRegistration,
  type Registration,
  type RegistrationStep,
} from './registration-plan.ts';

export interface AutoRegistrationOptions {
  readonly catalog: Catalog;
  readonly services: ApiServices;
  readonly calls: OwnCalls;
  readonly clock: Clock;
  readonly logger: Logger;
}

export const API_SERVICES = '/apis/apiregistration.k8s.io/v1/apiservices';

/** Keeps an APIService for each group version that this server serves itself: built in, or of custom resources. */
export class AutoRegistration implements AsyncDisposable {
  readonly #options: AutoRegistrationOptions;
  readonly #synced = new Set<string>();
  readonly #atStart = new Set<string>();
  readonly #unlisten: (() => void)[] = [];
  readonly #later: TryLater;
  #work: Promise<void> = Promise.resolve();
  #isDue = false;

  constructor(options: AutoRegistrationOptions) {
    this.#options = options;
    this.#later = new TryLater(options.clock, () => this.#schedule());
  }

  /** Call it when the catalog has all that is defined. Resolves when everything is registered. */
  async start(): Promise<void> {
    const { catalog, services } = this.#options;
    for (const { metadata } of services.all()) this.#atStart.add(metadata?.name ?? '');
    this.#unlisten.push(
      catalog.onChange(() => this.#schedule()),
      services.onChange(() => this.#schedule()),
    );
    this.#schedule();
    await this.#work;
  }

  async stop(): Promise<void> {
    for (const unlisten of this.#unlisten.splice(0)) unlisten();
    this.#later.stop();
    await this.#work;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  /** One pass at a time; changes during a pass make one more. */
  #schedule(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    this.#work = this.#work.then(() => {
      this.#isDue = false;
      return this.#pass();
    });
  }

  async #pass(): Promise<void> {
    const { catalog, services } = this.#options;
    const wanted = registrationsOf(catalog);
    const names = new Set([
      ...wanted.keys(),
      ...[...services.all()].map(({ metadata }) => metadata?.name ?? ''),
    ]);
    // All at once: a store on disk commits them together.
    await Promise.all([...names].map((name) => this.#sync(name, wanted.get(name))));
  }

  async #sync(name: string, wanted: Registration | undefined): Promise<void> {
    const current = this.#options.services.get(name);
    const step = planRegistration({
      wanted,
      current,
      isSynced: this.#synced.has(name),
      wasThere: this.#atStart.has(name),
    });
    try {
      await this.#take(step, name, wanted);
      this.#synced.add(name);
    } catch (error) {
      // Somebody wrote or deleted it meanwhile: that event brings the next pass.
      if (isConflict(error) || isNotFound(error) || error instanceof StoreClosedError) return;
      this.#later.failed();
      this.#options.logger.warn('an APIService could not be written; it is tried again', {
        name,
        error: toError(error),
      });
    }
  }

  async #take(step: RegistrationStep, name: string, wanted: Registration | undefined): Promise<void> {
    const { services, calls } = this.#options;
    const path = `${API_SERVICES}/${encodeURIComponent(name)}`;
    const current = services.get(name);
    if (step === 'create' && wanted !== undefined)
      await calls.ensure(API_SERVICES, {
        metadata: { name, labels: { [AUTOMANAGED]: wanted.sync } },
        spec: wanted.spec,
      });
    else if (step === 'update' && wanted !== undefined)
      await calls.update(path, { ...current, spec: wanted.spec });
    else if (step === 'delete') await calls.remove(path, { preconditions: { uid: current?.metadata?.uid } });
  }
}

/** By name. Group versions for which kube-apiserver registers none have none here either. */
function registrationsOf(catalog: Catalog): Map<string, Registration> {
  const registrations = new Map<string, Registration>();
  for (const { group, version, isCustom, computed } of catalog.all()) {
    const name = `${version}.${group}`;
    if (registrations.has(name)) continue;
    const priority = isCustom ? CUSTOM_PRIORITY : builtinPriority(group, version);
    if (priority === undefined) continue;
    registrations.set(name, {
      name,
      sync: isCustom ? ALWAYS : ON_START,
      isReplaceable: computed !== undefined,
      spec: { ...(group !== '' && { group }), version, ...priority },
    });
  }
  return registrations;
}
