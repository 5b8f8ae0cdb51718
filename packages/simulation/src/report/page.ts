import { describeFault, ms } from '../plan/describe-fault.ts';
import type { Outcome } from '../run/outcome.ts';
import { escaped } from './escape.ts';
import { lanesSvg } from './page-lanes.ts';
import { lanesOf, type PageRow, rowsOf } from './page-rows.ts';
import { PAGE_SCRIPT } from './page-script.ts';
import { PAGE_STYLE } from './page-style.ts';
import { testToPaste } from './paste.ts';
import { durationOf } from './timeline.ts';

/** One run as one HTML page that needs nothing else: what failed, the plan, the lanes, every line, the test to paste. */
export function pageOf(name: string, outcome: Outcome): string {
  const rows = rowsOf(outcome);
  const lanes = lanesOf(rows, outcome);
  const title = escaped(`${name}, seed ${outcome.seed}`);
  const names = lanes.map((lane) => `<li>${escaped(lane)}</li>`).join('');
  const choices = lanes.map((lane) => `<option>${escaped(lane)}</option>`).join('');
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${PAGE_STYLE}</style>
<header>
<h1>${title}</h1>
<p>${outcome.writes} writes in ${durationOf(outcome)}, digest <code>${outcome.digest}</code></p>
</header>
${verdict(outcome)}
<section class="plan"><h2>What goes wrong</h2>${planList(outcome)}</section>
<section><h2>Lanes</h2>
<div class="lanes"><ol class="names">${names}</ol><div class="scroll">${lanesSvg(rows, lanes)}</div></div>
<p class="legend"><span class="write">●</span> write <span class="run">●</span> run <span class="fault">▲</span> fault. Time is stretched where much happens. Click a mark to see its line.</p>
</section>
<section><h2>Timeline</h2>
<form class="filter"><label>of <select><option value="">everybody</option>${choices}</select></label>
<label>with <input type="search" placeholder="any text"></label></form>
<div class="rows">
${rows.map(rowHtml).join('\n')}
</div></section>
<section><h2>The same as a test</h2>
<div class="paste"><button type="button">Copy</button><pre>${escaped(testToPaste(name, outcome))}</pre></div></section>
<script>${PAGE_SCRIPT}</script>
</html>
`;
}

function verdict({ failure }: Outcome): string {
  if (failure === undefined) return '<section class="verdict fine"><h2>Nothing is wrong</h2></section>';
  const what = failure.name === undefined ? failure.oracle : `${failure.oracle}: ${failure.name}`;
  return `<section class="verdict wrong"><h2>${escaped(what)}, at ${escaped(ms(failure.atMs))}</h2><pre>${escaped(failure.message)}</pre></section>`;
}

function planList({ plan }: Outcome): string {
  if (plan.length === 0) return '<p>Nothing outside of the program.</p>';
  return `<ol>${plan.map((fault) => `<li>${escaped(describeFault(fault))}</li>`).join('')}</ol>`;
}

function rowHtml({ atMs, process, type, text, details }: PageRow, index: number): string {
  const cells = `<time>${(atMs / 1000).toFixed(3)}</time><b>${escaped(process)}</b><span>${escaped(text.replace(/^--- /, ''))}</span>`;
  const attributes = `id="row-${index}" class="row ${type}" data-process="${escaped(process)}"`;
  if (details.length === 0) return `<div ${attributes}>${cells}</div>`;
  return `<details ${attributes}><summary>${cells}</summary><pre>${escaped(details.join('\n'))}</pre></details>`;
}
