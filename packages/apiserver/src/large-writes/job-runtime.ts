import { type Clock, createLogger, type Logger, realClock, systemRandom } from '@windlass/base';
import type { AdmissionRequest } from '../admission/admission.ts';
import { builtinDefinitions } from '../builtin/definitions.ts';
import { builtinRules } from '../builtin/kinds.ts';
import { Catalog } from '../resource/catalog.ts';
import type { Draft } from '../resource/strategy.ts';
import { createFieldManagers } from '../verbs/field-managers.ts';
import type { VerbRuntime, WriteRuntime } from '../verbs/runtime.ts';
import type { Asker } from './asker.ts';
import { become, packParts, unpack } from './packing.ts';
import { RemoteStore } from './remote-store.ts';

/** What is the same for all jobs of the thread. */
export interface JobRuntime extends WriteRuntime {
  /** The job that begins now. */
  begin(job: { readonly now: number; readonly isAllocated: boolean }): void;
}

/** What verbs work with on the thread: definitions of its own, and the server for everything that the server has. */
export function createJobRuntime(asker: Asker): JobRuntime {
  let now = 0;
  let isAllocated = false;
  const clock: Clock = { ...bound(realClock), now: () => now };
  const logger: Logger = createLogger(({ level, message, fields }) =>
    asker.tell({ type: 'log', level, message, fields }),
  );
  const catalog = new Catalog();
  const runtime: JobRuntime = {
    store: new RemoteStore(asker),
    catalog,
    clock,
    random: systemRandom,
    logger,
    fieldManager: createFieldManagers(clock, catalog),
    admission: {
      mutate: (request) => admit(asker, request, 'mutate'),
      validate: (request) => admit(asker, request, 'validate'),
    },
    allocator: {
      handles: () => isAllocated,
      async allocate(_definition, draft, _old, isDryRun) {
        if (!isAllocated) return noUndo;
        const granted = await asker.ask('allocate', { object: packParts(draft), isDryRun });
        // Verbs give drafts to allocators, and nothing else.
        become(draft as Draft, unpack(granted));
        return () => asker.tell({ type: 'undo' });
      },
      release() {
        if (isAllocated) asker.tell({ type: 'release' });
      },
    },
    begin(job) {
      now = job.now;
      isAllocated = job.isAllocated;
    },
  };
  const authorizer = { authorize: () => ({ isAllowed: false, reason: 'reviews are not answered here' }) };
  // Reviews and handlers of subresources, which read the store in other ways, are not called here.
  const services = { runtime: runtime as WriteRuntime as VerbRuntime, authorizer };
  catalog.add(builtinDefinitions(builtinRules(services)));
  return runtime;
}

const noUndo = (): void => {};

function bound(clock: Clock): Clock {
  return {
    now: () => clock.now(),
    monotonic: () => clock.monotonic(),
    setTimeout: (callback, delayMs, options) => clock.setTimeout(callback, delayMs, options),
  };
}

async function admit(asker: Asker, request: AdmissionRequest, stage: 'mutate' | 'validate'): Promise<void> {
  const { operation, subresource, namespace, name, options, object, context } = request;
  if (object === undefined) throw new TypeError('a write without an object does not come here');
  const { isDryRun, fieldManager } = context;
  const place = { stage, operation, subresource, namespace, name, options, isDryRun, fieldManager };
  let admitted = await asker.ask('admit', { ...place, object: undefined });
  if (admitted.isObjectWanted) admitted = await asker.ask('admit', { ...place, object: packParts(object) });
  if (admitted.isObjectWanted) throw new TypeError('the server wants the object that it has');
  if (admitted.changed !== undefined) become(object, unpack(admitted.changed));
}
