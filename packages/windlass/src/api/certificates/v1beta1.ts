export * from '@windlass/apimachinery/api/certificates/v1beta1';
