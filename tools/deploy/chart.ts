// The Helm chart. Objects are made with marks in place of what a user may set; in their text the marks become
// template actions. So the templates cannot differ from the manifests in anything else.
import { encodeYaml, encodeYamlDocuments } from '@windlass/apimachinery';
import {
  DEFAULT_IMAGE,
  type InstallObject,
  installObjects,
  NAMESPACE,
  snapshotObjects,
} from '@windlass/directpv';
import { partsOf } from './parts.ts';

const VERSION = DEFAULT_IMAGE.split(':')[1] ?? '';
const REPLICAS = 987_654;

/** What a user may set, with what it is when nobody does. The order is that of the file. */
const VALUES = {
  image: DEFAULT_IMAGE,
  imagePullSecrets: [],
  nodeSelector: {},
  tolerations: [],
  kubeletDir: '/var/lib/kubelet',
  topology: { rack: 'default', zone: 'default', region: 'default' },
  quota: 'required',
  replicas: 3,
  openshift: false,
  appArmorProfile: '',
  seccompProfile: '',
};

/** What is left to the cluster's package manager, or has a folder of its own. */
const NOT_IN_TEMPLATES = new Set(['namespace.yaml', 'definitions.yaml']);

/** @param mark a comment for the top of each file */
export function chartFiles(mark: string): [path: string, text: string][] {
  const objects = installObjects({
    image: '{{ .Values.image }}',
    imagePullSecrets: ['MARK_SECRETS'],
    nodeSelector: { MARK_NODE_SELECTOR: 'x' },
    tolerations: [{ key: 'MARK_TOLERATIONS' }],
    kubeletDir: '{{ .Values.kubeletDir }}',
    topology: {
      rack: '{{ .Values.topology.rack }}',
      zone: '{{ .Values.topology.zone }}',
      region: '{{ .Values.topology.region }}',
    },
    // Only the chart's user knows which of the two it is.
    quota: '{{ .Values.quota }}' as 'required',
    replicas: REPLICAS,
    openshift: true,
    appArmorProfile: '{{ . }}APPARMOR',
    seccompProfile: '{{ . }}SECCOMP',
  });
  const parts = partsOf(objects);
  const definitions = parts.find(([file]) => file === 'definitions.yaml')?.[1] ?? [];
  const chart = {
    apiVersion: 'v2',
    name: 'directpv',
    description: 'Local storage on drives, compatible with DirectPV',
    type: 'application',
    version: VERSION,
    appVersion: VERSION,
    kubeVersion: '>=1.24.0-0',
  };
  return [
    ['Chart.yaml', mark + encodeYaml(chart, { sortKeys: false })],
    ['values.yaml', mark + encodeYaml(VALUES, { sortKeys: false })],
    ['crds/definitions.yaml', mark + encodeYamlDocuments(definitions)],
    // Helm leaves definitions that are there as they are, which is what these need.
    ['crds/snapshots.yaml', mark + encodeYamlDocuments(snapshotObjects().filter(isDefinition))],
    [
      'templates/snapshot-class.yaml',
      mark + encodeYamlDocuments(snapshotObjects().filter((object) => !isDefinition(object))),
    ],
    ...parts
      .filter(([file]) => !NOT_IN_TEMPLATES.has(file))
      .map(([file, some]): [string, string] => [
        `templates/${file}`,
        mark + some.map((object) => templateOf(encodeYaml(object))).join('---\n'),
      ]),
  ];
}

const isDefinition = ({ kind }: InstallObject): boolean => kind === 'CustomResourceDefinition';

/** Marks, as they stand in the text of an object, and what becomes of them. */
const ACTIONS: readonly (readonly [mark: RegExp, action: string])[] = [
  [/^( +)imagePullSecrets:\n +- name: MARK_SECRETS\n/gm, optional('imagePullSecrets')],
  [/^( +)tolerations:\n +- key: MARK_TOLERATIONS\n/gm, optional('tolerations')],
  [
    /^( +)MARK_NODE_SELECTOR: x\n/gm,
    '$1{{- with .Values.nodeSelector }}\n$1{{- toYaml . | nindent WIDTH }}\n$1{{- end }}\n',
  ],
  [/^( +)appArmorProfile:\n.*APPARMOR'?\n +type: Localhost\n/gm, profile('appArmorProfile')],
  [/^( +)seccompProfile:\n.*SECCOMP'?\n +type: Localhost\n/gm, profile('seccompProfile')],
  [
    /^- apiGroups:\n {2}- security\.openshift\.io\n(?: .*\n)+/gm,
    '{{- if .Values.openshift }}\n$&{{- end }}\n',
  ],
  [new RegExp(`\\b${REPLICAS}\\b`, 'g'), '{{ .Values.replicas }}'],
  [new RegExp(`^( +)namespace: ${NAMESPACE}\\n`, 'gm'), "$1namespace: '{{ .Release.Namespace }}'\n"],
];

function optional(field: string): string {
  return `$1{{- with .Values.${field} }}\n$1${field}:\n$1{{- toYaml . | nindent WIDTH }}\n$1{{- end }}\n`;
}

function profile(field: string): string {
  return `$1{{- with .Values.${field} }}\n$1${field}:\n$1  localhostProfile: '{{ . }}'\n$1  type: Localhost\n$1{{- end }}\n`;
}

function templateOf(text: string): string {
  const marked = ACTIONS.reduce((result, [mark, action]) => result.replaceAll(mark, action), text);
  // A list or map stands as deep as the line that asks for it.
  return marked.replaceAll(/^( +)(.*) nindent WIDTH/gm, (_, indent: string, before: string) => {
    return `${indent}${before} nindent ${indent.length}`;
  });
}
