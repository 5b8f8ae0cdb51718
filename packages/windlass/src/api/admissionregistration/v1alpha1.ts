export * from '@windlass/apimachinery/api/admissionregistration/v1alpha1';
