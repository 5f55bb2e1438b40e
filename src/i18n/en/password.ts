/** The e-mail by which a customer of the store chooses a new password. */
export const password = {
  subject: "{{shop}}: choose a new password",
  text: "Somebody asked for a new password for your account at {{shop}}. Choose it within 15 minutes, with this link:",
  ignore: "If it was not you, do nothing: your password stays as it is.",
  button: "Choose a new password",
} as const
