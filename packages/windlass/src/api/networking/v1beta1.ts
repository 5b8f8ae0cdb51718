export * from '@windlass/apimachinery/api/networking/v1beta1';
