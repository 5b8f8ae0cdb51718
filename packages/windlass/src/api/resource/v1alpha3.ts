export * from '@windlass/apimachinery/api/resource/v1alpha3';
