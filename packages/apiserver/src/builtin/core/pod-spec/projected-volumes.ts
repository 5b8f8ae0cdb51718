// Volumes whose files come from several sources.
import type { FieldPath } from '@windlass/apimachinery';
import type {
  ClusterTrustBundleProjection,
  ProjectedVolumeSource,
  ServiceAccountTokenProjection,
  VolumeProjection,
} from '@windlass/apimachinery/api/core/v1';
import type { View } from '../../../resource/views.ts';
import { validateKeyToPath, validateMode, validateUnreservedPath } from '../../shared/file-paths.ts';
import type { Findings } from '../../shared/findings.ts';
import { validateDownwardFile } from './downward-files.ts';

const MIN_TOKEN_SECONDS = 600;
const MAX_TOKEN_SECONDS = 2 ** 32;

export function validateProjected(
  { defaultMode, sources }: View<ProjectedVolumeSource>,
  path: FieldPath,
  findings: Findings,
): void {
  validateMode(defaultMode, path.child('defaultMode'), findings);
  const paths = new Set<string>();
  const take = (file: string, value: string): void => {
    if (paths.has(file)) findings.invalid(path, value, 'conflicting duplicate paths');
    paths.add(file);
  };
  for (const [index, projection] of (sources ?? []).entries())
    validateProjection(projection, take, path, path.child('sources').index(index), findings);
}

/**
 * @param take is told each path of a file, and what to call it when it is there twice
 * @param volumePath where upstream looks for the path of a token
 */
function validateProjection(
  projection: View<VolumeProjection>,
  take: (file: string, value: string) => void,
  volumePath: FieldPath,
  path: FieldPath,
  findings: Findings,
): void {
  const { downwardAPI, serviceAccountToken: token, clusterTrustBundle: bundle } = projection;
  for (const field of ['secret', 'configMap'] as const) {
    const part = projection[field];
    if (part === undefined) continue;
    const { name = '' } = part;
    if (name === '') findings.required(path.child(field, 'name'));
    for (const [index, item] of (part.items ?? []).entries()) {
      validateKeyToPath(item, path.child(field, 'items').index(index), findings);
      if ((item.path ?? '') !== '') take(item.path ?? '', name);
    }
  }
  for (const file of downwardAPI?.items ?? []) {
    validateDownwardFile(file, path.child('downwardAPI'), findings);
    const { path: name = '' } = file;
    if (name !== '') take(name, name);
  }
  if (token !== undefined) validateToken(token, path.child('serviceAccountToken'), volumePath, findings);
  if (bundle !== undefined) {
    validateTrustBundle(bundle, path.child('clusterTrustBundle'), findings);
    // Unlike those of the others, a path that is not given counts.
    take(bundle.path ?? '', bundle.path ?? '');
  }
  const all = [
    projection.secret,
    projection.configMap,
    downwardAPI,
    token,
    bundle,
    projection.podCertificate,
  ];
  if (all.filter((source) => source !== undefined).length > 1)
    findings.forbidden(path, 'may not specify more than 1 volume type per source');
}

function validateToken(
  { expirationSeconds: seconds = 0, path: file = '' }: View<ServiceAccountTokenProjection>,
  path: FieldPath,
  volumePath: FieldPath,
  findings: Findings,
): void {
  const at = path.child('expirationSeconds');
  if (seconds < MIN_TOKEN_SECONDS)
    findings.invalid(at, seconds, 'may not specify a duration less than 10 minutes');
  if (seconds > MAX_TOKEN_SECONDS)
    findings.invalid(at, seconds, 'may not specify a duration larger than 2^32 seconds');
  if (file === '') findings.required(volumePath.child('path'));
  else validateUnreservedPath(file, volumePath.child('path'), findings);
}

function validateTrustBundle(
  bundle: View<ClusterTrustBundleProjection>,
  path: FieldPath,
  findings: Findings,
): void {
  const { name, signerName, labelSelector: selector, path: file = '' } = bundle;
  if (name !== undefined && signerName !== undefined)
    findings.invalid(path, bundle, 'only one of name and signerName may be used');
  else if (name !== undefined) {
    if (name === '') findings.required(path.child('name'), 'must be a valid object name');
    if (selector !== undefined)
      findings.invalid(
        path.child('labelSelector'),
        selector,
        'labelSelector must be unset if name is specified',
      );
  } else if (signerName !== undefined) {
    if (signerName === '') findings.required(path.child('signerName'), 'must be a valid signer name');
    findings.selector(path.child('labelSelector'), selector);
  } else findings.required(path, 'either name or signerName must be specified');
  if (file === '') findings.required(path.child('path'));
  validateUnreservedPath(file, path.child('path'), findings);
}
