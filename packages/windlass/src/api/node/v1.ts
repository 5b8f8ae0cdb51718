export * from '@windlass/apimachinery/api/node/v1';
