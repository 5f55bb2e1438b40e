"use server"

export async function getLocale(): Promise<string | null> {
  return "bn-BD"
}
