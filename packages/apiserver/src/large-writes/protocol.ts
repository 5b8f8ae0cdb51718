// What the server's own thread and the thread for large writes say to each other. Objects go as JSON: to parse them
// takes a third of the time that Node's structured clone takes.
import type { Status } from '@windlass/apimachinery';
import type { LogFields, LogLevel } from '@windlass/base';
import type { UserInfo } from '../access/user.ts';
import type { Operation } from '../admission/admission.ts';
import type { WriteVerb } from '../verbs/write.ts';
import type { CutJson } from './json-parts.ts';
import type { UnstampedJson } from './unstamped-json.ts';

/** An object's JSON in UTF-8. */
export type Packed = Uint8Array;

/** An object that the server's own thread has to parse. */
export interface PackedParts {
  readonly bytes: Packed;
  /** Where it is cut; undefined when it is parsed at once. */
  readonly cut: CutJson | undefined;
}

/** A key's state. */
export interface PackedState {
  readonly key: string;
  readonly object: Packed;
  readonly revision: number;
}

/** One write: what `WriteCall` says, without what only one thread has. */
export interface Job {
  readonly verb: WriteVerb;
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly namespace: string;
  readonly name: string;
  readonly subresource: string;
  readonly query: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  readonly user: UserInfo;
  /** Wall time in milliseconds: one write happens at one time. */
  readonly now: number;
  /** Names the custom resource definition that the resource is made of; undefined for a built-in one. */
  readonly definition: number | undefined;
  /** Whether the audit log wants what was sent. */
  readonly isAudited: boolean;
  /** Whether the resource needs addresses or ports. */
  readonly isAllocated: boolean;
}

/** What the thread asks the server while it works on a job, and what it is answered. */
export interface Questions {
  readonly get: { readonly ask: { readonly key: string }; readonly answer: PackedState | undefined };
  readonly put: {
    readonly ask: UnstampedJson & { readonly key: string; readonly expected: number };
    readonly answer: Written;
  };
  readonly delete: {
    readonly ask: { readonly key: string; readonly expected: number };
    readonly answer: Written;
  };
  readonly definition: {
    readonly ask: { readonly definition: number };
    readonly answer: { readonly object: Packed; readonly isTerminating: boolean };
  };
  readonly admit: { readonly ask: Admission; readonly answer: Admitted };
  /** The object with what it was granted. */
  readonly allocate: {
    readonly ask: { readonly object: PackedParts; readonly isDryRun: boolean };
    readonly answer: Packed;
  };
}

export type Written =
  | { readonly revision: number }
  | { readonly isConflict: true; readonly current: PackedState | undefined };

export interface Admission {
  readonly stage: 'mutate' | 'validate';
  readonly operation: Operation;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  readonly options: Readonly<Record<string, unknown>>;
  /** Undefined at first: most writes are admitted without a look at the object, and it takes long to pass it on. */
  readonly object: PackedParts | undefined;
  readonly isDryRun: boolean;
  readonly fieldManager: string;
}

export type Admitted =
  /** Somebody wants to see the object: ask again, with it. */
  | { readonly isObjectWanted: true }
  /** The object as admission has changed it; undefined when it has not. */
  | { readonly isObjectWanted: false; readonly changed: Packed | undefined };

/** What the thread says without waiting for an answer. */
export type Remark =
  | { readonly type: 'warn'; readonly message: string }
  | {
      readonly type: 'log';
      readonly level: LogLevel;
      readonly message: string;
      readonly fields: LogFields;
    }
  | { readonly type: 'requestObject'; readonly object: Packed }
  /** The write does not happen: what was granted is free again. */
  | { readonly type: 'undo' }
  /** The object is gone, and what it was granted is free again. */
  | { readonly type: 'release' };

export type Failure =
  | { readonly type: 'status'; readonly status: Status }
  /** The server refused to answer this question; it knows why. */
  | { readonly type: 'question'; readonly question: number }
  | { readonly type: 'error'; readonly message: string; readonly stack: string | undefined };

export type Question = {
  readonly [What in keyof Questions]: {
    readonly type: 'question';
    readonly question: number;
    readonly what: What;
    readonly ask: Questions[What]['ask'];
  };
}[keyof Questions];

export type FromWorker =
  | { readonly type: 'ready' }
  | Question
  | { readonly type: 'remark'; readonly remark: Remark }
  | {
      readonly type: 'done';
      readonly status: number;
      /** The outcome: a state that the server has handed out or written for this job, or an object that is not stored. */
      readonly outcome: { readonly revision: number } | { readonly object: Packed };
    }
  | { readonly type: 'failed'; readonly failure: Failure };

export type ToWorker =
  | { readonly type: 'job'; readonly job: Job }
  | {
      readonly type: 'answer';
      readonly question: number;
      /** Undefined with `isRefused`: the server keeps the error. */
      readonly answer: Questions[keyof Questions]['answer'];
      readonly isRefused: boolean;
    };
