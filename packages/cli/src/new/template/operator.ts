import type { ProjectNames } from '../project-names.ts';

/** Before these lines `windlass add` writes its own. */
export const MARKS = {
  imports: '// windlass:imports',
  definitions: '// windlass:definitions',
  webhooks: '// windlass:webhooks',
  controllers: '// windlass:controllers',
} as const;

export function operatorModule({ name, kind }: ProjectNames): string {
  return `// What the operator consists of. The program, the tests and the manifests are made from this. Keep the lines that
// begin with "windlass:": before them \`windlass add\` writes what it adds.
import type { CustomResourceDefinition } from 'windlass/api/apiextensions/v1';
import { customResourceDefinition } from 'windlass/codegen';
import type { Manager, Webhook } from 'windlass/runtime';
import { registerReconciler } from './reconciler.ts';
import { ${kind} } from './resource.ts';
${MARKS.imports}

export const name = '${name}';

/** The kinds that it brings. */
export const definitions: readonly CustomResourceDefinition[] = [
  customResourceDefinition(${kind}),
  ${MARKS.definitions}
];

/** What API servers ask it before they store an object. */
export const webhooks: readonly Webhook[] = [
  ${MARKS.webhooks}
];

/** What it does all the time. */
export function register(manager: Manager): void {
  registerReconciler(manager);
  ${MARKS.controllers}
}
`;
}
