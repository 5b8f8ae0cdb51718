// Which docs the site has, and under which heading.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Page {
  /** Its source in the repository, for links between docs; undefined for pages that are made. */
  readonly source: string | undefined;
  /** Its place in the site. */
  readonly path: string;
  readonly title: string;
  readonly group: string;
  readonly markdown: string;
}

/** The guides in the order in which a newcomer needs them. Others come after them. */
const READING_ORDER = [
  'first-operator',
  'dev',
  'test-your-operator',
  'simulate-your-operator',
  'console',
  'simulated-nodes',
  'real-containers',
  'dependents',
  'webhooks',
  'versions',
  'rbac',
  'run-on-a-real-cluster',
  'shards',
  'fleets',
  'logging',
  'tracing',
  'pods',
  'manifests',
  'operating',
  'real-nodes',
  'beyond-one-machine',
  'directpv',
  'snapshots',
  'from-client-go',
  'from-client-node',
  'from-pepr',
  'from-kopf',
  'from-java-operator-sdk',
];

function placeInOrder(source: string): number {
  const at = READING_ORDER.findIndex((name) => source === `docs/guides/${name}.md`);
  return at === -1 ? READING_ORDER.length : at;
}

const GROUPS: readonly (readonly [group: string, pattern: string])[] = [
  ['Start', 'README.md'],
  ['Guides', 'docs/guides/*.md'],
  ['Understand', 'docs/*.md'],
  ['Packages', 'packages/*/README.md'],
  ['Examples', 'examples/{README.md,*/README.md}'],
  ['Project', '{CHANGELOG,CONTRIBUTING,SECURITY}.md'],
  ['Decisions', 'docs/decisions/*.md'],
  ['Benchmarks', 'bench/README.md'],
  ['Deployment', 'deploy/**/*.md'],
];

export function docs(root: string): readonly Page[] {
  return GROUPS.flatMap(([group, pattern]) =>
    globSync(pattern, { cwd: root })
      .sort((a, b) => placeInOrder(a) - placeInOrder(b) || (a < b ? -1 : 1))
      .map((source) => {
        const markdown = readFileSync(join(root, source), 'utf8');
        return { source, path: placeOf(source), title: titleOf(markdown, source), group, markdown };
      }),
  );
}

/** `docs/guides/first-operator.md` is `docs/guides/first-operator.html`; a README is the index of its folder. */
function placeOf(source: string): string {
  return source.replace(/README\.md$/, 'index.md').replace(/\.md$/, '.html');
}

function titleOf(markdown: string, source: string): string {
  return /^# (.*)$/m.exec(markdown)?.[1] ?? source;
}
