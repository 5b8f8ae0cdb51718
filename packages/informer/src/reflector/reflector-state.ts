// The words in which the reflector's state machine speaks: where it is, what has happened, what to do.
import type { Failure } from '../list-watch/failure.ts';

export interface ReflectorConfig {
  /** Ask for the initial state as a stream first, where the server knows how. */
  readonly streaming: boolean;
  readonly pageSize: number;
}

/** What must be done next. Each is answered by exactly one input. */
export type Effect =
  | {
      readonly do: 'list';
      readonly resourceVersion: string;
      readonly limit: number;
      readonly continueToken: string | undefined;
    }
  | { readonly do: 'open'; readonly resourceVersion: string; readonly sendInitialEvents: boolean }
  | { readonly do: 'read' }
  | { readonly do: 'wait'; readonly atLeastMs: number; readonly atMostMs?: number };

/** A kind that is not served may be installed any moment, and whoever installs it does not wait half a minute. */
export const MISSING_KIND_MS = 5000;

/** What has happened. */
export type Input =
  | { readonly on: 'start' }
  | { readonly on: 'page'; readonly resourceVersion: string; readonly continueToken: string | undefined }
  | { readonly on: 'opened' }
  | {
      readonly on: 'events';
      /** The version of the first event, and the newest of all; undefined where they say nothing. */
      readonly first: string | undefined;
      readonly last: string | undefined;
      /** The version of the bookmark that ends the initial state, when it has come. */
      readonly marker: string | undefined;
    }
  | { readonly on: 'failed'; readonly failure: Failure }
  /** The stream ended without an error. */
  | { readonly on: 'closed'; readonly lastedMs: number }
  /** The stream said nothing for too long. */
  | { readonly on: 'silent' }
  | { readonly on: 'waited' }
  /** Somebody wants the state fresh from the server. */
  | { readonly on: 'relist-asked' };

/** Why the watch was opened again. */
export type ReopenReason = 'closed' | 'short' | 'silent' | 'throttled' | 'denied' | 'server' | 'transport';

/** Why everything was listed again. */
export type RelistReason =
  | 'expired'
  | 'version-too-large'
  /** The server has lost its history: its versions are older than what it said before. */
  | 'version-went-back'
  /** The server gives no version to resume from. */
  | 'no-version'
  /** The server does not understand the version that it once gave. */
  | 'unsupported'
  | 'not-found'
  | 'asked';

/** What users are told, and counters count. */
export type Report =
  | { readonly what: 'reopen'; readonly reason: ReopenReason; readonly failure?: Failure }
  | { readonly what: 'relist'; readonly reason: RelistReason; readonly failure?: Failure }
  | { readonly what: 'list-failed'; readonly failure: Failure }
  /** A streaming list did not get to its end. */
  | {
      readonly what: 'stream-failed';
      readonly reason: 'closed' | 'silent' | 'failed';
      readonly failure?: Failure;
    }
  /** There will be no more streaming lists. */
  | {
      readonly what: 'streaming-given-up';
      readonly reason: 'refused' | 'no-marker';
      readonly failure?: Failure;
    };

interface Common {
  /** The newest version that the cache has seen; empty before the first list. */
  readonly version: string;
  /** The server no longer has, or does not have yet, what we know: ask for the newest. */
  readonly needsNewest: boolean;
  /** A list from the server's cache came in pages all the same. */
  readonly pagesAlways: boolean;
  readonly streaming: boolean;
  /** Streaming lists that ended, or fell silent, before their marker; since the last one that had it. */
  readonly unmarkedStreams: number;
  /** Streaming lists that broke; since the last time the whole state was had. */
  readonly brokenStreams: number;
}

export type Listing = Common & {
  readonly phase: 'listing';
  /** As asked for on the first page. */
  readonly asked: string;
  readonly isFirstPage: boolean;
  /** Of the first page: it is the version of the whole list. */
  readonly listVersion: string;
  /** Asked for without a limit. */
  readonly isWhole: boolean;
};

export type Watching = Common & {
  readonly phase: 'watching';
  /** Nothing has come yet on this stream. */
  readonly isFresh: boolean;
};

export type ReflectorState =
  | (Common & { readonly phase: 'new' })
  | Listing
  | (Common & { readonly phase: 'opening-stream' })
  | (Common & { readonly phase: 'streaming' })
  | (Common & { readonly phase: 'opening' })
  | Watching
  /** Is the server behind us? Then a watch would wait in silence until it is not. */
  | (Common & { readonly phase: 'probing' })
  | (Common & { readonly phase: 'waiting'; readonly then: 'list' | 'stream' | 'watch' });

export interface Step {
  readonly state: ReflectorState;
  readonly effect: Effect;
  /** The events just read are changes: hand them on. */
  readonly apply?: true;
  /** The collected items are the whole state: replace the cache. */
  readonly commit?: {
    readonly version: string;
    /** False when versions may have been used twice: then equal versions prove nothing. */
    readonly versionsAreUnique: boolean;
  };
  /** The collected items are of no use. */
  readonly discard?: true;
  /** The open stream is of no use. */
  readonly close?: true;
  readonly report?: Report;
}

export function common(state: ReflectorState): Common {
  const { version, needsNewest, pagesAlways, streaming, unmarkedStreams, brokenStreams } = state;
  return { version, needsNewest, pagesAlways, streaming, unmarkedStreams, brokenStreams };
}
