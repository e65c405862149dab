/** The visible parts of a picture, and its size. A reader throws when the picture is damaged. */
export interface CleanPicture {
  readonly bytes: Uint8Array;
  readonly width: number;
  readonly height: number;
}
