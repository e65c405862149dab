import { Alert, Button } from "@mantine/core";
import { CatchBoundary } from "@tanstack/react-router";
import { useTexts } from "../../i18n/i18n.ts";
import { MissingFileError } from "../../load-chunk.ts";
import textCss from "../../styles/text.module.css";
import pageCss from "./page.module.css";

interface ErrorBoundaryProps {
  /** Resets the error when it changes. */
  readonly resetKey: string;
  readonly children: React.ReactNode;
}

/** Shows the error of a page in its place; everything around it continues. */
export function ErrorBoundary({ resetKey, children }: ErrorBoundaryProps) {
  return (
    <CatchBoundary
      getResetKey={() => resetKey}
      errorComponent={({ error, reset }) => <ErrorPanel error={error} onRetry={reset} />}
    >
      {children}
    </CatchBoundary>
  );
}

export function ErrorPanel({ error, onRetry }: { readonly error: unknown; readonly onRetry?: () => void }) {
  const { t } = useTexts();
  const isMissing = error instanceof MissingFileError;
  const retry = isMissing ? () => location.reload() : onRetry;
  return (
    <div className={pageCss.page}>
      <h1 className={textCss.visuallyHidden}>{t("pageFailed")}</h1>
      <Alert color="red" title={t("pageFailed")} role="alert" data-testid="page-error">
        {isMissing ? t("fileMissing") : error instanceof Error ? error.message : String(error)}
        {retry && (
          <Button size="xs" variant="light" mt="xs" display="block" onClick={retry}>
            {t(isMissing ? "reloadPage" : "retry")}
          </Button>
        )}
      </Alert>
    </div>
  );
}
