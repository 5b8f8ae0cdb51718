/** An SVG path through values that stand at equal distances. Where a value is NaN, the line is interrupted. */
export function linePath(values: Float64Array, max: number, width: number, height: number): string {
  const step = width / Math.max(1, values.length - 1);
  let path = '';
  let isDown = false;
  values.forEach((value, at) => {
    if (Number.isNaN(value)) {
      isDown = false;
      return;
    }
    const y = max <= 0 ? height : height - (Math.min(value, max) / max) * height;
    path += `${isDown ? 'L' : 'M'}${round(at * step)} ${round(y)}`;
    isDown = true;
  });
  return path;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

/** A round number at or above the highest value, so that the scale of a plot moves seldom. */
export function ceilingOf(max: number, least: number): number {
  if (max <= least) return least;
  const power = 10 ** Math.floor(Math.log10(max));
  const factor = [1, 2, 5, 10].find((candidate) => candidate * power >= max) ?? 10;
  return factor * power;
}
