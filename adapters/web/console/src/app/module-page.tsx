import { useComputedColorScheme } from "@mantine/core";
import type { AreaHost, AreaModule } from "@parley/core";
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { parley } from "../shared/api/client.ts";
import type { NavigationArea } from "../shared/api/console.ts";
import { useTexts } from "../shared/i18n/i18n.ts";
import { localize } from "../shared/i18n/localize.ts";
import { useLocalized } from "../shared/i18n/use-localized.ts";
import { LoadingIndicator } from "../shared/ui/common.tsx";
import { showToast } from "../shared/ui/feedback/toasts.tsx";
import { ErrorPanel } from "../shared/ui/page/error-boundary.tsx";
import { Page } from "../shared/ui/page/page.tsx";

interface ModulePageProps {
  readonly area: NavigationArea;
  readonly url: string;
  readonly record: string | undefined;
}

/** A page provided by a plugin as an ES module. Remounted when the language, theme or record changes. */
export function ModulePage({ area, url, record }: ModulePageProps) {
  const { language } = useTexts();
  const localizeText = useLocalized();
  const theme = useComputedColorScheme();
  const navigate = useNavigate();
  const container = useRef<HTMLDivElement>(null);
  const [attempt, setAttempt] = useState(0);
  const [state, setState] = useState<{ readonly isMounted: boolean; readonly error?: unknown }>({ isMounted: false });

  useEffect(() => {
    const element = container.current;
    if (!element) return;
    setState({ isMounted: false });
    let isUnmounted = false;
    let unmount: (() => void) | undefined;
    const host: AreaHost = {
      call: (method, path, body) => callApi(method, path, body),
      language: language.startsWith("zh") ? "zh" : "en",
      locale: language,
      localize: (text) => localize(text, language),
      theme,
      record,
      navigate: (to) => void navigate({ to }),
      toast: (text) => showToast({ text }),
    };
    const mountModule = async () => {
      const { default: areaModule }: { readonly default?: AreaModule<HTMLElement> } = await import(
        /* @vite-ignore */ url
      );
      if (isUnmounted) return;
      if (typeof areaModule?.mount !== "function")
        throw new Error(`${url} has no default export with a function 'mount'`);
      unmount = (await areaModule.mount(element, host)) ?? undefined;
      if (isUnmounted) unmount?.();
      else setState({ isMounted: true });
    };
    mountModule().catch((error: unknown) => isUnmounted || setState({ isMounted: false, error }));
    return () => {
      isUnmounted = true;
      try {
        unmount?.();
      } catch (error) {
        showToast({ text: String(error), isBad: true });
      }
      element.replaceChildren();
    };
  }, [url, language, theme, record, attempt, navigate]);

  const { isMounted, error } = state;
  return (
    <>
      {error !== undefined && <ErrorPanel error={error} onRetry={() => setAttempt(attempt + 1)} />}
      <div hidden={error !== undefined}>
        <Page title={localizeText(area.title)} isWide>
          {!isMounted && <LoadingIndicator />}
          <div ref={container} data-testid="module-area" />
        </Page>
      </div>
    </>
  );
}

async function callApi<Data>(
  method: "GET" | "POST" | "PUT" | "DELETE",
  path: string,
  body: object | undefined,
): Promise<Data> {
  if (!path.startsWith("/")) throw new Error(`'${path}' is not a path of this service`);
  const { data } = await parley.request(method, path, body && { body });
  return data as Data;
}
