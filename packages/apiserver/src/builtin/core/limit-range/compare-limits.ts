import { compareQuantities, type FieldPath, Quantity } from '@windlass/apimachinery';
import type { Findings } from '../../shared/findings.ts';
import { isOvercommitAllowed } from '../../shared/resource-names.ts';

/** What one limit says of one resource. */
interface Limits {
  readonly min: string | undefined;
  readonly max: string | undefined;
  readonly given: string | undefined;
  readonly request: string | undefined;
  readonly ratio: string | undefined;
}

/** Whether the amounts of one resource go together. */
export function compareLimits(
  { min, max, given, request, ratio }: Limits,
  name: string,
  path: FieldPath,
  findings: Findings,
): void {
  const isMore = (a: string | undefined, b: string | undefined): boolean =>
    a !== undefined && b !== undefined && compareQuantities(a, b) > 0;
  const at = (field: string): FieldPath => path.child(field).key(name);
  if (isMore(min, max)) findings.invalid(at('min'), min, `min value ${min} is greater than max value ${max}`);
  if (isMore(min, request))
    findings.invalid(
      at('defaultRequest'),
      request,
      `min value ${min} is greater than default request value ${request}`,
    );
  if (isMore(request, max))
    findings.invalid(
      at('defaultRequest'),
      request,
      `default request value ${request} is greater than max value ${max}`,
    );
  if (isMore(request, given))
    findings.invalid(
      at('defaultRequest'),
      request,
      `default request value ${request} is greater than default limit value ${given}`,
    );
  if (isMore(min, given))
    findings.invalid(at('default'), min, `min value ${min} is greater than default value ${given}`);
  if (isMore(given, max))
    findings.invalid(at('default'), max, `default value ${given} is greater than max value ${max}`);
  if (ratio !== undefined && compareQuantities(ratio, '1') < 0)
    findings.invalid(at('maxLimitRequestRatio'), ratio, `ratio ${ratio} is less than 1`);
  if (ratio !== undefined && min !== undefined && max !== undefined) {
    const milli = (text: string): number => Quantity.parse(text).milliValue();
    const limit = milli(max) / milli(min);
    if (milli(ratio) / 1000 > limit)
      findings.invalid(
        at('maxLimitRequestRatio'),
        ratio,
        `ratio ${ratio} is greater than max/min = ${limit.toFixed(6)}`,
      );
  }
  const isUnequal = given !== undefined && request !== undefined && compareQuantities(given, request) !== 0;
  if (!isOvercommitAllowed(name) && isUnequal)
    findings.invalid(
      at('defaultRequest'),
      request,
      `default value ${given} must equal to defaultRequest value ${request} in ${name}`,
    );
}
