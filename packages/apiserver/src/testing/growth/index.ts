export { GrowthServer } from './server.ts';
export type { Shape } from './shapes/shape.ts';
export { ALL_SHAPES, SHAPES } from './shapes.ts';
export { type Point, steepness } from './steepness.ts';
export { defineGrowths, MAX_STEEPNESS, survey } from './survey.ts';
