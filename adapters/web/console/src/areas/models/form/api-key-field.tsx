import { NativeSelect, PasswordInput, Stack } from "@mantine/core";
import { FormControl } from "../../../shared/ui/form/form.tsx";
import type { Model } from "../api.ts";
import { useTexts } from "../texts.ts";

interface Server {
  /** Id of the edited model. */
  readonly id: string | undefined;
  readonly protocol: string;
  readonly address: string;
}

/** Finds the models with the same protocol and origin, one for each API key. */
export function findModelsWithKey(all: readonly Model[], { id, protocol, address }: Server): readonly Model[] {
  const origin = URL.parse(address)?.origin;
  const holders = all.filter(
    (one) =>
      one.has_api_key && one.id !== id && one.protocol === protocol && URL.parse(one.base_url)?.origin === origin,
  );
  return holders.filter(
    (one, at) => holders.findIndex(({ api_key_masked: mask }) => mask === one.api_key_masked) === at,
  );
}

interface ApiKeyFieldProps {
  readonly model: Model | undefined;
  /** Models on the same server that have an API key. */
  readonly sources: readonly Model[];
  /** Id of the model whose API key is used; "" for a typed key. */
  readonly sourceId: string;
  readonly onSelect: (id: string) => void;
  readonly apiKey: string;
  readonly onType: (key: string) => void;
}

/** The API key of a model: typed, or that of another model on the same server. */
export function ApiKeyField({ model, sources, sourceId, onSelect, apiKey, onType }: ApiKeyFieldProps) {
  const { t } = useTexts();
  const ownLabel = t(model?.has_api_key ? "ownKey" : "otherKey");
  return (
    <Stack gap="xs">
      {sources.length > 0 && (
        <FormControl name="api_key_from">
          <NativeSelect
            label={t("apiKey")}
            description={sourceId === "" ? undefined : t("keyOfHint")}
            value={sourceId}
            onChange={({ currentTarget }) => onSelect(currentTarget.value)}
            data={[
              ...sources.map(({ id, name, api_key_masked: mask }) => ({
                value: id,
                label: t("keyOf", { name, mask }),
              })),
              { value: "", label: ownLabel },
            ]}
            data-testid="key-from"
          />
        </FormControl>
      )}
      {sourceId === "" && (
        <FormControl name="api_key">
          <PasswordInput
            label={t(sources.length > 0 ? "newKey" : "apiKey")}
            description={t(model?.has_api_key ? "keyStored" : "keyHint")}
            autoComplete="off"
            value={apiKey}
            onChange={({ currentTarget }) => onType(currentTarget.value)}
            placeholder={model?.api_key_masked ?? ""}
          />
        </FormControl>
      )}
    </Stack>
  );
}
