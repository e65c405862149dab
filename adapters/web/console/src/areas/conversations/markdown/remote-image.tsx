import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { fetchRemoteImage } from "../../../shared/api/remote-image.ts";
import textCss from "../../../shared/styles/text.module.css";
import { formatError } from "../../../shared/ui/common.tsx";
import { Icon } from "../../../shared/ui/element/icon.tsx";
import messageCss from "../message/message.module.css";
import { useTexts } from "../texts.ts";
import { ZoomableImage } from "./zoomable-image.tsx";

interface RemoteImageProps {
  readonly address: string;
  readonly host: string;
  readonly name: string;
}

/** An image on another server. This service fetches it after a click, so that server learns nothing about the reader. */
export function RemoteImage({ address, host, name }: RemoteImageProps) {
  const { t } = useTexts();
  const image = useQuery({
    queryKey: ["outside-picture", address],
    queryFn: ({ signal }) => fetchRemoteImage(address, signal),
    enabled: false,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const url = useBlobUrl(image.data);
  if (url !== undefined) return <ZoomableImage url={url} name={name} />;
  return (
    <span className={messageCss.outsidePicture} data-testid="outside-picture">
      <Icon name="picture" size={16} />
      <span className={messageCss.outsideName}>
        {name !== "" && <span dir="auto">{name}</span>}
        <a href={address} target="_blank" rel="noreferrer noopener" className={textCss.meta}>
          {t("pictureFrom", { host })}
        </a>
      </span>
      <Button
        size="compact-xs"
        variant="light"
        loading={image.isFetching}
        onClick={() => void image.refetch()}
        data-testid="show-picture"
      >
        {t("show")}
      </Button>
      {image.error && (
        <span role="alert" className={messageCss.outsideFailure}>
          {formatError(image.error, t)}
        </span>
      )}
    </span>
  );
}

function useBlobUrl(blob: Blob | undefined): string | undefined {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    if (!blob) return;
    const objectUrl = URL.createObjectURL(blob);
    setUrl(objectUrl);
    return () => {
      URL.revokeObjectURL(objectUrl);
      setUrl(undefined);
    };
  }, [blob]);
  return url;
}
