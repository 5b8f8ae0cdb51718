import { customResourceDefinition, defineResource, fields, type ObjectOfKind } from '@windlass/codegen';

/** Asks for snapshots of everything that the API server holds, again and again. */
export const Backup = defineResource({
  group: 'backups.example.com',
  version: 'v1',
  kind: 'Backup',
  namespaced: false,
  spec: fields.object({
    everySeconds: fields.integer({ minimum: 1 }),
    keep: fields.integer({ minimum: 1, maximum: 1000, default: 3 }),
  }),
  status: fields.object({
    lastTime: fields.optional(fields.time()),
    /** Oldest first. */
    snapshots: fields.optional(
      fields.array(
        fields.object({ file: fields.string(), resourceVersion: fields.string(), objects: fields.integer() }),
      ),
    ),
  }),
  columns: [
    { name: 'Every', type: 'integer', jsonPath: '.spec.everySeconds' },
    { name: 'Last', type: 'date', jsonPath: '.status.lastTime' },
  ],
});
export type Backup = ObjectOfKind<typeof Backup>;

export const backupDefinition = customResourceDefinition(Backup);
