import type { DiffLine } from '../../src/protocol.ts';

/** Field by field: what was there, and what is there now. The marks say it too, not the colour alone. */
export function Diff({ lines }: { lines: readonly DiffLine[] }) {
  return (
    <div class="diff">
      {lines.map(({ path, before, after }) => (
        <div key={path} class="field">
          <code class="path">{path}</code>
          {before !== undefined && <pre class="before">{marked('−', before)}</pre>}
          {after !== undefined && <pre class="after">{marked('+', after)}</pre>}
        </div>
      ))}
    </div>
  );
}

function marked(mark: string, text: string): string {
  return text
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => `${mark} ${line}`)
    .join('\n');
}
