// Prints the CustomResourceDefinition: node examples/website/crd.ts | kubectl apply -f -
import { encodeYaml } from '@windlass/apimachinery';
import { websiteDefinition } from './website.ts';

process.stdout.write(encodeYaml(websiteDefinition));
