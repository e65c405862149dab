import { Alert, Button } from "@mantine/core";
import { parley } from "../api/client.ts";
import { useJsonFault } from "../forms/json-fault.ts";
import { Failure, useTried } from "../ui/common.tsx";
import { LongField } from "../ui/fields.tsx";
import { type CardValues, fieldsOf } from "./card-fields.ts";
import { useTexts } from "./texts.ts";

interface StateFieldProps {
  readonly values: CardValues;
  readonly isBroken: boolean;
  readonly put: (patch: Partial<CardValues>) => void;
}

/** What a character begins with, as JSON; a model may propose it. */
export function StateField({ values, isBroken, put }: StateFieldProps) {
  const { t } = useTexts();
  const fault = useJsonFault();
  const { tried, isBusy, error } = useTried([]);
  const suggest = tried(async () => {
    const { state } = await parley.post("/api/personality/ai-generate-state", { body: { card: fieldsOf(values) } });
    put({ initial_state: JSON.stringify(state, null, 2) });
  });
  return (
    <div>
      <LongField
        name="initial_state"
        label={t("initial_state")}
        styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)", fontSize: ".82rem" } }}
        value={values.initial_state}
        error={isBroken ? (fault(values.initial_state) ?? t("notJson")) : undefined}
        put={(initial_state) => put({ initial_state })}
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
