export * from '@windlass/apimachinery/api/policy/v1';
