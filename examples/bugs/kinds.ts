// The resources of the gallery. What an operator makes of them are ConfigMaps and Secrets: they need no nodes.
import { customResourceDefinition, defineResource, fields, type ObjectOfKind } from '@windlass/codegen';

const GROUP = 'gallery.windlass.dev';

/** Something to run. */
export const App = defineResource({
  group: GROUP,
  version: 'v1',
  kind: 'App',
  spec: fields.object({
    version: fields.optional(fields.string()),
    /** The name of a ConfigMap. */
    config: fields.optional(fields.string()),
  }),
  status: fields.object({
    isReady: fields.optional(fields.boolean()),
    /** The version that was seen last. */
    version: fields.optional(fields.string()),
    /** The name of what was made for it. */
    server: fields.optional(fields.string()),
    checkedAt: fields.optional(fields.string()),
  }),
});
export type App = ObjectOfKind<typeof App>;
export const appDefinition = customResourceDefinition(App);

/** Work that ends, and is deleted some time later. */
export const Task = defineResource({
  group: GROUP,
  version: 'v1',
  kind: 'Task',
  spec: fields.object({ isFinished: fields.boolean() }),
});
export type Task = ObjectOfKind<typeof Task>;
export const taskDefinition = customResourceDefinition(Task);

/** Asks for a disk. */
export const Claim = defineResource({
  group: GROUP,
  version: 'v1',
  kind: 'Claim',
  spec: fields.object({ size: fields.string() }),
});
export type Claim = ObjectOfKind<typeof Claim>;
export const claimDefinition = customResourceDefinition(Claim);
