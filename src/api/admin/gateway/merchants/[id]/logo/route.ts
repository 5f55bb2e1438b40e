import { storeEndpoint } from "../../../../../admin-kit/endpoint"
import { presentProfile, readLogoFile } from "../../resource"

/** `content` is the picture in base64: PNG, JPEG or WebP. */
export const POST = storeEndpoint(async ({ gateway, actor, params, body }) => ({
  profile: presentProfile(await gateway.merchantProfiles.setLogo(params.id, readLogoFile(body), { actor })),
}))

/** The name stands alone again; e-mails that were sent keep their picture. */
export const DELETE = storeEndpoint(async ({ gateway, actor, params }) => ({
  profile: presentProfile(await gateway.merchantProfiles.removeLogo(params.id, { actor })),
}))
