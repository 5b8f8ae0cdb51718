import { StatusError } from '@windlass/apimachinery';
import { CustomResourceDefinition } from '@windlass/apimachinery/api/apiextensions/v1';
import { ApiServer, createMemoryStore } from '@windlass/apiserver';
import { createClient } from '@windlass/client';
import { InvalidDeclarationError } from '@windlass/codegen';

/**
 * Whether an API server takes the definitions: it knows what no type can say, such as what a rule may cost.
 * @throws InvalidDeclarationError in the server's own words
 */
export async function tryOnServer(definitions: readonly CustomResourceDefinition[]): Promise<void> {
  await using server = new ApiServer({ store: createMemoryStore() });
  await using client = createClient({ transport: server.transport() });
  for (const definition of definitions) {
    try {
      await client.resource(CustomResourceDefinition).create(definition);
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      throw new InvalidDeclarationError(`an API server would refuse this kind: ${error.message}`);
    }
  }
}
