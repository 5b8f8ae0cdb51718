/** Something that is wrong with an expression, and where. */
export interface Issue {
  readonly at: number;
  readonly message: string;
}

/** Why an expression is none. */
export class SourceError extends Error {
  readonly issues: readonly Issue[];

  constructor(issues: readonly Issue[]) {
    super(issues[0]?.message ?? '');
    this.issues = issues;
  }
}

/** The issues with the lines they are about, as Kubernetes shows them. */
export function showIssues(source: string, issues: readonly Issue[]): string {
  return issues
    .toSorted((a, b) => a.at - b.at)
    .map(({ at, message }) => {
      const before = source.slice(0, Math.min(at, source.length));
      const line = before.split('\n').length;
      const column = Array.from(before.slice(before.lastIndexOf('\n') + 1)).length;
      const shown = (source.split('\n')[line - 1] ?? '').replaceAll('\t', ' ');
      return `ERROR: <input>:${line}:${column + 1}: ${message}\n | ${shown}\n | ${'.'.repeat(column)}^`;
    })
    .join('\n');
}
