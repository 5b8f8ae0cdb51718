import { StatusError } from '@windlass/apimachinery';
import type { Clock, Logger } from '@windlass/base';
import type { UserInfo } from '../access/user.ts';
import type { AdmissionRequest } from '../admission/admission.ts';
import type { ResourceDefinition } from '../resource/definition.ts';
import type { Draft, Stored } from '../resource/strategy.ts';
import { fromStorage, served } from '../resource/target.ts';
import { RevisionConflictError, type StoredObject } from '../storage/index.ts';
import { freezeInParts } from '../storage/states/prepared.ts';
import type { VerbRuntime } from '../verbs/runtime.ts';
import type { WriteCall, WriteOutcome } from '../verbs/write.ts';
import { definitionNumber, originOf } from './definition-numbers.ts';
import { pack, packState, unpack, unpackParts } from './packing.ts';
import type {
  Admission,
  Admitted,
  Failure,
  FromWorker,
  Job,
  Packed,
  PackedParts,
  Question,
  Questions,
  Remark,
  ToWorker,
  Written,
} from './protocol.ts';
import { stampedBytes } from './unstamped-json.ts';

export interface WriteJobOptions {
  readonly runtime: VerbRuntime;
  readonly clock: Clock;
  readonly logger: Logger;
}

type Answers = {
  readonly [What in keyof Questions]: (
    ask: Questions[What]['ask'],
  ) => Promise<Questions[What]['answer']> | Questions[What]['answer'];
};

const noUndo = (): void => {};

/** Admission looks at an object that has not been passed on. */
class ObjectWanted extends Error {}

function servedNow(definition: ResourceDefinition, stored: StoredObject): Stored {
  const object = fromStorage(definition, stored);
  if (object instanceof Promise) throw new TypeError('a resource that a webhook converts does not come here');
  return object;
}

/** The server's side of one write that another thread does: it has the store, admission and addresses. */
export class WriteJob {
  readonly #call: WriteCall;
  readonly #options: WriteJobOptions;
  readonly #user: UserInfo;
  /** The states that the thread was told of, by revision. */
  readonly #states = new Map<number, StoredObject>();
  /** The state that the write is to change. */
  #current: StoredObject | undefined = undefined;
  readonly #errors = new Map<number, unknown>();
  #undo = noUndo;

  constructor(call: WriteCall, user: UserInfo, options: WriteJobOptions) {
    this.#call = call;
    this.#user = user;
    this.#options = options;
  }

  get message(): Job {
    const { verb, definition, namespace, name, subresource, request } = this.#call;
    const { group, version, plural } = definition;
    const { body } = request;
    if (!(body instanceof Uint8Array)) throw new TypeError('only a body of bytes goes to another thread');
    const { name: user, uid, groups, extra } = this.#user;
    return {
      verb,
      group,
      version,
      plural,
      namespace,
      name,
      subresource,
      query: { ...request.query },
      headers: { ...request.headers },
      // Of a piece of a pool the whole pool would be copied.
      body: new Uint8Array(body),
      user: { name: user, groups, ...(uid !== undefined && { uid }), ...(extra !== undefined && { extra }) },
      now: this.#options.clock.now(),
      definition: definition.madeOf === undefined ? undefined : definitionNumber(definition.madeOf),
      isAudited: this.#call.onRequestObject !== undefined,
      isAllocated: this.#options.runtime.allocator.handles(definition),
    };
  }

  async answer(message: Question): Promise<ToWorker> {
    const { question } = message;
    try {
      return { type: 'answer', question, answer: await this.#answer(message), isRefused: false };
    } catch (error) {
      this.#errors.set(question, error);
      return { type: 'answer', question, answer: undefined, isRefused: true };
    }
  }

  note(remark: Remark): void {
    const { runtime, logger } = this.#options;
    switch (remark.type) {
      case 'warn':
        this.#context(false, '').warn(remark.message);
        return;
      case 'log':
        logger[remark.level](remark.message, remark.fields);
        return;
      case 'requestObject':
        this.#call.onRequestObject?.(unpack(remark.object));
        return;
      case 'undo':
        this.#undo();
        this.#undo = noUndo;
        return;
      case 'release':
        if (this.#current !== undefined)
          runtime.allocator.release(this.#call.definition, this.#current.object);
        return;
      default:
        remark satisfies never;
    }
  }

  async outcome({ status, outcome }: Extract<FromWorker, { type: 'done' }>): Promise<WriteOutcome> {
    if ('object' in outcome) return { status, object: unpack(outcome.object) };
    const stored = this.#states.get(outcome.revision);
    if (stored === undefined) throw new TypeError(`no state of revision ${outcome.revision} was handed out`);
    return { status, ...(await served(this.#call.definition, stored)) };
  }

  error(failure: Failure): unknown {
    switch (failure.type) {
      case 'status':
        return new StatusError(failure.status);
      case 'question':
        return this.#errors.get(failure.question);
      case 'error': {
        const error = new Error(failure.message);
        if (failure.stack !== undefined) error.stack = failure.stack;
        return error;
      }
      default:
        return failure satisfies never;
    }
  }

  #answer({
    what,
    ask,
  }: Question): Promise<Questions[typeof what]['answer']> | Questions[typeof what]['answer'] {
    const answers: Answers = {
      get: async ({ key }) => this.#handOut(await this.#options.runtime.store.get(key)),
      put: ({ key, bytes, cut, versionAt, expected }) =>
        this.#write(async () => {
          const draft = await this.#unpack({ bytes, cut });
          const weight = await freezeInParts(draft);
          return this.#options.runtime.store.put(key, draft, expected, {
            weight,
            bytes: (revision) => stampedBytes({ bytes, versionAt }, revision),
          });
        }),
      delete: ({ key, expected }) => this.#write(() => this.#options.runtime.store.delete(key, expected)),
      definition: ({ definition }) => {
        const { object, isTerminating } = originOf(this.#call.definition, definition);
        return { object: pack(object), isTerminating };
      },
      admit: (admission) => this.#admit(admission),
      allocate: (ask) => this.#allocate(ask),
    };
    // What is asked is of the kind that `what` says: a union of pairs, which the index takes apart.
    const answer = answers[what] as (asked: unknown) => Promise<Questions[typeof what]['answer']>;
    return answer(ask);
  }

  /** One of a custom kind may have whole numbers of 64 bits. */
  #unpack(packed: PackedParts): Promise<Draft> {
    return unpackParts(packed, this.#call.definition.madeOf !== undefined);
  }

  #handOut(stored: StoredObject | undefined): Questions['get']['answer'] {
    this.#current = stored;
    if (stored === undefined) return undefined;
    this.#states.set(stored.revision, stored);
    return packState(stored);
  }

  async #write(write: () => Promise<StoredObject>): Promise<Written> {
    try {
      const stored = await write();
      this.#states.set(stored.revision, stored);
      return { revision: stored.revision };
    } catch (error) {
      if (!(error instanceof RevisionConflictError)) throw error;
      return { isConflict: true, current: this.#handOut(error.current) };
    }
  }

  async #admit(admission: Admission): Promise<Admitted> {
    const { runtime } = this.#options;
    const { stage } = admission;
    if (admission.object === undefined) {
      try {
        await runtime.admission[stage](this.#admissionRequest(admission, undefined));
      } catch (error) {
        if (error instanceof ObjectWanted) return { isObjectWanted: true };
        throw error;
      }
      return { isObjectWanted: false, changed: undefined };
    }
    const object = await this.#unpack(admission.object);
    await runtime.admission[stage](this.#admissionRequest(admission, object));
    if (stage === 'validate') return { isObjectWanted: false, changed: undefined };
    const after = pack(object);
    const isChanged = Buffer.compare(admission.object.bytes, after) !== 0;
    return { isObjectWanted: false, changed: isChanged ? after : undefined };
  }

  /** Without the object, the first that looks at it is stopped. */
  #admissionRequest(admission: Admission, object: Draft | undefined): AdmissionRequest {
    const { definition } = this.#call;
    const { operation, subresource, namespace, name, options, isDryRun, fieldManager } = admission;
    const current = operation === 'UPDATE' ? this.#current : undefined;
    return {
      operation,
      definition,
      subresource,
      namespace,
      name,
      get object() {
        if (object === undefined) throw new ObjectWanted();
        return object;
      },
      get oldObject() {
        return current === undefined ? undefined : servedNow(definition, current);
      },
      options,
      context: this.#context(isDryRun, fieldManager),
    };
  }

  async #allocate({ object, isDryRun }: Questions['allocate']['ask']): Promise<Packed> {
    const { definition } = this.#call;
    const draft = await this.#unpack(object);
    const old = this.#current === undefined ? undefined : servedNow(definition, this.#current);
    this.#undo = await this.#options.runtime.allocator.allocate(definition, draft, old, isDryRun);
    return pack(draft);
  }

  #context(isDryRun: boolean, fieldManager: string): ReturnType<WriteCall['contextFor']> {
    return this.#call.contextFor({ isDryRun, fieldManager });
  }
}
