// Prints the CustomResourceDefinition: node examples/function/crd.ts | kubectl apply -f -
import { encodeYaml } from '@windlass/apimachinery';
import { functionDefinition } from './function.ts';

process.stdout.write(encodeYaml(functionDefinition));
