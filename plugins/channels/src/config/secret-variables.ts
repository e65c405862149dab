/** Secrets by variable name as entered; null deletes one. */
export type SecretsInput = Readonly<Record<string, string | null>>;

/** A variable named in a channel's settings, and the source of its value; null: none. */
export interface SecretVariable {
  readonly name: string;
  /** Path of the setting, such as `auth.secret_env`. */
  readonly setting: string;
  readonly source: "kept" | "environment" | null;
  readonly kept_at: string | null;
}
