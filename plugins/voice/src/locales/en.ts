/** English texts of plugin voice. */
export const en = {
  empty: "is empty",
  large: "is larger than 25 MiB",
  message_large: "it is larger than 25 MiB",
  missing: "is missing",
  model_late: "the model did not answer in time",
  no_sound: "the model did not return playable audio",
  not_played: "Answers are not sent as voice here: the platform plays none of the audio formats this service can make.",
  nothing_to_say: "there is nothing to read aloud in it",
  one_recording: "only one recording can be uploaded at a time",
  removed: "{count} speech files removed",
  unknown_kind: "is not wav, mp3, m4a, ogg, opus, webm or flac",
  trace_not_transcribed: "a voice message was not transcribed: {why}",
  trace_unreadable: "it could not be read",
} as const;
