// What tells API servers to ask webhooks: configurations, the conversion of definitions, and a Service.
import type {
  MutatingWebhook,
  MutatingWebhookConfiguration,
  ValidatingWebhook,
  ValidatingWebhookConfiguration,
} from '@windlass/apimachinery/api/admissionregistration/v1';
import type {
  CustomResourceConversion,
  CustomResourceDefinition,
} from '@windlass/apimachinery/api/apiextensions/v1';
import type { Service } from '@windlass/apimachinery/api/core/v1';
import type { CaBundleTargets } from './ca-bundle.ts';
import type { AdmissionWebhook } from './declaration.ts';
import type { Webhook } from './reviews.ts';

/** Where the webhooks of an operator are. */
export interface WebhookPlace {
  /** The operator's: of its configurations, and of its pods' label `app.kubernetes.io/name`. */
  readonly name: string;
  /** Where the operator runs. */
  readonly namespace: string;
  /** The name of the Service. @default the name and `-webhooks` */
  readonly service?: string;
  /** In place of the Service, for an operator outside of the cluster: `https://127.0.0.1:9443`. */
  readonly url?: string;
}

/** The Service and the Secret of an operator's webhooks, unless it says otherwise. */
export function webhookServiceName(name: string): string {
  return `${name}-webhooks`;
}

type ClientConfig = ValidatingWebhook['clientConfig'];

/** Without the authority, which the operator writes when it starts. */
function clientConfig({ name, namespace, service, url }: WebhookPlace, path: string): ClientConfig {
  if (url !== undefined) return { url: `${url.replace(/\/$/, '')}${path}` };
  return { service: { name: service ?? webhookServiceName(name), namespace, path } };
}

/** The objects that tell an API server about webhooks. */
export interface WebhookConfigurations {
  /** Undefined when no webhook mutates. */
  readonly mutating: MutatingWebhookConfiguration | undefined;
  /** Undefined when no webhook validates. */
  readonly validating: ValidatingWebhookConfiguration | undefined;
}

/** One configuration for all validating webhooks, and one for all mutating ones. */
export function webhookConfigurations(
  webhooks: readonly Webhook[],
  place: WebhookPlace,
): WebhookConfigurations {
  const shared = { apiVersion: 'admissionregistration.k8s.io/v1', metadata: { name: place.name } } as const;
  const mutating: MutatingWebhook[] = [];
  const validating: ValidatingWebhook[] = [];
  for (const webhook of webhooks) {
    const { reinvocationPolicy = 'Never' } = 'options' in webhook ? webhook.options : {};
    if (webhook.webhook === 'mutating') mutating.push({ ...hookOf(webhook, place), reinvocationPolicy });
    if (webhook.webhook === 'validating') validating.push(hookOf(webhook, place));
  }
  return {
    mutating:
      mutating.length === 0
        ? undefined
        : { ...shared, kind: 'MutatingWebhookConfiguration', webhooks: mutating },
    validating:
      validating.length === 0
        ? undefined
        : { ...shared, kind: 'ValidatingWebhookConfiguration', webhooks: validating },
  };
}

function hookOf(
  { name, path, type, operations, options }: AdmissionWebhook,
  place: WebhookPlace,
): ValidatingWebhook {
  const { failurePolicy = 'Fail', timeoutSeconds = 10 } = options;
  const { namespaceSelector, objectSelector, matchConditions } = options;
  return {
    name,
    admissionReviewVersions: ['v1'],
    clientConfig: clientConfig(place, path),
    rules: [
      {
        apiGroups: [type.group],
        apiVersions: [type.version],
        operations: [...operations],
        resources: [type.plural],
        scope: type.namespaced ? 'Namespaced' : 'Cluster',
      },
    ],
    // Objects of other versions are converted to the one that the webhook is written for.
    matchPolicy: 'Equivalent',
    failurePolicy,
    timeoutSeconds,
    sideEffects: 'None',
    ...(namespaceSelector !== undefined && { namespaceSelector }),
    ...(objectSelector !== undefined && { objectSelector }),
    ...(matchConditions !== undefined && { matchConditions: matchConditions.map((one) => ({ ...one })) }),
  };
}

/** The definition with its conversion, if one of the webhooks converts its kind. */
export function withConversion(
  definition: CustomResourceDefinition,
  webhooks: readonly Webhook[],
  place: WebhookPlace,
): CustomResourceDefinition {
  const { group, names } = definition.spec;
  const found = webhooks.find(
    ({ webhook, type }) => webhook === 'conversion' && type.group === group && type.plural === names.plural,
  );
  if (found === undefined) return definition;
  const conversion: CustomResourceConversion = {
    strategy: 'Webhook',
    webhook: { conversionReviewVersions: ['v1'], clientConfig: clientConfig(place, found.path) },
  };
  return { ...definition, spec: { ...definition.spec, conversion } };
}

/** By which API servers reach the operator's pods. Nobody needs it when they are given a URL. */
export function webhookService({
  name,
  namespace,
  service = webhookServiceName(name),
}: WebhookPlace): Service {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: service, namespace },
    spec: {
      selector: { 'app.kubernetes.io/name': name },
      ports: [{ name: 'webhooks', port: 443, targetPort: 'webhooks' }],
    },
  };
}

/** Which objects must be told whom to trust, by name. */
export function caBundleTargets(webhooks: readonly Webhook[], name: string): CaBundleTargets {
  const has = (sort: Webhook['webhook']): boolean => webhooks.some(({ webhook }) => webhook === sort);
  const converted = webhooks.filter(({ webhook }) => webhook === 'conversion');
  return {
    validating: has('validating') ? [name] : [],
    mutating: has('mutating') ? [name] : [],
    conversion: [...new Set(converted.map(({ type }) => `${type.plural}.${type.group}`))].sort(),
  };
}
