const MAX = { width: 480, height: 160 }

/**
 * A picture as base64, small enough for a page that loads quickly, and as PNG, which a PDF can hold too. Rejects when the
 * browser cannot read the file as a picture.
 */
export async function logoContent(file: File): Promise<string> {
  const picture = await createImageBitmap(file)
  const scale = Math.min(1, MAX.width / picture.width, MAX.height / picture.height)
  const canvas = document.createElement("canvas")
  canvas.width = Math.max(1, Math.round(picture.width * scale))
  canvas.height = Math.max(1, Math.round(picture.height * scale))
  canvas.getContext("2d")?.drawImage(picture, 0, 0, canvas.width, canvas.height)
  return canvas.toDataURL("image/png").split(",")[1]
}
