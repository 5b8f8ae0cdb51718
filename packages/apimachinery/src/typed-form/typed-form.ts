// The form in which API servers keep and serve objects of built-in kinds: only fields that the kind has,
// each of its type, empty ones left out or shown as Go does. It comes from the same table as the protobuf
// codec, so that an object has one form however it arrived.
import { isKindMessage, messageFacts, messageNameOf } from '../protobuf/message-table.ts';
import type { Form } from './form.ts';
import {
  intOrStringForm,
  jsonForm,
  quantityForm,
  schemaOr,
  stringListForm,
  timeForm,
} from './special-forms.ts';
import { StructForm } from './struct-form.ts';

export { TypedFormError } from './errors.ts';

/** An object as the Go types of its kind would hold it, and what was wrong with it. */
export interface TypedObject {
  /** Shares nothing with what was given, but for what is known already. */
  readonly object: Record<string, unknown>;
  /** What strict decoding refuses: `unknown field "spec.foo"`. */
  readonly problems: readonly string[];
}

const MACHINERY = 'io.k8s.apimachinery.pkg';
const META = `${MACHINERY}.apis.meta.v1`;
const EXTENSIONS = 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1';

const schemaProps = (): Form => formOf(`${EXTENSIONS}.JSONSchemaProps`);
const isStrings = (value: unknown): boolean =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');

const SPECIAL: ReadonlyMap<string, Form> = new Map([
  [`${META}.Time`, timeForm('v1.Time', 'seconds')],
  [`${META}.MicroTime`, timeForm('v1.MicroTime', 'micros')],
  [`${META}.FieldsV1`, jsonForm],
  [`${MACHINERY}.api.resource.Quantity`, quantityForm],
  [`${MACHINERY}.util.intstr.IntOrString`, intOrStringForm],
  [`${MACHINERY}.runtime.RawExtension`, jsonForm],
  [`${EXTENSIONS}.JSON`, jsonForm],
  [`${EXTENSIONS}.JSONSchemaPropsOrArray`, schemaOr(schemaProps, Array.isArray)],
  [`${EXTENSIONS}.JSONSchemaPropsOrBool`, schemaOr(schemaProps, (value) => typeof value === 'boolean')],
  [`${EXTENSIONS}.JSONSchemaPropsOrStringArray`, schemaOr(schemaProps, isStrings)],
]);

/**
 * Lists and maps that Go's types leave out when they are empty, although an empty one does not mean the same as none:
 * no default takes its place, or validation refuses it. It is never stored: what is not refused is left out before.
 */
const EMPTY_IS_NOT_NONE: ReadonlySet<string> = new Set([
  'io.k8s.api.autoscaling.v2.HPAScalingRules.policies',
  'io.k8s.api.core.v1.ConfigMap.binaryData',
  'io.k8s.api.core.v1.ConfigMap.data',
  'io.k8s.api.core.v1.EphemeralContainerCommon.ports',
  'io.k8s.api.core.v1.EphemeralContainerCommon.resizePolicy',
  'io.k8s.api.core.v1.Secret.data',
]);

const forms = new Map<string, Form>(SPECIAL);

/** Whether the kind is one whose form is known. */
export function hasTypedForm(apiVersion: string, kind: string): boolean {
  return messageNameOf(apiVersion, kind) !== undefined;
}

/**
 * The typed form of an object of a built-in kind. What is known to be in that form, because it was stored so, is
 * not looked at: of a change of a pod's status that is nearly all.
 *
 * @param known an object in its typed form; the fields of `object` that are its very own are shared
 * @throws TypedFormError when a value has the wrong type, in the API server's words
 */
export function toTypedForm(
  apiVersion: string,
  kind: string,
  object: Readonly<Record<string, unknown>>,
  known?: Readonly<Record<string, unknown>>,
): TypedObject {
  const message = messageNameOf(apiVersion, kind);
  if (message === undefined) throw new TypeError(`${apiVersion} ${kind} is no built-in kind`);
  const problems: string[] = [];
  // Every kind is a struct, whose form is an object.
  const result = formOf(message).apply(object, '', '', { problems, known }) as Record<string, unknown>;
  return { object: result, problems };
}

/** Compiled when first met, with all that it refers to. */
function formOf(message: string): Form {
  const known = forms.get(message);
  if (known !== undefined) return known;
  const facts = messageFacts(message);
  if (facts === undefined) throw new Error(`there is no message ${message} in the generated table`);
  if (facts.isList) {
    forms.set(message, stringListForm);
    return stringListForm;
  }
  const form = new StructForm(message, isKindMessage(message));
  // Before its fields: some of them lead back here.
  forms.set(message, form);
  for (const field of facts.fields)
    form.add(
      field,
      field.type.includes('.') ? formOf(field.type) : undefined,
      EMPTY_IS_NOT_NONE.has(`${message}.${field.name}`),
    );
  return form;
}
