import { Alert, Text } from "@mantine/core";
import { durationOf } from "../../shared/i18n/durations.ts";
import { useLocal } from "../../shared/i18n/local.ts";
import type { Trial } from "./api.ts";
import { useTexts } from "./texts.ts";

/** What a try of a model came to, with the reason when it failed. */
export function TrialResult({ trial }: { readonly trial: Trial }) {
  const { t, language } = useTexts();
  const inMine = useLocal();
  const { ok, elapsed_ms, sample, stream, status_code, said } = trial;
  return (
    <Alert color={ok ? "parley" : "red"} mt="sm" py="xs" role="status" data-testid="model-test-result">
      {ok
        ? `${t("testOk")} (${durationOf(elapsed_ms, language)})${sample ? `: ${sample}` : ""}`
        : `${t("testFailed")}${status_code ? ` (${status_code})` : ""}: ${said ? inMine(said) : ""}`}
      {stream && (
        <Text size="xs" mt={2} data-testid="model-test-stream">
          {t("streamed", { time: durationOf(stream.first_ms, language), count: stream.parts })}
        </Text>
      )}
    </Alert>
  );
}
