import type { password as english } from "../en/password"
import type { Wording } from "../wording"

export const password: Wording<typeof english> = {
  subject: "{{shop}}: নতুন পাসওয়ার্ড বেছে নিন",
  text: "{{shop}}-এ আপনার অ্যাকাউন্টের জন্য নতুন পাসওয়ার্ড চাওয়া হয়েছে। ১৫ মিনিটের মধ্যে এই লিংক থেকে বেছে নিন:",
  ignore: "আপনি না চেয়ে থাকলে কিছু করতে হবে না: পাসওয়ার্ড আগের মতোই থাকবে।",
  button: "নতুন পাসওয়ার্ড বেছে নিন",
}
