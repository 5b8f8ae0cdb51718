export * from './resources/index.ts';
