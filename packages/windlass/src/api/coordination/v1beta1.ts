export * from '@windlass/apimachinery/api/coordination/v1beta1';
