/** The parts of a picture that are shown, and its size; a reader throws when it is damaged. */
export interface CleanPicture {
  readonly bytes: Uint8Array;
  readonly width: number;
  readonly height: number;
}
