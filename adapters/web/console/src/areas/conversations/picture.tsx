import { OutsidePicture } from "./outside-picture.tsx";
import { isPictureData, otherHostOf, ownFileOf } from "./picture-address.ts";
import { ShownPicture } from "./shown-picture.tsx";

interface PictureProps {
  readonly address: string;
  /** What it shows, in words. */
  readonly name: string;
}

/** A picture that a message names by its address; one of another server is fetched when somebody wants to see it. */
export function Picture({ address, name }: PictureProps) {
  const own = isPictureData(address) ? address : ownFileOf(address, location.origin);
  if (own !== undefined) return <ShownPicture url={own} name={name} />;
  const host = otherHostOf(address, location.origin);
  return host === undefined ? <span>{name || address}</span> : <OutsidePicture {...{ address, host, name }} />;
}
