export * from './capacity.ts';
export * from './criteria.ts';
export { DriveIndex, type DriveQuery } from './drive-index.ts';
export * from './errors.ts';
export * from './measured-capacity.ts';
export type { IndexedDrive } from './ordered-drives.ts';
export * from './repair.ts';
