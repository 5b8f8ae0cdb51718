import { useState } from 'preact/hooks';
import type { OwnerItem, PodItem } from '../../src/protocol.ts';
import type { Do } from './do.ts';
import { ChoiceField, NumberField, TryForm } from './form.tsx';

const SCALABLE: ReadonlySet<string> = new Set(['deployments.apps', 'statefulsets.apps', 'replicasets.apps']);
const MAX_REPLICAS = 200;
const MAX_CHOICES = 300;

export function CreateDeployment({ doIt }: { doIt: Do }) {
  const [name, setName] = useState('hello');
  const [replicas, setReplicas] = useState(3);
  return (
    <TryForm
      title="Create a deployment"
      what="Its replica set appears, then pods without a node, and the scheduler gives each a node."
      button="Create"
      doIt={doIt}
      request={name === '' ? undefined : { action: 'create-deployment', name, replicas }}
    >
      <label class="grows">
        Name
        <input
          type="text"
          value={name}
          required
          pattern="[a-z0-9]([\-a-z0-9]*[a-z0-9])?"
          title="Small letters, digits and hyphens"
          spellcheck={false}
          onInput={(event) => setName(event.currentTarget.value)}
        />
      </label>
      <NumberField label="Replicas" value={replicas} min={0} max={MAX_REPLICAS} change={setReplicas} />
    </TryForm>
  );
}

export function ScaleObject({ doIt, owners }: { doIt: Do; owners: readonly OwnerItem[] }) {
  const scalable = owners.filter(
    ({ resource, owners: above }) => SCALABLE.has(resource) && above.length === 0,
  );
  const [chosen, choose] = useState('');
  const [replicas, setReplicas] = useState(10);
  const owner = scalable.find(({ uid }) => uid === chosen) ?? scalable[0];
  return (
    <TryForm
      title="Scale"
      what="Pods appear or end until there are as many as you ask for."
      button="Scale"
      doIt={doIt}
      request={owner && { action: 'scale', resource: owner.resource, key: owner.key, replicas }}
    >
      <ChoiceField
        label="What"
        value={owner?.uid ?? ''}
        choices={
          owner === undefined
            ? [['', 'Create a deployment first']]
            : scalable.map(({ uid, objectKind, key }) => [uid, `${objectKind} ${key}`])
        }
        change={choose}
      />
      <NumberField label="Replicas" value={replicas} min={0} max={MAX_REPLICAS} change={setReplicas} />
    </TryForm>
  );
}

interface DeleteProps {
  readonly doIt: Do;
  readonly owners: readonly OwnerItem[];
  readonly pods: readonly PodItem[];
}

export function DeleteObject({ doIt, owners, pods }: DeleteProps) {
  const [chosen, choose] = useState('');
  const objects = [
    ...pods.map(({ uid, key }) => ({ uid, key, resource: 'pods', kind: 'Pod' })),
    ...owners.map(({ uid, key, resource, objectKind }) => ({ uid, key, resource, kind: objectKind })),
  ].slice(0, MAX_CHOICES);
  const object = objects.find(({ uid }) => uid === chosen) ?? objects[0];
  return (
    <TryForm
      title="Delete"
      what="A pod that has an owner comes back under another name; an owner takes what it owns with it."
      button="Delete"
      doIt={doIt}
      request={object && { action: 'delete', resource: object.resource, key: object.key }}
    >
      <ChoiceField
        label="What"
        value={object?.uid ?? ''}
        choices={
          object === undefined
            ? [['', 'There is nothing to delete']]
            : objects.map(({ uid, kind, key }) => [uid, `${kind} ${key}`])
        }
        change={choose}
      />
    </TryForm>
  );
}
