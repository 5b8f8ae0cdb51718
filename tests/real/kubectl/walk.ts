// What people do with kubectl, step by step. The same steps run against both servers.

export interface WalkStep {
  readonly args: readonly string[];
  readonly stdin?: string;
  /** Nothing but the exit code is compared: what is printed depends on the server by its nature. */
  readonly onlyExitCode?: true;
}

const deployment = JSON.stringify({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', labels: { app: 'web' } },
  spec: {
    replicas: 2,
    selector: { matchLabels: { app: 'web' } },
    template: {
      metadata: { labels: { app: 'web' } },
      spec: { containers: [{ name: 'main', image: 'nginx:1.27', ports: [{ containerPort: 80 }] }] },
    },
  },
});

const changed = deployment.replace('"replicas":2', '"replicas":4').replace('nginx:1.27', 'nginx:1.28');

const crd = JSON.stringify({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'winches.walk.example.com' },
  spec: {
    group: 'walk.example.com',
    scope: 'Namespaced',
    names: { plural: 'winches', singular: 'winch', kind: 'Winch', shortNames: ['wd'] },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {} },
        additionalPrinterColumns: [{ name: 'Size', type: 'integer', jsonPath: '.spec.size' }],
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: {
                type: 'object',
                required: ['size'],
                properties: {
                  size: { type: 'integer', minimum: 1 },
                  color: { type: 'string', default: 'blue' },
                },
              },
              status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
            },
          },
        },
      },
    ],
  },
});

const winch = (size: unknown): string =>
  JSON.stringify({
    apiVersion: 'walk.example.com/v1',
    kind: 'Winch',
    metadata: { name: 'w' },
    spec: { size },
  });

const step = (line: string, extra: Omit<WalkStep, 'args'> = {}): WalkStep => ({
  args: line.split(' '),
  ...extra,
});

export const WALK: readonly WalkStep[] = [
  step('create namespace walk'),
  step('create namespace walk'),
  step('config set-context --current --namespace=walk', { onlyExitCode: true }),
  step('get namespace walk --no-headers'),
  step('create configmap settings --from-literal=color=blue --from-literal=size=3'),
  step('get configmap settings -o yaml'),
  step('get configmaps settings -o json'),
  step('get configmap settings -o jsonpath={.data.color}'),
  step('get configmap settings -o name'),
  step('get configmap settings -o custom-columns=NAME:.metadata.name,COLOR:.data.color'),
  step('get configmap missing'),
  step('get nonsense'),
  step('label configmap settings tier=front'),
  step('label configmap settings tier=back'),
  step('label configmap settings tier=back --overwrite'),
  step('label configmap settings bad/key/here=x'),
  step('get configmaps -l tier=back -o name'),
  step('get configmaps --field-selector metadata.name=settings -o name'),
  step('get configmaps --field-selector spec.nope=1'),
  step('annotate configmap settings note=hello'),
  step('patch configmap settings --type=merge -p {"data":{"color":"red"}}'),
  step('patch configmap settings --type=json -p [{"op":"test","path":"/data/color","value":"nope"}]'),
  step('patch configmap settings --type=json -p [{"op":"replace","path":"/data/color","value":"green"}]'),
  // With several keys kubectl would show them in a random order.
  step('patch configmap settings --type=merge -p {"data":{"size":null}}'),
  step('describe configmap settings'),
  step('delete configmap settings'),
  step('delete configmap settings'),
  step('delete configmap settings --ignore-not-found'),
  step('create secret generic token --from-literal=value=s3cret'),
  step('get secret token'),
  step('describe secret token'),
  step('create -f -', { stdin: deployment }),
  step('create -f -', { stdin: deployment }),
  step('get deployment web'),
  step('get deployment web -o wide'),
  step('get deploy web -o yaml'),
  step('diff -f -', { stdin: changed, onlyExitCode: true }),
  step('apply -f -', { stdin: changed }),
  step('apply -f -', { stdin: changed }),
  step('apply --server-side --field-manager=other -f -', { stdin: deployment }),
  step('apply --server-side --force-conflicts -f -', { stdin: changed }),
  step('get deploy web -o jsonpath={.spec.replicas}/{.metadata.generation}'),
  step('scale deployment web --replicas=5'),
  step('scale deployment web --replicas=1 --current-replicas=9'),
  step('set image deployment/web main=nginx:1.29'),
  step('set env deployment/web A=b'),
  step('rollout restart deployment/web'),
  step('rollout history deployment/web'),
  step('rollout pause deployment/web'),
  step('rollout resume deployment/web'),
  step('expose deployment web --port=80 --target-port=8080'),
  step('get service web -o jsonpath={.spec.ports[0].targetPort}/{.spec.type}/{.spec.selector.app}'),
  step('get service web --no-headers', { onlyExitCode: true }),
  step('explain deployment.spec.replicas', { onlyExitCode: true }),
  step('explain deployment.spec.nope'),
  step('create deployment quick --image=nginx --replicas=3'),
  step('get deployments -o name'),
  step('delete deployment quick --cascade=orphan'),
  step('delete deployment web --cascade=background'),
  step('get deployments'),
  step('create serviceaccount robot'),
  step('get serviceaccount robot'),
  step('create role reader --verb=get,list --resource=pods'),
  step('create rolebinding readers --role=reader --serviceaccount=walk:robot'),
  step('get roles'),
  step('describe role reader'),
  step('get rolebinding readers -o wide'),
  step('auth can-i list pods --as=system:serviceaccount:walk:robot'),
  step('auth can-i delete pods --as=system:serviceaccount:walk:robot'),
  step('auth whoami -o jsonpath={.status.userInfo.groups}'),
  step('create quota limits --hard=pods=3,services=2'),
  step('create priorityclass high --value=1000'),
  step('get priorityclass high'),
  step('create poddisruptionbudget budget --selector=app=web --min-available=1'),
  step('get pdb budget'),
  step('create job once --image=busybox -- true'),
  step('get job once -o jsonpath={.spec.completions}/{.spec.backoffLimit}'),
  step('create cronjob often --image=busybox --schedule=*/5_*_*_*_* -- true'),
  step('create ingress in --rule=example.com/=web:80'),
  step('get ingress in'),
  step('get all --no-headers -o name'),
  step('create -f -', { stdin: crd }),
  step('wait --for=condition=Established crd/winches.walk.example.com --timeout=20s'),
  step('create -f -', { stdin: winch(0) }),
  step('create -f -', { stdin: winch('large') }),
  step('create -f -', { stdin: winch(2) }),
  step('get winches --no-headers -o custom-columns=NAME:.metadata.name,SIZE:.spec.size,COLOR:.spec.color'),
  step('get wd w -o jsonpath={.metadata.generation}'),
  step('patch winch w --type=merge -p {"spec":{"size":7}}'),
  step('patch winch w --type=strategic -p {"spec":{"size":8}}'),
  step('get winch w -o jsonpath={.metadata.generation}/{.spec.size}'),
  step('explain winch.spec', { onlyExitCode: true }),
  step('api-resources --api-group=walk.example.com --no-headers'),
  step('delete crd winches.walk.example.com'),
  step('get winches', { onlyExitCode: true }),
  step('api-resources --namespaced=true -o name --verbs=list,create,watch', { onlyExitCode: true }),
  step('api-versions', { onlyExitCode: true }),
  step('cluster-info', { onlyExitCode: true }),
  step('version', { onlyExitCode: true }),
  step('create configmap x --from-literal=a=b --dry-run=server -o name'),
  step('get configmap x'),
  step('run pod --image=busybox --restart=Never --dry-run=client -o name'),
  step('delete serviceaccount robot'),
];
