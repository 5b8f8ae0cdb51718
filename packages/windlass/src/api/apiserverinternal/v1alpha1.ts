export * from '@windlass/apimachinery/api/apiserverinternal/v1alpha1';
