import {
  type DeepReadonly,
  type FieldError,
  type FieldPath,
  fieldForbidden,
  fieldInvalid,
  fieldNotSupported,
  fieldRequired,
  validateDns1035Label,
} from '@windlass/apimachinery';
import { appendAll } from '@windlass/base';
import type { DefinitionConversion } from './definition-object.ts';

const REVIEW_VERSIONS = ['v1', 'v1beta1'];

export function conversionRules(
  conversion: DeepReadonly<DefinitionConversion> | undefined,
  path: FieldPath,
): FieldError[] {
  if (conversion === undefined) return [];
  const { strategy, webhook } = conversion;
  const config = path.child('webhookClientConfig');
  const versions = path.child('conversionReviewVersions');
  if (strategy === '') return [fieldRequired(path.child('strategy'))];
  if (strategy !== 'Webhook') {
    const text = 'should not be set when strategy is not set to Webhook';
    return [
      ...(strategy === 'None'
        ? []
        : [fieldNotSupported(path.child('strategy'), strategy, ['None', 'Webhook'])]),
      ...(webhook?.clientConfig === undefined ? [] : [fieldForbidden(config, text)]),
      ...((webhook?.conversionReviewVersions ?? []).length === 0 ? [] : [fieldForbidden(versions, text)]),
    ];
  }
  const errors: FieldError[] = [];
  const client = webhook?.clientConfig;
  if (client === undefined) errors.push(fieldRequired(config, 'required when strategy is set to Webhook'));
  else if ((client.url === undefined) === (client.service === undefined))
    errors.push(fieldRequired(config, 'exactly one of url or service is required'));
  else if (client.url !== undefined) appendAll(errors, urlRules(client.url, config.child('url')));
  appendAll(errors, reviewVersionRules(webhook?.conversionReviewVersions ?? [], versions));
  return errors;
}

const URL_FORM = '; desired format: https://host[/path]';

export function urlRules(text: string, path: FieldPath): FieldError[] {
  if (!URL.canParse(text)) return [fieldRequired(path, `url must be a valid URL${URL_FORM}`)];
  const url = new URL(text);
  const errors: FieldError[] = [];
  if (url.protocol !== 'https:') {
    const detail = `'https' is the only allowed URL scheme${URL_FORM}`;
    errors.push(fieldInvalid(path, url.protocol.slice(0, -1), detail));
  }
  if (url.host === '') errors.push(fieldInvalid(path, '', `host must be specified${URL_FORM}`));
  if (url.username !== '')
    errors.push(fieldInvalid(path, url.username, 'user information is not permitted in the URL'));
  if (url.hash !== '')
    errors.push(fieldInvalid(path, url.hash.slice(1), 'fragments are not permitted in the URL'));
  if (url.search !== '')
    errors.push(fieldInvalid(path, url.search.slice(1), 'query parameters are not permitted in the URL'));
  return errors;
}

function reviewVersionRules(versions: readonly string[], path: FieldPath): FieldError[] {
  if (versions.length === 0) return [fieldRequired(path)];
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  for (const [index, version] of versions.entries()) {
    if (seen.has(version)) errors.push(fieldInvalid(path.index(index), version, 'duplicate version'));
    else
      for (const problem of validateDns1035Label(version))
        errors.push(fieldInvalid(path.index(index), version, problem));
    seen.add(version);
  }
  if (!versions.some((version) => REVIEW_VERSIONS.includes(version)))
    errors.push(fieldInvalid(path, versions, `must include at least one of ${REVIEW_VERSIONS.join(', ')}`));
  return errors;
}
