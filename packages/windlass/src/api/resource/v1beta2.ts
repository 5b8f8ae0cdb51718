export * from '@windlass/apimachinery/api/resource/v1beta2';
