import type { Attack } from '../attack.ts';
import { BIG_NAMESPACE } from '../people.ts';
import { swarm } from '../swarm.ts';

const LIST = `/api/v1/namespaces/${BIG_NAMESPACE}/configmaps`;
const READERS = 8;

const FORMS: readonly Readonly<Record<string, string>>[] = [
  { accept: 'application/json' },
  { accept: 'application/json', 'accept-encoding': 'gzip' },
  { accept: 'application/yaml' },
  { accept: 'application/vnd.kubernetes.protobuf' },
  { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' },
  { accept: 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io' },
  { accept: 'application/vnd.kubernetes.protobuf;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io' },
  { accept: 'application/json', 'user-agent': 'curl/8' },
];

/** Many readers of a long list in every encoding, and of the watch that begins with all of it. */
export const bigLists: Attack = {
  name: 'big-lists',
  summary: 'reads lists of 5,000 to 30,000 objects in every encoding, 8 readers at once',
  async start(stage, signal) {
    const found: string[] = [];
    const callers = Array.from({ length: READERS }, () => stage.caller(stage.people.writer));
    await swarm(stage.size(16, 64), READERS, signal, async (index) => {
      const headers = FORMS[index % FORMS.length] ?? {};
      const caller = callers[index % READERS];
      const answer = await caller?.ask({ path: LIST, headers, timeoutMs: 60_000, signal });
      // An encoding may be refused; a reader may be asked to come later.
      if (![200, 406, 429].includes(answer?.status ?? 0) && !signal.aborted)
        found.push(`a list as ${headers['accept']} answered ${answer?.status || 'nothing'}`);
    });
    if (signal.aborted) return found;
    const query =
      'watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true&timeoutSeconds=2';
    await Promise.all(callers.map((caller) => caller.ask({ path: `${LIST}?${query}`, signal })));
    return found;
  },
};
