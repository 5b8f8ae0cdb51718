export * from '@windlass/apimachinery/api/batch/v1';
