/** How deep messages may be nested. The deepest built-in objects, schemas in a CustomResourceDefinition, stay far below. */
export const MAX_DEPTH = 512;
