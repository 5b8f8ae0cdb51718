import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inApplyOrder } from './apply-order.ts';

const kinds = (...names: readonly string[]): { readonly kind: string; readonly group: string }[] =>
  names.map((name) => {
    const [kind = '', ...group] = name.split('.');
    return { kind, group: group.join('.') };
  });

test('each comes after what it needs', () => {
  const order = [
    'Namespace',
    'CustomResourceDefinition.apiextensions.k8s.io',
    'StorageClass.storage.k8s.io',
    'ServiceAccount',
    'Role.rbac.authorization.k8s.io',
    'RoleBinding.rbac.authorization.k8s.io',
    'ConfigMap',
    'PersistentVolumeClaim',
    'Service',
    'Deployment.apps',
    'Ingress.networking.k8s.io',
    'Widget.example.com',
    'ValidatingAdmissionPolicy.admissionregistration.k8s.io',
    'ValidatingWebhookConfiguration.admissionregistration.k8s.io',
  ];
  assert.deepEqual(inApplyOrder(kinds(...order.toReversed())), kinds(...order));
});

test('those of one rank stay as they are written, and a kind of another group is not the built-in one', () => {
  assert.deepEqual(
    inApplyOrder(kinds('Namespace.example.com', 'Secret', 'Gadget.x', 'ConfigMap', 'Secret')),
    kinds('Secret', 'ConfigMap', 'Secret', 'Namespace.example.com', 'Gadget.x'),
  );
});
