import { type Cached, controllerReferenceTo, setCondition } from '@windlass/apimachinery';
import { Deployment } from '@windlass/apimachinery/api/apps/v1';
import { Service } from '@windlass/apimachinery/api/core/v1';
import type { ConditionValue } from '@windlass/codegen';
import type { Controller, Manager } from '@windlass/runtime';
import { Function } from './function.ts';

const OWNER = { fieldManager: 'function-operator' };

/** Each Function becomes a Deployment and a Service, by server-side apply: what others set, they keep. */
export function registerFunctionController(manager: Manager): Controller {
  const functions = manager.objects(Function);
  const deployments = manager.objects(Deployment);
  const services = manager.objects(Service);
  return manager
    .controller('function')
    .for(Function)
    .owns(Deployment)
    .owns(Service)
    .reconcile(async (key, { signal, recorder }) => {
      const fn = await functions.find(key, { signal });
      if (fn === undefined) return;
      const options = { ...OWNER, signal };
      const deployment = await deployments.apply(deploymentFor(fn), options);
      await services.apply(serviceFor(fn), options);

      const { replicas } = fn.spec;
      const availableReplicas = deployment.status?.availableReplicas ?? 0;
      const isReady = availableReplicas >= replicas;
      const { conditions, changed } = setCondition<ConditionValue>(
        fn.status?.conditions,
        {
          type: 'Ready',
          status: isReady ? 'True' : 'False',
          reason: isReady ? 'Available' : 'Waiting',
          message: `${availableReplicas} of ${replicas} replicas are available`,
          ...(fn.metadata.generation !== undefined && { observedGeneration: fn.metadata.generation }),
        },
        manager.clock,
      );
      const url = `http://${fn.metadata.name}.${fn.metadata.namespace}.svc`;
      if (!changed && fn.status?.availableReplicas === availableReplicas && fn.status.url === url) return;
      await functions.status.patch(
        key,
        { status: { availableReplicas, url, conditions: [...conditions] } },
        { signal },
      );
      if (changed) recorder.normal(fn, isReady ? 'Ready' : 'NotReady', conditions.at(-1)?.message ?? '');
    });
}

function metaFor(fn: Cached<Function>) {
  const { name, namespace } = fn.metadata;
  const labels = { 'functions.example.com/name': name };
  return {
    labels,
    metadata: { name, namespace, labels, ownerReferences: [controllerReferenceTo(fn, Function)] },
  };
}

function deploymentFor(fn: Cached<Function>): Deployment {
  const { image, replicas, port, environment = {} } = fn.spec;
  const { labels, metadata } = metaFor(fn);
  const env = Object.keys(environment)
    .sort()
    .map((name) => ({ name, value: environment[name] ?? '' }));
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata,
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          containers: [{ name: 'function', image, env, ports: [{ containerPort: port, protocol: 'TCP' }] }],
        },
      },
    },
  };
}

function serviceFor(fn: Cached<Function>): Service {
  const { labels, metadata } = metaFor(fn);
  const { port } = fn.spec;
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata,
    spec: { selector: labels, ports: [{ port: 80, targetPort: port, protocol: 'TCP' }] },
  };
}
