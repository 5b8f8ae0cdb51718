export * from '@windlass/opentelemetry';
