import { FieldPath, validateDns1035Label, validatePortNumber } from '@windlass/apimachinery';
import type { APIService } from '@windlass/apimachinery/api/apiregistration/v1';
import type { View } from '../../../resource/views.ts';
import type { ValidationOf } from '../../define-kind.ts';
import type { Findings } from '../../shared/findings.ts';

const SPEC = FieldPath.of('spec');
const MAX_GROUP_PRIORITY = 20_000;
const MAX_VERSION_PRIORITY = 1000;
const STATES = ['True', 'False', 'Unknown'];

type Spec = NonNullable<View<APIService>['spec']>;

export const apiServiceValidation: ValidationOf<APIService> = {
  create: validateApiService,
  update: (object, _old, findings) => validateApiService(object, findings),
  status(object, _old, findings) {
    for (const [index, { status = '' }] of (object.status?.conditions ?? []).entries())
      if (!STATES.includes(status))
        findings.notSupported(
          FieldPath.of('status', 'conditions').index(index).child('status'),
          status,
          STATES,
        );
  },
};

function validateApiService({ metadata, spec = {} }: View<APIService>, findings: Findings): void {
  const { group = '', version = '' } = spec;
  const name = metadata?.name ?? '';
  const required = `${version}.${group}`;
  if (name !== required)
    findings.invalid(
      FieldPath.of('metadata', 'name'),
      name,
      `must be \`spec.version+"."+spec.group\`: ${JSON.stringify(required)}`,
    );
  if (group === '' && version !== 'v1')
    findings.required(SPEC.child('group'), 'only v1 may have an empty group and it better be legacy kube');
  if (group !== '') findings.subdomain(SPEC.child('group'), group);
  findings.problems(SPEC.child('version'), version, validateDns1035Label(version));
  validatePriorities(spec, findings);
  if (spec.service === undefined) validateLocal(spec, findings);
  else validateRemote(spec, findings);
}

function validatePriorities(
  { groupPriorityMinimum: ofGroup = 0, versionPriority: ofVersion = 0 }: Spec,
  findings: Findings,
): void {
  if (ofGroup <= 0 || ofGroup > MAX_GROUP_PRIORITY)
    findings.invalid(
      SPEC.child('groupPriorityMinimum'),
      ofGroup,
      `must be positive and less than ${MAX_GROUP_PRIORITY}`,
    );
  if (ofVersion <= 0 || ofVersion > MAX_VERSION_PRIORITY)
    findings.invalid(
      SPEC.child('versionPriority'),
      ofVersion,
      `must be positive and less than ${MAX_VERSION_PRIORITY}`,
    );
}

function validateLocal({ caBundle = '', insecureSkipTLSVerify = false }: Spec, findings: Findings): void {
  const bytes = Buffer.from(caBundle, 'base64').byteLength;
  if (bytes > 0)
    findings.invalid(SPEC.child('caBundle'), `${bytes} bytes`, 'local APIServices may not have a caBundle');
  if (insecureSkipTLSVerify)
    findings.invalid(
      SPEC.child('insecureSkipTLSVerify'),
      true,
      'local APIServices may not have insecureSkipTLSVerify',
    );
}

function validateRemote(
  { service, caBundle = '', insecureSkipTLSVerify = false }: Spec,
  findings: Findings,
): void {
  const { namespace = '', name = '', port = 0 } = service ?? {};
  const path = SPEC.child('service');
  if (namespace === '') findings.required(path.child('namespace'));
  if (name === '') findings.required(path.child('name'));
  const problems = validatePortNumber(port);
  if (problems.length > 0)
    findings.invalid(path.child('port'), port, `port is not valid: ${problems.join(', ')}`);
  if (insecureSkipTLSVerify && caBundle !== '')
    findings.invalid(SPEC.child('insecureSkipTLSVerify'), true, 'may not be true if caBundle is present');
}
