// Where vendors send their webhooks to.

export const WEBHOOK_PATH = '/vendor-webhooks'

/** The address of the webhooks of a connector, or of one of its instances. */
export function webhookAddress(publicUrl: string, type: string, instanceId?: string): string {
  const own = instanceId === undefined ? '' : `/${instanceId}`
  return `${publicUrl}/v1${WEBHOOK_PATH}/${type}${own}`
}
