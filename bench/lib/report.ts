import type { Bar, Result } from './bench.ts';

/** One JSON object on one line; `peer`, `peerName` and `ratio` are null where there is no peer. */
export function jsonLine({ bench, ours, peer, ratio, ok }: Result): string {
  return JSON.stringify({
    bench: bench.name,
    ours,
    peer: peer ?? null,
    peerName: bench.peer?.name ?? null,
    ratio: ratio ?? null,
    unit: bench.unit,
    ...(bench.bar === undefined ? {} : { bar: barText(bench.bar) }),
    ...(ok === undefined ? {} : { ok }),
  });
}

const WIDTHS = { name: 32, figure: 12, ratio: 8 };

export function tableHead(): string {
  const columns = ['ours', 'peer'].map((title) => title.padStart(WIDTHS.figure)).join('');
  return `${'benchmark'.padEnd(WIDTHS.name)}${columns}${'ratio'.padStart(WIDTHS.ratio)}  unit`;
}

export function tableRow({ bench, ours, peer, ratio, ok }: Result): string {
  const verdict = ok === undefined ? '' : ok ? 'ok' : 'MISSED';
  const bar = bench.bar === undefined ? '' : `, bar ${barText(bench.bar)} ${verdict}`.trimEnd();
  const against = bench.peer === undefined ? '' : `, peer ${bench.peer.name}`;
  return [
    bench.name.padEnd(WIDTHS.name),
    figure(ours).padStart(WIDTHS.figure),
    (peer === undefined ? '–' : figure(peer)).padStart(WIDTHS.figure),
    (ratio === undefined ? '–' : `${figure(ratio)}x`).padStart(WIDTHS.ratio),
    `  ${bench.unit}${against}${bar}`,
  ].join('');
}

export function barText(bar: Bar): string {
  const ratio = bar.atLeast === undefined ? [] : [`ratio >= ${bar.atLeast}`];
  return (bar.kind === 'ours' ? [`ours < ${bar.below}`, ...ratio] : ratio).join(' and ');
}

/** Three digits say all that such a figure knows. */
export function figure(value: number): string {
  return value >= 1000 ? Math.round(value).toLocaleString('en') : String(Number(value.toPrecision(3)));
}
