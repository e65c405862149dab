/** English texts of adapter chat-sdk. */
export const en = {
  failed: "the package {name} failed: {words}",
  gateway_address: "Discord gave an address that is none of a gateway",
  gateway_lost: "the connection to Discord was lost",
  gateway_refused: "Discord refused the connection: {code}",
  late: "the package {name} did not answer in time",
  message_shape: "the package returned a message that cannot be read: {reason}",
  no_adapter: "the package {name} is no adapter of the Chat SDK: it lacks {missing}",
  no_identity: "the platform did not say who the bot is, so mentions are not recognized: {words}",
  not_json: "the variable {variable} is no JSON object",
  own_network: "the package has a network client of its own: the rules for outgoing addresses do not apply to it",
  platform: "{reason}",
  signature: "the signature is wrong",
} as const;
