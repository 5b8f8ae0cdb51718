import { FieldPath } from '@windlass/apimachinery';
import { ControllerRevision } from '@windlass/apimachinery/api/apps/v1';
import type { View } from '../../../resource/views.ts';
import { defineKind } from '../../define-kind.ts';
import { AGE_COLUMN, ageOf, column, NONE, printer } from '../../shared/columns.ts';

const REVISION = FieldPath.of('revision');
const DATA = FieldPath.of('data');

export const controllerRevision = defineKind(ControllerRevision, {
  validation: {
    create({ revision, data }, findings) {
      findings.notNegative(REVISION, revision);
      if (data === undefined || data === null) findings.required(DATA, 'data is mandatory');
      else if (typeof data !== 'object' || Array.isArray(data))
        findings.required(DATA, 'data must be a valid JSON object');
    },
    update({ revision, data }, old, findings) {
      findings.notNegative(REVISION, revision);
      findings.immutable(DATA, data, old.data);
    },
  },
  printer: printer([column('Controller'), column('Revision'), AGE_COLUMN], (object, now) => [
    controllerOf(object),
    object.revision ?? 0,
    ageOf(object, now),
  ]),
});

function controllerOf({ metadata }: View<ControllerRevision>): string {
  const owner = metadata?.ownerReferences?.find(({ controller }) => controller === true);
  if (owner === undefined) return NONE;
  const slash = owner.apiVersion.indexOf('/');
  const group = slash === -1 ? '' : `.${owner.apiVersion.slice(0, slash)}`;
  return `${`${owner.kind}${group}`.toLowerCase()}/${owner.name}`;
}
