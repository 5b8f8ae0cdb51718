/** One sentence for each kind of line that should not be in a log: what it said, how often, and where it came from. */
export function complained(lines: readonly string[]): string[] {
  const kinds = new Map<string, { count: number; from: string }>();
  for (const line of lines) {
    const { what, from } = kindOf(line);
    const known = kinds.get(what);
    if (known === undefined) kinds.set(what, { count: 1, from });
    else known.count++;
  }
  return [...kinds].map(([what, { count, from }]) => {
    const times = count === 1 ? 'once' : `${count} times`;
    return `the server logged ${times}: ${what}${from === '' ? '' : ` (${from})`}`;
  });
}

interface LogLine {
  readonly msg?: string;
  readonly error?: { readonly message?: string; readonly stack?: string };
}

const SHOWN = 200;

function kindOf(line: string): { what: string; from: string } {
  try {
    const { msg = '', error } = JSON.parse(line) as LogLine;
    const frames = error?.stack?.split('\n').filter((frame) => frame.includes('packages/')) ?? [];
    const from = /packages\/\S+?:\d+/.exec(frames[0] ?? '')?.[0] ?? '';
    // Names and numbers differ from line to line.
    const message = (error?.message ?? '').replaceAll(/\d+/g, 'N').slice(0, SHOWN);
    return { what: message === '' ? msg : `${msg}: ${message}`, from };
  } catch {
    return { what: line.slice(0, SHOWN), from: '' };
  }
}
