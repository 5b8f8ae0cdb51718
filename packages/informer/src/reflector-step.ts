// The reflector as a state machine. `step` is pure: it takes what has just happened and says what to do
// next, one thing at a time. The rules for when to resume, when to list anew and when to wait are all
// here, where they are tested without a server.
//
//            ┌────────────── expired, version gone, asked ──────────────┐
//            ▼                                                          │
//   list pages ──► commit ──► open watch ──► read ──► read ──► ended ───┤
//            ▲                    ▲                               │     │
//   stream ──┴─► marker ──────────┼───────────── resume ──────────┘     │
//      └── not supported ► list   └───── wait ◄──── refused, broken ────┘

import { compareResourceVersions, isResourceVersion } from '@windlass/apimachinery';
import type { Failure } from './failure.ts';

/** A watch that ends sooner with nothing to show for it counts as failed. */
export const SHORT_WATCH_MS = 1000;
/** So many streams may end before their marker; then the server does not know streaming lists. */
const MAX_UNMARKED_STREAMS = 3;

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
  | { readonly do: 'wait'; readonly atLeastMs: number };

/** What has happened. */
export type Input =
  | { readonly on: 'start' }
  | { readonly on: 'page'; readonly resourceVersion: string; readonly continueToken: string | undefined }
  | { readonly on: 'opened' }
  | { readonly on: 'events'; readonly version: string | undefined; readonly marker: string | undefined }
  | { readonly on: 'failed'; readonly failure: Failure }
  /** The stream ended without an error. */
  | { readonly on: 'closed'; readonly events: number; readonly lastedMs: number }
  /** The stream said nothing for too long. */
  | { readonly on: 'silent' }
  | { readonly on: 'waited' }
  /** Somebody wants the state fresh from the server. */
  | { readonly on: 'relist-asked' };

/** Why the watch was opened again. */
export type ReopenReason =
  | 'closed'
  | 'short'
  | 'silent'
  | 'throttled'
  | 'denied'
  | 'server'
  | 'transport'
  | 'unsupported';
/** Why everything was listed again. */
export type RelistReason = 'expired' | 'version-too-large' | 'version-went-back' | 'not-found' | 'asked';

export type Report =
  | { readonly what: 'reopen'; readonly reason: ReopenReason; readonly failure?: Failure }
  | { readonly what: 'relist'; readonly reason: RelistReason; readonly failure?: Failure }
  | { readonly what: 'list-failed'; readonly failure: Failure }
  | { readonly what: 'stream-failed'; readonly failure: Failure | undefined }
  | { readonly what: 'streaming-unsupported'; readonly why: 'refused' | 'no marker' };

interface Common {
  /** The newest version that the cache has seen; empty before the first list. */
  readonly version: string;
  /** The server no longer has, or does not have yet, what we asked for: ask for the newest. */
  readonly versionUnavailable: boolean;
  /** A list from the server's cache came in pages all the same. */
  readonly pagesAlways: boolean;
  readonly streaming: boolean;
  readonly unmarkedStreams: number;
}

export type ReflectorState = Common &
  (
    | { readonly phase: 'new' }
    | {
        readonly phase: 'listing';
        /** As asked for on the first page. */
        readonly asked: string;
        readonly isFirstPage: boolean;
        /** Of the first page: it is the version of the whole list. */
        readonly listVersion: string;
        readonly isWhole: boolean;
      }
    | { readonly phase: 'opening-stream' }
    | { readonly phase: 'streaming' }
    | { readonly phase: 'opening' }
    | { readonly phase: 'watching' }
    | { readonly phase: 'waiting'; readonly then: 'list' | 'stream' | 'watch' }
  );

export interface Step {
  readonly state: ReflectorState;
  readonly effect: Effect;
  /** The collected items are the whole state at this version: replace the cache. */
  readonly commit?: string;
  /** The collected items are of no use. */
  readonly discard?: true;
  /** The open stream is of no use. */
  readonly close?: true;
  readonly report?: Report;
}

export function initialState(config: ReflectorConfig): ReflectorState {
  return {
    phase: 'new',
    version: '',
    versionUnavailable: false,
    pagesAlways: false,
    streaming: config.streaming,
    unmarkedStreams: 0,
  };
}

export function step(state: ReflectorState, input: Input, config: ReflectorConfig): Step {
  if (input.on === 'relist-asked') {
    return {
      ...begin(state, config),
      discard: true,
      close: true,
      report: { what: 'relist', reason: 'asked' },
    };
  }
  switch (state.phase) {
    case 'new':
      return begin(state, config);
    case 'waiting':
      if (state.then === 'watch') return open(state);
      return state.then === 'stream' ? openStream(state) : list(state, config);
    case 'listing':
      if (input.on === 'page') return onPage(state, input, config);
      return onListFailed(state, requireFailure(input), config);
    case 'opening-stream':
      if (input.on === 'opened')
        return { state: { ...common(state), phase: 'streaming' }, effect: { do: 'read' } };
      return onStreamFailed(state, requireFailure(input), config);
    case 'streaming':
      return onStreaming(state, input, config);
    case 'opening':
      if (input.on === 'opened')
        return { state: { ...common(state), phase: 'watching' }, effect: { do: 'read' } };
      return onWatchFailed(state, requireFailure(input), config);
    case 'watching':
      return onWatching(state, input, config);
    default:
      return state satisfies never;
  }
}

// ---- the initial state, page by page

function begin(state: ReflectorState, config: ReflectorConfig): Step {
  return state.streaming ? openStream(state) : list(state, config);
}

function list(state: ReflectorState, config: ReflectorConfig): Step {
  const asked = state.versionUnavailable ? '' : state.version === '' ? '0' : state.version;
  // A server answers a version that it has in its cache whole and cheaply; a limit would send it to disk.
  const isFromCache = asked !== '' && asked !== '0';
  const limit = isFromCache && !state.pagesAlways ? 0 : config.pageSize;
  return listWith(state, asked, limit, limit === 0);
}

function listWith(state: ReflectorState, asked: string, limit: number, isWhole: boolean): Step {
  return {
    state: { ...common(state), phase: 'listing', asked, isFirstPage: true, listVersion: '', isWhole },
    effect: { do: 'list', resourceVersion: asked, limit, continueToken: undefined },
  };
}

type Listing = Extract<ReflectorState, { phase: 'listing' }>;

function onPage(state: Listing, page: Extract<Input, { on: 'page' }>, config: ReflectorConfig): Step {
  const listVersion = state.isFirstPage ? page.resourceVersion : state.listVersion;
  if (page.continueToken !== undefined) {
    const pagesAlways = state.pagesAlways || state.asked === '0';
    return {
      state: { ...state, isFirstPage: false, listVersion, pagesAlways },
      effect: { do: 'list', resourceVersion: '', limit: config.pageSize, continueToken: page.continueToken },
    };
  }
  const next = open({ ...common(state), phase: 'opening', version: listVersion, versionUnavailable: false });
  return { ...next, commit: listVersion };
}

function onListFailed(state: Listing, failure: Failure, config: ReflectorConfig): Step {
  const report: Report = { what: 'list-failed', failure };
  if (failure.kind === 'expired' && !state.isFirstPage && !state.isWhole) {
    // The pages ran out of time. All in one go cannot.
    return { ...listWith(state, state.asked, 0, true), discard: true, report };
  }
  const isVersionGone = failure.kind === 'expired' || failure.kind === 'version-too-large';
  if (isVersionGone && !state.versionUnavailable) {
    return { ...list({ ...state, versionUnavailable: true }, config), discard: true, report };
  }
  return { ...wait(state, 'list', failure), discard: true, report };
}

// ---- the initial state as a stream

function openStream(state: ReflectorState): Step {
  return {
    state: { ...common(state), phase: 'opening-stream' },
    effect: {
      do: 'open',
      resourceVersion: state.versionUnavailable ? '' : state.version,
      sendInitialEvents: true,
    },
  };
}

function onStreaming(state: ReflectorState, input: Input, config: ReflectorConfig): Step {
  if (input.on === 'events') {
    if (input.marker === undefined) return { state, effect: { do: 'read' } };
    // The events after the marker are changes; the driver has split the batch there.
    const version = input.marker;
    return {
      state: { ...common(state), phase: 'watching', version, versionUnavailable: false, unmarkedStreams: 0 },
      effect: { do: 'read' },
      commit: version,
    };
  }
  if (input.on === 'failed') return onStreamFailed(state, input.failure, config);
  const unmarkedStreams = state.unmarkedStreams + 1;
  const counted = { ...state, unmarkedStreams };
  if (input.on === 'silent' || unmarkedStreams >= MAX_UNMARKED_STREAMS)
    return giveUpStreaming(counted, 'no marker', config);
  return {
    ...wait(counted, 'stream', undefined),
    discard: true,
    close: true,
    report: { what: 'stream-failed', failure: undefined },
  };
}

function onStreamFailed(state: ReflectorState, failure: Failure, config: ReflectorConfig): Step {
  const report: Report = { what: 'stream-failed', failure };
  switch (failure.kind) {
    case 'unsupported':
      return giveUpStreaming(state, 'refused', config);
    case 'expired':
    case 'version-too-large':
      if (!state.versionUnavailable) {
        return { ...openStream({ ...state, versionUnavailable: true }), discard: true, close: true, report };
      }
      return { ...wait(state, 'stream', failure), discard: true, close: true, report };
    case 'server':
    case 'not-found':
    case 'denied':
      // A list may be allowed, or work, where a stream does not; try that this time, a stream the next.
      return { ...wait(state, 'list', failure), discard: true, close: true, report };
    case 'throttled':
    case 'transport':
      return { ...wait(state, 'stream', failure), discard: true, close: true, report };
    default:
      return failure.kind satisfies never;
  }
}

function giveUpStreaming(state: ReflectorState, why: 'refused' | 'no marker', config: ReflectorConfig): Step {
  return {
    ...list({ ...state, streaming: false }, config),
    discard: true,
    close: true,
    report: { what: 'streaming-unsupported', why },
  };
}

// ---- changes

function open(state: ReflectorState): Step {
  return {
    state: { ...common(state), phase: 'opening' },
    effect: { do: 'open', resourceVersion: state.version, sendInitialEvents: false },
  };
}

function onWatching(state: ReflectorState, input: Input, config: ReflectorConfig): Step {
  switch (input.on) {
    case 'events': {
      if (input.version === undefined) return { state, effect: { do: 'read' } };
      if (wentBack(state.version, input.version)) {
        // The server has lost its history: what we resume from may mean something else there.
        return relist({ ...state, versionUnavailable: true }, config, 'version-went-back');
      }
      return { state: { ...state, version: input.version }, effect: { do: 'read' } };
    }
    case 'failed':
      return onWatchFailed(state, input.failure, config);
    case 'silent':
      return { ...open(state), close: true, report: { what: 'reopen', reason: 'silent' } };
    case 'closed': {
      const isShort = input.events === 0 && input.lastedMs < SHORT_WATCH_MS;
      const next = isShort ? wait(state, 'watch', undefined) : open(state);
      return { ...next, close: true, report: { what: 'reopen', reason: isShort ? 'short' : 'closed' } };
    }
    default:
      throw new TypeError(`a reflector that is watching cannot take ${input.on}`);
  }
}

function onWatchFailed(state: ReflectorState, failure: Failure, config: ReflectorConfig): Step {
  switch (failure.kind) {
    case 'expired':
    case 'not-found':
      return relist(state, config, failure.kind, failure);
    case 'version-too-large':
      return relist({ ...state, versionUnavailable: true }, config, failure.kind, failure);
    case 'throttled':
    case 'denied':
    case 'server':
    case 'transport':
    case 'unsupported':
      // The version is still good: go on from there once the server, or the network, is back.
      return {
        ...wait(state, 'watch', failure),
        close: true,
        report: { what: 'reopen', reason: failure.kind, failure },
      };
    default:
      return failure.kind satisfies never;
  }
}

function relist(
  state: ReflectorState,
  config: ReflectorConfig,
  reason: RelistReason,
  failure?: Failure,
): Step {
  const then = begin(state, config).effect.do === 'list' ? 'list' : 'stream';
  return {
    ...wait(state, then, failure),
    close: true,
    report: failure === undefined ? { what: 'relist', reason } : { what: 'relist', reason, failure },
  };
}

// ---- common parts

function wait(state: ReflectorState, then: 'list' | 'stream' | 'watch', failure: Failure | undefined): Step {
  return {
    state: { ...common(state), phase: 'waiting', then },
    effect: { do: 'wait', atLeastMs: failure?.retryAfterMs ?? 0 },
  };
}

function common(state: ReflectorState): Common {
  const { version, versionUnavailable, pagesAlways, streaming, unmarkedStreams } = state;
  return { version, versionUnavailable, pagesAlways, streaming, unmarkedStreams };
}

function requireFailure(input: Input): Failure {
  if (input.on === 'failed') return input.failure;
  throw new TypeError(`a reflector that waits for an answer cannot take ${input.on}`);
}

/** Versions that are no numbers are opaque: then the later one to come is the newer one. */
function wentBack(known: string, next: string): boolean {
  if (!isResourceVersion(known) || !isResourceVersion(next)) return false;
  return compareResourceVersions(next, known) < 0;
}
