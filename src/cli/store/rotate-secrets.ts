import type { Gateway } from "../../modules/gateway/container"
import type { RotatedColumn } from "../../modules/gateway/merchants/secret-rotation"

export function rotateSecrets(gateway: Gateway): Promise<RotatedColumn[]> {
  return gateway.secretRotation.run()
}
