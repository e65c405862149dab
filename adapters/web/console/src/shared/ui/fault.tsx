import { Alert, Button } from "@mantine/core";
import { CatchBoundary } from "@tanstack/react-router";
import { FileMissing } from "../fetched.ts";
import { useTexts } from "../i18n/i18n.ts";
import textCss from "../styles/text.module.css";
import pageCss from "./page.module.css";

interface FaultFrameProps {
  /** At another one, what failed is forgotten. */
  readonly place: string;
  readonly children: React.ReactNode;
}

/** A page that throws shows its error in its own place; everything around it goes on. */
export function FaultFrame({ place, children }: FaultFrameProps) {
  return (
    <CatchBoundary
      getResetKey={() => place}
      errorComponent={({ error, reset }) => <Fault error={error} again={reset} />}
    >
      {children}
    </CatchBoundary>
  );
}

export function Fault({ error, again }: { readonly error: unknown; readonly again?: () => void }) {
  const { t } = useTexts();
  const isMissing = error instanceof FileMissing;
  const retry = isMissing ? () => location.reload() : again;
  return (
    <div className={pageCss.page}>
      <h1 className={textCss.unseen}>{t("pageFailed")}</h1>
      <Alert color="red" title={t("pageFailed")} role="alert" data-testid="page-fault">
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
