import { AppError, type JsonFile, type Logger, type Secrets } from "@parley/core";
import { literalSecrets, type SecretsByPlace } from "@parley/core/secrets";
import type { Document } from "./settings-document.ts";

/** Key in the settings file for its secrets, encrypted, by their path. */
export const SEALED_KEY = "sealed_secrets";
/** Key in the settings file for the part of the host, which reads the file itself. */
export const HOST_KEY = "plugins";
const OWNER = "settings";

/** The secrets in addresses of settings: the user part, and parameters that are named like secrets. */
const SETTING_SECRETS = literalSecrets<{ readonly settings: Document }>({ settings: { form: "addresses" } });

/** Returns the settings with masked secrets, as people see them. */
export function maskSettings(settings: Document): Document {
  return SETTING_SECRETS.masked({ settings }).settings;
}

/** Replaces masks in a patch by the stored secrets; `bad_request` where a secret would be sent to another server. */
export function unmaskSettings(settings: Document, current: Document): Document {
  return SETTING_SECRETS.unmasked({ settings }, { settings: current }).settings;
}

export function extractSecrets(settings: Document): SecretsByPlace {
  return SETTING_SECRETS.in({ settings });
}

/** Merges imported settings with their own or the existing secrets; missing ones are left empty. */
export function mergeIncomingSettings(
  settings: Document,
  secrets: SecretsByPlace | undefined,
  there: Document,
): Document {
  return SETTING_SECRETS.comingIn({ settings }, secrets && JSON.stringify(secrets), { settings: there }).settings;
}

/** Separates the settings from the part of the host. */
function splitHostSettings({
  [HOST_KEY]: host,
  [SEALED_KEY]: _,
  ...own
}: Document): readonly [own: Document, host: Document] {
  return [own, host === undefined ? {} : { [HOST_KEY]: host }];
}

export interface SealedFile extends JsonFile<Document> {
  /** Encrypts unencrypted secrets in the file; does nothing where there are none. */
  sealAll(): Promise<void>;
}

/** Creates the settings file with decrypted secrets; on disk they are encrypted or masked. */
export function createSealedSettings(
  file: JsonFile<Document>,
  secrets: () => Secrets | undefined,
  log: Logger,
): SealedFile {
  const opened = new WeakMap<Document, Document>();
  const openSecrets = (sealed: unknown): SecretsByPlace => {
    const pairs = Object.entries((sealed ?? {}) as Readonly<Record<string, string>>).map(([place, text]) => {
      try {
        return [[place, secrets()?.of(OWNER).open(text) ?? ""]];
      } catch (error) {
        if (!AppError.is(error)) throw error;
        log.warn("a secret in the settings cannot be read: enter it again", { place, error });
        return [];
      }
    });
    return Object.fromEntries(pairs.flat());
  };
  const open = (content: Document): Document => {
    const known = opened.get(content);
    if (known) return known;
    const { [SEALED_KEY]: sealed, ...rest } = content;
    const [settings, host] = splitHostSettings(rest);
    const meant =
      sealed === undefined
        ? content
        : { ...SETTING_SECRETS.opened({ settings }, openSecrets(sealed)).settings, ...host };
    opened.set(content, meant);
    return meant;
  };
  const seal = (settings: Document, before: Document): Document => {
    if (settings === open(before)) return before;
    return sealContent(settings);
  };
  const sealContent = (content: Document): Document => {
    const [own, host] = splitHostSettings(content);
    const found = extractSecrets(own);
    const settingSecrets = secrets()?.of(OWNER);
    if (!settingSecrets || Object.keys(found).length === 0) return content;
    const texts = Object.entries(found).map(([place, secret]) => [place, settingSecrets.seal(secret)]);
    return { ...maskSettings(own), ...host, [SEALED_KEY]: Object.fromEntries(texts) };
  };
  return {
    read: () => open(file.read()),
    problem: () => file.problem(),
    ...(file.problemTexts && { problemTexts: () => file.problemTexts?.() }),
    update: async (change) => open(await file.update((content) => seal(change(open(content)), content))),
    async sealAll() {
      if (file.problem() !== undefined) return;
      const [own] = splitHostSettings(file.read());
      if (Object.keys(extractSecrets(own)).length > 0) await file.update((content) => sealContent(open(content)));
    },
  };
}
