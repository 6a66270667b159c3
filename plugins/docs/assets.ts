// The files of the page: those in browser/, the fonts, and the bundle of Swagger UI.
import { type Assets, assetsIn, fonts, loadAssets } from '../static/assets.ts'

export async function loadDocsAssets(): Promise<Assets> {
  const bundle = new URL(import.meta.resolve('@fastify/swagger-ui/static/swagger-ui-bundle.js'))
  return loadAssets([bundle, ...fonts(), ...(await assetsIn('shared')), ...(await assetsIn('docs'))])
}
