import type { ProjectNames } from '../project-names.ts';

export function readme({ name, kind }: ProjectNames): string {
  return `# ${name}

An operator: each ${kind} becomes a Deployment, and its status says when that is ready.

\`\`\`sh
npm install
npm test       # the reconciler on an API server in the test's own process
npm run sim    # the operator through a hundred bad days of a cluster
npm run check  # types
\`\`\`

- \`src/resource.ts\`: the ${kind}, its fields, what the API server checks, what kubectl shows
- \`src/reconciler.ts\`: what is done for one ${kind}
- \`src/reconciler.test.ts\`: whether it is
- \`src/simulation.ts\`: what happens in a simulation, and what must hold; \`simulation.test.ts\` runs a few seeds
- \`src/operator.ts\`: all kinds, webhooks and controllers
- \`src/main.ts\`: the program
- \`manifests/crds\`, \`rbac.yaml\`, \`kustomization.yaml\`: made from these; the account and its roles are derived from
  what the operator asks of the API in all of its tests
- \`manifests/namespace.yaml\`, \`deployment.yaml\`: where and how it runs; they are yours

\`npm run manifests\` runs the tests and writes the derived ones anew; \`npm test\` fails when they are stale.

## More

\`\`\`sh
npx windlass add kind Page         # a resource
npx windlass add controller Page   # what is done for it
npx windlass add webhook Page      # what is checked and completed before it is stored
\`\`\`

## Run it here

\`\`\`sh
npm run cluster &          # a Kubernetes API server in .windlass
export KUBECONFIG=.windlass/kubeconfig
npx windlass generate manifests --without-rbac --webhook-url https://127.0.0.1:9443 --output .windlass/manifests
kubectl apply -k .windlass/manifests
npm start &
kubectl apply -f manifests/example.yaml
kubectl get ${kind.toLowerCase()} --watch
\`\`\`

\`npm start -- --help\` lists the flags. Any other cluster works the same way, by its kubeconfig; one that is elsewhere
cannot ask webhooks on your machine.

## Run it in a cluster

\`\`\`sh
docker build -t ${name}:latest .   # and push it to where the cluster finds it
kubectl apply -k manifests
\`\`\`

Or with Helm: \`npm run chart\` makes the chart of the manifests in \`chart\`.

\`\`\`sh
helm install ${name} ./chart --namespace ${name} --create-namespace --set image.repository=${name}
\`\`\`
`;
}
