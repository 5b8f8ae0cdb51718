// docs/conformance.md, from a run of the whole suite.
import type { Spec } from './spec.ts';

export interface PageFacts {
  /** Such as `v1.36.3`. */
  readonly version: string;
  readonly specs: readonly Spec[];
  readonly expected: ReadonlyMap<string, string>;
}

const CONFORMANCE = '[Conformance]';

function isConformance({ name }: Spec): boolean {
  return name.includes(CONFORMANCE);
}

/** Counts by special interest group, with a row for all. */
export function sigTable(specs: readonly Spec[]): string {
  const sigs = [...new Set(specs.map(({ sig }) => sig))].sort();
  const rows = sigs.map((sig) =>
    row(
      sig,
      specs.filter((spec) => spec.sig === sig),
    ),
  );
  return [
    '| group | tests | passed | not passed |',
    '| --- | ---: | ---: | ---: |',
    ...rows,
    row('**all**', specs),
  ].join('\n');
}

function row(name: string, specs: readonly Spec[]): string {
  const passed = count(specs, 'passed');
  return `| ${name} | ${specs.length} | ${passed} | ${specs.length - passed} |`;
}

function count(specs: readonly Spec[], outcome: Spec['outcome']): number {
  return specs.filter((spec) => spec.outcome === outcome).length;
}

export function badgeLine({ version, specs }: PageFacts): string {
  const conformance = specs.filter(isConformance);
  return `${count(conformance, 'passed')} of ${conformance.length} conformance tests of Kubernetes ${version} pass on simulated nodes`;
}

export function conformancePage(facts: PageFacts): string {
  const { specs, expected } = facts;
  const failed = specs.filter(({ outcome }) => outcome !== 'passed');
  const reasons = [...new Set(failed.map(({ name }) => expected.get(name) ?? UNEXPECTED))].sort();
  const sections = reasons.map((reason) => {
    const names = failed.filter(({ name }) => (expected.get(name) ?? UNEXPECTED) === reason);
    return [`### ${reason} (${names.length})`, '', ...names.map(({ name }) => `- ${plain(name)}`)].join('\n');
  });
  return [
    '# Conformance',
    '',
    `${badgeLine(facts)}.`,
    '',
    '`npm run test:conformance -- --all` writes this page: it builds the suite from its published sources, runs it',
    'against `windlass up`, and compares the outcome with `tests/conformance/expected-failures.json`. Simulated nodes',
    'run no images, so whatever looks at what a container did cannot pass on them.',
    '',
    sigTable(specs.filter(isConformance)),
    '',
    '## The other tests of api-machinery',
    '',
    'Server-side apply, watch lists, rules of custom resources, field validation, priority and fairness, tables, chunks:',
    'not part of conformance, and run as well.',
    '',
    sigTable(specs.filter((spec) => !isConformance(spec))),
    '',
    '## Not passed, by reason',
    '',
    sections.join('\n\n'),
    '',
  ].join('\n');
}

const UNEXPECTED = 'Fails, and should not';

/** Names hold brackets and stars that Markdown would read. */
function plain(name: string): string {
  return `\`${name.replaceAll('`', "'")}\``;
}
