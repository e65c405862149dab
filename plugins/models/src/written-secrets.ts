import {
  literalSecretsIn,
  maskLiteralSecrets,
  refuseMask,
  requestComingIn,
  type SecretsByPlace,
  secretsStaying,
  unmaskLiteralSecrets,
} from "@parley/core";
import type { ModelFields } from "./schema.ts";

/** A model, as far as secrets are written into it: into its address, and into what each request has besides. */
type Written = Partial<Pick<ModelFields, "base_url" | "extra_body">>;

const requestOf = ({ base_url, extra_body }: Written) => ({
  ...(base_url !== undefined && { url: base_url }),
  ...(extra_body && { body: extra_body }),
});
const fieldsOf = ({ url, body }: ReturnType<typeof requestOf>): Written => ({
  ...(url !== undefined && { base_url: url }),
  ...(body && { extra_body: body }),
});

export function writtenSecretsIn(model: Written): SecretsByPlace {
  return literalSecretsIn(requestOf(model));
}

/** As people see it. */
export function maskedModel<Given extends Written>(model: Given): Given {
  return { ...model, ...fieldsOf(maskLiteralSecrets(requestOf(model))) };
}

/** With the secrets that were sent back masked, as they are there; none goes to another server. */
export function unmaskedModel<Given extends Written>(given: Given, old?: Written): Given {
  return { ...given, ...fieldsOf(unmaskLiteralSecrets(requestOf(given), staying(given, old), refuseMask)) };
}

/** As it comes in with a package, with the secrets that are there. */
export function modelComingIn<Given extends Written>(given: Given, old?: Written): Given {
  const secrets = JSON.stringify(staying(given, old));
  return { ...given, ...fieldsOf(requestComingIn(requestOf(given), secrets, undefined)) };
}

/** With what was kept of it, by its place. */
export function openedModel<Given extends Written>(model: Given, secrets: SecretsByPlace): Given {
  return { ...model, ...fieldsOf(unmaskLiteralSecrets(requestOf(model), secrets, () => "")) };
}

/** What a change leaves out is as it was. */
function staying({ base_url, ...given }: Written, old?: Written): SecretsByPlace {
  const next = base_url ?? old?.base_url;
  return old
    ? secretsStaying(requestOf(old), requestOf({ ...given, ...(next !== undefined && { base_url: next }) }))
    : {};
}
