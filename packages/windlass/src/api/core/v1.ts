export * from '@windlass/apimachinery/api/core/v1';
