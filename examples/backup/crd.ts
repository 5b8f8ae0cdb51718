// Prints the CustomResourceDefinition: node examples/backup/crd.ts | kubectl apply -f -
import { encodeYaml } from '@windlass/apimachinery';
import { backupDefinition } from './backup.ts';

process.stdout.write(encodeYaml(backupDefinition));
