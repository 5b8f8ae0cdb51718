import { isIP } from 'node:net';
import { join, resolve } from 'node:path';
import { Quantity } from '@windlass/apimachinery';
import { isLogLevel, type LogLevel } from '@windlass/base';
import {
  AUDIT_LEVELS,
  type AuditLevel,
  type DriveOptions,
  OPTIONAL_PLUGINS,
  type OptionalPlugin,
} from '@windlass/cluster';
import { checkName, dataDirOf, type Selection } from '../clusters/selection.ts';
import { UsageError } from '../command-line/exit.ts';
import { notEmpty, trueOrFalse, wholeNumber } from '../command-line/flag-values.ts';
import { type OutputFormat, outputFormat } from '../command-line/output-format.ts';
import { parseFlags } from '../command-line/parse-flags.ts';
import { runtimeChoice, type WantedRuntime } from './choose-runtime.ts';
import { ETCD_FLAGS, type EtcdFlags, etcdFlags } from './etcd-flags.ts';

const MAX_NODES = 10_000;
const MAX_DRIVES = 100;
const MAX_PORT = 65_535;
/** More at once than any one process can serve. */
const MAX_INFLIGHT = 100_000;
/** XFS takes nothing smaller. */
const MIN_DRIVE_BYTES = 512 * 2 ** 20;

export interface UpFlags {
  readonly dataDir: string;
  readonly name: string | undefined;
  /** As it was typed, to be typed again. */
  readonly selection: Selection;
  readonly isDetached: boolean;
  readonly mergesKubeconfig: boolean;
  readonly host: string;
  readonly advertiseAddress: string | undefined;
  /** Undefined leaves it to the cluster. */
  readonly port: number | undefined;
  readonly inMemory: boolean;
  readonly acceptsDataLoss: boolean;
  /** Undefined where objects are not kept in etcd. */
  readonly etcd: EtcdFlags | undefined;
  /** Whether the live console is served. */
  readonly console: boolean;
  readonly nodes: number | undefined;
  /** What runs the pods. */
  readonly runtime: WantedRuntime;
  readonly drives: DriveOptions;
  readonly output: OutputFormat;
  readonly logLevel: LogLevel;
  readonly auditLevel: AuditLevel;
  readonly auditLog: string;
  readonly auditPolicy: string | undefined;
  readonly anonymousAuth: boolean;
  readonly bootstrapTokenAuth: boolean;
  /** Undefined leaves it to the command. */
  readonly approvesKubeletServing: boolean | undefined;
  readonly disabledAdmissionPlugins: readonly OptionalPlugin[];
  readonly tokenAuthFile: string | undefined;
  /** Undefined leaves it to the command. */
  readonly namespaceDefaults: boolean | undefined;
  readonly maxRequestsInflight: number;
  readonly maxMutatingRequestsInflight: number;
}

/** @throws UsageError */
export function parseUpFlags(args: readonly string[]): UpFlags {
  const { values } = parse(args);
  const output = outputFormat(values.output);
  const logLevel = values['log-level'] ?? 'warn';
  if (!isLogLevel(logLevel))
    throw new UsageError(`--log-level must be debug, info, warn or error, but it is "${logLevel}"`);
  const auditLevel = AUDIT_LEVELS.find((level) => level === (values['audit-level'] ?? 'None'));
  if (auditLevel === undefined)
    throw new UsageError(
      `--audit-level must be ${AUDIT_LEVELS.join(', ')}, but it is "${values['audit-level']}"`,
    );
  const [maxRequestsInflight, maxMutatingRequestsInflight] = inflightLimits(values);
  const dataDir = dataDirOf(values);
  return {
    dataDir,
    name: checkName(values.name),
    selection: { 'data-dir': values['data-dir'], name: values.name },
    isDetached: values.detach ?? false,
    mergesKubeconfig: values['merge-kubeconfig'] ?? false,
    auditLevel,
    auditLog: resolve(notEmpty('--audit-log', values['audit-log'] ?? join(dataDir, 'audit.log'))),
    auditPolicy: notEmpty('--audit-policy', values['audit-policy']),
    anonymousAuth: trueOrFalse('--anonymous-auth', values['anonymous-auth'] ?? 'true'),
    bootstrapTokenAuth: trueOrFalse(
      '--enable-bootstrap-token-auth',
      values['enable-bootstrap-token-auth'] ?? 'true',
    ),
    approvesKubeletServing: optionalTruth('--approve-kubelet-serving', values['approve-kubelet-serving']),
    disabledAdmissionPlugins: disabledPlugins(values['disable-admission-plugins'] ?? ''),
    tokenAuthFile: notEmpty('--token-auth-file', values['token-auth-file']),
    namespaceDefaults: optionalTruth('--namespace-defaults', values['namespace-defaults']),
    maxRequestsInflight,
    maxMutatingRequestsInflight,
    host: notEmpty('--host', values.host ?? '127.0.0.1'),
    advertiseAddress: advertisedAddress(values),
    port: values.port === undefined ? undefined : wholeNumber('--port', values.port, 0, MAX_PORT),
    inMemory: values['in-memory'] ?? false,
    acceptsDataLoss: values['accept-data-loss'] ?? false,
    etcd: etcdFlags(values),
    console: values['no-console'] !== true,
    nodes: values.nodes === undefined ? undefined : wholeNumber('--nodes', values.nodes, 0, MAX_NODES),
    runtime: {
      runtime: runtimeChoice(values.runtime, values['runtime-endpoint']),
      endpoint: notEmpty('--runtime-endpoint', values['runtime-endpoint']),
    },
    drives: driveOptions(values),
    output,
    logLevel,
  };
}

function optionalTruth(flag: string, text: string | undefined): boolean | undefined {
  return text === undefined ? undefined : trueOrFalse(flag, text);
}

function advertisedAddress(values: ReturnType<typeof parse>['values']): string | undefined {
  const { host, 'advertise-address': address } = values;
  if (address === undefined) return undefined;
  if (isIP(address) === 0 || address === '0.0.0.0' || address === '::')
    throw new UsageError(
      `--advertise-address must be an address by which nodes reach this machine, such as 192.0.2.7, but it is "${address}"`,
    );
  if (host !== undefined) return address;
  throw new UsageError(
    `--advertise-address ${address} needs --host ${address} or --host 0.0.0.0: without it only this machine is served`,
  );
}

function inflightLimits(values: ReturnType<typeof parse>['values']): [reads: number, writes: number] {
  const { 'max-requests-inflight': reads = '400', 'max-mutating-requests-inflight': writes = '200' } = values;
  const limits: [number, number] = [
    wholeNumber('--max-requests-inflight', reads, 0, MAX_INFLIGHT),
    wholeNumber('--max-mutating-requests-inflight', writes, 0, MAX_INFLIGHT),
  ];
  if (limits[0] + limits[1] === 0)
    throw new UsageError(
      '--max-requests-inflight and --max-mutating-requests-inflight must be more than 0 together, but both are 0',
    );
  return limits;
}

function disabledPlugins(list: string): OptionalPlugin[] {
  return list
    .split(',')
    .filter((name) => name !== '')
    .map((name) => {
      const known = OPTIONAL_PLUGINS.find((plugin) => plugin === name);
      if (known !== undefined) return known;
      throw new UsageError(
        `--disable-admission-plugins must name some of ${OPTIONAL_PLUGINS.join(', ')}, but it has "${name}"`,
      );
    });
}

function driveOptions(values: ReturnType<typeof parse>['values']): DriveOptions {
  const { drives, 'drive-size': size, 'drive-backend': backend } = values;
  if (backend !== undefined && backend !== 'auto' && backend !== 'directory' && backend !== 'loop')
    throw new UsageError(`--drive-backend must be auto, directory or loop, but it is "${backend}"`);
  return {
    ...(drives !== undefined && { perNode: wholeNumber('--drives', drives, 0, MAX_DRIVES) }),
    ...(size !== undefined && { size: driveSize(size) }),
    ...(backend !== undefined && { backend }),
    init: values['no-init'] !== true,
  };
}

function driveSize(text: string): number {
  let bytes = 0;
  try {
    bytes = Quantity.parse(text).value();
  } catch {
    // Said below.
  }
  if (!(bytes >= MIN_DRIVE_BYTES))
    throw new UsageError(`--drive-size must be a size of at least 512Mi, such as 10Gi, but it is "${text}"`);
  return bytes;
}

function parse(args: readonly string[]) {
  return parseFlags('windlass help up', args, {
    options: {
      'data-dir': { type: 'string' },
      name: { type: 'string' },
      detach: { type: 'boolean' },
      'merge-kubeconfig': { type: 'boolean' },
      host: { type: 'string' },
      'advertise-address': { type: 'string' },
      'enable-bootstrap-token-auth': { type: 'string' },
      'approve-kubelet-serving': { type: 'string' },
      port: { type: 'string' },
      'in-memory': { type: 'boolean' },
      'accept-data-loss': { type: 'boolean' },
      ...ETCD_FLAGS,
      nodes: { type: 'string' },
      runtime: { type: 'string' },
      'runtime-endpoint': { type: 'string' },
      drives: { type: 'string' },
      'drive-size': { type: 'string' },
      'drive-backend': { type: 'string' },
      'no-init': { type: 'boolean' },
      'no-console': { type: 'boolean' },
      output: { type: 'string' },
      'log-level': { type: 'string' },
      'audit-level': { type: 'string' },
      'audit-policy': { type: 'string' },
      'audit-log': { type: 'string' },
      'anonymous-auth': { type: 'string' },
      'token-auth-file': { type: 'string' },
      'disable-admission-plugins': { type: 'string' },
      'namespace-defaults': { type: 'string' },
      'max-requests-inflight': { type: 'string' },
      'max-mutating-requests-inflight': { type: 'string' },
    },
  });
}
