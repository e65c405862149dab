import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { outsidePicture } from "../../shared/api/outside-picture.ts";
import textCss from "../../shared/styles/text.module.css";
import { reasonOf } from "../../shared/ui/common.tsx";
import { Icon } from "../../shared/ui/icon.tsx";
import messageCss from "./message.module.css";
import { ShownPicture } from "./shown-picture.tsx";
import { useTexts } from "./texts.ts";

interface OutsidePictureProps {
  readonly address: string;
  readonly host: string;
  readonly name: string;
}

/** Its server learns nothing of who looks: this service fetches it, when somebody says so. */
export function OutsidePicture({ address, host, name }: OutsidePictureProps) {
  const { t } = useTexts();
  const picture = useQuery({
    queryKey: ["outside-picture", address],
    queryFn: ({ signal }) => outsidePicture(address, signal),
    enabled: false,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const url = useBlobUrl(picture.data);
  if (url !== undefined) return <ShownPicture url={url} name={name} />;
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
        loading={picture.isFetching}
        onClick={() => void picture.refetch()}
        data-testid="show-picture"
      >
        {t("show")}
      </Button>
      {picture.error && (
        <span role="alert" className={messageCss.outsideFailure}>
          {reasonOf(picture.error, t)}
        </span>
      )}
    </span>
  );
}

function useBlobUrl(blob: Blob | undefined): string | undefined {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    if (!blob) return;
    const made = URL.createObjectURL(blob);
    setUrl(made);
    return () => {
      URL.revokeObjectURL(made);
      setUrl(undefined);
    };
  }, [blob]);
  return url;
}
