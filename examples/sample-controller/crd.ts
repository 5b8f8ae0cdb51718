// Prints the CustomResourceDefinition: node examples/sample-controller/crd.ts | kubectl apply -f -
import { encodeYaml } from '@windlass/apimachinery';
import { fooDefinition } from './foo.ts';

process.stdout.write(encodeYaml(fooDefinition));
