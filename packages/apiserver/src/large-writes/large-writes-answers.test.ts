// A large write is done on another thread. It must end as it would have ended on the server's own: every verb on objects
// of every shape, on a server that does all writes there and on one that does none.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { GrowthServer } from '../testing/growth/server.ts';
import { ALL_SHAPES } from '../testing/growth/shapes.ts';
import { defineGrowths } from '../testing/growth/survey.ts';
import { type Caller, walk } from '../testing/growth/verbs.ts';

/** Small, because what counts is that everything is passed on. */
const COUNT = 3;

/** Reads are not large writes, and lists show what else is there. */
const isWrite = (verb: string): boolean => !/^(get|list|watch)/.test(verb);

/** Whatever is different each time: identities, times, versions, addresses, and what a controller writes meanwhile. */
const NORMAL: readonly (readonly [RegExp, string])[] = [
  [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'UID'],
  [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, 'TIME'],
  [/"10\.0\.0\.\d+"/g, '"ADDRESS"'],
  [/kube-api-access-\w{5}/g, 'kube-api-access-RANDOM'],
  [/"nodePort":\d+/g, '"nodePort":"PORT"'],
  [/\{"manager":"validatingadmissionpolicy-status-controller".*?"subresource":"status"\},/g, ''],
  [/"status":\{("observedGeneration":\d,"typeChecking":\{\})?\}/g, '"status":{}'],
];

function normal(text: string): string {
  const masked = NORMAL.reduce((result, [pattern, name]) => result.replace(pattern, name), text);
  return masked.startsWith('{') ? JSON.stringify(JSON.parse(masked, sortOwners)) : masked;
}

/** Owners are sorted by the second of their last write, and a write may fall into the next second. */
function sortOwners(field: string, value: unknown): unknown {
  if (field !== 'managedFields' || !Array.isArray(value)) return value;
  return value.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}

/** Writes down every call with its answer. */
function recorded(server: GrowthServer): { readonly caller: Caller; readonly seen: string[] } {
  const seen: string[] = [];
  // Versions are others on each server. Which answers have the same one is not.
  const versions = new Map<string, string>();
  const nameOf = (version: string): string => {
    const name = versions.get(version) ?? `VERSION-${versions.size}`;
    versions.set(version, name);
    return name;
  };
  return {
    seen,
    caller: {
      async call(call) {
        const answer = await server.call(call);
        // A controller may or may not have written the status of a policy before the call.
        const isSteady = !call.path.includes('/validatingadmissionpolicies');
        const body = normal(answer.body.toString()).replace(
          /"resourceVersion":"(\d+)"/g,
          (_, version: string) => `"resourceVersion":"${isSteady ? nameOf(version) : 'VERSION'}"`,
        );
        seen.push(`${call.method} ${call.path} ${call.contentType ?? ''}: ${answer.status} ${body}`);
        return answer;
      },
      callWatched: (call, path) => server.callWatched(call, path),
    },
  };
}

describe('a write on the thread for large writes', () => {
  let here: GrowthServer;
  let there: GrowthServer;

  before(async () => {
    here = await GrowthServer.start({ largeWriteBytes: Number.POSITIVE_INFINITY });
    there = await GrowthServer.start({ largeWriteBytes: 0 });
    for (const server of [here, there]) await defineGrowths(server);
  });

  after(async () => {
    for (const server of [here, there]) await server[Symbol.asyncDispose]();
  });

  for (const shape of ALL_SHAPES)
    test(shape.name, async () => {
      const count = Math.max(COUNT, shape.least ?? 1);
      const [ours, theirs] = [recorded(here), recorded(there)];
      await walk(ours.caller, shape, count, { isWanted: isWrite });
      await walk(theirs.caller, shape, count, { isWanted: isWrite });
      assert.ok(ours.seen.length > 1);
      for (const [at, expected] of ours.seen.entries()) assert.equal(theirs.seen[at], expected);
      assert.equal(theirs.seen.length, ours.seen.length);
    });
});
