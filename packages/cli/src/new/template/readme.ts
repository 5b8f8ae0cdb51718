import type { ProjectNames } from '../project-names.ts';

export function readme({ name, kind }: ProjectNames): string {
  return `# ${name}

An operator: each ${kind} becomes a Deployment, and its status says when that is ready.

\`\`\`sh
npm install
npm test       # the reconciler on an API server in the test's own process
npm run check  # types
\`\`\`

- \`src/resource.ts\`: the ${kind}, its fields, what the API server checks, what kubectl shows
- \`src/reconciler.ts\`: what is done for one ${kind}
- \`src/reconciler.test.ts\`: whether it is
- \`src/main.ts\`: the program
- \`manifests/crds\`: the definition, made from \`src/resource.ts\`
- \`manifests/rbac.yaml\`: account and roles, derived from what the operator asks of the API in its tests
- \`manifests/namespace.yaml\`, \`deployment.yaml\`: where and how it runs

\`npm run manifests\` writes the derived ones anew; \`npm test\` fails when they are stale.

## Run it here

\`\`\`sh
npm run cluster &          # a Kubernetes API server in .windlass
export KUBECONFIG=.windlass/kubeconfig
kubectl apply -f manifests/crds
npm start &
kubectl apply -f manifests/example.yaml
kubectl get ${kind.toLowerCase()} --watch
\`\`\`

\`npm start -- --help\` lists the flags. Any other cluster works the same way, by its kubeconfig.

## Run it in a cluster

\`\`\`sh
docker build -t ${name}:latest .   # and push it to where the cluster finds it
kubectl apply -f manifests/crds -f manifests/namespace.yaml -f manifests/rbac.yaml -f manifests/deployment.yaml
\`\`\`
`;
}
