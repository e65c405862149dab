/**
 * Shared error texts with the names of their parameters; translations go by the key. Field errors use joi's error
 * type as their key: `string.max`, `any.required`.
 */
export const ERROR_TEXTS = {
  app_not_set: "app_id or the variable {variable} is not set",
  bridge_lost: "the connection to the bridge was lost",
  channel_type_near: "the type '{type}' is not known; did you mean '{near}'?",
  channel_type_unserved: "no installed package serves the type '{type}'",
  channel_not_connected: "the channel is not connected",
  channel_off: "the channel is switched off",
  changed_meanwhile: "the record was changed meanwhile: its revision is {revision}, not {seen}",
  import_running: "another import is running: try again when it is done",
  nothing_to_update: "nothing to update",
  not_a_package: "file: is no configuration package",
  named_channel_not_connected: "channel '{id}' is not connected",
  named_channel_off: "channel '{id}' is switched off",
  not_found: "{kind} '{id}' does not exist",
  no_such_row: "{method} {path} does not exist",
  other_site: "origin: the request comes from another site",
  record_exists: "a record with these values exists already",
  restarting: "the service is restarting",
  package_altered: "the password is wrong, or the package was changed after it was made",
  package_newer: "the package is of a newer version ({version}): update this installation first",
  package_too_large: "the package unpacks to more than an import takes in: nothing was changed",
  may_not_speak: "'{by}' may not have anything sent to people of a platform: that takes the scope 'admin'",
  scope_missing: "the credential lacks the scope '{scope}'",
  sign_in_first: "sign in first",
  setting_unused: "has no effect on channels of this type",
  setting_not_set: "{setting} is not set",
  storage_busy: "the storage cannot take this now",
  storage_closed: "the storage is not open",
  storage_damaged: "the database is damaged",
  too_late: "no answer within {seconds} s",
  too_many_at_once: "too many requests at once",
  too_many_a_minute: "more than {most} requests a minute",
  unknown_section: "sections: no enabled plugin has a section '{section}'",
  variable_not_set: "the variable {variable} is not set",
  wrong_login: "user name or password is wrong",
  wrong_password: "the password is wrong",
} as const;

/** Key of an error text. */
export type ErrorText = keyof typeof ERROR_TEXTS;
