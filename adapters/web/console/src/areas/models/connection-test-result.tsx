import { Alert, Text } from "@mantine/core";
import { formatDuration } from "../../shared/i18n/format-duration.ts";
import { useLocalized } from "../../shared/i18n/use-localized.ts";
import type { TestResult } from "./api.ts";
import { useTexts } from "./texts.ts";

/** The outcome of a connection test, with the reason of a failure. */
export function ConnectionTestResult({ trial }: { readonly trial: TestResult }) {
  const { t, language } = useTexts();
  const localize = useLocalized();
  const { ok, elapsed_ms, sample, stream, status_code, said } = trial;
  return (
    <Alert color={ok ? "parley" : "red"} mt="sm" py="xs" role="status" data-testid="model-test-result">
      {ok
        ? `${t("testOk")} (${formatDuration(elapsed_ms, language)})${sample ? `: ${sample}` : ""}`
        : `${t("testFailed")}${status_code ? ` (${status_code})` : ""}: ${said ? localize(said) : ""}`}
      {stream && (
        <Text size="xs" mt={2} data-testid="model-test-stream">
          {t("streamed", { time: formatDuration(stream.first_ms, language), count: stream.parts })}
        </Text>
      )}
    </Alert>
  );
}
