import type { ProjectNames } from '../project-names.ts';

export function reconcilerModule({ name, group, kind }: ProjectNames): string {
  return `// The reconciler: it looks at one ${kind} and makes what is as it should be. It may run at any time and any
// number of times, so it never counts on what happened before.
import { type Cached, controllerReferenceTo, setCondition } from 'windlass/apimachinery';
import { Deployment } from 'windlass/api/apps/v1';
import type { ConditionValue } from 'windlass/codegen';
import type { Manager } from 'windlass/runtime';
import { ${kind} } from './resource.ts';

const FIELD_MANAGER = '${name}';

export function registerReconciler(manager: Manager): void {
  const objects = manager.objects(${kind});
  const deployments = manager.objects(Deployment);
  manager
    .controller('${kind.toLowerCase()}')
    .for(${kind})
    .owns(Deployment)
    .reconcile(async (key, { signal, recorder }) => {
      const owner = await objects.find(key, { signal });
      // What it owned goes with it.
      if (owner === undefined) return;

      // Applied, not overwritten: what others set on the Deployment stays.
      const deployment = await deployments.apply(deploymentFor(owner), {
        fieldManager: FIELD_MANAGER,
        signal,
      });

      const { replicas } = owner.spec;
      const readyReplicas = deployment.status?.readyReplicas ?? 0;
      const isReady = readyReplicas >= replicas;
      const message = \`\${readyReplicas} of \${replicas} replicas are ready\`;
      const { conditions, changed } = setCondition<ConditionValue>(
        owner.status?.conditions,
        {
          type: 'Ready',
          status: isReady ? 'True' : 'False',
          reason: isReady ? 'Available' : 'Waiting',
          message,
        },
        manager.clock,
      );
      if (!changed && owner.status?.readyReplicas === readyReplicas) return;
      await objects.status.patch(key, { status: { readyReplicas, conditions: [...conditions] } }, { signal });
      if (changed) recorder.normal(owner, isReady ? 'Ready' : 'NotReady', message);
    });
}

function deploymentFor(owner: Cached<${kind}>): Deployment {
  const { name, namespace } = owner.metadata;
  const { image, replicas } = owner.spec;
  const labels = { '${group}/${kind.toLowerCase()}': name };
  const ownerReferences = [controllerReferenceTo(owner, ${kind})];
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace, labels, ownerReferences },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: 'main', image }] } },
    },
  };
}
`;
}

export function mainModule(): string {
  return `// The program: settings from flags, environment or file, a manager, and a clean end at SIGTERM.
// Exit codes: 0 done, 1 it failed, 2 the call was wrong.
import { loadManagerConfig, Manager, managerConfigHelp } from 'windlass/runtime';
import { name, register, webhooks } from './operator.ts';

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());

if (process.argv.includes('--help')) {
  console.log(\`node src/main.ts [flags]\\n\\n\${managerConfigHelp(name)}\`);
} else {
  try {
    const { options } = await loadManagerConfig({ name, webhooks });
    const manager = new Manager(options);
    register(manager);
    await manager.run(stop.signal);
  } catch (error) {
    const isWrongCall = error instanceof Error && 'code' in error && error.code === 'INVALID_SETTING';
    console.error(\`\${name}: \${error instanceof Error ? error.message : String(error)}\`);
    process.exitCode = isWrongCall ? 2 : 1;
  }
}
`;
}
