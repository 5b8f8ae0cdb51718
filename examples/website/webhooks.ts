import { convert, deny, mutate, refuse, validate, type Webhook, warn } from '@windlass/runtime';
import { Website, WebsiteV1Alpha1 } from './website.ts';

/** Spaces around a page mean nothing. */
const trim = mutate(Website, (site) => {
  site.spec.text = site.spec.text.trim();
});

const check = validate(Website, ({ object: { spec } }) => [
  spec.text.includes('<script') && refuse('spec.text', 'must not have scripts; remove <script>'),
  spec.isPublic &&
    spec.replicas === 0 &&
    refuse('spec.replicas', 'must be at least 1 for a public site; raise it, or set isPublic to false', {
      value: spec.replicas,
    }),
  spec.replicas > 20 && warn('more than 20 servers take a while to start'),
]);

/** What people look at is not deleted by mistake. */
const keep = validate(
  Website,
  ({ oldObject: { spec } }) => spec.isPublic && deny('it is public; set spec.isPublic to false first'),
  { name: 'keep', operations: ['DELETE'] },
);

const versions = convert(Website, WebsiteV1Alpha1, {
  toHub: ({ spec: { html, servers, visibility }, status }) => ({
    spec: { text: html, replicas: servers, isPublic: visibility === 'public' },
    ...(status !== undefined && { status }),
  }),
  fromHub: ({ spec: { text, replicas, isPublic }, status }) => ({
    spec: { html: text, servers: replicas, visibility: isPublic ? 'public' : 'private' },
    ...(status !== undefined && { status }),
  }),
});

export const websiteWebhooks: readonly Webhook[] = [trim, check, keep, versions];
