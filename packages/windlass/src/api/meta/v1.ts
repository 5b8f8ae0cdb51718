export * from '@windlass/apimachinery/api/meta/v1';
