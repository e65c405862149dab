/** One setting as the page shows it; the service checks what is sent. */
export interface SettingRow<Key extends string = string> {
  readonly key: string;
  readonly label: Key;
  readonly hint?: Key;
  readonly kind: "text" | "switch" | "timezone" | "number" | "list";
  readonly min?: number;
  readonly max?: number;
}

export interface SettingGroup<Key extends string = string> {
  readonly title: Key;
  readonly rows: readonly SettingRow<Key>[];
}

export const SETTING_GROUPS = [
  {
    title: "general",
    rows: [
      { key: "web.title", label: "title", kind: "text" },
      { key: "timezone", label: "timezone", hint: "timezoneHint", kind: "timezone" },
    ],
  },
  {
    title: "answering",
    rows: [
      { key: "features.ai", label: "answers", hint: "answersHint", kind: "switch" },
      { key: "chat.turn_timeout_s", label: "turnTimeout", kind: "number", min: 10, max: 1800 },
      { key: "gateway.concurrency", label: "concurrency", kind: "number", min: 1, max: 64 },
      { key: "files.max_upload_mb", label: "maxUpload", kind: "number", min: 1, max: 1024 },
    ],
  },
  {
    title: "peopleSettings",
    rows: [{ key: "admin_ids", label: "adminIds", hint: "adminIdsHint", kind: "list" }],
  },
  {
    title: "network",
    rows: [
      { key: "web.public_base_url", label: "publicAddress", hint: "publicAddressHint", kind: "text" },
      { key: "web.trusted_proxies", label: "trustedProxies", hint: "trustedProxiesHint", kind: "list" },
      { key: "web.cors_origins", label: "corsOrigins", hint: "corsOriginsHint", kind: "list" },
      { key: "gateway.allow_private_outbound", label: "gatewayPrivate", kind: "switch" },
    ],
  },
] as const satisfies readonly SettingGroup[];
