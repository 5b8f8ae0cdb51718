import { Ingress, IngressClass } from '@windlass/apimachinery/api/networking/v1';
import type { Store } from '../../storage/store.ts';
import type { AdmissionPlugin } from '../admission.ts';
import { isOf, objectOf } from '../request-kind.ts';
import { defaultClass } from './default-class.ts';

const MARK = 'ingressclass.kubernetes.io/is-default-class';
const OLD_CLASS = 'kubernetes.io/ingress.class';

/** An ingress that names no class gets the default one. */
export function defaultIngressClass({ store }: { readonly store: Store }): AdmissionPlugin {
  return {
    name: 'DefaultIngressClass',
    handles: (request) => isOf(request, Ingress, ['CREATE']),
    async mutate(request) {
      const ingress = objectOf(request, Ingress);
      if (ingress.spec?.ingressClassName !== undefined) return;
      if (ingress.metadata?.annotations?.[OLD_CLASS] !== undefined) return;
      const name = await defaultClass(store, IngressClass, (annotations) => annotations[MARK] === 'true');
      if (name !== undefined) ingress.spec = { ...ingress.spec, ingressClassName: name };
    },
  };
}
