/** Secrets by variable name as entered; null deletes one. */
export type SecretsInput = Readonly<Record<string, string | null>>;

/** A variable that a channel's settings refer to, and the source of its value; null if it has none. */
export interface SecretVariable {
  readonly name: string;
  /** Path of the setting, such as `auth.secret_env`. */
  readonly setting: string;
  readonly source: "kept" | "environment" | null;
  readonly kept_at: string | null;
}
