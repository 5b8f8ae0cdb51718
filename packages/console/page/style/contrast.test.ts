// Every text can be read: WCAG's contrast of 4.5 between each colour of text and each ground that it stands on.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

const css = readFileSync(new URL('base.css', import.meta.url), 'utf8');
const COLOURS = new Map(
  [...css.matchAll(/--([\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)/g)].map(
    ([, name = '', light = '', dark = '']) => [name, { light, dark }],
  ),
);
const GROUNDS = ['ground', 'panel', 'sunken'];
const PAIRS: readonly (readonly [text: string, grounds: readonly string[]])[] = [
  ['text', [...GROUNDS, 'accent-soft', 'bad-soft', 'warn-soft', 'good-soft']],
  ['soft', [...GROUNDS, 'warn-soft']],
  ['faint', ['ground', 'panel', 'sunken']],
  ['accent', ['ground', 'panel']],
  ['bad', ['ground', 'panel', 'sunken', 'bad-soft']],
  ['warn', ['ground', 'panel', 'warn-soft']],
  ['on-accent', ['accent']],
];
const LEAST = 4.5;

for (const theme of ['light', 'dark'] as const)
  for (const [text, grounds] of PAIRS)
    for (const ground of grounds)
      test(`${theme}: ${text} on ${ground}`, () => {
        const contrast = contrastOf(colour(text, theme), colour(ground, theme));
        assert.ok(contrast >= LEAST, `the contrast is ${contrast.toFixed(2)}`);
      });

function colour(name: string, theme: 'light' | 'dark'): string {
  const pair = COLOURS.get(name);
  assert.ok(pair !== undefined, `base.css has no colour ${name}`);
  return pair[theme];
}

function contrastOf(a: string, b: string): number {
  const [dark = 0, light = 0] = [luminanceOf(a), luminanceOf(b)].sort((x, y) => x - y);
  return (light + 0.05) / (dark + 0.05);
}

function luminanceOf(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
