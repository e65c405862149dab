import { Link } from "@tanstack/react-router";
import { useHasScope } from "../shared/api/console.ts";
import { useTexts } from "../shared/i18n/i18n.ts";
import textCss from "../shared/styles/text.module.css";
import { Empty } from "../shared/ui/page/empty.tsx";
import pageCss from "../shared/ui/page/page.module.css";

/** The page for unknown paths. */
export function NotFound() {
  const { t } = useTexts();
  return <EmptyPage title={t("notFound")} />;
}

/** The page for an area that no running plugin provides, or that this user may not open. */
export function AreaUnavailable() {
  const { t } = useTexts();
  const isAdmin = useHasScope("admin");
  return <EmptyPage title={t("notAvailable")} hint={t(isAdmin ? "pluginOff" : "roleDenied")} />;
}

function EmptyPage({ title, hint }: { readonly title: string; readonly hint?: string }) {
  const { t } = useTexts();
  return (
    <div className={pageCss.page}>
      <Empty icon="search" title={title} isHeading {...(hint !== undefined && { hint })}>
        <Link to="/" className={textCss.inlineLink}>
          {t("toConversations")}
        </Link>
      </Empty>
    </div>
  );
}
