export * from '@windlass/apimachinery/api/scheduling/v1';
