import type { Command } from "../command"
import { advance, clock } from "./clock"
import { doctor } from "./doctor"
import { resend } from "./events"
import { init } from "./init"
import { createKey, rotateSecrets } from "./keys"
import { listen } from "./listen"
import { payments } from "./payments"
import { addRegion, addSample } from "./samples"
import { trigger } from "./trigger"

/** Every command, in the order of `--help`. */
export const COMMANDS: readonly Command[] = [
  init,
  doctor,
  listen,
  trigger,
  resend,
  payments,
  clock,
  advance,
  addRegion,
  addSample,
  createKey,
  rotateSecrets,
]
