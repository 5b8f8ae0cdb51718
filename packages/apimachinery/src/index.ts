export * from './object.ts';
export * from './resource.ts';
export * from './schema.ts';
export * from './transport.ts';
