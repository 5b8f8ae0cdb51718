import { type Cached, isControlledBy, setControllerReference } from '@windlass/apimachinery';
import { Deployment } from '@windlass/apimachinery/api/apps/v1';
import { type Controller, type Manager, TerminalError } from '@windlass/runtime';
import { Foo } from './foo.ts';

/** Keeps the Deployment of each Foo as the Foo says, and tells in its status how many replicas there are. */
export function registerFooController(manager: Manager): Controller {
  const foos = manager.objects(Foo);
  const deployments = manager.objects(Deployment);

  return manager
    .controller('sample-controller')
    .for(Foo)
    .owns(Deployment)
    .reconcile(async (key, { recorder, signal, logger }) => {
      const foo = await foos.find(key, { signal });
      // It was deleted; the garbage collector sees to its Deployment.
      if (foo === undefined) return;
      const { deploymentName, replicas } = foo.spec;
      if (deploymentName === '') throw new TerminalError('deploymentName must be given');

      const deploymentKey = `${foo.metadata.namespace}/${deploymentName}`;
      let deployment = await deployments.find(deploymentKey, { signal });
      if (deployment === undefined) {
        const created = await deployments.create(newDeployment(foo), { signal });
        logger.info('created the deployment', { deployment: deploymentKey });
        deployment = created;
      }
      if (!isControlledBy(deployment, foo)) {
        const message = `Resource "${deploymentName}" already exists and is not managed by Foo`;
        recorder.warning(foo, 'ErrResourceExists', message, { related: deployment });
        throw new Error(message);
      }
      if (replicas !== undefined && replicas !== deployment.spec?.replicas) {
        deployment = await deployments.patch(deploymentKey, { spec: { replicas } }, { signal });
      }

      const availableReplicas = deployment.status?.availableReplicas ?? 0;
      if (foo.status?.availableReplicas !== availableReplicas)
        await foos.status.patch(key, { status: { availableReplicas } }, { signal });
      recorder.normal(foo, 'Synced', 'Foo synced successfully');
    });
}

function newDeployment(foo: Cached<Foo>): Deployment {
  const labels = { app: 'nginx', controller: foo.metadata.name };
  return setControllerReference(
    foo,
    {
      metadata: { name: foo.spec.deploymentName, namespace: foo.metadata.namespace },
      spec: {
        ...(foo.spec.replicas !== undefined && { replicas: foo.spec.replicas }),
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers: [{ name: 'nginx', image: 'nginx:latest' }] } },
      },
    },
    { ownerType: Foo },
  );
}
