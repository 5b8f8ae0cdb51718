import { UsageError } from '../command-line/exit.ts';
import type { OutputFile } from '../generate/output-folder.ts';
import { GROUP, KIND, TAKEN_KINDS } from '../new/project-names.ts';
import { homeOf, kebabOf } from './kind-home.ts';
import { importedFrom, operatorNameIn, withLines } from './operator-file.ts';
import { controllerModule, controllerTest } from './template/controller.ts';
import { kindExample, kindModule } from './template/kind.ts';
import { webhookModule, webhooksName, webhookTest } from './template/webhook.ts';

export interface Addition {
  /** New files. */
  readonly files: readonly OutputFile[];
  /** src/operator.ts as it is to be. */
  readonly operator: string;
  /** What to do next. */
  readonly next: string;
}

export const ADDITIONS = ['kind', 'webhook', 'controller'] as const;

/** @throws UsageError that says why it cannot be added */
export function additionOf(
  what: (typeof ADDITIONS)[number],
  kind: string,
  { operator, group }: { readonly operator: string; readonly group: string | undefined },
): Addition {
  if (!KIND.test(kind))
    throw new UsageError(`NAME must be a kind in CamelCase, such as Page, but it is "${kind}"`);
  switch (what) {
    case 'kind':
      return newKind(kind, operator, group);
    case 'webhook':
      return newWebhook(kind, operator);
    case 'controller':
      return newController(kind, operator);
  }
}

function newKind(kind: string, operator: string, group = 'example.com'): Addition {
  if (!GROUP.test(group))
    throw new UsageError(`--group must be a domain, such as example.com, but it is "${group}"`);
  if (TAKEN_KINDS.has(kind)) throw new UsageError(`the project itself uses the name ${kind}; choose another`);
  if (importedFrom(operator, kind) !== undefined)
    throw new UsageError(`the operator has the kind ${kind} already; choose another name`);
  const home = kebabOf(kind);
  return {
    files: [
      { path: `src/${home}/resource.ts`, text: kindModule({ group, kind }) },
      { path: `manifests/example-${home}.yaml`, text: kindExample({ group, kind }) },
    ],
    operator: withLines(operator, {
      imports: `import { ${kind} } from './${home}/resource.ts';`,
      definitions: `customResourceDefinition(${kind}),`,
    }),
    next: `change src/${home}/resource.ts, then run npm run manifests. windlass add controller ${kind} makes it do something.`,
  };
}

function newWebhook(kind: string, operator: string): Addition {
  const { folder, module, isBuiltin } = homeOf(kind, operator);
  // Declared by `windlass new`, or by `windlass add kind`; whoever has changed it, changes the test too.
  const example = folder === 'src' ? "{ image: 'example:1' }" : "{ text: 'hello' }";
  const spec = isBuiltin ? undefined : example;
  const names = { name: operatorNameIn(operator) ?? 'operator', kind, module, isBuiltin, spec };
  const list = webhooksName(kind);
  return {
    files: [
      { path: `${folder}/webhooks.ts`, text: webhookModule(names) },
      { path: `${folder}/webhooks.test.ts`, text: webhookTest(names) },
    ],
    operator: withLines(operator, {
      imports: `import { ${list} } from '${fromSource(folder)}webhooks.ts';`,
      webhooks: `...${list},`,
    }),
    next: `change ${folder}/webhooks.ts and what its test creates, then run npm run manifests: it writes manifests/webhooks.yaml.`,
  };
}

function newController(kind: string, operator: string): Addition {
  const { folder, module, isBuiltin } = homeOf(kind, operator);
  if (isBuiltin)
    throw new UsageError(
      `${kind} is a kind of Kubernetes, and all of its objects are somebody else's; add a controller for a kind of the operator that owns some, with .owns(${kind})`,
    );
  const depth = folder.split('/').length - 1;
  const above = depth === 0 ? './' : '../'.repeat(depth);
  const name = operatorNameIn(operator) ?? 'operator';
  const names = { name, kind, module, operator: `${above}operator.ts` };
  const register = `register${kind}Reconciler`;
  return {
    files: [
      { path: `${folder}/reconciler.ts`, text: controllerModule(names) },
      { path: `${folder}/reconciler.test.ts`, text: controllerTest(names) },
    ],
    operator: withLines(operator, {
      imports: `import { ${register} } from '${fromSource(folder)}reconciler.ts';`,
      controllers: `${register}(manager);`,
    }),
    next: `change ${folder}/reconciler.ts and its test, then run npm run manifests: it derives the roles anew.`,
  };
}

/** `src/page` becomes `./page/`. */
const fromSource = (folder: string): string => `${folder.replace(/^src/, '.')}/`;
