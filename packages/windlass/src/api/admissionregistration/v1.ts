export * from '@windlass/apimachinery/api/admissionregistration/v1';
