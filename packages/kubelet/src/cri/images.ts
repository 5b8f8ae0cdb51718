import { GrpcError, type MessageInit } from '@windlass/grpc';
import { fullImageName } from '../runtime/image-name.ts';
import { referenceProblem } from '../runtime/image-reference.ts';
import { type Image, ImageError, type PullRequest } from '../runtime/runtime.ts';
import type { CriClient } from './cri-client.ts';
import type { AuthConfig, Image as CriImage } from './generated/cri.ts';
import { credentialsFor } from './image-credentials.ts';

/** A large image over a slow line. */
const PULL_MS = 60 * 60_000;

/** Brings an image to the node, by the container's policy. @throws ImageError */
export async function pullImage(
  client: CriClient,
  request: PullRequest,
  onPulling: () => void,
  signal: AbortSignal,
): Promise<Image> {
  const { image: name = '', imagePullPolicy: policy = 'IfNotPresent' } = request.container;
  const wrong = referenceProblem(name);
  if (wrong !== undefined)
    throw new ImageError(
      'InvalidImageName',
      `Failed to apply default image tag "${name}": couldn't parse image name "${name}": ${wrong}`,
    );
  const present = policy === 'Always' ? undefined : await findImage(client, name, signal);
  if (present !== undefined) return { ...imageOf(present, name), wasPresent: true };
  if (policy === 'Never')
    throw new ImageError(
      'ErrImageNeverPull',
      `Container image "${name}" is not present with pull policy of Never`,
    );
  onPulling();
  const ref = await pullWith(client, name, await credentialsOf(request, name), signal);
  const pulled = await findImage(client, ref, signal);
  if (pulled === undefined)
    throw new ImageError('ErrImagePull', `image "${name}" was pulled, and is not there`);
  return { ...imageOf(pulled, name), wasPresent: false };
}

export async function findImage(
  client: CriClient,
  name: string,
  signal?: AbortSignal,
): Promise<CriImage | undefined> {
  try {
    const { image } = await client.imageStatus({ image: { image: name } }, { signal });
    return image;
  } catch (error) {
    throw failure('ImageInspectError', error);
  }
}

/** One after the other: the first that the registry takes. */
async function pullWith(
  client: CriClient,
  name: string,
  credentials: readonly MessageInit<AuthConfig>[],
  signal: AbortSignal,
): Promise<string> {
  let refusal: unknown;
  for (const auth of credentials.length === 0 ? [undefined] : credentials)
    try {
      const request = { image: { image: name }, ...(auth !== undefined && { auth }) };
      return (await client.pullImage(request, { signal, timeoutMs: PULL_MS })).imageRef;
    } catch (error) {
      refusal = error;
    }
  throw failure('ErrImagePull', refusal);
}

/** A secret that is not there is left out, as it may be that it is not needed. */
async function credentialsOf(
  { pod, secret }: PullRequest,
  image: string,
): Promise<MessageInit<AuthConfig>[]> {
  const names = (pod.spec?.imagePullSecrets ?? []).map(({ name = '' }) => name);
  const found = await Promise.all(names.map(secret));
  return credentialsFor(
    image,
    found.filter((each) => each !== undefined),
  );
}

/** How an image looks in a container's status. */
export function imageOf(
  { id, repoTags, repoDigests, size }: CriImage,
  name: string,
): Omit<Image, 'wasPresent'> {
  const full = fullImageName(name);
  return {
    image: repoTags.includes(full) ? full : (repoTags[0] ?? full),
    imageID: repoDigests[0] ?? id,
    ref: id,
    sizeBytes: size,
  };
}

function failure(reason: string, error: unknown): unknown {
  if (!(error instanceof GrpcError)) return error;
  if (error.code === 'CANCELLED') return error;
  return new ImageError(reason, error.message.replace(/^rpc error: code = \w+ desc = /, ''));
}
