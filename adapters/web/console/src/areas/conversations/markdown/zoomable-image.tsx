import { Suspense, useState } from "react";
import { lazy } from "../../../shared/load-chunk.ts";
import messageCss from "../message/message.module.css";
import { useTexts } from "../texts.ts";

const Lightbox = lazy(async () => ({ default: (await import("./lightbox.tsx")).Lightbox }));

interface ZoomableImageProps {
  readonly url: string;
  readonly name: string;
}

/** An image that can be opened in full size. */
export function ZoomableImage({ url, name }: ZoomableImageProps) {
  const { t } = useTexts();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        className={messageCss.picture}
        onClick={() => setOpen(true)}
        title={t("enlarge")}
        data-testid="picture"
      >
        <img className={messageCss.attached} src={url} alt={name} loading="lazy" />
      </button>
      {isOpen && (
        <Suspense>
          <Lightbox url={url} name={name} close={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
