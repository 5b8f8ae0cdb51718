import { procMount, seccomp } from './baseline-checks.ts';
import {
  type CheckedPod,
  containersOf,
  containersText,
  namesWhere,
  plural,
  quoted,
  type SecurityCheck,
  settersText,
  sorted,
  unlessInUserNamespace,
  unlessWindows,
  type Violation,
} from './security-check.ts';

const VOLUMES: ReadonlySet<string> = new Set([
  'configMap',
  'csi',
  'downwardAPI',
  'emptyDir',
  'ephemeral',
  'image',
  'persistentVolumeClaim',
  'projected',
  'secret',
]);

function privilegeEscalation(pod: CheckedPod): Violation | undefined {
  const bad = namesWhere(pod, ({ securityContext }) => securityContext?.allowPrivilegeEscalation !== false);
  if (bad.length === 0) return undefined;
  return {
    reason: 'allowPrivilegeEscalation != false',
    detail: `${containersText(bad)} must set securityContext.allowPrivilegeEscalation=false`,
  };
}

function capabilities(pod: CheckedPod): Violation | undefined {
  const extra = (added: readonly string[] | undefined): string[] =>
    (added ?? []).filter((name) => name !== 'NET_BIND_SERVICE');
  const keeping = namesWhere(
    pod,
    ({ securityContext }) => !(securityContext?.capabilities?.drop ?? []).includes('ALL'),
  );
  const adding = namesWhere(
    pod,
    ({ securityContext }) => extra(securityContext?.capabilities?.add).length > 0,
  );
  const details = [
    ...(keeping.length > 0
      ? [`${containersText(keeping)} must set securityContext.capabilities.drop=["ALL"]`]
      : []),
    ...(adding.length > 0
      ? [
          `${containersText(adding)} must not include ${quoted(
            sorted(
              containersOf(pod).flatMap(({ securityContext }) => extra(securityContext?.capabilities?.add)),
            ),
          )} in securityContext.capabilities.add`,
        ]
      : []),
  ];
  return details.length === 0
    ? undefined
    : { reason: 'unrestricted capabilities', detail: details.join('; ') };
}

function volumes({ spec }: CheckedPod): Violation | undefined {
  const bad = (spec.volumes ?? []).flatMap(({ name, ...sources }) => {
    const types = Object.keys(sources);
    return types.some((type) => VOLUMES.has(type)) ? [] : [{ name, type: types[0] ?? 'unknown' }];
  });
  if (bad.length === 0) return undefined;
  const types = sorted(bad.map(({ type }) => type));
  const names = bad.map(({ name }) => name);
  return {
    reason: 'restricted volume types',
    detail: `${plural(names.length, 'volume')} ${quoted(names)} ${plural(names.length, 'uses', 'use')} ${plural(types.length, 'restricted volume type')} ${quoted(types)}`,
  };
}

function runAsNonRoot(pod: CheckedPod): Violation | undefined {
  const ofPod = pod.spec.securityContext?.runAsNonRoot;
  const reason = 'runAsNonRoot != true';
  const denying = namesWhere(pod, ({ securityContext }) => securityContext?.runAsNonRoot === false);
  const setters = settersText(ofPod === false, denying);
  if (setters !== '') return { reason, detail: `${setters} must not set securityContext.runAsNonRoot=false` };
  if (ofPod === true) return undefined;
  const silent = namesWhere(pod, ({ securityContext }) => securityContext?.runAsNonRoot === undefined);
  return silent.length === 0
    ? undefined
    : { reason, detail: `pod or ${containersText(silent)} must set securityContext.runAsNonRoot=true` };
}

function runAsUser(pod: CheckedPod): Violation | undefined {
  const bad = namesWhere(pod, ({ securityContext }) => securityContext?.runAsUser === 0);
  const setters = settersText(pod.spec.securityContext?.runAsUser === 0, bad);
  return setters === ''
    ? undefined
    : { reason: 'runAsUser=0', detail: `${setters} must not set runAsUser=0` };
}

function seccompNamed(pod: CheckedPod): Violation | undefined {
  const wrong = seccomp(pod);
  if (wrong !== undefined || pod.spec.securityContext?.seccompProfile !== undefined) return wrong;
  const silent = namesWhere(pod, ({ securityContext }) => securityContext?.seccompProfile === undefined);
  return silent.length === 0
    ? undefined
    : {
        reason: 'seccompProfile',
        detail: `pod or ${containersText(silent)} must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost"`,
      };
}

/** What is best practice, at the expense of some programs. Comes after the baseline's. */
export const RESTRICTED_CHECKS: readonly SecurityCheck[] = [
  {
    id: 'allowPrivilegeEscalation',
    since: [
      [8, privilegeEscalation],
      [25, unlessWindows(privilegeEscalation)],
    ],
  },
  {
    id: 'capabilities_restricted',
    since: [
      [22, capabilities],
      [25, unlessWindows(capabilities)],
    ],
    replaces: 'capabilities_baseline',
  },
  { id: 'procMount_restricted', since: [[35, procMount]], replaces: 'procMount' },
  { id: 'restrictedVolumes', since: [[0, volumes]], replaces: 'hostPathVolumes' },
  {
    id: 'runAsNonRoot',
    since: [
      [0, runAsNonRoot],
      [35, unlessInUserNamespace(runAsNonRoot)],
    ],
  },
  {
    id: 'runAsUser',
    since: [
      [23, runAsUser],
      [35, unlessInUserNamespace(runAsUser)],
    ],
  },
  {
    id: 'seccompProfile_restricted',
    since: [
      [19, seccompNamed],
      [25, unlessWindows(seccompNamed)],
    ],
    replaces: 'seccompProfile_baseline',
  },
];
