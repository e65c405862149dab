import { Alert, Button } from "@mantine/core";
import { parley } from "../api/client.ts";
import { useJsonError } from "../forms/use-json-error.ts";
import { Failure, useAction } from "../ui/common.tsx";
import { TextareaField } from "../ui/form/fields.tsx";
import { type CardValues, toCardFields } from "./card-fields.ts";
import { useTexts } from "./texts.ts";

interface StateFieldProps {
  readonly values: CardValues;
  readonly isInvalid: boolean;
  readonly onChange: (patch: Partial<CardValues>) => void;
}

/** The initial state of a character as JSON; a model can suggest it. */
export function StateField({ values, isInvalid, onChange }: StateFieldProps) {
  const { t } = useTexts();
  const findError = useJsonError();
  const { toHandler, isBusy, error } = useAction([]);
  const suggest = toHandler(async () => {
    const { state } = await parley.post("/api/personality/ai-generate-state", { body: { card: toCardFields(values) } });
    onChange({ initial_state: JSON.stringify(state, null, 2) });
  });
  return (
    <div>
      <TextareaField
        name="initial_state"
        label={t("initial_state")}
        styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)", fontSize: ".82rem" } }}
        value={values.initial_state}
        error={isInvalid ? (findError(values.initial_state) ?? t("notJson")) : undefined}
        onChange={(initial_state) => onChange({ initial_state })}
      />
      <Button
        size="compact-xs"
        variant="subtle"
        mt={4}
        loading={isBusy}
        disabled={!values.name.trim()}
        onClick={suggest}
      >
        {t("suggestState")}
      </Button>
      {error ? (
        <Alert color="red" mt={4}>
          <Failure error={error} />
        </Alert>
      ) : null}
    </div>
  );
}
