import { Button, Fieldset, Group, PasswordInput, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { type Channel, channels } from "../../shared/api/channels.ts";

import { toFormSchema } from "../../shared/forms/schema.ts";
import { useLocalized } from "../../shared/i18n/use-localized.ts";
import { omitEmpty } from "../../shared/omit-empty.ts";
import { Failure, formatTime, useAction } from "../../shared/ui/common.tsx";
import { findSettingTitle, isUsedBy } from "./setting-sections.tsx";
import { type ChannelCheck, CheckList } from "./setup/check-list.tsx";
import { useTexts } from "./texts.ts";

/** Typed secrets by variable; null deletes the stored one. */
export type TypedSecrets = Readonly<Record<string, string | null>>;

interface ChannelSecretsProps {
  readonly channel: Channel;
  /** The unsaved transport: secrets that it does not use are not asked for. */
  readonly transport: string;
  /** Unsaved settings, which the check uses too. */
  readonly config: Readonly<Record<string, unknown>>;
  readonly typed: TypedSecrets;
  readonly onChange: (typed: TypedSecrets) => void;
}

/** The secrets of a channel: typed here, or set as environment variables of the service. */
export function ChannelSecrets({ channel, transport, config, typed, onChange }: ChannelSecretsProps) {
  const { t } = useTexts();
  const localize = useLocalized();
  const { properties = {} } = toFormSchema(channel.config_schema);
  const used = channel.variables.filter(({ setting }) => isUsedBy(transport, properties[setting]));
  return (
    <Fieldset legend={t("secrets")}>
      <Text size="xs" c="dimmed" mb="xs">
        {t("secretsHint")}
      </Text>
      <Stack gap="sm">
        {used.map((variable) => (
          <SecretField
            key={variable.name}
            variable={variable}
            label={localize(findSettingTitle(toFormSchema(channel.config_schema), variable.setting))}
            value={typed[variable.name]}
            onChange={(value) => onChange({ ...typed, [variable.name]: value })}
          />
        ))}
        {channel.can_check && <CheckCredentials channel={channel} config={config} typed={typed} />}
      </Stack>
    </Fieldset>
  );
}

interface SecretFieldProps {
  readonly label: string;
  readonly variable: Channel["variables"][number];
  readonly value: string | null | undefined;
  readonly onChange: (value: string | null) => void;
}

function SecretField({ label, variable: { name, source, kept_at }, value, onChange }: SecretFieldProps) {
  const { t, language } = useTexts();
  const statusText = {
    kept: `${t("secretStored")} ${formatTime(kept_at ?? undefined, language)}`,
    environment: `${t("secretFromVariable")} ${name}`,
    none: `${t("secretMissing")} ${name}`,
  }[value === null ? "none" : (source ?? "none")];
  return (
    <Group gap="xs" align="flex-end" wrap="nowrap">
      <PasswordInput
        label={label}
        description={statusText}
        placeholder={source === "kept" && value !== null ? "••••••••" : ""}
        value={value ?? ""}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
        autoComplete="off"
        style={{ flex: 1 }}
        data-testid={`secret-${name}`}
      />
      {source === "kept" && value !== null && (
        <Button
          variant="subtle"
          size="compact-sm"
          mb={4}
          onClick={() => onChange(null)}
          aria-label={`${t("clear")}: ${name}`}
        >
          {t("clear")}
        </Button>
      )}
    </Group>
  );
}

/** Checks the channel at the platform, with typed credentials that are not saved yet too. */
function CheckCredentials({ channel: { id }, config, typed }: Omit<ChannelSecretsProps, "onChange" | "transport">) {
  const { t } = useTexts();
  const [checks, setChecks] = useState<readonly ChannelCheck[]>();
  const { toHandler, isBusy, error } = useAction([]);
  const check = toHandler(async () => {
    setChecks(undefined);
    setChecks((await channels.checkCredentials(id, { config, secrets: omitEmpty(typed) })).checks);
  });
  return (
    <Stack gap="xs">
      <Group>
        <Button variant="default" size="compact-sm" loading={isBusy} onClick={check} data-testid="check-credentials">
          {t("checkCredentials")}
        </Button>
      </Group>
      <Failure error={error} />
      {checks && <CheckList checks={checks} />}
    </Stack>
  );
}
