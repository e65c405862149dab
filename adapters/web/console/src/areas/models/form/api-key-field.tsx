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
  readonly holders: readonly Model[];
  /** The model whose API key is used; "" for a typed one. */
  readonly from: string;
  readonly onSelect: (id: string) => void;
  readonly apiKey: string;
  readonly onType: (key: string) => void;
}

/** The API key of a model: typed, or that of another model on the same server. */
export function ApiKeyField({ model, holders, from, onSelect, apiKey, onType }: ApiKeyFieldProps) {
  const { t } = useTexts();
  const ownLabel = t(model?.has_api_key ? "ownKey" : "otherKey");
  return (
    <Stack gap="xs">
      {holders.length > 0 && (
        <FormControl name="api_key_from">
          <NativeSelect
            label={t("apiKey")}
            description={from === "" ? undefined : t("keyOfHint")}
            value={from}
            onChange={({ currentTarget }) => onSelect(currentTarget.value)}
            data={[
              ...holders.map(({ id, name, api_key_masked: mask }) => ({
                value: id,
                label: t("keyOf", { name, mask }),
              })),
              { value: "", label: ownLabel },
            ]}
            data-testid="key-from"
          />
        </FormControl>
      )}
      {from === "" && (
        <FormControl name="api_key">
          <PasswordInput
            label={t(holders.length > 0 ? "newKey" : "apiKey")}
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
