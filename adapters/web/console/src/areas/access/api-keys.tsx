import { Checkbox, Code, Group, Switch } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Failure, timeOf, useTried } from "../../shared/ui/common.tsx";
import { ConfirmButton } from "../../shared/ui/confirm.tsx";
import { RecordRow, RecordSection } from "../../shared/ui/record-table.tsx";
import { type ApiKey, apiKeys, type KeyDraft } from "./api.ts";
import { NewSecret } from "./new-secret.tsx";
import { useTexts } from "./texts.ts";

const SCOPES = ["read", "chat", "write", "admin", "mcp"] as const;
const CHANGED = [["api_key"]] as const;
const DAY_MS = 24 * 60 * 60 * 1000;

/** Credentials of programs. */
export function ApiKeys() {
  const { t } = useTexts();
  const keys = useQuery({ queryKey: ["api_key"], queryFn: apiKeys.list });
  return (
    <RecordSection
      title={t("apiKeys")}
      hint={t("apiKeysHint")}
      form={<NewKey />}
      query={keys}
      columns={[t("name"), t("scopes"), t("lastUsed"), t("expires"), t("enabled")]}
      actions={t("revoke")}
      row={(key) => <KeyRow key={key.id} apiKey={key} />}
    />
  );
}

function NewKey() {
  const { t } = useTexts();
  const [scopes, setScopes] = useState<KeyDraft["scopes"]>(["read", "chat"]);
  const create = async (name: string, days: number | undefined) => {
    const expires_at = days === undefined ? null : new Date(Date.now() + days * DAY_MS).toISOString();
    return apiKeys.create({ name, scopes, expires_at });
  };
  return (
    <NewSecret
      label="name"
      maxLength={100}
      periods={["", 30, 90, 365]}
      changed={CHANGED}
      testIds={{ name: "key-name", create: "create-key" }}
      isReady={scopes.length > 0}
      create={create}
    >
      <Checkbox.Group
        label={t("scopes")}
        value={[...scopes]}
        onChange={(chosen) => setScopes(SCOPES.filter((scope) => chosen.includes(scope)))}
      >
        <Group gap="sm" mih={36} align="center">
          {SCOPES.map((scope) => (
            <Checkbox key={scope} size="sm" value={scope} label={scope} title={t(`scope_${scope}`)} />
          ))}
        </Group>
      </Checkbox.Group>
    </NewSecret>
  );
}

function KeyRow({
  apiKey: { id, name, key_prefix, scopes, last_used_at, expires_at, enabled },
}: {
  readonly apiKey: ApiKey;
}) {
  const { t, language } = useTexts();
  const { tried, error } = useTried(CHANGED);
  return (
    <RecordRow
      testId="key-row"
      cells={[
        <>
          {name} <Code>{key_prefix}…</Code>
          <Failure error={error} />
        </>,
        scopes.join(", "),
        timeOf(last_used_at, language) || t("never"),
        timeOf(expires_at, language) || t("unlimited"),
        <Switch
          key="enabled"
          size="sm"
          checked={enabled}
          onChange={tried(() => apiKeys.update(id, { enabled: !enabled }))}
          aria-label={`${t("enabled")}: ${name}`}
        />,
      ]}
      actions={
        <ConfirmButton
          label={t("revoke")}
          what={name}
          text={t("revokeKeyHint")}
          run={tried(() => apiKeys.remove(id), { throws: true })}
        />
      }
    />
  );
}
