export * from './accounting/index.ts';
export * from './admin/index.ts';
export * from './controller-service/index.ts';
export * from './driver/index.ts';
export * from './handlers/index.ts';
export * from './os/index.ts';
export * from './resources/index.ts';
