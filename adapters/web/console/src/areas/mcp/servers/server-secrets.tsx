import { Fieldset, PasswordInput, Stack } from "@mantine/core";
import { useTexts } from "../texts.ts";

interface ServerSecretsProps {
  /** The variables that the server is given. */
  readonly names: readonly string[];
  readonly storedNames: readonly string[];
  readonly typed: Readonly<Record<string, string>>;
  readonly onChange: (name: string, value: string) => void;
}

/** The secrets of a server: typed in here, or variables that are set where the service runs. */
export function ServerSecrets({ names, storedNames, typed, onChange }: ServerSecretsProps) {
  const { t } = useTexts();
  if (names.length === 0) return null;
  return (
    <Fieldset legend={t("secrets")}>
      <Stack gap="sm">
        {names.map((name) => (
          <PasswordInput
            key={name}
            label={name}
            description={t(storedNames.includes(name) ? "secretKept" : "secretOpen")}
            autoComplete="off"
            value={typed[name] ?? ""}
            onChange={({ currentTarget }) => onChange(name, currentTarget.value)}
          />
        ))}
      </Stack>
    </Fieldset>
  );
}
