// The reflector as a state machine. `step` is pure: it takes what has just happened and says what to do
// next, one thing at a time. The rules for when to resume, when to list anew and when to wait are all
// here, where they are tested without a server.
//
//            ┌────────── expired, version gone or gone back, asked ─────┐
//            ▼                                                          │
//   list pages ──► commit ──► open watch ──► read ──► read ──► ended ───┤
//            ▲                    ▲                             │  │    │
//   stream ──┴─► marker ──────────┼─────────── resume ──────────┘  │    │
//      └── not here ──► list      ├──── probe ◄──── silent ────────┘    │
//                                 └──── wait ◄──── refused, broken ─────┘

import type { Failure } from '../list-watch/failure.ts';
import { isOlder, isResumable } from '../versions/resource-versions.ts';
import {
  common,
  type Input,
  type Listing,
  MISSING_KIND_MS,
  type ReflectorConfig,
  type ReflectorState,
  type RelistReason,
  type Report,
  type Step,
  type Watching,
} from './reflector-state.ts';

/** A watch that ends sooner counts as failed, or a server that closes at once would be asked without pause. */
export const SHORT_WATCH_MS = 1000;
/** After so many streams without a marker no more are tried; after so many broken ones, a list is. */
export const MAX_FAILED_STREAMS = 3;

export function initialState(config: ReflectorConfig): ReflectorState {
  return {
    phase: 'new',
    version: '',
    needsNewest: false,
    pagesAlways: false,
    streaming: config.streaming,
    unmarkedStreams: 0,
    brokenStreams: 0,
  };
}

export function step(state: ReflectorState, input: Input, config: ReflectorConfig): Step {
  if (input.on === 'relist-asked') return onRelistAsked(state, config);
  switch (state.phase) {
    case 'new':
      return begin(state, config);
    case 'waiting':
      if (state.then === 'watch') return open(state);
      return state.then === 'stream' ? openStream(state) : list(state, config);
    case 'listing':
      if (input.on === 'page') return onPage(state, input, config);
      return onListFailed(state, failureOf(state, input), config);
    case 'opening-stream':
      if (input.on === 'opened')
        return { state: { ...common(state), phase: 'streaming' }, effect: { do: 'read' } };
      if (input.on === 'silent') return onUnmarkedStream(state, 'silent', config);
      return onStreamFailed(state, failureOf(state, input), config);
    case 'streaming':
      return onStreaming(state, input, config);
    case 'opening':
      if (input.on === 'opened')
        return { state: { ...common(state), phase: 'watching', isFresh: true }, effect: { do: 'read' } };
      if (input.on === 'silent') return onSilent(state, config);
      return onWatchFailed(state, failureOf(state, input), config);
    case 'watching':
      return onWatching(state, input, config);
    case 'probing':
      return onProbed(state, input, config);
    default:
      return state satisfies never;
  }
}

/** Whoever asks has a doubt: the newest state answers it, and equal versions are no proof. */
function onRelistAsked(state: ReflectorState, config: ReflectorConfig): Step {
  return {
    ...begin({ ...state, needsNewest: true }, config),
    discard: true,
    close: true,
    report: { what: 'relist', reason: 'asked' },
  };
}

// ---- the initial state, page by page

function begin(state: ReflectorState, config: ReflectorConfig): Step {
  return state.streaming ? openStream(state) : list(state, config);
}

function list(state: ReflectorState, config: ReflectorConfig): Step {
  const asked = state.needsNewest ? '' : state.version === '' ? '0' : state.version;
  // A server answers a version that it has in its cache whole and cheaply; a limit would send it to disk.
  const isFromCache = isResumable(asked);
  const limit = isFromCache && !state.pagesAlways ? 0 : config.pageSize;
  return listWith(state, asked, limit);
}

function listWith(state: ReflectorState, asked: string, limit: number): Step {
  return {
    state: {
      ...common(state),
      phase: 'listing',
      asked,
      isFirstPage: true,
      listVersion: '',
      isWhole: limit === 0,
    },
    effect: { do: 'list', resourceVersion: asked, limit, continueToken: undefined },
  };
}

function onPage(state: Listing, page: Extract<Input, { on: 'page' }>, config: ReflectorConfig): Step {
  const listVersion = state.isFirstPage ? page.resourceVersion : state.listVersion;
  if (page.continueToken !== undefined) {
    const pagesAlways = state.pagesAlways || state.asked === '0';
    return {
      state: { ...state, isFirstPage: false, listVersion, pagesAlways },
      effect: { do: 'list', resourceVersion: '', limit: config.pageSize, continueToken: page.continueToken },
    };
  }
  return { ...open(committed(state, listVersion)), commit: commitOf(state, listVersion) };
}

function onListFailed(state: Listing, failure: Failure, config: ReflectorConfig): Step {
  const report: Report = { what: 'list-failed', failure };
  if (failure.kind === 'expired' && !state.isFirstPage && !state.isWhole) {
    // The pages ran out of time. All in one go cannot.
    return { ...listWith(state, state.asked, 0), discard: true, report };
  }
  if (isAboutVersion(failure) && !state.needsNewest) {
    return { ...list({ ...state, needsNewest: true }, config), discard: true, report };
  }
  return { ...wait(state, 'list', failure), discard: true, report };
}

// ---- the initial state as a stream

function openStream(state: ReflectorState): Step {
  const resourceVersion = state.needsNewest ? '' : state.version;
  return {
    state: { ...common(state), phase: 'opening-stream' },
    effect: { do: 'open', resourceVersion, sendInitialEvents: true },
  };
}

function onStreaming(state: ReflectorState, input: Input, config: ReflectorConfig): Step {
  switch (input.on) {
    case 'events':
      if (input.marker === undefined) return { state, effect: { do: 'read' } };
      // The events after the marker are changes; the driver has split the batch there.
      return {
        state: {
          ...common(committed(state, input.marker)),
          phase: 'watching',
          isFresh: true,
          unmarkedStreams: 0,
        },
        effect: { do: 'read' },
        commit: commitOf(state, input.marker),
      };
    case 'closed':
    case 'silent':
      return onUnmarkedStream(state, input.on, config);
    default:
      return onStreamFailed(state, failureOf(state, input), config);
  }
}

/** It may be a fake, or a proxy, that does not know the marker: a list always works. */
function onUnmarkedStream(state: ReflectorState, reason: 'closed' | 'silent', config: ReflectorConfig): Step {
  const unmarkedStreams = state.unmarkedStreams + 1;
  if (unmarkedStreams >= MAX_FAILED_STREAMS) return giveUpStreaming(state, 'no-marker', config);
  const report: Report = { what: 'stream-failed', reason };
  return { ...list({ ...state, unmarkedStreams }, config), discard: true, close: true, report };
}

function onStreamFailed(state: ReflectorState, failure: Failure, config: ReflectorConfig): Step {
  const dropped = {
    discard: true,
    close: true,
    report: { what: 'stream-failed', reason: 'failed', failure },
  } as const;
  switch (failure.kind) {
    case 'unsupported':
      return giveUpStreaming(state, 'refused', config, failure);
    case 'expired':
    case 'version-too-large':
      if (state.needsNewest) return { ...wait(state, 'stream', failure), ...dropped };
      return { ...openStream({ ...state, needsNewest: true }), ...dropped };
    case 'server':
    case 'denied':
      // A list may work, or be allowed, where a stream is not; try that this time, a stream the next.
      if (failure.retryAfterMs === 0) return { ...list(state, config), ...dropped };
      return { ...wait(state, 'stream', failure), ...dropped };
    case 'throttled':
    case 'not-found':
      return { ...wait(state, 'stream', failure), ...dropped };
    case 'transport': {
      // Something on the way may cut what is long; pages are short.
      const brokenStreams = state.brokenStreams + 1;
      const then = brokenStreams >= MAX_FAILED_STREAMS ? 'list' : 'stream';
      return { ...wait({ ...state, brokenStreams }, then, failure), ...dropped };
    }
    default:
      return failure.kind satisfies never;
  }
}

function giveUpStreaming(
  state: ReflectorState,
  reason: 'refused' | 'no-marker',
  config: ReflectorConfig,
  failure?: Failure,
): Step {
  return {
    ...list({ ...state, streaming: false }, config),
    discard: true,
    close: true,
    report: { what: 'streaming-given-up', reason, ...(failure !== undefined && { failure }) },
  };
}

// ---- changes

function open(state: ReflectorState): Step {
  return {
    state: { ...common(state), phase: 'opening' },
    effect: { do: 'open', resourceVersion: state.version, sendInitialEvents: false },
  };
}

function onWatching(state: Watching, input: Input, config: ReflectorConfig): Step {
  switch (input.on) {
    case 'events':
      return onEvents(state, input, config);
    case 'silent':
      return onSilent(state, config);
    case 'closed': {
      if (!isResumable(state.version)) return relist(state, config, 'no-version');
      const isShort = input.lastedMs < SHORT_WATCH_MS;
      const report: Report = { what: 'reopen', reason: isShort ? 'short' : 'closed' };
      return { ...(isShort ? wait(state, 'watch') : open(state)), close: true, report };
    }
    default:
      return onWatchFailed(state, failureOf(state, input), config);
  }
}

function onSilent(state: ReflectorState, config: ReflectorConfig): Step {
  if (!isResumable(state.version)) return relist(state, config, 'no-version');
  return { ...probe(state), close: true, report: { what: 'reopen', reason: 'silent' } };
}

/**
 * A server sends only what is newer than the version that it was asked for. When a stream begins with
 * something older, the server has lost its history, and what we know may not be what it has. Later on a
 * stream, an older version is a bookmark that comes late and says nothing.
 */
function onEvents(state: Watching, input: Extract<Input, { on: 'events' }>, config: ReflectorConfig): Step {
  const { first, last } = input;
  if (state.isFresh && first !== undefined && isOlder(first, state.version))
    return relist({ ...state, needsNewest: true }, config, 'version-went-back');
  const version = last === undefined || isOlder(last, state.version) ? state.version : last;
  return { state: { ...state, version, isFresh: false }, effect: { do: 'read' }, apply: true };
}

function onWatchFailed(state: ReflectorState, failure: Failure, config: ReflectorConfig): Step {
  switch (failure.kind) {
    case 'expired':
    case 'not-found':
      return relist(state, config, failure.kind, failure);
    case 'version-too-large':
    case 'unsupported':
      return relist({ ...state, needsNewest: true }, config, failure.kind, failure);
    case 'throttled':
    case 'denied':
    case 'server':
    case 'transport': {
      if (!isResumable(state.version)) return relist(state, config, 'no-version', failure);
      // The version is still good: go on from there once the server, or the network, is back.
      const report: Report = { what: 'reopen', reason: failure.kind, failure };
      return { ...wait(state, 'watch', failure), discard: true, close: true, report };
    }
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
  const report: Report = { what: 'relist', reason, ...(failure !== undefined && { failure }) };
  return { ...wait(state, then, failure), discard: true, close: true, report };
}

/**
 * A server that is behind the version of a watch says nothing until it has caught up, however long that
 * takes: after its data was restored from a copy, that is never. Asked for a list of that version, it
 * says so. One item is enough to know.
 */
function probe(state: ReflectorState): Step {
  return {
    state: { ...common(state), phase: 'probing' },
    effect: { do: 'list', resourceVersion: state.version, limit: 1, continueToken: undefined },
  };
}

function onProbed(state: ReflectorState, input: Input, config: ReflectorConfig): Step {
  if (input.on !== 'page') return onWatchFailed(state, failureOf(state, input), config);
  if (isOlder(input.resourceVersion, state.version))
    return relist({ ...state, needsNewest: true }, config, 'version-went-back');
  return { ...open(state), discard: true };
}

// ---- common parts

function committed(state: ReflectorState, version: string): ReflectorState {
  return { ...common(state), phase: 'opening', version, needsNewest: false, brokenStreams: 0 };
}

function commitOf(state: ReflectorState, version: string): NonNullable<Step['commit']> {
  return { version, versionsAreUnique: !state.needsNewest && !isOlder(version, state.version) };
}

function wait(state: ReflectorState, then: 'list' | 'stream' | 'watch', failure?: Failure): Step {
  return {
    state: { ...common(state), phase: 'waiting', then },
    effect: {
      do: 'wait',
      atLeastMs: failure?.retryAfterMs ?? 0,
      ...(failure?.kind === 'not-found' && { atMostMs: MISSING_KIND_MS }),
    },
  };
}

function isAboutVersion({ kind }: Failure): boolean {
  return kind === 'expired' || kind === 'version-too-large' || kind === 'unsupported';
}

function failureOf(state: ReflectorState, input: Input): Failure {
  if (input.on === 'failed') return input.failure;
  throw new TypeError(`a reflector that is ${state.phase} cannot take ${input.on}`);
}
