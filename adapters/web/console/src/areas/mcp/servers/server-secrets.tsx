import { Fieldset, PasswordInput, Stack } from "@mantine/core";
import { useTexts } from "../texts.ts";

interface ServerSecretsProps {
  /** Names of the variables that the server receives. */
  readonly names: readonly string[];
  readonly storedNames: readonly string[];
  readonly values: Readonly<Record<string, string>>;
  readonly onChange: (name: string, value: string) => void;
}

/** The secrets of a server: entered here, or taken from the environment of the service. */
export function ServerSecrets({ names, storedNames, values, onChange }: ServerSecretsProps) {
  const { t } = useTexts();
  if (names.length === 0) return null;
  return (
    <Fieldset legend={t("secrets")}>
      <Stack gap="sm">
        {names.map((name) => (
          <PasswordInput
            key={name}
            label={name}
            description={t(storedNames.includes(name) ? "secretStored" : "secretMissing")}
            autoComplete="off"
            value={values[name] ?? ""}
            onChange={({ currentTarget }) => onChange(name, currentTarget.value)}
          />
        ))}
      </Stack>
    </Fieldset>
  );
}
