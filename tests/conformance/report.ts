import { type Spec, sigOf } from './spec.ts';

/** What the lane reads of the JSON report that Ginkgo writes. */
interface GinkgoSpec {
  readonly LeafNodeType: string;
  readonly ContainerHierarchyTexts: readonly string[] | null;
  readonly LeafNodeText: string;
  readonly State: string;
  /** In nanoseconds. */
  readonly RunTime: number;
  readonly Failure?: { readonly Message?: string };
}

const NANOSECONDS_IN_SECOND = 1e9;
const NOT_RUN: ReadonlySet<string> = new Set(['skipped', 'pending']);
const MAX_MESSAGE = 300;

/** The specs of a report, sorted by name. What the suite does before and after all of them is none. */
export function readReport(text: string): Spec[] {
  // The report is the output of a program of ours, with the fields above.
  const suites = JSON.parse(text) as readonly { readonly SpecReports: readonly GinkgoSpec[] | null }[];
  return suites
    .flatMap(({ SpecReports }) => SpecReports ?? [])
    .filter(({ LeafNodeType }) => LeafNodeType === 'It')
    .map(specOf)
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

function specOf(report: GinkgoSpec): Spec {
  const name = [...(report.ContainerHierarchyTexts ?? []), report.LeafNodeText].join(' ');
  return {
    name,
    sig: sigOf(name),
    outcome: report.State === 'passed' ? 'passed' : NOT_RUN.has(report.State) ? 'skipped' : 'failed',
    seconds: report.RunTime / NANOSECONDS_IN_SECOND,
    message: firstLine(report.Failure?.Message ?? ''),
  };
}

function firstLine(text: string): string {
  const line = text.split('\n').find((part) => part.trim() !== '') ?? '';
  return line.trim().slice(0, MAX_MESSAGE);
}
