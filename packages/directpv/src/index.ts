export * from './accounting/index.ts';
export * from './resources/index.ts';
