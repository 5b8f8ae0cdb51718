import { encodeYamlDocuments } from '@windlass/apimachinery';
import type { Toleration } from '@windlass/apimachinery/api/core/v1';
import {
  DEFAULT_IMAGE,
  type InstallOptions,
  installDriver,
  installObjects,
  uninstallDriver,
} from '@windlass/directpv';
import { EXIT_FAILED, EXIT_OK, UsageError } from '../command-line/exit.ts';
import { mergePairs, parsePairs } from '../control-plane/manager-flags.ts';
import type { AdminCall } from './admin-call.ts';
import type { AdminCommand } from './admin-command.ts';
import { DANGEROUS } from './selection.ts';
import { renderTable } from './table.ts';

/** What we are tested against. */
const KNOWN_MINORS = { from: 24, to: 36 };

export const installCommand: AdminCommand = {
  name: 'install',
  summary: 'install the driver, or bring it up to date',
  about: `Applies the namespace, roles, definitions, driver, storage class and workloads. Drives and volumes
that are there stay as they are. With -o it prints the objects and touches no cluster; deploy/ has
the same.`,
  flags: [
    { name: 'node-selector', value: 'K=V,...', text: 'run on these nodes only', isList: true },
    {
      name: 'tolerations',
      value: 'K[=V]:EFFECT,...',
      text: 'run on nodes with these taints too',
      isList: true,
    },
    { name: 'registry', value: 'HOST', text: 'where the image is pulled from' },
    { name: 'org', value: 'NAME', text: 'whose the image is there' },
    { name: 'image', value: 'NAME', text: `the image (default ${DEFAULT_IMAGE})` },
    { name: 'image-pull-secrets', value: 'NAMES', text: 'with which the image is pulled', isList: true },
    { name: 'apparmor-profile', value: 'NAME', text: 'a profile that is loaded on every node' },
    { name: 'seccomp-profile', value: 'FILE', text: "a profile below the kubelet's seccomp directory" },
    { name: 'rack', value: 'TEXT', text: 'of every node, or label:KEY for that label' },
    { name: 'zone', value: 'TEXT', text: 'likewise, such as label:topology.kubernetes.io/zone' },
    { name: 'region', value: 'TEXT', text: 'likewise, such as label:topology.kubernetes.io/region' },
    {
      name: 'quota',
      value: 'HOW',
      text: 'required (default), or preferred where kernels have none',
    },
    { name: 'replicas', value: 'N', text: 'of the controller (default 3)' },
    {
      name: 'kube-version',
      value: 'VERSION',
      text: 'of the cluster that -o is for',
    },
    { name: 'openshift', text: "also use OpenShift's privileged security context" },
    { name: 'legacy', text: 'refused: volumes of DirectCSI have to be migrated with DirectPV first' },
    { name: 'output', short: 'o', value: 'FORMAT', text: 'print the objects as yaml or json' },
  ],
  examples: [
    '',
    '-o yaml > directpv.yaml',
    '--node-selector disks=yes --tolerations storage=only:NoSchedule',
    '--zone label:topology.kubernetes.io/zone',
  ],
  async run(call) {
    if (call.has('legacy'))
      throw new UsageError(
        "volumes of DirectCSI are not served; migrate them with DirectPV's own tools first",
      );
    const options = installOptions(call);
    const format = call.outputFormat();
    warnOfVersion(call);
    if (format === 'json' || format === 'yaml') {
      const objects = installObjects(options);
      if (format === 'yaml') call.print(encodeYamlDocuments(objects));
      else call.printData({ apiVersion: 'v1', kind: 'List', items: objects }, 'json');
      return EXIT_OK;
    }
    const objects = await installDriver(await call.client(), options, {
      signal: call.signal,
      onProgress: (object, done, of) =>
        call.showLine(`${done} of ${of}: ${object.kind} ${object.metadata?.name ?? ''}`),
    });
    call.print(
      renderTable(
        ['NAME', 'KIND'],
        objects.map(({ kind, metadata }) => [metadata?.name ?? '', kind]),
      ),
    );
    call.note(`installed; ${call.command.replace(/install$/, 'discover')} looks for drives next`);
    return EXIT_OK;
  },
};

function installOptions(call: AdminCall): InstallOptions {
  const pairs = (flag: string): Record<string, string> =>
    mergePairs(call.list(flag).map((text) => parsePairs(`--${flag}`, text)));
  const words = (flag: string): string[] => call.list(flag).flatMap((text) => text.split(','));
  const [registry, org, image] = [call.text('registry'), call.text('org'), call.text('image')];
  const [rack, zone, region] = [call.text('rack'), call.text('zone'), call.text('region')];
  const [appArmorProfile, seccompProfile] = [call.text('apparmor-profile'), call.text('seccomp-profile')];
  const quota = call.text('quota');
  if (quota !== undefined && quota !== 'required' && quota !== 'preferred')
    throw new UsageError(`--quota must be required or preferred, but it is "${quota}"`);
  const replicas = call.text('replicas');
  if (replicas !== undefined && !/^[1-9]\d?$/.test(replicas))
    throw new UsageError(`--replicas must be a number from 1 to 99, but it is "${replicas}"`);
  const kubeletDir = process.env['KUBELET_DIR_PATH'];
  return {
    image: [registry, org, image ?? DEFAULT_IMAGE].filter((part) => part !== undefined).join('/'),
    imagePullSecrets: words('image-pull-secrets'),
    nodeSelector: pairs('node-selector'),
    tolerations: words('tolerations').map(toleration),
    openshift: call.has('openshift'),
    topology: {
      ...(rack !== undefined && { rack }),
      ...(zone !== undefined && { zone }),
      ...(region !== undefined && { region }),
    },
    ...(appArmorProfile !== undefined && { appArmorProfile }),
    ...(seccompProfile !== undefined && { seccompProfile }),
    ...(quota !== undefined && { quota }),
    ...(replicas !== undefined && { replicas: Number(replicas) }),
    ...(kubeletDir !== undefined && kubeletDir !== '' && { kubeletDir }),
  };
}

const EFFECTS = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

/** `key=value:Effect`, `key:Effect`; every value where none is named. */
function toleration(text: string): Toleration {
  const [, key, value, effect = ''] = /^([^=:]+)(?:=([^:]*))?:(\w+)$/.exec(text) ?? [];
  if (key === undefined || !EFFECTS.includes(effect))
    throw new UsageError(
      `--tolerations must be K=V:EFFECT or K:EFFECT with an effect of ${EFFECTS.join(', ')}, but it is "${text}"`,
    );
  return value === undefined
    ? { key, operator: 'Exists', effect }
    : { key, operator: 'Equal', value, effect };
}

function warnOfVersion(call: AdminCall): void {
  const version = call.text('kube-version');
  if (version === undefined) return;
  const [, major = '', minor = ''] = /^v?(\d+)\.(\d+)(?:\.\d+)?$/.exec(version) ?? [];
  if (major === '') throw new UsageError(`--kube-version must be such as 1.36.0, but it is "${version}"`);
  const isKnown = major === '1' && Number(minor) >= KNOWN_MINORS.from && Number(minor) <= KNOWN_MINORS.to;
  if (!isKnown)
    call.note(
      `Kubernetes ${version} is outside of what this is made for, 1.${KNOWN_MINORS.from} to 1.${KNOWN_MINORS.to}; it may still work`,
    );
}

export const uninstallCommand: AdminCommand = {
  name: 'uninstall',
  summary: 'take the driver away',
  about: `Drives and volumes stay, with their definitions, and a later install finds them. With --dangerous
they are forgotten too; what is on the drives stays, but nothing knows of it any more.`,
  flags: [{ ...DANGEROUS, text: 'also forget every drive and volume' }],
  examples: ['', '--dangerous'],
  async run(call) {
    const gone = await uninstallDriver(await call.client(), {
      forget: call.has('dangerous'),
      signal: call.signal,
      onProgress: ({ kind, metadata }) => call.showLine(`${kind} ${metadata?.name ?? ''}`),
    });
    if (gone.length === 0) {
      call.complain('nothing is installed here');
      return EXIT_FAILED;
    }
    call.print(
      renderTable(
        ['NAME', 'KIND'],
        gone.map(({ kind, metadata }) => [metadata?.name ?? '', kind]),
      ),
    );
    return EXIT_OK;
  },
};
