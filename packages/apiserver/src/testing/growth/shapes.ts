// Every shape that is measured.
import { ACCESS_SHAPES } from './shapes/access.ts';
import { CUSTOM_SHAPES } from './shapes/custom.ts';
import { DEFINITION_SHAPES } from './shapes/definitions.ts';
import { KIND_SHAPES } from './shapes/kinds.ts';
import { METADATA_SHAPES } from './shapes/metadata.ts';
import { POD_SHAPES } from './shapes/pods.ts';
import type { Shape } from './shapes/shape.ts';

/** By what they are drawn together as. */
export const SHAPES = {
  metadata: METADATA_SHAPES,
  pods: POD_SHAPES,
  kinds: [...KIND_SHAPES, ...ACCESS_SHAPES],
  'custom-resources': CUSTOM_SHAPES,
  definitions: DEFINITION_SHAPES,
} as const satisfies Readonly<Record<string, readonly Shape[]>>;

export const ALL_SHAPES: readonly Shape[] = Object.values(SHAPES).flat();
