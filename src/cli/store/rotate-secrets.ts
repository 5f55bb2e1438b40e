import { scriptOf } from "./script"

export default scriptOf((gateway) => gateway.secretRotation.run())
