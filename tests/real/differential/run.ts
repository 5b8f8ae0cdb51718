import { appendFileSync } from 'node:fs';
import { differencesBetween } from './differ.ts';
import type { FuzzRequest, History, Step, View } from './history.ts';
import { type Json, textIn } from './kinds.ts';
import { outcomeOf, type RawAnswer } from './outcome.ts';
import type { Server, Servers } from './servers.ts';
import { comparableVersions, type Version, versionAfter } from './versions.ts';

/** The first step of a history in which the servers disagree. */
export interface Disagreement {
  readonly history: string;
  readonly kind: string;
  readonly step: string;
  /** `ours lacks cause FieldValueInvalid spec.x: ...`; one for each place. */
  readonly places: readonly string[];
  readonly request: string;
  readonly real: string;
  readonly ours: string;
}

/** As the patterns of known differences see it. */
export function textOf({ kind, step, places }: Disagreement): string {
  return `${kind} | ${step} | ${places.join('\n')}`;
}

export interface Tally {
  histories: number;
  requests: number;
  accepted: number;
  refused: number;
  readonly disagreements: Disagreement[];
}

const PARALLEL = 6;
const SHOWN = 1500;
const TRACE = process.env['WINDLASS_DIFFERENTIAL_TRACE'];

export async function runHistories(servers: Servers, histories: Iterable<History>): Promise<Tally> {
  const tally: Tally = { histories: 0, requests: 0, accepted: 0, refused: 0, disagreements: [] };
  const queue = histories[Symbol.iterator]();
  const work = async (): Promise<void> => {
    for (let next = queue.next(); next.done !== true; next = queue.next())
      await runHistory(servers, next.value, tally);
  };
  await Promise.all(Array.from({ length: PARALLEL }, work));
  return tally;
}

async function runHistory(servers: Servers, history: History, tally: Tally): Promise<void> {
  tally.histories++;
  if (history.namespace !== '') {
    const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: history.namespace } };
    const made = await Promise.all(
      [servers.real, servers.ours].map((server) =>
        server.send({ method: 'POST', path: '/api/v1/namespaces', body }),
      ),
    );
    for (const { status, body: answer } of made)
      if (status !== 201 && status !== 409) throw new Error(JSON.stringify(answer));
  }
  const views = [newView(), newView()] as const;
  for (const step of history.steps) {
    const [real, ours] = await Promise.all([
      send(servers.real, step, views[0], history.kind.kind),
      send(servers.ours, step, views[1], history.kind.kind),
    ]);
    tally.requests++;
    if (TRACE !== undefined)
      appendFileSync(
        TRACE,
        `${JSON.stringify({ id: history.id, step: step.name, request: real.request, real: real.answer, ours: ours.answer })}
`,
      );
    tally[real.answer.status < 300 ? 'accepted' : 'refused']++;
    const kind = history.kind.kind;
    const versions = comparableVersions(real.version, ours.version, real.answer.body);
    const outcomes = [
      { ...outcomeOf(real.answer, kind), version: versions[0] },
      { ...outcomeOf(ours.answer, kind), version: versions[1] },
    ] as const;
    const places = differencesBetween(...outcomes).map(({ path, real: theirs, ours: mine }) =>
      describe(path, theirs, mine),
    );
    if (places.length === 0) continue;
    tally.disagreements.push({
      history: history.id,
      kind,
      step: step.name,
      places: [...new Set(places)].toSorted((a, b) => rank(a) - rank(b)),
      request: `${real.request.method} ${real.request.path} ${JSON.stringify(real.request.query ?? {})} ${JSON.stringify(real.request.body) ?? ''}`,
      real: JSON.stringify(outcomes[0]).slice(0, SHOWN),
      ours: JSON.stringify(outcomes[1]).slice(0, SHOWN),
    });
    // What follows is about different objects.
    return;
  }
}

function newView(): View {
  return { object: {}, first: {}, continueToken: '' };
}

interface Sent {
  readonly answer: RawAnswer;
  readonly request: FuzzRequest;
  /** Of the object, if it is one: whether it is the one that the server showed last. */
  readonly version: Version | undefined;
}

async function send(server: Server, step: Step, view: View, kind: string): Promise<Sent> {
  const request = step.build(view);
  const answer = await server.send(request);
  const { body, status } = answer;
  const isDryRun = request.query?.['dryRun'] !== undefined;
  let version: Sent['version'];
  // Some histories also create others of their kind, to list several.
  const isOther = view.first['metadata'] !== undefined && nameOf(body) !== nameOf(view.first);
  if (status < 300 && body['kind'] === kind && !isDryRun && !isOther) {
    version = versionAfter(view.object, body);
    // In process the server's own, which nobody may change.
    view.object = JSON.parse(JSON.stringify(body)) as Json;
    if (Object.keys(view.first).length === 0) view.first = view.object;
  }
  view.continueToken = textIn(body['metadata'], 'continue', '');
  return { answer, request, version };
}

function nameOf(object: Json): string {
  return textIn(object['metadata'], 'name', '');
}

/** What says most comes first: a status follows from the causes. */
function rank(place: string): number {
  if (/^(?:lacks|has too much): /.test(place)) return 0;
  return place.startsWith('.message') ? 1 : place.startsWith('.object') ? 3 : 2;
}

/** Causes are keys of a tree, so that one too many and one too few show as themselves. */
function describe(path: string, real: unknown, ours: unknown): string {
  if (path.startsWith('.causes.'))
    return `${ours === undefined ? 'lacks' : 'has too much'}: ${path.slice('.causes.'.length)}`;
  const show = (value: unknown): string =>
    value === undefined ? 'nothing' : JSON.stringify(value).slice(0, 300);
  return `${path}: real ${show(real)}, ours ${show(ours)}`;
}
